"""The client of Redis: a bounded pool of connections, and several commands in one round trip at little cost.

One Redis (`single.py`), a master that Sentinels watch over (`sentinel.py`) and a cluster (`cluster.py`) are reached
differently, and asked alike.
"""

import re
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Self

import redis
from hiredis import pack_command
from redis.backoff import NoBackoff
from redis.connection import DefaultParser
from redis.exceptions import ConnectionError as Disconnected
from redis.exceptions import NoPermissionError, RedisError, ResponseError
from redis.exceptions import TimeoutError as Slow
from redis.retry import Retry

from service.store import keys, sentinel, single
from service.store.partitions import Partitions
from service.store.redis_faults import Fault, fault_of
from service.wire import Wire

CONNECTIONS = 32  # a process has at most; further requests wait for one
WAIT_SECONDS = 3
ANSWER_SECONDS = 3.0
CONNECT_SECONDS = 3.0
OLDEST = (6, 2)
OLDEST_FOR_DISK = (7, 2)  # that has WAITAOF

PROBE_SECONDS = 1.0  # after which whether it takes writes is looked at again

_SCANNED = 500  # keys a step

Command = tuple[Any, ...]
Meanwhile = Callable[[], object] | None  # what is called while Redis works
# What a store that refuses to write is called; what it has can be read.
REFUSALS: dict[Fault | None, str] = {Fault.FULL: "store_full", Fault.READ_ONLY: "store_read_only"}
_TELLING = {"INCR", "HINCRBY", "EVAL"}  # a full store refuses these, while it still takes others
_BROKEN_OFF = "UNBLOCKED "
_REPLICATION_ID = re.compile(rb"master_replid:([0-9a-f]{8})")


class TooOld(RedisError):
    """A Redis that lacks what we need."""


class Replies(list[Any]):
    """The replies of Redis, and the epoch of the data that each comes from."""

    epochs: Sequence[str] = ()

    @property
    def epoch(self) -> str:
        return self.epochs[0]

    def without(self, first: int) -> "Replies":
        """Return the replies after the first ones."""
        rest = Replies(self[first:])
        rest.epochs = self.epochs[first:]
        return rest


class _Parser(DefaultParser):  # type: ignore[misc, valid-type]
    """A parser that never asks whether a connection was closed.

    redis-py asks the kernel before each use, which under gevent costs as much as the use. Using a closed connection
    shows the same: then it is opened again, and the command sent again, once.
    """

    def can_read(self, timeout: float = 0) -> bool:
        return super().can_read(timeout) if timeout else False


