"""The client of Redis: a bounded pool of connections, and several commands in one round trip at little cost.

Addresses are those of redis-py (`redis://`, `rediss://`, `unix://`), and `redis+sentinel://host:port,host:port/name/db`
(`rediss+sentinel://` with TLS) for a master that Sentinels watch over.
"""

import re
from typing import Any
from urllib.parse import unquote, urlsplit

import redis
from hiredis import pack_command
from redis.backoff import NoBackoff
from redis.connection import DefaultParser, parse_url
from redis.exceptions import ConnectionError as Disconnected
from redis.exceptions import NoPermissionError, RedisError, ResponseError
from redis.retry import Retry
from redis.sentinel import Sentinel, SentinelConnectionPool

CONNECTIONS = 32  # a process has at most; further requests wait for one
WAIT_SECONDS = 3
ANSWER_SECONDS = 10.0
CONNECT_SECONDS = 3.0
SENTINEL_PORT = 26379
OLDEST = (6, 2)
OLDEST_FOR_DISK = (7, 2)  # that has WAITAOF

Command = tuple[Any, ...]
_REPLICATION_ID = re.compile(rb"master_replid:([0-9a-f]{8})")


class TooOld(RedisError):
    """A Redis that lacks what we need."""


class Replies(list[Any]):
    """What Redis answered, and the epoch of the data that it answered from."""

    epoch: str = ""


class _Parser(DefaultParser):  # type: ignore[misc, valid-type]
    """Before each use of a connection redis-py asks the kernel whether it was closed, which under gevent costs as much
    as the use. A closed one is also noticed by using it: then it is made anew and the command sent again, once."""

    def can_read(self, timeout: float = 0) -> bool:
        return super().can_read(timeout) if timeout else False


class _SentinelPool(SentinelConnectionPool, redis.BlockingConnectionPool):
    """Connections to whichever server is the master, and no more of them than elsewhere."""


class Client(redis.Redis):
    epoch: str = ""  # of the data that the last connection found

    @classmethod
    def connect(cls, url: str, patience: float = ANSWER_SECONDS) -> "Client":
        """`patience`: seconds that Redis may take to answer; a worker waits long for his next job."""
        options: dict[str, Any] = {
            "protocol": 2,
            "max_connections": CONNECTIONS,
            "timeout": WAIT_SECONDS,
            "socket_timeout": patience,
            "socket_connect_timeout": CONNECT_SECONDS,
            "parser_class": _Parser,
            "retry": Retry(NoBackoff(), 1, (Disconnected,)),
        }
        if "+sentinel://" in url:
            client = cls(connection_pool=_sentinel_pool(url, options))
        else:
            client = cls(connection_pool=redis.BlockingConnectionPool.from_url(url, **options))
        client.connection_pool.connection_kwargs["redis_connect_func"] = client._greet
        return client

    def _greet(self, connection: Any) -> None:
        """The replication id changes whenever the data may have gone back in time: with another master, and with a
        restart. Both need a new connection, so that here is the place to notice."""
        connection.on_connect()
        connection.send_command("INFO", "replication")
        try:
            found = _REPLICATION_ID.search(connection.read_response())
        except NoPermissionError:
            found = None
        connection.epoch = self.epoch = found[1].decode() if found else "unknown"

    def known_epoch(self) -> str:
        if not self.epoch:
            self.ping()
        return self.epoch

    def ask(self, *commands: Command, optional: int = 0) -> Replies:
        """The replies as Redis sends them. A pipeline does the same in twice the time.

        Commands are sent again when the connection breaks: they must bear that. The first `optional` ones may be
        refused; their replies are then errors.
        """
        if not commands:
            return Replies()
        packed = b"".join(map(pack_command, commands))
        pool = self.connection_pool
        connection: Any = pool.get_connection()
        try:
            try:
                replies = _replies(connection, packed, len(commands))
            except Disconnected:  # perhaps long ago, while it was not in use
                connection.disconnect()
                replies = _replies(connection, packed, len(commands))
            replies.epoch = connection.epoch
        except BaseException:
            connection.disconnect()  # other replies may be under way on it
            raise
        finally:
            pool.release(connection)
        for reply in replies[optional:]:
            if isinstance(reply, RedisError):
                raise reply
        return replies

    def require(self, oldest: tuple[int, int] = OLDEST) -> None:
        """Raises TooOld."""
        version = str(self.info("server")["redis_version"])
        if tuple(map(int, version.split(".")[:2])) < oldest:
            raise TooOld(f"Redis is of version {version}, too old: it must be {oldest[0]}.{oldest[1]} or newer")


def _replies(connection: Any, packed: bytes, count: int) -> Replies:
    connection.send_packed_command([packed])
    return Replies(_reply(connection) for _ in range(count))


def _reply(connection: Any) -> Any:
    try:
        return connection.read_response()
    except ResponseError as error:
        return error


def _sentinel_pool(url: str, options: dict[str, Any]) -> _SentinelPool:
    """Query arguments and credentials are for the master; those of the Sentinels have `sentinel_` before them."""
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
        [_host(each) for each in hosts.split(",")],
        sentinel_kwargs={**sentinel, **shared, "socket_timeout": CONNECT_SECONDS, "protocol": 2},
    )
    return _SentinelPool(  # type: ignore[no-untyped-call]
        unquote(name), watchers, **options, **wanted, ssl=secure
    )


def _host(text: str) -> tuple[str, int]:
    host, _, port = text.rpartition(":") if ":" in text else (text, "", SENTINEL_PORT)
    return host.strip("[]"), int(port)


def is_full(error: RedisError) -> bool:
    """Redis takes no more, for want of memory or disk; what it has can be read."""
    return isinstance(error, redis.OutOfMemoryError) or str(error).startswith(("MISCONF", "OOM"))


def shown(url: str) -> str:
    """The address without its passwords, to be told."""
    return re.sub(r"(password=)[^&]*", r"\1…", re.sub(r"//([^:@/]*):.*@", r"//\1:…@", url))
