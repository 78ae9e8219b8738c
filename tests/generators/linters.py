"""Linters of contracts, with the rules in this folder: each rule that is off says why."""

import json
import subprocess
from pathlib import Path
from typing import Any

from tests.generators.recipes import HERE
from tests.support.contract import PATH

_LINTERS = {
    "spectral": ("lint", str(PATH), "--ruleset", str(HERE / "spectral.yaml"), "--format", "json", "--quiet"),
    "redocly": ("lint", str(PATH), "--config", str(HERE / "redocly.yaml"), "--format", "json"),
}


def lint(folder: Path) -> int:
    """Print what the linters say about the contract; return how many said something."""
    complaining = 0
    for name, arguments in _LINTERS.items():
        command = ["node", f"node_modules/.bin/{name}", *arguments]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300, check=False)
        found = _problems(done.stdout)
        print(f"{name}: {len(found)} warnings", *found[:20], sep="\n  ")
        complaining += bool(found or done.returncode)
        if done.returncode and not found:
            print(done.stderr[-2000:])
    return complaining


def _problems(said: str) -> list[str]:
    """Return what a linter found, a line each; both write JSON, of different shapes."""
    told: Any = json.loads(said or "[]")
    if isinstance(told, dict):
        return [
            f"{each['ruleId']}: {each['message']} {each['location'][0].get('pointer')}" for each in told["problems"]
        ]
    return [f"{each['code']}: {each['message']} {'/'.join(map(str, each['path']))}" for each in told]
