"""Outside bots on one web process: what a decision costs the service, and how much of what latency allows is played."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from statistics import median

from tests.bench.guest import Guest
from tests.bench.harness import print_table, say
from tests.bench.load import Server, gunicorn
from tests.bench.meter import Meter
from tests.support.serving import UNLIMITED, Client, running_redis

CONF = "service.server.gunicorn_conf"
LATENCY = 0.05  # seconds
GOALS = {16: 0.7, 64: 0.6}  # of what latency allows, by decisions that are open
MOST_MILLISECONDS = 0.4  # of Python a decision
FORMS = ("state", "vector")
ROUNDS, SETTLING_SECONDS, SECONDS = 5, 1.0, 6.0
MOVES = 40  # that a game lasts at least; random ones take longer


@dataclass(frozen=True)
class Run:
    """What a bot played, in seconds by the clock, and milliseconds of processor time a decision."""

    rate: float
    python: float
    redis: float


def run() -> None:
    settings = UNLIMITED | {"WEB_WORKERS": "1"}
    with running_redis() as url, gunicorn(f"{CONF}:application()", CONF, "/v1/rules", REDIS_URL=url, **settings) as web:
        print_table(
            f"An outside bot of {1000 * LATENCY:.0f} ms latency, one web process",
            ("", "decisions/s", "of what latency allows", "goal", "ms of Python each", "goal", "ms of Redis each"),
            rows(web, Meter(url, web)),
        )


def rows(web: Server, meter: Meter) -> Iterator[tuple[object, ...]]:
    runs: dict[tuple[int, str], list[Run]] = {(most, form): [] for form in FORMS for most in GOALS}
    for number in range(ROUNDS):
        say(f"measuring outside bots, round {number + 1} of {ROUNDS}")
        for (most, form), told in runs.items():
            told.append(measured(web, meter, most, form))
    for (most, form), told in runs.items():
        rate, allowed = median(each.rate for each in told), most / LATENCY
        python, redis = median(each.python for each in told), median(each.redis for each in told)
        share, goal = f"{rate / allowed:.0%}", f"≥ {GOALS[most]:.0%}"
        name = f"{most} open, form={form}"
        yield name, rate, share, goal, f"{python:.2f}", f"≤ {MOST_MILLISECONDS}", f"{redis:.2f}"


def measured(web: Server, meter: Meter, most: int, form: str) -> Run:
    """Let a new bot play in games enough that it never has fewer decisions before it than it may."""
    client, name = Client(web.base), f"guest-{time.monotonic_ns() % 10**12}"
    made = client.post("/v1/bots", {"name": name, "open": most, "seconds": 60})
    if made.status != 201:
        raise RuntimeError(made.body)
    games = most + int((SECONDS + SETTLING_SECONDS) * most / LATENCY) // MOVES
    paths = [_opened(client, name) for _ in range(games)]
    guest = Guest(web.base, name, made.body["token"], LATENCY, form)
    try:
        time.sleep(SETTLING_SECONDS)
        before, cost, began = guest.played, meter.now(), time.monotonic()
        time.sleep(SECONDS)
        played, spent, seconds = guest.played - before, meter.now() - cost, time.monotonic() - began
    finally:
        guest.end()
    left = len(client.be(made.body["token"]).get(f"/v1/bots/{name}/games").body["games"])
    if left < min(most, len(paths)):
        raise RuntimeError(f"only {left} games went on to the end")
    client.be(made.body["token"]).delete(f"/v1/bots/{name}")
    return Run(played / seconds, spent.web / played / 1000, spent.redis / played / 1000)


def _opened(client: Client, name: str) -> str:
    made = client.post("/v1/games", {"seats": [f"bot:{name}"] * 4, "start": True})
    if made.status != 201:
        raise RuntimeError(made.body)
    return f"/v1/games/{made.body['game']['id']}"
