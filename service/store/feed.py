"""Wait for changes of games and matches: one Redis connection a process, however many clients wait."""

import logging
import threading
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

import redis
from redis.exceptions import ConnectionError as Disconnected
from redis.exceptions import RedisError

from service.store import keys
from service.store.redis_client import ANSWER_SECONDS

log = logging.getLogger(__name__)

RECONNECT_SECONDS = 0.5
QUIET_SECONDS = 5.0  # without news, before the connection is asked whether it is there
_ALIVE = keys.channel("-")  # subscribed to for ever, so that the listener always has something to listen to


class Waiter:
    """Somebody who waits for news: of a game, of several, of a match, of an answer. Each is a topic (see `keys.py`)."""

    def __init__(self, of: Sequence[str]) -> None:
        self._news = threading.Event()
        self._topics = {keys.channel(topic): topic for topic in of}
        self._woken: set[str] = set()

    def wake(self, channel: str = "") -> None:
        """End the wait, and remember the channel that the news came by."""
        if channel:
            self._woken.add(channel)
        self._news.set()

    def wait(self, seconds: float) -> bool:
        """Wait, and return whether there may be news; look before waiting again."""
        woken = self._news.wait(max(0.0, seconds))
        self._news.clear()
        return woken

    def take(self) -> set[str]:
        """Return what there may be news of since the last call; look before calling again."""
        channels = list(self._woken)
        for channel in channels:
            self._woken.discard(channel)
        return {self._topics[channel] for channel in channels}


class Hub:
    """Subscribes to the channel of whatever somebody waits for, while they do.

    Redis answers a subscription, and that answer wakes the waiter as news does: whatever happened between their last
    look and the subscription is seen then. The same holds after a lost connection.
    """

    def __init__(self, client: "redis.Redis"):
        self._pubsub: Any = client.pubsub(ignore_subscribe_messages=False)  # type: ignore[no-untyped-call]
        self._waiters: dict[str, set[Waiter]] = defaultdict(set)
        self._lock = threading.Lock()
        self._listener: threading.Thread | None = None
        self.stopping = False

    def stop(self) -> None:
        """End all waits: the process is to stop."""
        self.stopping = True
        self._wake_all()

    @contextmanager
    def waiter(self, *of: str) -> Iterator[Waiter]:
        """Surround a wait for news of one thing or of several."""
        channels, waiter = [keys.channel(topic) for topic in of], Waiter(of)
        try:
            with self._lock:
                self._start_listening()
                new = [channel for channel in channels if channel not in self._waiters]
                for channel in channels:
                    self._waiters[channel].add(waiter)
                if new:
                    self._pubsub.subscribe(*new)
            yield waiter
        finally:
            with self._lock:
                for channel in channels:
                    self._waiters[channel].discard(waiter)
                left = [channel for channel in channels if not self._waiters[channel]]
                for channel in left:
                    del self._waiters[channel]
                if left:
                    self._forget(left)

    def _start_listening(self) -> None:
        if self._listener is None:
            self._pubsub.subscribe(_ALIVE)
            self._listener = threading.Thread(target=self._listen, daemon=True, name="feed")
            self._listener.start()

    def _forget(self, channels: Sequence[str]) -> None:
        try:
            self._pubsub.unsubscribe(*channels)
        except RedisError:
            log.info("not unsubscribed from %s: no connection", ", ".join(channels))

    def _listen(self) -> None:
        warned = False  # that there is no connection: once is enough
        while True:
            try:
                message = self._next_message()
                warned = False
                if message["type"] in ("message", "subscribe"):
                    self._wake(message["channel"].decode())
            except Exception as error:  # noqa: BLE001 - others may close the connection while it is read, and whatever
                # redis-py makes of that, nobody else would listen
                if not warned:
                    log.warning("waiting for news failed, trying again: %s", error)
                warned = True
                self._hang_up()
                time.sleep(RECONNECT_SECONDS)
                self._wake_all()

    def _next_message(self) -> Any:
        """Return the next message. A connection on which nothing comes may be broken without a sign: it is asked."""
        message = self._pubsub.get_message(timeout=QUIET_SECONDS)
        if message is None:
            self._pubsub.ping()
            message = self._pubsub.get_message(timeout=ANSWER_SECONDS)
        if message is None:
            raise Disconnected("the subscription fell silent")
        return message

    def _hang_up(self) -> None:
        """Close the connection. Its next use opens another, and subscribes to all channels again."""
        with suppress(Exception):
            self._pubsub.connection.disconnect()

    def _wake(self, channel: str) -> None:
        for waiter in list(self._waiters.get(channel, ())):
            waiter.wake(channel)

    def _wake_all(self) -> None:
        for channel in list(self._waiters):
            self._wake(channel)
