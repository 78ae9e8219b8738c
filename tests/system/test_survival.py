"""Whatever dies, no game stalls and no move is lost or doubled: real processes, killed without warning."""

import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from http.client import HTTPException
from pathlib import Path

import pytest
import redis

from service.operate import redis_server
from service.operate.supervisor import Child, Supervisor
from tests.support.serving import PATIENCE, UNLIMITED, Client, Reply, Wire, free_port

pytestmark = pytest.mark.thorough

GAMES, CLIENTS = 50, 5
SEATS = (["open", "sailor", "sailor"], ["open", "bosun", "sailor", "cabin_boy"], ["open", "open", "sailor"])


@dataclass
class Site:
    """A whole service under a supervisor."""

    client: Client
    url: str
    children: dict[str, Child]
    supervisor: Supervisor


@contextmanager
def running_site(folder: Path) -> Iterator[Site]:
    port, ops = free_port(), free_port()
    socket = redis_server.socket_of(folder)
    url = redis_server.url_of(socket)
    settings = {"REDIS_URL": url, "BIND": f"127.0.0.1:{port}", "OPS_BIND": f"127.0.0.1:{ops}", **UNLIMITED}
    web = [
        sys.executable,
        "-m",
        "gunicorn",
        "--config",
        "python:service.server.gunicorn_conf",
        "--log-level",
        "critical",
    ]
    worker = [sys.executable, "-m", "service.cli", "worker"]
    children = {
        "redis": Child("redis", redis_server.command(folder, socket)),
        "web": Child("web", web, settings),
        "worker 1": Child("worker 1", worker, settings),
        "worker 2": Child("worker 2", worker, settings),
    }
    supervisor = Supervisor()
    for child in children.values():
        supervisor.add(child)
        if child.name == "redis":
            redis_server.wait_for(url)
    keeper = threading.Thread(target=supervisor.run)
    keeper.start()
    try:
        site = Site(Client(f"http://127.0.0.1:{port}", ops=f"http://127.0.0.1:{ops}"), url, children, supervisor)
        until(lambda: ready(site), "the site does not come up")
        yield site
    finally:
        supervisor.stop_soon()
        keeper.join()
        supervisor.stop()


def ready(site: Site) -> bool:
    try:
        return bool(site.client.operator.get("/readyz").body["workers"] >= 2)
    except (OSError, HTTPException, KeyError, ValueError, TypeError):
        return False


def until(is_so: Callable[[], bool], complaint: str, seconds: float = PATIENCE) -> None:
    ends = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < ends, complaint
        time.sleep(0.1)


def insist(send: Callable[[], Reply], ends: float) -> Reply:
    """Sends until there is an answer that is one."""
    while True:
        try:
            reply = send()
            if reply.status < 500 and reply.status != 429:
                return reply
        except (OSError, HTTPException, ValueError):
            pass
        assert time.monotonic() < ends, "no answer"
        time.sleep(0.05)


@dataclass
class Played:
    """A game as its players remember it."""

    path: str
    host: Client
    players: dict[int, Client]
    accepted: list[tuple[int, Wire]] = field(default_factory=list)  # version and move
    over: bool = False


def open_game(site: Site, number: int) -> Played:
    ends = time.monotonic() + PATIENCE
    created = insist(lambda: site.client.post("/v1/games", {"seats": SEATS[number % len(SEATS)]}), ends).body
    path, host = f"/v1/games/{created['game']['id']}", site.client.be(created["token"])
    players = {}
    for seat, kind in enumerate(SEATS[number % len(SEATS)]):
        if kind == "open":
            joined = insist(partial(site.client.post, f"{path}/players", {"name": "X", "seat": seat}), ends)
            players[seat] = site.client.be(joined.body["token"])
    assert insist(lambda: host.post(f"{path}/start"), ends).status == 200
    return Played(path, host, players)


def step(game: Played, chance: random.Random, ends: float) -> None:
    """One look, and one move if it is a player's turn; sent again under its key until it is answered."""
    state = insist(lambda: game.host.get(game.path), ends).body
    game.over = state["result"] is not None
    seat = state["decision"]["seat"] if state["decision"] else None
    if seat not in game.players:
        return
    player = game.players[seat]
    view = insist(lambda: player.get(game.path), ends).body
    if not view["legal_moves"]:
        return
    move = chance.choice(view["legal_moves"])
    key = f"{chance.random()}"
    sent: Wire = {"moves": [move], "version": view["version"]}
    reply = insist(lambda: player.post(f"{game.path}/moves", sent, Idempotency_Key=key), ends)
    if reply.status == 200:
        game.accepted.append((reply.body["version"], {k: v for k, v in move.items() if k not in ("cost", "chance")}))
    else:
        assert reply.body["code"] == "version_conflict", reply.body


