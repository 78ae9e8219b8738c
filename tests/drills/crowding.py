"""How others fare while one address holds all that it can get.

`python -m tests.drills.crowding` starts a service and tells, for each way to hold a connection, how many answers a
second others get beside it, compared with none, and how long operators and neighbours wait for a sign of life.
"""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

from tests.drills import junk
from tests.drills.hold import KINDS, Target, holding
from tests.drills.raw import answer, ask, connection, head
from tests.support.answers import scene
from tests.support.serving import UNLIMITED, Client, new_game, running_redis, running_web

ATTACKER, NEIGHBOUR, WATCHMAN = "127.0.0.66", "127.0.0.7", "127.0.0.8"
MANY = 10_000
_SETTLE_SECONDS = 1.0
_ELSEWHERE = 10
_LIMITS = {name: UNLIMITED[name] for name in UNLIMITED if name.startswith("LIMIT_") and name != "LIMIT_BAD"}


@dataclass
class Fared:
    """What the neighbour got."""

    answers: int = 0
    refused: int = 0
    seconds: float = 0.0
    signs: list[float] = field(default_factory=list)  # seconds until the door said that it is alive
    operators: list[float] = field(default_factory=list)  # likewise the operators' own

    @property
    def rate(self) -> float:
        return self.answers / self.seconds

    def __str__(self) -> str:
        worst = [1000 * max(times, default=0.0) for times in (self.signs, self.operators)]
        signs = f"health ≤ {worst[0]:.0f} ms, operators' ≤ {worst[1]:.0f} ms"
        return f"{self.rate:6.0f} answers/s, {self.refused} refused, {signs}"


def fare(web: Client, game: str, seconds: float) -> Fared:
    """A neighbour looks at a game again and again; somebody asks now and then whether the service is alive."""
    fared, began = Fared(), time.monotonic()
    watching = threading.Thread(target=_watch, args=(web, fared, began + seconds))
    watching.start()
    asked = head("GET", game)
    while time.monotonic() < began + seconds:
        with suppress(OSError), connection(web.base, NEIGHBOUR, timeout=10) as client:
            while time.monotonic() < began + seconds:
                client.sendall(asked)
                told = answer(client)
                fared.answers += told.status == 200
                fared.refused += told.status != 200
                if told.headers.get("connection") == "close":
                    break
    fared.seconds = time.monotonic() - began
    watching.join()
    return fared


def _watch(web: Client, fared: Fared, until: float) -> None:
    asked = head("GET", "/healthz", Connection="close")
    while time.monotonic() < until:
        for base, times in ((web.base, fared.signs), (web.ops, fared.operators)):
            began = time.monotonic()
            with suppress(OSError, ValueError):
                assert ask(base, asked, source=WATCHMAN)[0].status == 200
            times.append(time.monotonic() - began)
        time.sleep(0.1)


@contextmanager
def attacking(target: Target, kind: str, count: int = MANY) -> Iterator[None]:
    """From one address, by a process of its own, which says when it has what it can get."""
    command = [sys.executable, "-m", "tests.drills.crowding", kind, str(count), target.base, target.game]
    with subprocess.Popen([*command, str(target.version)], stdout=subprocess.PIPE, text=True) as attacker:
        try:
            assert attacker.stdout
            assert attacker.stdout.readline().strip() == "held"
            yield
        finally:
            attacker.send_signal(signal.SIGKILL)


@contextmanager
def service(**more: str) -> Iterator[tuple[Client, Target]]:
    """As it comes, but for the limits of what one token may ask."""
    settings = {name: value for name, value in os.environ.items() if not name.startswith("LIMIT_")} | _LIMITS
    with running_redis() as url, running_web(url, workers=1, **(settings | more)) as web:
        game = new_game(web, position=scene())
        yield web, Target(web.base, game.path, game.state["version"])


def attack(target: Target, kind: str, count: int) -> None:
    """Until it is killed. It comes last at this machine's processors, as if it were sent from another machine."""
    os.nice(_ELSEWHERE)
    if kind in junk.KINDS:
        print("held", flush=True)
        junk.send(target.base, target.game, kind, ATTACKER, threads=8)
        return
    with holding(target, kind, count, ATTACKER, again=True):
        print("held", flush=True)
        threading.Event().wait()


def main(kinds: Sequence[str], seconds: float = 5.0) -> None:
    with service() as (web, target):
        print(f"{'nobody:':28}{fare(web, target.game, seconds)}", flush=True)
        for kind in kinds:
            idle = fare(web, target.game, seconds).rate
            with attacking(target, kind):
                time.sleep(_SETTLE_SECONDS)
                fared = fare(web, target.game, seconds)
            print(f"{kind + ':':20}{100 * fared.rate / idle:4.0f} %, {fared}", flush=True)
            time.sleep(_SETTLE_SECONDS)


if __name__ == "__main__":
    if len(sys.argv) == 6:
        attack(Target(sys.argv[3], sys.argv[4], int(sys.argv[5])), sys.argv[1], int(sys.argv[2]))
    else:
        main(sys.argv[1:] or [*KINDS, *junk.KINDS])
