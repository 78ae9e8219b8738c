"""Clients of a small server that answers by a script."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from red_november_client import retries
from red_november_client.blocking import Client
from tests.support.scripted_server import Answer, Asked, scripted


@contextmanager
def server(*script: Answer) -> Iterator[tuple[Client, Asked]]:
    with scripted(*script) as (address, asked):
        yield Client(address, "rn_secret", patience=5), asked


@pytest.fixture(autouse=True)
def _no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retries, "FIRST_PAUSE", 0.01)