def horses(site: Site) -> list[int]:
    """The forks in which RQ does a job just now."""
    parents = [str(child.process.pid) for child in site.children.values() if child.process and "worker" in child.name]
    found = subprocess.run(
        ["ps", "-o", "pid=", "--ppid", ",".join(parents)], capture_output=True, text=True, check=False
    )
    return [int(pid) for pid in found.stdout.split()]


def harm(site: Site, what: str) -> None:
    if what == "horse":
        for pid in horses(site)[:1]:
            _kill(pid)
    elif what in ("flush", "pause"):
        client = redis.Redis.from_url(site.url)
        command = ("SCRIPT", "FLUSH") if what == "flush" else ("CLIENT", "PAUSE", "400")
        with suppress(redis.RedisError):  # it was killed a moment ago
            client.execute_command(*command)
    else:
        process = site.children[what].process
        if process is not None:
            _kill(process.pid)


def _kill(pid: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


def history(game: Played, ends: float) -> list[Wire]:
    events: list[Wire] = []
    while True:
        after = len(events)
        page = insist(partial(game.host.get, f"{game.path}/events?limit=1000&after={after}"), ends).body
        events += page["events"]
        if not page["more"]:
            return events


def check(game: Played, ends: float) -> None:
    """Linear, and every acknowledged move is there, once."""
    events = history(game, ends)
    assert [event["seq"] for event in events] == [*range(1, len(events) + 1)]
    versions = [event["version"] for event in events]
    assert versions == sorted(versions)
    chosen = [
        (event["version"], event["move"]) for event in events if event["type"] == "choice" and not event["automatic"]
    ]
    assert len({version for version, _ in chosen}) == len(chosen), "two moves made one version"
    by_players = [made for made in chosen if made in game.accepted]
    assert by_players == game.accepted
    seats = {
        event["version"]: event["seat"] for event in events if event["type"] == "choice" and not event["automatic"]
    }
    assert sum(seats[version] in game.players for version, _ in chosen) == len(game.accepted), "a move that nobody sent"


HARM = ("horse", "worker 1", "flush", "web", "redis", "pause", "worker 2", "horse")


@pytest.mark.parametrize(
    "rounds", [1, pytest.param(6, marks=pytest.mark.soak)], ids=["once each", "again and again"]
)  # fmt: skip
def test_whatever_dies_no_game_stalls_and_no_move_is_lost_or_doubled(tmp_path: Path, rounds: int) -> None:
    with running_site(tmp_path) as site:
        games = [open_game(site, number) for number in range(GAMES)]
        calm = threading.Event()
        failures: list[BaseException] = []

        def drive(mine: list[Played], seed: int) -> None:
            chance = random.Random(seed)
            try:
                while not calm.is_set():
                    for game in mine:
                        if not game.over and not calm.is_set():
                            step(game, chance, time.monotonic() + PATIENCE)
                            calm.wait(0.02)
                    calm.wait(0.05)
            except Exception as error:  # noqa: BLE001 - for the main thread to raise
                failures.append(error)

        drivers = [threading.Thread(target=drive, args=(games[at::CLIENTS], at)) for at in range(CLIENTS)]
        for driver in drivers:
            driver.start()
        try:
            chance = random.Random(rounds)
            for what in [what for _ in range(rounds) for what in chance.sample(HARM, len(HARM))]:
                time.sleep(chance.uniform(0.5, 2.0))
                harm(site, what)
            until(lambda: ready(site), "the site does not recover")
            until(lambda: not any(map(is_stuck, games)), "a game that a bot should go on with does not", 10.0)
        finally:
            calm.set()
            for driver in drivers:
                driver.join()
        assert not failures, failures[0]
        for game in games:
            check(game, time.monotonic() + PATIENCE)
        assert sum(len(game.accepted) for game in games) > GAMES, "the players hardly played"


def is_stuck(game: Played) -> bool:
    """It is a bot's turn, and that has been so for a moment."""
    states = []
    for _ in range(2):
        state = insist(lambda: game.host.get(game.path), time.monotonic() + PATIENCE).body
        states.append(state)
        if state["result"] or state["decision"]["seat"] in game.players:
            return False
        time.sleep(0.3)
    return bool(states[0]["version"] == states[1]["version"])
