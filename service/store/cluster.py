"""Reach a cluster: `redis+cluster://host:port,host:port`, `rediss+cluster://`.

redis-py has a client of clusters, too. It takes four times the processor's time for what `ask` does, and waits for
replicas on another connection than it wrote on.
"""

import time
from binascii import crc_hqx
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Self
from urllib.parse import urlsplit

import redis
from hiredis import pack_command
from redis.connection import parse_url
from redis.exceptions import (
    AskError,
    ClusterDownError,
    MovedError,
    ReadOnlyError,
    RedisError,
    TryAgainError,
)
from redis.exceptions import ConnectionError as Disconnected
from redis.exceptions import TimeoutError as Slow

from service.store import keys
from service.store.cluster_map import Address, Node, NotBelieved, SlotMap
from service.store.partitions import OF_A_CLUSTER, SLOTS, Partitions
from service.store.pools import Pool, nodes_of
from service.store.redis_client import (
    ANSWER_SECONDS,
    Client,
    Command,
    Meanwhile,
    Replies,
    greet,
    options_of,
    reply_on,
)

PORT = 6379
PATIENCE_SECONDS = 10.0  # with a cluster that rearranges itself
OPTIONAL_SECONDS = 1.0  # with a part of it that nobody needs for an answer
MOMENT_SECONDS = 0.01  # until keys that are being moved are together again
_WITHOUT_KEY = {"TIME", "WAIT", "WAITAOF", "PING", "INFO", "CLUSTER", "CONFIG", "SCRIPT", "SCAN", "DBSIZE", "FLUSHALL"}
_SCRIPTS = {"EVAL", "EVALSHA"}
_ASKING = pack_command(("ASKING",))
_ANYWHERE = -1  # as a slot: what has no key is asked of any master
_PASSING = (ClusterDownError, ReadOnlyError)  # refusals of a cluster in which another master takes over


@dataclass(eq=False)
class _Unit:
    """A command, and those after it that have no key: they are about what it did, on the same connection."""

    slot: int
    places: list[int] = field(default_factory=list)  # of its commands among all
    asking: Address | None = None  # where to ask once, while its slot moves there
    was_sent_on: bool = False  # by a node to another


