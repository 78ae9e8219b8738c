"""Processes that many tests share: they start once a session."""

from collections.abc import Iterator

import pytest

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
