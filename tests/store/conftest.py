"""A server of each kind that the service is tried with."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.servers import SERVERS, running_server, server_named


@pytest.fixture(params=SERVERS)
def binary(request: pytest.FixtureRequest) -> str:
    """Each server that we know of: they word their errors differently."""
    return server_named(request.param)


@pytest.fixture
def url(binary: str, tmp_path: Path) -> Iterator[str]:
    with running_server(tmp_path / "one", binary=binary) as (url, _):
        yield url
