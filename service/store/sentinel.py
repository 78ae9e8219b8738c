"""Reach the master that Sentinels watch over: `redis+sentinel://host:port,host:port/name/db`, `rediss+sentinel://`."""

from typing import Any
from urllib.parse import unquote, urlsplit

from redis.connection import parse_url
from redis.sentinel import Sentinel, SentinelManagedConnection, SentinelManagedSSLConnection

from service.store.pools import SentinelPool, nodes_of
from service.wire import Wire

CONNECT_SECONDS = 3.0
SENTINEL_PORT = 26379


class _Untimely:
    """A connection to a Sentinel's master that is closed when no answer comes in time, as those without Sentinels are.

    redis-py would go on with it: whoever used it next would wait again, or get the answer that was meant for another.
    """

    def read_response(self, *options: Any, disconnect_on_error: bool = True, **more: Any) -> Any:
        return super().read_response(*options, disconnect_on_error=disconnect_on_error, **more)  # type: ignore[misc]


class _SentinelConnection(_Untimely, SentinelManagedConnection):  # type: ignore[misc]
    pass


class _SecureSentinelConnection(_Untimely, SentinelManagedSSLConnection):  # type: ignore[misc]
    pass


def pool(url: str, options: Wire) -> SentinelPool:
    """Return a pool. Query arguments and credentials are the master's; `sentinel_` stands before the Sentinels'."""
    parts = urlsplit(url)
    credentials, at, hosts = parts.netloc.rpartition("@")
    name, _, database = parts.path.strip("/").partition("/")
    secure = parts.scheme.startswith("rediss")
    wanted = parse_url(f"redis://{credentials}{at}/{database or 0}?{parts.query}")  # type: ignore[no-untyped-call]
    sentinel = {each: wanted.pop(f"sentinel_{each}", None) for each in ("username", "password")}
    shared = {each: value for each, value in wanted.items() if each.startswith("ssl_")} | {"ssl": secure}
    if not name:
        raise ValueError("a redis+sentinel:// address ends with the name of the master")
    watchers = Sentinel(  # type: ignore[no-untyped-call]
        nodes_of(hosts, SENTINEL_PORT),
        sentinel_kwargs={**sentinel, **shared, "socket_timeout": CONNECT_SECONDS, "protocol": 2},
    )
    return SentinelPool(  # type: ignore[no-untyped-call]
        unquote(name),
        watchers,
        **options,
        **wanted,
        ssl=secure,
        connection_class=_SecureSentinelConnection if secure else _SentinelConnection,
    )
