"""How long games wait while processes die, apart from what the service was away."""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from tests.drills.weather import Weather
from tests.outside.playing import insist
from tests.support.serving import Client

_LOOK_SECONDS = 0.25
_ROOM = 10  # times what the slowest answer took while nothing was wrong: on a slow machine all takes longer


@dataclass
class Waits:
    """The longest that a game stood still, and that an answer took, both while nothing was wrong."""

    weather: Weather = field(default_factory=Weather)
    longest: float = 0.0
    where: str = ""
    answer: float = 0.0

    def most(self, seconds: float) -> float:
        """Return what a wait of so many seconds may be on this machine, as it is now."""
        return seconds + _ROOM * self.answer

    def look(self, client: Client, paths: Sequence[str], since: dict[str, tuple[int, float]]) -> None:
        """Ask each game for its version, and note for how long that has been the same."""
        for path in paths:
            began = time.monotonic()
            state = insist(client, "GET", path).body
            now = time.monotonic()
            version, at = state["version"], since.get(path, (-1, now))
            self.answer = max(self.answer, self.weather.calm(began, now))
            if at[0] == version and not state["result"]:
                if (calm := self.weather.calm(at[1], now)) > self.longest:
                    self.longest, self.where = calm, f"{path}, version {version}"
            else:
                since[path] = version, now


@contextmanager
def watched(client: Client, is_whole: Callable[[], bool], paths: Sequence[str]) -> Iterator[Waits]:
    """Look at games all the time while the block lasts."""
    waits, ends, since = Waits(), threading.Event(), dict[str, tuple[int, float]]()

    def watch() -> None:
        while not ends.wait(_LOOK_SECONDS):
            waits.weather.see(is_whole())

    def look() -> None:
        while not ends.wait(_LOOK_SECONDS):
            waits.look(client, paths, since)

    threads = [threading.Thread(target=each) for each in (watch, look)]
    for thread in threads:
        thread.start()
    try:
        yield waits
    finally:
        ends.set()
        for thread in threads:
            thread.join()
