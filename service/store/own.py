"""Open the store of a worker."""

from dataclasses import replace
from functools import cache

from service import clock
from service.config import from_environment
from service.store.store import Store


@cache
def own_store() -> Store:
    """Return the store that this process and its forks share."""
    config = replace(from_environment(), wait_replicas=0, wait_disk=False)  # nobody is told that a bot has moved
    store = Store.connect(config)
    clock.follow(store.redis)
    return store