class ClusterClient(Client):
    """A client of all masters of a cluster. Commands of redis-py's work one by one: each goes where its key is."""

    names = keys.Names(Partitions(OF_A_CLUSTER))
    is_one_slot = False
    patience = PATIENCE_SECONDS
    _map: SlotMap

    @classmethod
    def connect(cls, url: str, patience: float = ANSWER_SECONDS) -> Self:
        parts = urlsplit(url)
        credentials, at, hosts = parts.netloc.rpartition("@")
        if parts.path.strip("/"):
            raise ValueError("a redis+cluster:// address has no database")
        scheme = "rediss" if parts.scheme.startswith("rediss") else "redis"
        wanted = parse_url(f"{scheme}://{credentials}{at}/?{parts.query}")  # type: ignore[no-untyped-call]
        seeds = nodes_of(hosts, PORT)
        client = cls(connection_pool=redis.ConnectionPool())
        options = options_of(patience) | wanted

        def make_pool(address: Address) -> redis.ConnectionPool:
            host, port = address
            meet = {"redis_connect_func": lambda connection: client._meet(connection, address)}
            return Pool(**options | {"host": host, "port": port} | meet)  # type: ignore[no-untyped-call]

        client._map = SlotMap(seeds, make_pool)
        return client

    def _meet(self, connection: Any, address: Address) -> None:
        self._map.node(address).epoch = self.epoch = greet(connection)

    def known_epoch(self, key: str) -> str:
        node = self._map.owner(slot_of(key))
        if not node.epoch:
            self.ask(("EXISTS", key))
        return node.epoch

    def execute_command(self, *args: Any, **options: Any) -> Any:
        (reply,) = self.ask(tuple(part for arg in args for part in (arg.split() if arg is args[0] else (arg,))))
        callback = self.response_callbacks.get(args[0])  # type: ignore[no-untyped-call]
        return callback(reply, **options) if callback else reply

    def pipeline(self, *_: Any, **__: Any) -> Any:
        raise TypeError("a cluster is asked by `ask`")

    def close(self) -> None:
        self._map.close()

    def keys_like(self, pattern: str) -> Iterator[bytes]:
        for node in self._map.masters():
            with redis.Redis(connection_pool=node.pool) as one:
                yield from one.scan_iter(match=pattern)

    def _may_fail(self, error: RedisError) -> bool:
        return super()._may_fail(error) or isinstance(error, (Disconnected, Slow, *_PASSING))

    @property
    def map(self) -> SlotMap:
        return self._map

    def _probes(self) -> list[Command]:
        """Return a write for each master."""
        partitions = self.names.partitions.all
        a_key_of = {self._map.owner(slot_of(key)): key for key in map(self.names.counters, partitions)}
        return [("HINCRBY", key, "count:commit", 0) for key in a_key_of.values()]

    def _exchange(self, commands: Sequence[Command], optional: int, meanwhile: Meanwhile) -> Replies:
        """Send commands to the nodes that have their keys, all at once, and read the replies.

        Commands whose slot is elsewhere by now, or whose node is gone, are sent again until patience ends.
        """
        replies = Replies([None] * len(commands))
        epochs = [""] * len(commands)
        replies.epochs = epochs
        packed = [pack_command(command) for command in commands]
        left = _units(commands)
        since = 0.0  # when the first of them was sent
        while left:
            began = time.monotonic()
            failed = self._round(left, packed, replies, epochs, meanwhile)
            meanwhile = None
            since = since or began
            failed = self._given_up(failed, optional, replies, time.monotonic() - since)
            self._prepare(failed)
            left = [unit for unit, _ in failed]
        return replies

    def _round(
        self,
        units: Sequence[_Unit],
        packed: Sequence[bytes],
        replies: Replies,
        epochs: list[str],
        meanwhile: Meanwhile,
    ) -> list[tuple[_Unit, RedisError]]:
        """Send units, and read the replies; return those that must be sent again, and why."""
        failed: list[tuple[_Unit, RedisError]] = []
        by_node: dict[Node, list[_Unit]] = defaultdict(list)
        for unit in units:
            try:
                by_node[self._node_for(unit)].append(unit)
            except Disconnected as error:
                failed.append((unit, error))
        sent: list[tuple[Node, Any, list[_Unit]]] = []
        try:
            for node in sorted(by_node, key=lambda node: node.address):  # in one order, so that nobody waits in a ring
                group = by_node[node]
                try:
                    connection: Any = node.pool.get_connection()
                except (Disconnected, Slow) as error:
                    failed += [(unit, error) for unit in group]
                    continue
                sent.append((node, connection, group))
                try:
                    connection.send_packed_command([b"".join(_written(group, packed))])
                except (Disconnected, Slow):
                    continue  # reading shows the same
            if meanwhile is not None:
                meanwhile()
            for node, connection, group in sent:
                broken = _read(connection, group, replies, epochs)
                failed += broken
                if len(broken) < len(group):
                    node.in_vain = 0.0
        except BaseException:
            for _, connection, _ in sent:
                connection.disconnect()  # replies may be under way on it
            raise
        finally:
            for node, connection, _ in sent:
                node.pool.release(connection)
        return failed

    def _given_up(
        self, failed: Sequence[tuple[_Unit, RedisError]], optional: int, replies: Replies, waited: float
    ) -> list[tuple[_Unit, RedisError]]:
        """Give up what was waited for long enough, and return what is left. Optional commands have their errors as
        replies, others raise them. A first redirect is followed however late it is: where it leads may answer at once.

        The next ones who ask a node that did not come back meanwhile do not wait as long again, until it answers.
        """
        left: list[tuple[_Unit, RedisError]] = []
        for unit, error in failed:
            silent = self._silent_node_of(unit, error)
            is_optional = unit.places[-1] < optional
            patience, in_short = (OPTIONAL_SECONDS, 0.0) if is_optional else (self.patience, OPTIONAL_SECONDS)
            most = in_short if silent is not None and silent.in_vain > patience else patience
            is_redirect = isinstance(error, AskError) and not unit.was_sent_on
            if is_redirect or (waited <= most and not isinstance(error, NotBelieved)):
                left.append((unit, error))
                continue
            if silent is not None:
                silent.in_vain = max(silent.in_vain, waited)
            if not is_optional:
                raise error
            for place in unit.places:
                replies[place] = error
        return left

    def _silent_node_of(self, unit: _Unit, error: RedisError) -> Node | None:
        """Return the node that did not answer, if it is one that nobody else can stand in for."""
        if unit.slot == _ANYWHERE or not isinstance(error, (Disconnected, Slow)):
            return None
        try:
            return self._node_for(unit)
        except Disconnected:
            return None

    def _node_for(self, unit: _Unit) -> Node:
        if unit.slot == _ANYWHERE:
            return self._map.any_master()
        return self._map.owner(unit.slot) if unit.asking is None else self._map.node(unit.asking)

    def _prepare(self, failed: Sequence[tuple[_Unit, RedisError]]) -> None:
        """Learn from failures where to send commands next, and wait where that helps.

        The map is looked at again after the failure, not after the commands were sent: a node that hangs takes seconds
        to fail, in which others may have looked too early, and asking it once more would take as long again.
        """
        is_old = pauses = False
        for unit, error in failed:
            unit.asking = None
            if isinstance(error, AskError):
                address = error.host or self._node_for(unit).address[0], error.port
                if isinstance(error, MovedError):
                    self._map.move(unit.slot, address)
                else:
                    unit.asking = address
                pauses = pauses or unit.was_sent_on  # nodes that do not agree yet would send it to and fro
                unit.was_sent_on = True
            elif isinstance(error, TryAgainError):
                pauses = True
            else:
                is_old = True
        if is_old:
            self._map.refresh(time.monotonic())
        elif pauses:
            time.sleep(MOMENT_SECONDS)


