"""The service as a later release would serve it."""

from collections.abc import Iterator

import pytest

from tests.support.later_release import later_release
from tests.support.serving import Client


@pytest.fixture
def later(api: Client) -> Iterator[str]:
    with later_release(api.base) as url:
        yield url
