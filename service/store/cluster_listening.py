"""Hear what is published in a cluster: one connection to each master that has a channel's slot.

A master that gives a slot away ends the subscriptions in it. They are then made anew where the slot is, as after a lost
connection and an answer that says that the slot is elsewhere.
"""

import logging
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from redis.exceptions import ConnectionError as Disconnected
from redis.exceptions import RedisError, ResponseError
from redis.exceptions import TimeoutError as Slow

from service.store.cluster import ClusterClient, slot_of
from service.store.cluster_map import Address, Node

log = logging.getLogger(__name__)

LOOK_SECONDS = 1.0  # between looks whether channels are where their slots are
PAUSE_SECONDS = 0.1  # before another try to subscribe
QUIET_SECONDS = 1.0  # without news, before a connection is asked whether it is there
ANSWER_SECONDS = 2.0


class ClusterListener:
    """Subscribes to channels, and calls `heard` with the channel and the text of each message, and without a text at
    each answer to a subscription: whatever happened before it is seen then."""

    def __init__(self, client: ClusterClient, heard: Callable[[str, bytes], None]):
        self._map, self._heard = client.map, heard
        self._places: dict[str, _Line | None] = {}  # of each channel that is wanted; None while it has none
        self._lines: dict[Address, _Line] = {}
        self._homeless = threading.Event()
        self._keeper: threading.Thread | None = None

    def subscribe(self, channels: Sequence[str]) -> None:
        for channel in channels:
            self._places[channel] = None
            self._place(channel, only_known=True)
        if self._keeper is None:
            self._keeper = threading.Thread(target=self._keep, daemon=True, name="feed")
            self._keeper.start()

    def unsubscribe(self, channels: Sequence[str]) -> None:
        for channel in channels:
            line = self._places.pop(channel, None)
            if line is not None:
                line.leave(channel)

    def _place(self, channel: str, *, only_known: bool = False) -> None:
        """Subscribe where the channel's slot is; with `only_known` by a connection that there is."""
        try:
            node = self._map.owner(slot_of(channel))
            line = self._lines.get(node.address)
            if line is None and not only_known:
                line = self._lines[node.address] = _Line(node, self)
        except RedisError as error:
            log.info("not subscribed to %s yet: %s", channel, error)
            line = None
        if line is not None and channel in self._places:
            self._places[channel] = line
            line.send("SSUBSCRIBE", channel)
        else:
            self._homeless.set()

    def _keep(self) -> None:
        """Subscribe anew to channels that lost their place, and to those whose slot has moved."""
        while True:
            self._homeless.wait(LOOK_SECONDS)
            self._homeless.clear()
            for channel, line in list(self._places.items()):
                if line is not None and line.node is not self._owner(channel):
                    line.leave(channel)
                    line = None
                if line is None:
                    self._place(channel)
            if self._homeless.is_set():
                time.sleep(PAUSE_SECONDS)

    def _owner(self, channel: str) -> Node | None:
        try:
            return self._map.owner(slot_of(channel))
        except RedisError:
            return None

    def hear(self, line: "_Line", kind: bytes, channel: str, text: bytes) -> None:
        if kind in (b"smessage", b"ssubscribe"):
            self._heard(channel, text if kind == b"smessage" else b"")
        elif kind == b"sunsubscribe" and not line.has_left(channel) and self._places.get(channel) is line:
            self.lose(line, [channel])

    def lose(self, line: "_Line", channels: Sequence[str] | None = None) -> None:
        """Note that a connection has not some channels, or is gone."""
        if channels is None and self._lines.get(line.node.address) is line:
            del self._lines[line.node.address]
        for channel, place in list(self._places.items()):
            if place is line and (channels is None or channel in channels):
                self._places[channel] = None
        self._map.refresh(time.monotonic())
        self._homeless.set()

    def channels_in(self, line: "_Line", slot: int) -> list[str]:
        return [channel for channel, place in list(self._places.items()) if place is line and slot_of(channel) == slot]


class _Line:
    """A connection to a master, and the thread that reads it."""

    def __init__(self, node: Node, listener: ClusterListener):
        self.node, self._listener = node, listener
        self._lock = threading.Lock()
        self._leaving = Counter[str]()  # ends of subscriptions that were asked for, and not yet answered
        self._connection: Any = node.pool.connection_class(**node.pool.connection_kwargs)
        self._connection.connect()
        threading.Thread(target=self._listen, daemon=True, name=f"feed {node.address}").start()

    def send(self, *command: str) -> None:
        """Send a command. One that does not arrive shows where the answers are read."""
        try:
            with self._lock:
                self._connection.send_command(*command, check_health=False)
        except (Disconnected, Slow, OSError) as error:
            log.info("%s not sent: %s", command, error)

    def leave(self, channel: str) -> None:
        """End a subscription. Its channel may be wanted again before the answer comes."""
        with self._lock:
            self._leaving[channel] += 1
        self.send("SUNSUBSCRIBE", channel)

    def has_left(self, channel: str) -> bool:
        """Return whether the end of a subscription, which was just told, had been asked for."""
        with self._lock:
            asked = self._leaving.pop(channel, 0)
            if asked > 1:
                self._leaving[channel] = asked - 1
            return asked > 0

    def _listen(self) -> None:
        try:
            while True:
                self._read_one()
        except Exception as error:  # noqa: BLE001 - whatever it is, the channels need another connection
            log.warning("waiting for news from %s:%d failed, trying again: %s", *self.node.address, error)
        finally:
            self._connection.disconnect()
            self._listener.lose(self)

    def _read_one(self) -> None:
        """Read a message. A connection on which nothing comes may be broken without a sign: it is asked."""
        try:
            told = self._answer(QUIET_SECONDS)
        except Slow:
            self.send("PING")
            told = self._answer(ANSWER_SECONDS)
        if isinstance(told, ResponseError):  # MOVED, or a cluster that is down
            slot = getattr(told, "slot_id", None)
            if slot is None:
                raise told
            with self._lock:  # nothing in that slot is answered here any more
                self._leaving = Counter({each: n for each, n in self._leaving.items() if slot_of(each) != slot})
            self._listener.lose(self, self._listener.channels_in(self, slot))
        elif isinstance(told, list) and told[0] != b"pong":  # without subscriptions the answer is a word
            self._listener.hear(self, told[0], told[1].decode(), told[2])

    def _answer(self, seconds: float) -> Any:
        try:
            return self._connection.read_response(timeout=seconds, disconnect_on_error=False)
        except ResponseError as error:
            return error
