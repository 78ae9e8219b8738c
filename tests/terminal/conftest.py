"""Whoever sits at a terminal, and the service that they ask."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.serving import Client, running_workers


@pytest.fixture
def home(tmp_path: Path) -> dict[str, str]:
    """Surroundings of somebody who speaks no particular language."""
    kept = {name: value for name, value in os.environ.items() if name in ("PATH", "HOME", "VIRTUAL_ENV", "PYTHONPATH")}
    cache = {name: value for name, value in os.environ.items() if name.startswith(("RED_", "NUMBA_"))}
    return kept | cache | {"XDG_STATE_HOME": str(tmp_path), "TERM": "xterm-256color", "LANG": "C.UTF-8"}


@pytest.fixture(scope="module")
def service(api: Client, redis_url: str) -> Iterator[Client]:
    with running_workers(redis_url, 1):
        yield api
