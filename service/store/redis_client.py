"""The client of Redis: a bounded pool of connections, and several commands in one round trip at little cost.

Addresses are those of redis-py (`redis://`, `rediss://`, `unix://`), and `redis+sentinel://host:port,host:port/name/db`
(`rediss+sentinel://` with TLS) for a master that Sentinels watch over.
"""

import re
import time
from typing import Any, Self
from urllib.parse import unquote, urlsplit

import redis
from hiredis import pack_command
from redis.backoff import NoBackoff
from redis.connection import DefaultParser, parse_url
from redis.exceptions import ConnectionError as Disconnected
from redis.exceptions import NoPermissionError, RedisError, ResponseError
from redis.retry import Retry
from redis.sentinel import (
    Sentinel,
    SentinelConnectionPool,
    SentinelManagedConnection,
    SentinelManagedSSLConnection,
)

from service.store import keys
from service.store.partitions import Partitions
from service.store.redis_faults import Fault, fault_of
from service.wire import Wire

CONNECTIONS = 32  # a process has at most; further requests wait for one
WAIT_SECONDS = 3
ANSWER_SECONDS = 3.0
CONNECT_SECONDS = 3.0
SENTINEL_PORT = 26379
OLDEST = (6, 2)
OLDEST_FOR_DISK = (7, 2)  # that has WAITAOF

PROBE_SECONDS = 1.0  # after which whether it takes writes is looked at again

Command = tuple[Any, ...]
# What a store that refuses to write is called; what it has can be read.
REFUSALS: dict[Fault | None, str] = {Fault.FULL: "store_full", Fault.READ_ONLY: "store_read_only"}
_TELLING = {"INCR", "HINCRBY", "EVAL"}  # a full store refuses these, while it still takes others
_REPLICATION_ID = re.compile(rb"master_replid:([0-9a-f]{8})")


class TooOld(RedisError):
    """A Redis that lacks what we need."""


class Replies(list[Any]):
    """The replies of Redis, and the epoch of the data that they come from."""

    epoch: str = ""


class _Parser(DefaultParser):  # type: ignore[misc, valid-type]
    """A parser that never asks whether a connection was closed.

    redis-py asks the kernel before each use, which under gevent costs as much as the use. Using a closed connection
    shows the same: then it is opened again, and the command sent again, once.
    """

    def can_read(self, timeout: float = 0) -> bool:
        return super().can_read(timeout) if timeout else False


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


class _SentinelPool(SentinelConnectionPool, redis.BlockingConnectionPool):
    """A bounded pool of connections to whichever server is the master."""


class Client(redis.Redis):
    epoch: str = ""  # of the data that the last connection found
    refusal: str | None = None  # why the last write was refused, if it was: a value of REFUSALS
    names: keys.Names = keys.Names(Partitions())  # of what is stored
    _probed: float = 0.0

    @classmethod
    def connect(cls, url: str, patience: float = ANSWER_SECONDS) -> Self:
        """Return a client. `patience` is how many seconds Redis may take to answer: RQ waits long for the next job."""
        options: Wire = {
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
        """Begin a connection, and learn the epoch of the data: the beginning of the replication id.

        It changes whenever the data may have gone back in time: with another master, and with a restart. Both need a
        new connection.
        """
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
        """Send commands in one round trip, and return the replies. A pipeline does the same in twice the time.

        Commands are sent again when the connection breaks: they must bear that. The first `optional` ones write, and a
        store that takes no writes may refuse them: their replies are then errors.
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
        if optional and commands[0][0] in _TELLING:
            self.refusal = None
        for number, reply in enumerate(replies):
            if isinstance(reply, RedisError) and (not self._is_refusal(reply) or number >= optional):
                raise reply
        return replies

    def _is_refusal(self, error: RedisError) -> bool:
        """Tell whether the error means that the store takes no writes, and note that."""
        if is_refusal(error):
            self.refusal = REFUSALS[fault_of(error)]
            return True
        return False

    def probe(self) -> list[Command]:
        """Return the command by which a reader finds out whether the store takes writes; none while that is known."""
        now = time.monotonic()
        if now - self._probed < PROBE_SECONDS:
            return []
        self._probed = now
        return [self._probe]

    @property
    def _probe(self) -> Command:
        """Return a write that changes nothing."""
        return ("HINCRBY", self.names.counters(), "count:commit", 0)

    def refuses_writes(self) -> str | None:
        """Return why the store refuses writes, after trying one; None if it takes them."""
        self.ask(self._probe, optional=1)
        return self.refusal

    def require(self, oldest: tuple[int, int] = OLDEST) -> None:
        """Require a version. Raises TooOld."""
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


def _sentinel_pool(url: str, options: Wire) -> _SentinelPool:
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
        [_host(each) for each in hosts.split(",")],
        sentinel_kwargs={**sentinel, **shared, "socket_timeout": CONNECT_SECONDS, "protocol": 2},
    )
    return _SentinelPool(  # type: ignore[no-untyped-call]
        unquote(name),
        watchers,
        **options,
        **wanted,
        ssl=secure,
        connection_class=_SecureSentinelConnection if secure else _SentinelConnection,
    )


def _host(text: str) -> tuple[str, int]:
    host, _, port = text.rpartition(":") if ":" in text else (text, "", SENTINEL_PORT)
    return host.strip("[]"), int(port)


def is_refusal(error: RedisError) -> bool:
    """Tell whether the error means that Redis takes no writes, while it can be read."""
    return fault_of(error) in REFUSALS


def shown(url: str) -> str:
    """Return the address without its passwords, to be shown."""
    return re.sub(r"(password=)[^&]*", r"\1…", re.sub(r"//([^:@/]*):.*@", r"//\1:…@", url))
