"""Wait for changes of games and matches: one Redis connection a process, however many clients wait."""

import threading
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from service.store import keys
from service.store.cluster import ClusterClient
from service.store.cluster_listening import ClusterListener
from service.store.listening import Listener
from service.store.redis_client import Client


class Waiter:
    """Somebody who waits for news: of a game, of several, of a match, of an answer. Each is a topic (see `keys.py`)."""

    def __init__(self, of: Sequence[str], signals: bool = False) -> None:
        """Signals, which change nothing, wake only whoever wants to hear of them."""
        self._news = threading.Event()
        self._topics = {keys.channel(topic): topic for topic in of}
        self._hears_signals = signals
        self._woken: set[str] = set()
        self._signalled: set[str] = set()

    def wake(self, channel: str = "", word: bytes = b"") -> None:
        """End the wait, and remember the channel that the news came by, and what they are of. Without a word they may
        be of anything."""
        if word == keys.SIGNALLED and not self._hears_signals:
            return
        if channel:
            self._woken.add(channel)
            if word in (b"", keys.SIGNALLED):
                self._signalled.add(channel)
        self._news.set()

    def wait(self, seconds: float) -> bool:
        """Wait, and return whether there may be news; look before waiting again."""
        woken = self._news.wait(max(0.0, seconds))
        self._news.clear()
        return woken

    def take(self) -> set[str]:
        """Return what there may be news of since the last call; look before calling again."""
        return self._taken(self._woken)

    def take_signalled(self) -> set[str]:
        """Likewise, what there may be signals in."""
        return self._taken(self._signalled)

    def _taken(self, noted: set[str]) -> set[str]:
        channels = list(noted)
        for channel in channels:
            noted.discard(channel)
        return {self._topics[channel] for channel in channels}


class Hub:
    """Subscribes to the channel of whatever somebody waits for, while they do.

    The answer to a subscription wakes the waiter as news does: whatever happened between their last look and the
    subscription is seen then. The same holds after a lost connection.
    """

    def __init__(self, client: Client):
        listens = ClusterListener if isinstance(client, ClusterClient) else Listener
        self._listener = listens(client, self._wake)  # type: ignore[arg-type]
        self._waiters: dict[str, set[Waiter]] = defaultdict(set)
        self._lock = threading.Lock()
        self.stopping = False

    def stop(self) -> None:
        """End all waits: the process is to stop."""
        self.stopping = True
        for channel in list(self._waiters):
            self._wake(channel)

    @contextmanager
    def waiter(self, *of: str, signals: bool = False) -> Iterator[Waiter]:
        """Surround a wait for news of one thing or of several, and for `signals` there, too."""
        channels, waiter = [keys.channel(topic) for topic in of], Waiter(of, signals)
        try:
            with self._lock:
                new = [channel for channel in channels if channel not in self._waiters]
                for channel in channels:
                    self._waiters[channel].add(waiter)
                if new:
                    self._listener.subscribe(new)
            yield waiter
        finally:
            with self._lock:
                for channel in channels:
                    self._waiters[channel].discard(waiter)
                left = [channel for channel in channels if not self._waiters[channel]]
                for channel in left:
                    del self._waiters[channel]
                if left:
                    self._listener.unsubscribe(left)

    def _wake(self, channel: str, word: bytes = b"") -> None:
        for waiter in list(self._waiters.get(channel, ())):
            waiter.wake(channel, word)
