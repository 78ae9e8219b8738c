"""Reach one Redis: `redis://`, `rediss://` and `unix://`, as redis-py reads them."""

import redis

from service.store.pools import Pool
from service.wire import Wire


def pool(url: str, options: Wire) -> redis.ConnectionPool:
    """Return a bounded pool of connections."""
    return Pool.from_url(url, **options)
