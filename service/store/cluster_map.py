"""Know which node of a cluster has which slot."""

import os
import random
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

import redis
from redis.exceptions import ConnectionError as Disconnected
from redis.exceptions import RedisError, ResponseError

from service.config import BadConfig
from service.store.partitions import SLOTS
from service.store.redis_faults import disbelief_of

REFRESH_SECONDS = 0.1  # between two looks, which all who wait for one share
LOOK_SECONDS = 1.0  # that a node may take to tell
_SINGLE = "cluster support disabled"  # as a Redis says that is none of a cluster

Address = tuple[str, int]


class NotBelieved(Disconnected):
    """Raised when no node answers, as certificates are not believed: waiting would not help."""


class Node:
    """A server of a cluster, and the connections to it."""

    def __init__(self, address: Address, pool: redis.ConnectionPool):
        self.address, self.pool = address, pool
        self.epoch = ""  # of the data that the last connection found
        self.in_vain = 0.0  # seconds that somebody waited for it, since it last answered


class SlotMap:
    """Tells the master of each slot. It is read when it is first wanted, and again when a node says that it is old."""

    def __init__(self, seeds: Sequence[Address], make_pool: Callable[[Address], redis.ConnectionPool]):
        self._seeds, self._make_pool = seeds, make_pool
        self._nodes: dict[Address, Node] = {}
        self._owners: list[Node | None] = [None] * SLOTS
        self._known: list[Address] = []  # nodes that may be asked, replicas among them
        self._masters: list[Address] = []
        self._read_at = -REFRESH_SECONDS
        self._silent: RedisError | None = None  # what the node that was asked last did instead of telling
        self._pid, self._lock = os.getpid(), threading.Lock()

    def owner(self, slot: int) -> Node:
        """Return the master of a slot. Raises ConnectionError where nobody has it."""
        node = self._owners[slot]
        if node is None:
            self.refresh(time.monotonic())
            node = self._owners[slot]
        if node is None:
            raise Disconnected(f"nobody in the cluster has slot {slot}")
        return node

    def node(self, address: Address) -> Node:
        found = self._nodes.get(address)
        if found is None:
            found = self._nodes.setdefault(address, Node(address, self._make_pool(address)))
        return found

    def masters(self) -> list[Node]:
        if not self._masters:
            self.refresh(time.monotonic())
        return [self.node(address) for address in self._masters]

    def any_master(self) -> Node:
        """Return one of the masters, that answers as far as is known. Raises ConnectionError where there is none."""
        masters = self.masters()
        if not masters:
            raise self._nobody()
        return random.choice([master for master in masters if not master.in_vain] or masters)

    def _nobody(self) -> Disconnected:
        if self._silent is None:
            return Disconnected("no node of the cluster has any slots")
        kind = NotBelieved if disbelief_of(self._silent) else Disconnected
        return kind(f"no node of the cluster answers: {self._silent}")

    def uncovered(self) -> int:
        """Return how many slots nobody has."""
        self.masters()
        return self._owners.count(None)

    def move(self, slot: int, address: Address) -> None:
        """Believe a node that another one has the slot now."""
        self._owners[slot] = self.node(address)

    def refresh(self, failed_at: float) -> None:
        """Look who has what, unless somebody has looked since something failed. Whatever fails, the old map stays."""
        if self._pid != os.getpid():  # a fork may be made while another thread has the lock
            self._pid, self._lock = os.getpid(), threading.Lock()
        with self._lock:
            if self._read_at > failed_at:
                return
            time.sleep(max(0.0, self._read_at + REFRESH_SECONDS - time.monotonic()))
            told = self._told()
            self._read_at = time.monotonic()
            if told is not None:
                self._read(told)

    def _told(self) -> tuple[Address, Any] | None:
        """Return what the first node tells that answers, and its address."""
        known = self._known[:]
        random.shuffle(known)
        for address in dict.fromkeys((*known, *self._seeds)):
            try:
                return address, self._ask(address)
            except ResponseError as error:
                if _SINGLE in str(error):
                    raise BadConfig("REDIS_URL: a single Redis answers there, no cluster: write redis://") from error
                self._silent = error
            except RedisError as error:
                self._silent = error
        return None

    def _ask(self, address: Address) -> Any:
        """Ask on a connection of its own: one of a pool may wait for a node that hangs."""
        options = self.node(address).pool.connection_kwargs | {"socket_timeout": LOOK_SECONDS}
        options = {name: value for name, value in options.items() if name != "redis_connect_func"}
        connection = self.node(address).pool.connection_class(**options | {"socket_connect_timeout": LOOK_SECONDS})
        try:
            connection.connect()
            connection.send_command("CLUSTER", "SLOTS")
            return connection.read_response()
        finally:
            connection.disconnect()

    def _read(self, told: tuple[Address, Any]) -> None:
        self._silent = None
        (asked, _), ranges = told
        owners: list[Node | None] = [None] * SLOTS
        known: list[Address] = []
        masters: dict[Address, None] = {}
        for first, last, master, *others in ranges:
            addresses = [_address(each, asked) for each in (master, *others)]
            known += addresses
            masters[addresses[0]] = None
            owners[first : last + 1] = [self.node(addresses[0])] * (last + 1 - first)
        self._owners, self._masters, self._known = owners, list(masters), list(dict.fromkeys(known))
        for address in self._nodes.keys() - set(known) - set(self._seeds):
            self._nodes.pop(address).pool.disconnect()

    def close(self) -> None:
        for node in self._nodes.values():
            node.pool.disconnect()


def _address(told: Sequence[Any], asked: str) -> Address:
    """Return an address as a node tells it; one that does not know its own is where it was asked."""
    return (told[0].decode() if told[0] else asked), int(told[1])
