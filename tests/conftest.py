"""Processes that many tests share: they start once a session."""

from collections.abc import Iterator

import pytest

from service import jobs
from service.matches import opening, slices
from tests.matching import MatchDesk
from tests.serving import UNLIMITED, Client, refusals, running_redis, running_web


@pytest.fixture(scope="session")
def redis_url() -> Iterator[str]:
    """At the end nothing may have been refused: the users of deploy/ can do all that the service does."""
    with running_redis() as url:
        yield url
        assert refusals(url) == []


@pytest.fixture(scope="session")
def api(redis_url: str) -> Iterator[Client]:
    """The service without limits, two gunicorn workers over a real Redis."""
    with running_web(redis_url, **UNLIMITED) as client:
        yield client


@pytest.fixture
def desk(redis_url: str, monkeypatch: pytest.MonkeyPatch) -> MatchDesk:
    """Where this process does what workers do about matches."""
    made = MatchDesk(redis_url)
    for module in (jobs, slices, opening):
        monkeypatch.setattr(module, "own_store", lambda: made.store)
    return made
