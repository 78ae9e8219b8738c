"""Wait for changes of games and matches: one Redis connection a process, however many clients wait."""

import logging
import threading
import time
from collections import defaultdict
from collections.abc import Iterator
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
    """Somebody who waits for news of one thing: a game, a match, an answer."""

    def __init__(self) -> None:
        self._news = threading.Event()

    def wake(self) -> None:
        self._news.set()

    def wait(self, seconds: float) -> bool:
        """Wait, and return whether there may be news; look before waiting again."""
        woken = self._news.wait(max(0.0, seconds))
        self._news.clear()
        return woken


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
    def waiter(self, of: str) -> Iterator[Waiter]:
        channel, waiter = keys.channel(of), Waiter()
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
            waiter.wake()

    def _wake_all(self) -> None:
        for channel in list(self._waiters):
            self._wake(channel)
