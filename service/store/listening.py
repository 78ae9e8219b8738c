"""Hear what is published in one Redis: one connection, however many channels."""

import logging
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from redis.exceptions import ConnectionError as Disconnected
from redis.exceptions import RedisError

from service.store import keys
from service.store.redis_client import ANSWER_SECONDS, Client

log = logging.getLogger(__name__)

RECONNECT_SECONDS = 0.5
QUIET_SECONDS = 5.0  # without news, before the connection is asked whether it is there
_ALIVE = keys.channel("-")  # subscribed to for ever, so that the listener always has something to listen to


class Listener:
    """Subscribes to channels, and calls `heard` with the channel and the text of each message.

    Redis answers a subscription, and that answer is heard as a message without a text: whatever happened before it is
    seen then.
    After a lost connection all channels are subscribed to again.
    """

    def __init__(self, client: Client, heard: Callable[[str, bytes], None]):
        self._pubsub: Any = client.pubsub(ignore_subscribe_messages=False)  # type: ignore[no-untyped-call]
        self._heard = heard
        self._thread: threading.Thread | None = None

    def subscribe(self, channels: Sequence[str]) -> None:
        if self._thread is None:
            self._pubsub.subscribe(_ALIVE)
            self._thread = threading.Thread(target=self._listen, daemon=True, name="feed")
            self._thread.start()
        self._pubsub.subscribe(*channels)

    def unsubscribe(self, channels: Sequence[str]) -> None:
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
                    text = message["data"] if message["type"] == "message" else b""
                    self._heard(message["channel"].decode(), text)
            except Exception as error:  # noqa: BLE001 - others may close the connection while it is read, and whatever
                # redis-py makes of that, nobody else would listen
                if not warned:
                    log.warning("waiting for news failed, trying again: %s", error)
                warned = True
                self._hang_up()
                time.sleep(RECONNECT_SECONDS)
                for channel in list(self._pubsub.channels):
                    self._heard(channel.decode(), b"")

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