def _units(commands: Sequence[Command]) -> list[_Unit]:
    """Group commands: those without a key go with the one before, at the beginning with the one after. Alone they go
    anywhere."""
    units: list[_Unit] = []
    waiting: list[int] = []
    for place, command in enumerate(commands):
        key = _key_of(command)
        if key is not None:
            units.append(_Unit(slot_of(key), [*waiting, place]))
            waiting = []
        elif units:
            units[-1].places.append(place)
        else:
            waiting.append(place)
    return units if not waiting else [_Unit(_ANYWHERE, waiting)]


def _key_of(command: Command) -> Any:
    if command[0] in _WITHOUT_KEY:
        return None
    if command[0] in _SCRIPTS:
        return command[3] if int(command[2]) else None
    return command[1]


def slot_of(key: str | bytes) -> int:
    """Return the slot of a key, or of the tag in it."""
    name = key if isinstance(key, bytes) else key.encode()
    start = name.find(b"{")
    if start >= 0:
        end = name.find(b"}", start)
        if end > start + 1:
            return _slot(name[start + 1 : end])
    return _slot(name)


@lru_cache(4096)
def _slot(tag: bytes) -> int:
    return crc_hqx(tag, 0) % SLOTS


def _written(group: Sequence[_Unit], packed: Sequence[bytes]) -> Iterator[bytes]:
    for unit in group:
        for place in unit.places:
            if unit.asking is not None:
                yield _ASKING
            yield packed[place]


def _read(
    connection: Any, group: Sequence[_Unit], replies: Replies, epochs: list[str]
) -> list[tuple[_Unit, RedisError]]:
    """Read the replies of a node; return the units that must be sent again, and why."""
    failed: list[tuple[_Unit, RedisError]] = []
    for number, unit in enumerate(group):
        error: RedisError | None = None
        try:
            for place in unit.places:
                if unit.asking is not None:
                    reply_on(connection)
                reply = replies[place] = reply_on(connection)
                epochs[place] = connection.epoch
                if isinstance(reply, (AskError, TryAgainError, *_PASSING)):
                    error = error or reply
        except (Disconnected, Slow) as broken:
            connection.disconnect()
            return failed + [(each, broken) for each in group[number:]]
        if error is not None:
            failed.append((unit, error))
    return failed
