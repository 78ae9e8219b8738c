"""The client of Redis: a bounded pool of connections, and several commands in one round trip at little cost."""

from typing import Any

import redis
from hiredis import pack_command
from redis.connection import DefaultParser
from redis.exceptions import ConnectionError as Disconnected

CONNECTIONS = 32  # a process has at most; further requests wait for one
WAIT_SECONDS = 10
ANSWER_SECONDS = 10.0

Command = tuple[Any, ...]


class _Parser(DefaultParser):  # type: ignore[misc, valid-type]
    """Before each use of a connection redis-py asks the kernel whether it was closed, which under gevent costs as much
    as the use. A closed one is also noticed by using it."""

    def can_read(self, timeout: float = 0) -> bool:
        return super().can_read(timeout) if timeout else False


class Client(redis.Redis):
    @classmethod
    def connect(cls, url: str, patience: float = ANSWER_SECONDS) -> "Client":
        """`patience`: seconds that Redis may take to answer; a worker waits long for his next job."""
        pool = redis.BlockingConnectionPool.from_url(
            url,
            protocol=2,
            max_connections=CONNECTIONS,
            timeout=WAIT_SECONDS,
            socket_timeout=patience,
            parser_class=_Parser,
        )
        return cls(connection_pool=pool)

    def ask(self, *commands: Command) -> list[Any]:
        """The replies as Redis sends them. A pipeline does the same in twice the time.

        Commands are sent again when the connection breaks: they must bear that.
        """
        if not commands:
            return []
        packed = b"".join(map(pack_command, commands))
        pool = self.connection_pool
        connection: Any = pool.get_connection()
        try:
            try:
                return _replies(connection, packed, len(commands))
            except Disconnected:  # perhaps long ago, while it was not in use
                connection.disconnect()
                return _replies(connection, packed, len(commands))
        except BaseException:
            connection.disconnect()  # other replies may be under way on it
            raise
        finally:
            pool.release(connection)


def _replies(connection: Any, packed: bytes, count: int) -> list[Any]:
    connection.send_packed_command([packed])
    return [connection.read_response() for _ in range(count)]
