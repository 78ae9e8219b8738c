"""The front door of a process: it shares the process out among addresses, and notices who has hung up.

A process holds a limited number of connections. Without shares one address could take them all, with streams, with
requests that wait, or with connections on which nothing happens. Each process counts for itself: that costs nothing,
and a process is what gets full.
"""

import socket
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from typing import Any

from service.config import Config, Limit
from service.refusals import Problem
from service.store.feed import Hub, Waiter

CONNECTIONS, STREAMS, WAITS = "connections", "streams", "waits"
PLACES = "places"  # that there are for connections
HUNG_UP = 499  # the status, for our own records, of a request whose client is gone
GUEST = "red_november.guest"  # in a WSGI environ
NOT_COUNTED = ""  # in place of an address
_SPARE = 0.1  # of all places; when fewer are free, those who only wait make room
_AT_WORK = 8  # requests of an address, while others of it stand in line: a process does one thing at a time
_REMEMBERED = 50_000  # addresses with refusals, at the most


class HungUp(Exception):
    """The client is gone: nobody hears an answer."""


class Refusals:
    """Counts how many requests of an address were refused in this window of time."""

    def __init__(self, limit: Limit):
        self._limit = limit
        self._window = 0
        self._counted: Counter[str] = Counter()

    def count(self, address: str) -> None:
        if address == NOT_COUNTED:
            return
        window = int(time.time()) // self._limit.seconds
        if window != self._window or len(self._counted) > _REMEMBERED:
            self._window = window
            self._counted.clear()
        self._counted[address] += 1

    def check(self, address: str, patience: int = 1) -> None:
        """Refuse an address with too many refusals: with more than `patience` times the limit."""
        if not self._counted or not 0 < patience * self._limit.requests <= self._counted[address]:
            return
        seconds = self._limit.seconds
        window, since = divmod(int(time.time()), seconds)
        if window == self._window:
            detail = f"At most {self._limit.requests} requests that are refused in {seconds} seconds."
            raise Problem("too_many_requests", detail, retry_seconds=seconds - since, policy="bad")


class Line:
    """The requests of one address that are worked on, and those that wait in line behind them."""

    def __init__(self) -> None:
        self.at_work = 0
        self._behind: deque[threading.Event] = deque()

    def enter(self) -> None:
        if self.at_work < _AT_WORK:
            self.at_work += 1
            return
        turn = threading.Event()
        self._behind.append(turn)
        try:
            turn.wait()
        except BaseException:  # this process ends, and does not wait
            if turn.is_set():
                self.leave()
            else:
                self._behind.remove(turn)
            raise

    def leave(self) -> None:
        """Give the place to whoever is next in line."""
        if self._behind:
            self._behind.popleft().set()
        else:
            self.at_work -= 1


class Door:
    """Counts what every address holds of one process."""

    def __init__(self, config: Config, places: int):
        self._places = places
        self._most = {
            CONNECTIONS: config.connections,
            STREAMS: config.address_streams,
            WAITS: config.address_waits,
        }
        self._held: dict[str, Counter[str]] = {kind: Counter() for kind in self._most}
        self._lines: dict[str, Line] = {}
        self.refusals = Refusals(config.bad_limit)
        self.open = 0  # connections, whosever they are
        self.waiting: set[Guest] = set()

    def take(self, kind: str, address: str) -> bool:
        """Take a place; return False if the address has its share already."""
        held = self._held[kind]
        if held[address] >= self._most[kind] and address != NOT_COUNTED:
            return False
        held[address] += 1
        return True

    def give_back(self, kind: str, address: str) -> None:
        held = self._held[kind]
        held[address] -= 1
        if not held[address]:
            del held[address]

    def come_to_work(self, address: str) -> None:
        """Wait in line behind other requests of the address.

        Otherwise an address with hundreds of connections would have hundreds of turns for one of its neighbours'. As a
        process does one thing at a time, nobody is slower for it.
        """
        line = self._lines.get(address) or self._lines.setdefault(address, Line())
        line.enter()

    def leave_work(self, address: str) -> None:
        line = self._lines[address]
        line.leave()
        if not line.at_work:
            del self._lines[address]

    def held(self) -> dict[str, int]:
        """Return what is held of each kind, for operators."""
        counted = {kind: self._held[kind].total() for kind in (STREAMS, WAITS)}
        return {PLACES: self._places, CONNECTIONS: self.open} | counted

    def too_many(self, kind: str) -> Problem:
        detail = f"At most {self._most[kind]} at once from one address."
        return Problem(f"too_many_{kind}", detail, retry_seconds=5, policy=kind)

    @property
    def lacking(self) -> int:
        """Return how many places must become free for there to be some to spare; less than 1 if there are."""
        return self.open - int((1 - _SPARE) * self._places)

    def look_around(self) -> None:
        """End the waits of those who are gone and, if places are few, of all who wait for news."""
        few = self.lacking > 0
        for guest in list(self.waiting):
            guest.look()
            if few and guest.holds(WAITS):
                guest.released = True
            if guest.gone or guest.released:
                guest.wake()


