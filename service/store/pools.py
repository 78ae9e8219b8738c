"""Pools of connections to Redis that hand them out, and count nothing.

redis-py's own keep counts for monitoring, which nobody reads here, and which take as long as all else that a pool does.
"""

from queue import Empty
from typing import Any

import redis
from redis.exceptions import ConnectionError as Disconnected
from redis.sentinel import SentinelConnectionPool


class Pool(redis.BlockingConnectionPool):
    """A bounded pool: whoever finds no connection free waits for one."""

    def get_connection(self, *_: Any, **__: Any) -> Any:
        """Return a connection that was open when it was used last. Raises ConnectionError."""
        self._checkpid()
        try:
            connection = self.pool.get(timeout=self.timeout) or self.make_connection()  # type: ignore[no-untyped-call]
        except Empty as error:
            raise Disconnected("no connection is free") from error
        try:
            connection.connect()
        except BaseException:
            self.release(connection)
            raise
        return connection

    def release(self, connection: Any) -> None:
        self._checkpid()
        if self.owns_connection(connection) and not connection.should_reconnect():
            self.pool.put_nowait(connection)
        else:
            super().release(connection)  # type: ignore[no-untyped-call]


class SentinelPool(SentinelConnectionPool, Pool):
    """A bounded pool of connections to whichever server is the master."""


def nodes_of(hosts: str, port: int) -> list[tuple[str, int]]:
    """Return the nodes that an address names: `host:port,host,[::1]:port`. Raises ValueError."""
    return [_node(each, port) for each in hosts.split(",")]


def _node(text: str, port: int) -> tuple[str, int]:
    host, colon, named = text.rpartition(":")
    if not colon or text.endswith("]"):
        host, named = text, str(port)
    if not host:
        raise ValueError("a node without a name")
    return host.strip("[]"), int(named)
