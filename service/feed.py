"""Waiting for a game to change: one Redis connection a process, however many clients wait."""

import logging
import threading
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import redis
from redis.exceptions import RedisError

from service.store import CHANGED

log = logging.getLogger(__name__)

RECONNECT_SECONDS = 0.5
_ALIVE = "changed:-"  # subscribed to for ever, so that the listener always has something to listen to


class Waiter:
    """Somebody who waits for news of one game."""

    def __init__(self) -> None:
        self._news = threading.Event()

    def wake(self) -> None:
        self._news.set()

    def wait(self, seconds: float) -> bool:
        """True when there may be news; look before waiting again."""
        woken = self._news.wait(max(0.0, seconds))
        self._news.clear()
        return woken


class Hub:
    """Subscribes to a game's channel while somebody waits for it.

    Redis answers a subscription, and that answer wakes the waiter as news does: whatever happened between his last look
    and the subscription is seen then. The same holds after a lost connection.
    """

    def __init__(self, client: "redis.Redis"):
        self._pubsub: Any = client.pubsub(ignore_subscribe_messages=False)  # type: ignore[no-untyped-call]
        self._waiters: dict[str, set[Waiter]] = defaultdict(set)
        self._lock = threading.Lock()
        self._listener: threading.Thread | None = None
        self.stopping = False

    def stop(self) -> None:
        """The process is to end: nobody waits any longer."""
        self.stopping = True
        self._wake_all()

    @contextmanager
    def waiter(self, game_id: str) -> Iterator[Waiter]:
        channel, waiter = CHANGED + game_id, Waiter()
        try:
            with self._lock:
                self._start_listening()
                self._waiters[channel].add(waiter)
                if len(self._waiters[channel]) == 1:
                    self._pubsub.subscribe(channel)
            yield waiter
        finally:
            with self._lock:
                others = self._waiters[channel]
                others.discard(waiter)
                if not others:
                    del self._waiters[channel]
                    self._forget(channel)

    def _start_listening(self) -> None:
        if self._listener is None:
            self._pubsub.subscribe(_ALIVE)
            self._listener = threading.Thread(target=self._listen, daemon=True, name="feed")
            self._listener.start()

    def _forget(self, channel: str) -> None:
        try:
            self._pubsub.unsubscribe(channel)
        except RedisError:
            log.info("not unsubscribed from %s: no connection", channel)

    def _listen(self) -> None:
        told = False  # that there is no connection: once is enough
        while True:
            try:
                message = self._pubsub.get_message(timeout=None)
                told = False
                if message and message["type"] in ("message", "subscribe"):
                    self._wake(message["channel"].decode())
            except RedisError as error:
                if not told:
                    log.warning("waiting for news failed, trying again: %s", error)
                told = True
                time.sleep(RECONNECT_SECONDS)
                self._wake_all()

    def _wake(self, channel: str) -> None:
        for waiter in list(self._waiters.get(channel, ())):
            waiter.wake()

    def _wake_all(self) -> None:
        for channel in list(self._waiters):
            self._wake(channel)
