"""When the service was whole, and when something was wrong: what the patience of players is measured by."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager


class Weather:
    """Trouble begins with a fault, and ends when the fault is over and every process is seen at work again."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._past: list[tuple[float, float]] = []
        self._since: float | None = None
        self._faults = 0

    @contextmanager
    def fault(self) -> Iterator[None]:
        with self._lock:
            self._faults += 1
            self._since = self._since or time.monotonic()
        try:
            yield
        finally:
            with self._lock:
                self._faults -= 1
                self._since = self._since or time.monotonic()

    def see(self, is_whole: bool) -> None:
        with self._lock:
            now = time.monotonic()
            if not is_whole:
                self._since = self._since or now
            elif self._since is not None and not self._faults:
                self._past.append((self._since, now))
                self._since = None

    def calm(self, begins: float, ends: float) -> float:
        """The longest stretch of that time, in seconds, in which nothing was wrong."""
        with self._lock:
            trouble = [*self._past[-500:], *([(self._since, ends)] if self._since is not None else [])]
        longest, at = 0.0, begins
        for since, till in trouble:
            if till > at and since < ends:
                longest, at = max(longest, since - at), max(at, till)
        return max(longest, ends - at)
