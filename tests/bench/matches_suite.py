"""Matches on RQ: games a second beside the local command's, more workers, what a match takes in Redis."""

import sys
import time
from collections.abc import Iterator
from datetime import datetime
from typing import Any

import redis

from bots.arena.series import Series
from engine import Rules
from tests.bench.harness import fresh_process, print_table, say
from tests.support.serving import UNLIMITED, Client, Wire, running_redis, running_web, running_workers

GAMES = 60_000
REPEATS = 3
KEPT = 10_000


def run() -> None:
    with running_redis() as url, running_web(url, workers=1, **UNLIMITED) as api:
        rows = list(speed_rows(url, api))
        print_table(f"{GAMES:,} games of sailors", ("", "games/s", "of local", "× one worker", "goal"), rows)
        with running_workers(url, 2):
            print_table(f"A match of {KEPT:,} games of sailors in Redis", ("", "kB", "goal"), memory_rows(url, api))


def speed_rows(url: str, api: Client) -> Iterator[tuple[object, ...]]:
    """Local and served by turns, so that whatever else the machine does hits both."""
    one = 0.0
    for count in (1, 2):
        say(f"measuring {count} of each")
        with running_workers(url, count):
            pairs = [(locally(count), served(api, GAMES)) for _ in range(REPEATS)]
        local, ours = (max(rates) for rates in zip(*pairs, strict=True))
        one = one or ours
        yield f"red-november match, {count} processes", local, "", "", ""
        yield f"POST /v1/matches, {count} workers", ours, f"{100 * ours / local:.0f} %", ours / one, "≥ 80 %"


def locally(processes: int) -> float:
    return float(fresh_process("-m", "tests.bench.matches_suite", str(processes)))


def played_here(processes: int) -> float:
    """Games a second of what the local command does, without its start."""
    series = Series(Rules(gnomes=4), ["sailor"], games=GAMES)
    began = time.perf_counter()
    assert sum(1 for _ in series.play(processes)) == GAMES
    return GAMES / (time.perf_counter() - began)


def served(api: Client, games: int, **more: Any) -> float:
    """Games a second, from the request to the end."""
    created = api.post("/v1/matches", {"games": games, "gnomes": [4], "crew": ["sailor"], **more})
    assert created.status == 202, created.body
    match = finished(api, created.body["match"]["id"])
    return games / (moment(match["ended_at"]) - moment(match["created_at"]))


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
        created = api.post("/v1/matches", {"games": KEPT, "gnomes": [4], "crew": ["sailor"], "keep_replays": keep}).body
        finished(api, created["match"]["id"])
        keys = list(store.scan_iter(f"match:{created['match']['id']}*"))
        size = sum(int(store.memory_usage(key, samples=0) or 0) for key in keys)
        yield f"keep_replays: {keep}", f"{size / 1000:.0f}", goal


if __name__ == "__main__":
    print(played_here(int(sys.argv[1])))
