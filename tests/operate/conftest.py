"""Two places, for what is carried from one to the other."""

from collections.abc import Iterator

import pytest

from tests.support.places import Place
from tests.support.serving import running_redis


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with running_redis() as url:
        yield url


@pytest.fixture
def here(url: str) -> Place:
    return Place(url)


@pytest.fixture
def there(url: str) -> Place:
    return Place(url.replace("db=0", "db=1"))
