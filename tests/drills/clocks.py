"""Clocks that are wrong: a worker's own, and that of Redis while games go on."""

import re
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import urlsplit

import redis

from tests.drills.proxy import Proxy
from tests.support.serving import UNLIMITED, Client, Seated, new_game, running_redis, running_web, running_workers
from tests.support.tools import need

AHEAD = Path(__file__).parent / "ahead"  # whose sitecustomize.py puts a process' clock forward
SET_CLOCK = Path(__file__).parent / "set_clock.c"  # which does so for a process in earnest
TURN_SECONDS = 240
PATIENCE = 60.0
_TIME = re.compile(rb"\*2\r\n\$10\r\n(\d{10})\r\n(?=\$\d\r\n\d+\r\n)")  # what TIME is answered


@dataclass
class Site:
    api: Client
    store: "redis.Redis"

    set_clock: Callable[[int], None]  # of Redis, to so many seconds ahead
    ahead: int = 0

    def jump(self, seconds: int) -> None:
        self.ahead += seconds
        self.set_clock(self.ahead)

    def until_looked_at(self, game: Seated) -> None:
        """A worker takes the game up, whether there is anything to do in it or not."""
        id_ = game.path.rpartition("/")[2]
        swept = self.swept()
        self.store.zadd("due", {id_: 1.0})
        self.until(lambda: self.swept() > swept, "the sweeper does not see it")
        self.until(lambda: self.store.zscore("turns:since", id_) is None, "no worker takes it")
        self.until(lambda: self.store.zscore("turns:leases", id_) is None, "no worker has done with it")

    def swept(self) -> int:
        return int(self.store.hget("metrics", "count:swept") or 0)

    def jumps(self) -> int:
        return int(self.store.hget("metrics", "count:clock_jump") or 0)

    @staticmethod
    def until(is_so: Callable[..., object], complaint: str) -> None:
        ends = time.monotonic() + PATIENCE
        while not is_so():
            assert time.monotonic() < ends, complaint
            time.sleep(0.05)


@contextmanager
def site(ahead: float = 0.0, is_set: bool = False) -> Iterator[Site]:
    """A service with a worker whose own clock is ahead, and a Redis whose clock can be set: in earnest, or only as far
    as it is read by TIME, for which no compiler is needed."""
    with ExitStack() as stack:
        enter = stack.enter_context
        direct, url, set_clock = enter(_set_in_earnest() if is_set else _set_as_read())
        api = enter(running_web(url, workers=1, **UNLIMITED))
        wrong: dict[str, Any] = {"PYTHONPATH": str(AHEAD), "AHEAD_SECONDS": str(ahead)} if ahead else {}
        enter(running_workers(url, **wrong))
        yield Site(api, enter(redis.Redis.from_url(direct)), set_clock)


Clocked = tuple[str, str, Callable[[int], None]]  # the way of the test, that of the service, and how to set the clock


@contextmanager
def _set_in_earnest() -> Iterator[Clocked]:
    compiler = need("cc", "Redis with a clock that is set", "`apt-get install gcc`")
    with TemporaryDirectory() as folder:
        library, place, next_ = (Path(folder) / name for name in ("set_clock.so", "ahead", "next"))
        subprocess.run([compiler, "-shared", "-fPIC", "-o", library, SET_CLOCK, "-ldl"], check=True)
        place.write_text("0")
        with running_redis(LD_PRELOAD=str(library), SET_CLOCK=str(place)) as url:

            def set_clock(seconds: int) -> None:
                next_.write_text(str(seconds))
                next_.replace(place)

            yield url, url, set_clock


@contextmanager
def _set_as_read() -> Iterator[Clocked]:
    with running_redis() as direct:
        place = urlsplit(direct)
        way = Proxy(partial(_connected, place.path))

        def set_clock(seconds: int) -> None:
            way.rewrite = lambda answer: _TIME.sub(
                lambda found: b"*2\r\n$10\r\n%d\r\n" % (int(found[1]) + seconds), answer
            )

        try:
            url = f"redis://127.0.0.1:{way.port}/0?username={place.username}&password={place.password}"
            yield direct, url, set_clock
        finally:
            way.close()


def _connected(path: str) -> socket.socket:
    made = socket.socket(socket.AF_UNIX)
    made.connect(path)
    return made


def a_person_with_time(here: Site) -> Seated:
    """Who must decide, and has minutes for it."""
    return new_game(here.api, seats=3, turn_seconds=TURN_SECONDS)


def a_lost_hint(here: Site) -> Seated:
    """A game of bots that nobody knows of but the list of games that are due."""
    game = new_game(here.api, seats=["sailor"] * 3)
    here.store.delete(*here.store.keys("turns:*"), "rq:queue:turns")
    return game
