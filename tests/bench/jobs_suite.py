"""Bot turns on RQ: how long a player waits for a bot, what the service costs beside the search, more workers."""

import http.client
import json
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from statistics import median
from typing import Any
from urllib.parse import urlsplit

import redis
from rq import Queue
from rq.serializers import JSONSerializer

from service.store import keys
from tests.bench.harness import print_table, say
from tests.support.serving import UNLIMITED, Client, Seated, new_game, running_redis, running_web, running_workers

JOBS = 40
MOVES = 40
GAMES = 12  # of captains, for the throughput


def run() -> None:
    with running_redis() as url, running_web(url, **UNLIMITED) as api:
        with running_workers(url), rq_worker(url) as noop:
            print_table("A bot after a player's move, one worker", ("", "ms", "×", "goal"), latency_rows(noop, api))
        print_table("Captains, one game after the other", ("", "", "goal"), overhead_rows(url, api))
        print_table(f"{GAMES} games of captains at once", ("workers", "turns/s", "×"), growth_rows(url, api))


def latency_rows(queue: Queue, api: Client) -> Iterator[tuple[object, ...]]:
    say("measuring RQ's no-op job")
    noop = median(noop_seconds(queue) for _ in range(JOBS))
    yield "RQ's no-op job, enqueued to finished", 1000 * noop, 1.0, ""
    say("measuring sailors after a player's move")
    waits = list(waits_for_sailor(api))
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
    found = 0
    while found < MOVES:
        game = new_game(api, seats=["open", "sailor", "sailor"])
        with Listener(game) as heard:
            while found < MOVES and (wait := wait_after_turn(game, heard)) is not None:
                found += 1
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


def searched(url: str) -> float:
    return float(redis.Redis.from_url(url).hget(keys.COUNTERS, "turn_seconds:captain") or 0)


def play(api: Client, games: int) -> tuple[float, int]:
    """Seconds and turns of so many games of captains, by the times in their histories."""
    running = [new_game(api, seats=["captain"] * 3) for _ in range(games)]
    while not all(game.state["result"] for game in running):
        time.sleep(0.1)
    histories = [api.get(f"{game.path}/events?limit=1000").body["events"] for game in running]
    began = min(moment(event) for events in histories for event in events if event["type"] == "game_started")
    ended = max(moment(events[-1]) for events in histories)
    return ended - began, sum(game.state["turn"] for game in running)


def moment(event: Any) -> float:
    return datetime.fromisoformat(event["at"]).timestamp()


def overhead_rows(url: str, api: Client) -> Iterator[tuple[object, ...]]:
    say("measuring the service around captains' searches")
    with running_workers(url):
        before = searched(url)
        seconds, turns = map(sum, zip(*(play(api, 1) for _ in range(3)), strict=True))
        thought = searched(url) - before
    yield "search, ms a turn", 1000 * thought / turns, ""
    yield "all else, ms a turn", 1000 * (seconds - thought) / turns, ""
    yield "all else, of the search", f"{100 * (seconds - thought) / thought:.0f} %", "≤ 10 %"


def growth_rows(url: str, api: Client) -> Iterator[tuple[object, ...]]:
    base = 0.0
    for workers in (1, 2):
        say(f"measuring {workers} workers")
        with running_workers(url, workers):
            seconds, turns = play(api, GAMES)
        base = base or turns / seconds
        yield workers, turns / seconds, turns / seconds / base
