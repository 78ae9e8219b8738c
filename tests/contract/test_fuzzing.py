"""schemathesis makes requests out of the contract, good and bad, alone and in sequence, and finds no answer wrong."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.serving import UNLIMITED, Client, running_web

HERE = Path(__file__).parent


@pytest.fixture
def service(redis_url: str) -> Iterator[Client]:
    with running_web(redis_url, MAX_WAIT_SECONDS="1", **UNLIMITED) as client:
        yield client


def fuzz(service: Client, folder: Path, *options: str) -> None:
    code = "from schemathesis.cli import schemathesis; schemathesis()"
    command = [sys.executable, "-c", code, "--config-file", str(HERE / "fuzzing.toml"), "run"]
    command += [f"{service.base}/openapi.yaml", "--workers", "1", "--no-color", *options]
    environment = os.environ | {"FUZZED_URL": service.base, "PYTHONPATH": str(HERE.parents[1])}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    said = done.stdout + done.stderr
    assert done.returncode == 0, said[-20_000:]
    generated = re.search(r"(\d+) generated", said)
    assert generated, said
    assert int(generated[1]) > 1000, said


@pytest.mark.thorough
def test_schemathesis_finds_nothing(service: Client, tmp_path: Path) -> None:
    fuzz(service, tmp_path, "--max-examples", "3", "--seed", "1")


@pytest.mark.soak
def test_schemathesis_finds_nothing_in_ten_minutes(service: Client, tmp_path: Path) -> None:
    fuzz(service, tmp_path, "--max-time", "600")