class Guest:
    """A request under way. What it holds besides its connection it gives back when it leaves."""

    __slots__ = ("_at_work", "_door", "_held", "_peek", "address", "fled", "gone", "released", "wake")

    def __init__(self, door: Door, address: str, peek: Callable[[int, int], bytes] | None = None):
        """`peek` reads from the client's socket, and waits for nothing."""
        self._door = door
        self._peek = peek
        self._held: list[str] = []
        self._at_work = False
        self.address = address
        self.gone = False  # nobody is there any more
        self.fled = False  # nor was when the wait was to begin
        self.released = False  # an answer is wanted now, to make room for others
        self.wake: Callable[[], None] = _stay

    def holds(self, kind: str) -> bool:
        return kind in self._held

    def take(self, kind: str) -> None:
        """Take a place of a kind; refuse the request if there is none."""
        if kind == STREAMS and self._door.lacking > 0:
            raise Problem("crowded", "Poll instead, or try again in a moment.", retry_seconds=5)
        if not self._door.take(kind, self.address):
            raise self._door.too_many(kind)
        self._held.append(kind)

    def work(self) -> None:
        """Begin to work for it, when it is its turn."""
        if self.address != NOT_COUNTED:
            self._door.come_to_work(self.address)
            self._at_work = True

    def rest(self) -> None:
        """Stop working for it: it waits, or is answered."""
        if self._at_work:
            self._at_work = False
            self._door.leave_work(self.address)

    def leave(self) -> None:
        self.rest()
        for kind in self._held:
            self._door.give_back(kind, self.address)
        self._held.clear()

    def look(self) -> None:
        """Notice whether the client has hung up. A client that sends more is there, and its request waits unread."""
        if self._peek is None or self.gone:
            return
        try:
            self.gone = self._peek(1, socket.MSG_PEEK) == b""
        except BlockingIOError:
            pass
        except OSError:
            self.gone = True

    def settle(self) -> None:
        """Take a place among those who wait. Raises HungUp if nobody is left to wait."""
        if not self.holds(STREAMS) and not self.holds(WAITS):
            self.take(WAITS)
            self.released = self._door.lacking > 0
        self.look()
        self.fled = self.gone
        self.check()
        self.rest()

    def check(self) -> None:
        """Raise HungUp if the client has hung up. A stream ends by itself: what it still sends reaches nobody."""
        if self.gone and not self.holds(STREAMS):
            raise HungUp

    @contextmanager
    def waiting(self, wake: Callable[[], None]) -> Iterator[None]:
        """Surround a wait that `wake` ends: the door calls it when the client has hung up, or others need the place."""
        self.wake = wake
        self._door.waiting.add(self)
        try:
            yield
        finally:
            self._door.waiting.discard(self)
            self.wake = _stay


def _stay() -> None:
    pass


@cache
def open_door() -> Door:
    """Return a door that turns nobody away: for operators, and for requests that come another way."""
    most = 2**31
    config = Config(connections=most, address_streams=most, address_waits=most, bad_limit=Limit(0, 1))
    return Door(config, most)


def guest_of(environ: Mapping[str, Any]) -> Guest:
    """Return the guest of a request. One that did not come through the door, as in tests, is not counted."""
    return environ.get(GUEST) or Guest(open_door(), NOT_COUNTED)


class Attendance:
    """The hub for one request: its waits end when the service stops, the client hangs up, or others need the place."""

    def __init__(self, hub: Hub, guest: Guest):
        self._hub, self._guest = hub, guest

    @property
    def stopping(self) -> bool:
        return self._hub.stopping or self._guest.gone or self._guest.released

    @contextmanager
    def waiter(self, *of: str, signals: bool = False) -> Iterator[Waiter]:
        self._guest.settle()
        with self._hub.waiter(*of, signals=signals) as waiter, self._guest.waiting(waiter.wake):
            yield waiter
        self._guest.check()