class Client(redis.Redis):
    epoch: str = ""  # of the data that the last connection found
    refusal: str | None = None  # why the last write was refused, if it was: a value of REFUSALS
    names: keys.Names = keys.Names(Partitions())  # of what is stored
    is_one_slot: bool = True  # whether a script may change any keys together
    _probed: float = 0.0

    @classmethod
    def connect(cls, url: str, patience: float = ANSWER_SECONDS) -> Self:
        """Return a client. `patience` is how many seconds Redis may take to answer: RQ waits long for the next job."""
        way = sentinel if "+sentinel://" in url else single
        client = cls(connection_pool=way.pool(url, options_of(patience)))
        client.connection_pool.connection_kwargs["redis_connect_func"] = client._greet
        return client

    def _greet(self, connection: Any) -> None:
        self.epoch = greet(connection)

    def known_epoch(self, key: str) -> str:
        """Return the epoch of the data that a key is in."""
        if not self.epoch:
            self.ping()
        return self.epoch

    def ask(self, *commands: Command, optional: int = 0, meanwhile: Meanwhile = None) -> Replies:
        """Send commands in one round trip, and return the replies. A pipeline does the same in twice the time.

        `meanwhile` is called while Redis works on them, once at the most.

        Commands are sent again when the connection breaks: they must bear that. The first `optional` ones may fail: a
        store that takes no writes refuses them, or their part of a cluster is out of reach. Their replies are then
        errors.
        """
        if not commands:
            return Replies()
        replies = self._exchange(commands, optional, meanwhile)
        if optional and commands[0][0] in _TELLING:
            self.refusal = None
        for number, reply in enumerate(replies):
            if isinstance(reply, RedisError) and (number >= optional or not self._may_fail(reply)):
                raise reply
        return replies

    def _exchange(self, commands: Sequence[Command], optional: int, meanwhile: Meanwhile) -> Replies:
        """Send commands, and return the replies, of which some may be errors."""
        packed = b"".join(map(pack_command, commands))
        pool = self.connection_pool
        connection: Any = pool.get_connection()
        try:
            try:
                replies = exchange(connection, packed, len(commands), meanwhile)
            except Disconnected:  # perhaps long ago, while it was not in use
                connection.disconnect()
                replies = exchange(connection, packed, len(commands))
            replies.epochs = [connection.epoch] * len(replies)
        except BaseException:
            connection.disconnect()  # other replies may be under way on it
            raise
        finally:
            pool.release(connection)
        return replies

    def _may_fail(self, error: RedisError) -> bool:
        """Tell whether the error is one that optional commands may come to, and note if the store takes no writes."""
        if is_refusal(error):
            self.refusal = REFUSALS[fault_of(error)]
            return True
        return False

    def probe(self) -> list[Command]:
        """Return the commands by which a reader finds out whether the store takes writes; none while that is known."""
        now = time.monotonic()
        if now - self._probed < PROBE_SECONDS:
            return []
        self._probed = now
        return self._probes()

    def _probes(self) -> list[Command]:
        """Return writes that change nothing."""
        return [("HINCRBY", self.names.counters(), "count:commit", 0)]

    def refuses_writes(self) -> str | None:
        """Return why the store refuses writes, after trying one; None if it takes them."""
        probes = self._probes()
        self.ask(*probes, optional=len(probes))
        return self.refusal

    def keys_like(self, pattern: str) -> Iterator[bytes]:
        """Yield the keys of a pattern, in no order, a few more than once, while others come and go."""
        yield from self.scan_iter(match=pattern, count=_SCANNED)

    def require(self, oldest: tuple[int, int] = OLDEST) -> None:
        """Require a version. Raises TooOld."""
        version = str(self.info("server")["redis_version"])
        if tuple(map(int, version.split(".")[:2])) < oldest:
            raise TooOld(f"Redis is of version {version}, too old: it must be {oldest[0]}.{oldest[1]} or newer")


def options_of(patience: float) -> Wire:
    """Return the options of a pool of connections."""
    return {
        "protocol": 2,
        "max_connections": CONNECTIONS,
        "timeout": WAIT_SECONDS,
        "socket_timeout": patience,
        "socket_connect_timeout": CONNECT_SECONDS,
        "parser_class": _Parser,
        "retry": Retry(NoBackoff(), 1, (Disconnected,)),
    }


def greet(connection: Any) -> str:
    """Begin a connection, and return the epoch of the data: the beginning of the replication id.

    It changes whenever the data may have gone back in time: with another master, and with a restart. Both need a new
    connection.
    """
    connection.on_connect()
    connection.send_command("INFO", "replication")
    try:
        found = _REPLICATION_ID.search(connection.read_response())
    except NoPermissionError:
        found = None
    connection.epoch = epoch = found[1].decode() if found else "unknown"
    return epoch


def exchange(connection: Any, packed: bytes, count: int, meanwhile: Meanwhile = None) -> Replies:
    _send(connection, packed)
    if meanwhile is not None:
        meanwhile()
    return Replies(reply_on(connection) for _ in range(count))


def _send(connection: Any, packed: bytes) -> None:
    """Send commands. Mostly the kernel takes them at once; redis-py and gevent would first look whether it will."""
    sock = connection._sock
    if sock is None or connection.health_check_interval:
        connection.send_packed_command([packed])
        return
    try:
        sent = sock.send(packed)
        if sent < len(packed):
            sock.sendall(packed[sent:])
    except TimeoutError as error:
        connection.disconnect()
        raise Slow("Timeout writing to socket") from error
    except OSError as error:
        connection.disconnect()
        raise Disconnected(f"sending failed: {error}") from error


def reply_on(connection: Any) -> Any:
    """Read a reply. An error is returned, unless the connection is broken. A master that is made a replica breaks off
    those who wait for its replicas: whether their change is on the next master is for that to say."""
    try:
        return connection.read_response()
    except ResponseError as error:
        if str(error).startswith(_BROKEN_OFF):
            raise Disconnected(str(error)) from error
        return error


def is_refusal(error: RedisError) -> bool:
    """Tell whether the error means that Redis takes no writes, while it can be read."""
    return fault_of(error) in REFUSALS


def shown(url: str) -> str:
    """Return the address without its passwords, to be shown."""
    return re.sub(r"(password=)[^&]*", r"\1…", re.sub(r"//([^:@/]*):.*@", r"//\1:…@", url))
