"""Matches on RQ: games a second beside the local command's, more workers, what a match takes in Redis."""

import sys
import time
from collections.abc import Iterator
from datetime import datetime
from itertools import islice
from statistics import median
from typing import Any

import redis

from bots.arena.series import Series
from engine import Rules
from tests.bench.harness import fresh_process, print_table, say
from tests.bench.jobs_suite import waits_for_sailor
from tests.support.serving import UNLIMITED, Client, Wire, running_redis, running_web, running_workers

# Crews, and games of each: sailors play in compiled code, captains decide by decision.
KINDS: dict[str, tuple[list[str], int]] = {"sailors": (["sailor"], 60_000), "captains": (["captain"], 150)}
REPEATS = 3
KEPT = 10_000
WAITS = 100  # for a sailor's answer, with and without a match
BACKGROUND = 20_000  # games of captains, more than are played meanwhile


def run() -> None:
    with running_redis() as url, running_web(url, workers=1, **UNLIMITED) as api:
        columns = ("", "games/s", "of local", "× one worker", "goal")
        for name, (crew, games) in KINDS.items():
            print_table(f"{games:,} games of {name}", columns, list(speed_rows(url, api, crew, games)))
        with running_workers(url, 2):
            title = "A person's wait for a sailor, ms, two workers"
            print_table(title, ("", "median", "p99", "goal"), list(wait_rows(api)))
            print_table(f"A match of {KEPT:,} games of sailors in Redis", ("", "kB", "goal"), memory_rows(url, api))


def speed_rows(url: str, api: Client, crew: list[str], games: int) -> Iterator[tuple[object, ...]]:
    """Local and served by turns, so that whatever else the machine does hits both."""
    one = 0.0
    for count in (1, 2):
        say(f"measuring {count} of each with {crew[0]}s")
        with running_workers(url, count):
            pairs = [(locally(count, crew, games), served(api, crew, games)) for _ in range(REPEATS)]
        local, ours = (median(rates) for rates in zip(*pairs, strict=True))
        share = median(its / theirs for theirs, its in pairs)
        one = one or ours
        yield f"red-november match, {count} processes", local, "", "", ""
        yield f"POST /v1/matches, {count} workers", ours, f"{100 * share:.0f} %", ours / one, "≥ 90 %"


def locally(processes: int, crew: list[str], games: int) -> float:
    return float(fresh_process("-m", "tests.bench.matches_suite", str(processes), str(games), *crew))


def played_here(processes: int, games: int, crew: list[str]) -> float:
    """Games a second of what the local command does, without its start."""
    series = Series(Rules(gnomes=4), crew, games=games)
    began = time.perf_counter()
    assert sum(1 for _ in series.play(processes)) == games
    return games / (time.perf_counter() - began)


def served(api: Client, crew: list[str], games: int) -> float:
    """Games a second, from the request to the end."""
    match = finished(api, begun(api, crew, games))
    return games / (moment(match["ended_at"]) - moment(match["created_at"]))


def begun(api: Client, crew: list[str], games: int, **more: Any) -> str:
    created = api.post("/v1/matches", {"games": games, "gnomes": [4], "crew": crew, **more})
    assert created.status == 202, created.body
    return str(created.body["match"]["id"])


def wait_rows(api: Client) -> Iterator[tuple[object, ...]]:
    """With and without a match by turns, in halves."""
    alone, beside = [], []
    for _ in range(2):
        say("measuring answers of sailors")
        alone += [*islice(waits_for_sailor(api), WAITS // 2)]
        say("measuring answers of sailors beside a match of captains")
        created = api.post("/v1/matches", {"games": BACKGROUND, "gnomes": [4], "crew": ["captain"]}).body
        beside += [*islice(waits_for_sailor(api), WAITS // 2)]
        assert api.be(created["token"]).delete(f"/v1/matches/{created['match']['id']}").status < 300
    (few, most), (now, longest) = (_of(waits) for waits in (alone, beside))
    yield "no match", few, most, ""
    yield "beside a match of captains", now, longest, ""
    yield "more", now - few, longest - most, "≤ 100"


def _of(waits: list[float]) -> tuple[float, float]:
    """Return the median and the 99th percentile in milliseconds."""
    return 1e3 * median(waits), 1e3 * sorted(waits)[int(0.99 * len(waits)) - 1]


def finished(api: Client, match_id: str) -> Wire:
    match = api.get(f"/v1/matches/{match_id}").body
    while not match["ended_at"]:
        match = api.get(f"/v1/matches/{match_id}?after={match['version']}&wait=5").body
        time.sleep(0.5)  # as a person would look
    assert match["status"] == "finished", match
    return match


def moment(stamp: str) -> float:
    return datetime.fromisoformat(stamp).timestamp()


def memory_rows(url: str, api: Client) -> Iterator[tuple[object, ...]]:
    store = redis.Redis.from_url(url)
    for keep, goal in (("none", "< 1000"), ("losses", "")):
        say(f"measuring the memory of a match that keeps {keep}")
        match_id = begun(api, ["sailor"], KEPT, keep_replays=keep)
        finished(api, match_id)
        keys = list(store.scan_iter(f"match:{match_id}*"))
        size = sum(int(store.memory_usage(key, samples=0) or 0) for key in keys)
        yield f"keep_replays: {keep}", f"{size / 1000:.0f}", goal


if __name__ == "__main__":
    print(played_here(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]))
