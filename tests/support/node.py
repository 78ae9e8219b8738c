"""Node and what our tests need from npm: a folder with pinned packages, installed once."""

import fcntl
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.support.serving import PATIENCE

CLIENTS = Path(__file__).parents[1] / "clients"
MISSING = "left out: {what}, for want of node; `apt-get install nodejs npm`, or see nodejs.org for other systems"


def need_node(what: str) -> str:
    """Node's path; skips the test where there is none."""
    node = shutil.which("node")
    if node is None or shutil.which("npm") is None:
        pytest.skip(MISSING.format(what=what))
    return node


def run(command: list[str | Path], folder: Path, timeout: float = PATIENCE, **environment: str) -> str:
    """What it prints; a failure shows all that it said."""
    done = subprocess.run(
        command,
        cwd=folder,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def install(folder: Path = CLIENTS) -> Path:
    """Return where the packages of the folder's lock file are. Of several processes of the tests one installs."""
    modules, lock = folder / "node_modules", folder / "package-lock.json"
    installed = modules / ".package-lock.json"
    with lock.open() as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        if not installed.exists() or installed.stat().st_mtime < lock.stat().st_mtime:
            run(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"], folder, timeout=600)
            installed.touch()
    return modules
