"""Bot turns on RQ: how long a player waits for a bot, what the service costs beside the search, more workers."""

import http.client
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from statistics import median
from typing import Any
from urllib.parse import urlsplit

import redis
from rq import Queue
from rq.serializers import JSONSerializer

from tests.bench.harness import print_table, say
from tests.bench.load import microseconds
from tests.bench.turns import beside, measured
from tests.support.serving import (
    UNLIMITED,
    Client,
    Seated,
    descendants,
    new_game,
    running_redis,
    running_web,
    running_workers,
)

JOBS = 40
MOVES = 40
TURNS = {"captain": 60, "sailor": 120}  # games in one process
GAMES = {"captain": 240, "sailor": 1600}  # at once, for workers: so many that the last game hardly counts
RATES = {"captain": 800, "sailor": 3000}  # turns a second that two cores should play
REPEATS = 3


def run() -> None:
    with running_redis() as url, running_web(url, **UNLIMITED) as api, running_workers(url), rq_worker(url) as noop:
        print_table("A bot after a player's move, one worker", ("", "ms", "×", "goal"), latency_rows(noop, api))
    with running_redis() as url:
        columns = ("", *(f"{bot}s" for bot in TURNS), "goal")
        print_table("A turn among bots, by time of processors", columns, turn_rows(url))
    with running_redis() as url, running_web(url, **UNLIMITED) as api:
        for bot, games in GAMES.items():
            columns = ("workers", "turns/s", "× one worker", "goal", "of a core: Redis", "each worker")
            print_table(f"{games} games of {bot}s at once, by the clock", columns, growth_rows(url, api, bot, games))


def latency_rows(queue: Queue, api: Client) -> Iterator[tuple[object, ...]]:
    say("measuring RQ's no-op job")
    noop = median(noop_seconds(queue) for _ in range(JOBS))
    yield "RQ's no-op job, enqueued to finished", 1000 * noop, 1.0, ""
    say("measuring sailors after a player's move")
    waits = list(islice(waits_for_sailor(api), MOVES))
    yield (
        f"accepted move to a sailor's first, median of {len(waits)}",
        1000 * median(waits),
        median(waits) / noop,
        "≤ 1.5",
    )


def noop_seconds(queue: Queue) -> float:
    began = time.perf_counter()
    job = queue.enqueue_call("tests.bench.noop.noop", result_ttl=10)
    while not job.is_finished:
        time.sleep(0.0005)
        job.get_status(refresh=True)
    return time.perf_counter() - began


@contextmanager
def rq_worker(url: str) -> Iterator[Queue]:
    """RQ's own, which ours refuses to be: it runs whatever a job names."""
    command = [sys.executable, "-m", "rq.cli", "worker", "--quiet", "--url", url, "--serializer", "json", "bench"]
    process = subprocess.Popen(command)
    try:
        with redis.Redis.from_url(url) as store:
            queue = Queue("bench", connection=store, serializer=JSONSerializer)
            queue.enqueue_call("tests.bench.noop.noop", result_ttl=10)
            while queue.count:
                time.sleep(0.05)
            yield queue
    finally:
        process.terminate()
        process.wait(30)


def waits_for_sailor(api: Client) -> Iterator[float]:
    """From the answer to a player's move until a stream brings the sailor's, for moves after which a sailor is next."""
    while True:
        game = new_game(api, seats=["open", "sailor", "sailor"])
        with Listener(game) as heard:
            while (wait := wait_after_turn(game, heard)) is not None:
                yield wait


def wait_after_turn(game: Seated, heard: "Listener") -> float | None:
    """The player plays until a sailor must decide; None when the game is over."""
    player = game.players[0]
    state = player.get(game.path).body
    while not state["result"]:
        if not state["legal_moves"]:
            time.sleep(0.005)
            state = player.get(game.path).body
            continue
        reply = player.play(game.path, state["legal_moves"][-1])
        accepted = time.perf_counter()
        state = reply.body["game"]
        if state["decision"] and state["decision"]["seat"] != 0:
            return max(0.0, heard.first_bot_choice(after=reply.body["version"]) - accepted)
    return None


class Listener:
    """Follows a game's stream, and notes when choices came."""

    def __init__(self, game: Seated) -> None:
        self._game, self._came = game, threading.Condition()
        self._choices: list[tuple[int, float]] = []  # version and time, of seats but the player's

    def __enter__(self) -> "Listener":
        self._connection = http.client.HTTPConnection(urlsplit(self._game.host.base).netloc)
        self._connection.request("GET", f"{self._game.path}/events/stream", headers={"Accept": "application/x-ndjson"})
        self._stream = self._connection.getresponse()
        threading.Thread(target=self._listen, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()

    def _listen(self) -> None:
        try:
            for line in self._stream:
                self._hear(line)
        except (OSError, ValueError, AttributeError):
            return

    def _hear(self, line: bytes) -> None:
        at = time.perf_counter()
        event: Any = json.loads(line) if line.strip() else {}
        bots = event.get("type") == "choice" and event["seat"] != 0 and not event["automatic"]
        with self._came:
            if bots:
                self._choices.append((event["version"], at))
            self._came.notify_all()

    def first_bot_choice(self, after: int) -> float:
        with self._came:
            while True:
                found = [at for version, at in self._choices if version > after]
                if found:
                    return found[0]
                assert self._came.wait(10), "no bot moves"


def turn_rows(url: str) -> Iterator[tuple[object, ...]]:
    found = []
    for bot, games in TURNS.items():
        say(f"measuring the turns of {bot}s")
        found.append(measured(url, bot, games))
    yield "search, ms a turn", *(1e3 * each.search / each.turns for each in found), ""
    yield "all else of a worker, ms a turn", *(1e3 * each.else_of_worker for each in found), "≤ 0.3"
    of_search = (f"{100 * (each.worker - each.search) / each.search:.0f} %" for each in found)
    yield "all else of a worker, of the search", *of_search, "captain's ≤ 25 %"
    yield "Redis, ms a turn", *(1e3 * each.redis / each.turns for each in found), ""
    yield "commands of Redis, a decision", *(each.commands / each.decisions for each in found), "≤ 10"
    yield "round trips, a decision", *(each.trips / each.decisions for each in found), "≤ 2"
    commands, trips, decisions = beside(url)
    yield "commands, beside one person and one more sailor", "", commands, "≤ 10"
    yield "round trips, beside them", "", trips, "≤ 2"
    yield "decisions a round, beside them", "", decisions, ""
    yield "turns/s that two cores have time for", *(each.rate(2) for each in found), "≥ 800, 3,000"


@dataclass(frozen=True)
class Pace:
    """How fast workers played, and what share of a core Redis and each of them had meanwhile."""

    rate: float  # turns a second
    redis: float
    worker: float


def play(api: Client, store: int, started: Sequence[int], bot: str, games: int) -> Pace:
    """Play so many games, which all wait when the workers begin."""
    workers = [pid for each in started for pid in descendants(each)]
    with frozen(workers):
        running = [new_game(api, seats=[bot] * 3, seed=number.to_bytes(32).hex()) for number in range(games)]
        before = microseconds(store), sum(map(microseconds, workers))
    began = time.time()
    left = list(running)
    while left:
        if left[0].state["result"]:
            left.pop(0)
        else:
            time.sleep(0.2)
    ended = max(moment(api.get(f"{game.path}/events?limit=1000").body["events"][-1]) for game in running)
    spent = microseconds(store) - before[0], (sum(map(microseconds, workers)) - before[1]) / len(started)
    turns, seconds = sum(game.state["turn"] for game in running), ended - began
    return Pace(turns / seconds, *(each / 1e6 / seconds for each in spent))


@contextmanager
def frozen(pids: Sequence[int]) -> Iterator[None]:
    """Let processes stand still."""
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
    yield
    for pid in pids:
        os.kill(pid, signal.SIGCONT)


def moment(event: Any) -> float:
    return datetime.fromisoformat(event["at"]).timestamp()


def growth_rows(url: str, api: Client, bot: str, games: int) -> Iterator[tuple[object, ...]]:
    """One and two by turns, so that whatever else the machine does hits both."""
    paces: dict[int, list[Pace]] = {1: [], 2: []}
    with redis.Redis.from_url(url) as client:
        facts: Any = client.info("server")
    for _ in range(REPEATS):
        for workers, found in paces.items():
            say(f"measuring {workers} workers with {bot}s")
            with running_workers(url, workers) as started:
                found.append(play(api, facts["process_id"], [each.pid for each in started], bot, games))
    ratio = median(two.rate / one.rate for one, two in zip(paces[1], paces[2], strict=True))
    for workers, times, goal in ((1, 1.0, ""), (2, ratio, f"≥ {RATES[bot]:,} turns/s, ≥ 1.8")):
        found = paces[workers]
        shares = (f"{median(each):.0%}" for each in zip(*((pace.redis, pace.worker) for pace in found), strict=True))
        yield workers, median(pace.rate for pace in found), times, goal, *shares
