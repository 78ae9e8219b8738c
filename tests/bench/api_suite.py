"""The API beside a bare Flask route and boardgame.io's server, and with 2,000 clients waiting; wrk loads them."""

import json
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import redis

from engine import Game, Rules
from tests.bench.crowd import Crowd, get, waiting
from tests.bench.harness import print_table, say
from tests.bench.load import CONNECTIONS, Load, Server, gunicorn, wrk
from tests.bench.peers.boardgame_peer import Missing, Peer, boardgame
from tests.bench.plan import planned
from tests.support.serving import Client, running_redis

ROUNDS, SHORT_ROUNDS = 4, 8
GAMES = 160  # that are played in one run, each for as many moves as there are: more than any server answers
# Of the rate of the bare route, what games made, joined and started had in three requests each in 3fa44eb.
OPENED_BEFORE = 0.062
MEASURED = ("poll", "state", "move")
LISTENERS = 3  # the other players of a table of four
TURN = 4  # moves in a request that brings a whole turn
CROWD, CROWD_GAMES, CROWD_ROUNDS = 2000, 500, 6
WAIT_SECONDS = 60
SETTLING_SECONDS = 4  # until a crowd has been let in
# The limits count, as they always do, but nobody meets them.
KINDS = ("CREATE", "JOIN", "MOVE", "POLL", "ADVICE", "BAD", "WORK")
HIGH = {f"LIMIT_{name}": "1000000000/60" for name in KINDS} | {
    f"{name}_PER_ADDRESS": "1000000" for name in ("CONNECTIONS", "STREAMS", "WAITS")
}
HIGH["GAMES_PER_CALLER"] = "0"
_HERE = Path(__file__).parent
CONF = "service.server.gunicorn_conf"

Runs = dict[str, list[Load]]


def run() -> None:
    if not shutil.which("wrk"):
        print("The API was not measured: there is no wrk; to install it: apt install wrk\n")
        return
    with running_redis() as url, service(url) as ours:
        with bare_flask() as bare, floor_flask(url) as floor, ExitStack() as stack:
            peer = _peer(stack)
            runs = measure(url, ours, bare, floor, peer)
        print_table(
            "Requests a second of 64 connections",
            ("", "requests/s", "of the bare route", "goal", "its parts alone", "by processor time", "its parts"),
            rate_rows(runs),
        )
        print_table(
            "99th percentile of one connection, in the quietest second",
            ("", "ms", "of the bare route's", "goal", "its parts alone"),
            latency_rows(runs),
        )
        if peer:
            print_table(
                "Beside boardgame.io, a second", ("", "ours", "theirs", "ours over it", "goal"), peer_rows(runs)
            )
        columns = ("", "MB more", "goal", "304s left", "goal", "connections to Redis")
        print_table(f"{CROWD:,} clients waiting", columns, crowd_rows(url, ours))


def service(url: str) -> Any:
    settings = {"REDIS_URL": url, "MAX_WAIT_SECONDS": str(WAIT_SECONDS)} | HIGH
    return gunicorn(f"{CONF}:application()", CONF, "/v1/rules", **settings)


def bare_flask() -> Any:
    return gunicorn("tests.bench.peers.bare_flask:app", "tests.bench.peers.bare_conf", "/")


def floor_flask(url: str) -> Any:
    settings = {"REDIS_URL": url} | HIGH
    return gunicorn("tests.bench.peers.floor_flask:app", "tests.bench.peers.bare_conf", "/", **settings)


def _peer(stack: ExitStack) -> Peer | None:
    say("starting boardgame.io")
    try:
        return stack.enter_context(boardgame(Game.new(Rules(gnomes=4), bytes(32)).view(0)))
    except Missing as reason:
        print(f"boardgame.io was not measured: {reason}\n")
        return None


def measure(url: str, ours: Server, bare: Server, floor: Server, peer: Peer | None) -> Runs:
    """Creating comes last: it fills Redis, which then writes its file anew."""
    store = _pid_of(url)
    table, least = Table(ours, store), [*floor.workers, store]
    jobs: dict[str, Callable[[], Load]] = {
        "bare": lambda: wrk(f"{bare.base}/", watched=bare.workers),
        "poll": lambda: table.poll(CONNECTIONS),
        "state": lambda: table.state(CONNECTIONS),
        "move": lambda: table.moves(CONNECTIONS),
    } | {f"{name}, least": partial(wrk, f"{floor.base}/{name}", watched=least) for name in MEASURED}
    single: dict[str, Callable[[], Load]] = {
        "bare, one": lambda: wrk(f"{bare.base}/", connections=1),
        "poll, one": lambda: table.poll(1),
        "state, one": lambda: table.state(1),
        "move, one": lambda: table.moves(1, games=GAMES // 4),
    } | {f"{name}, least, one": partial(wrk, f"{floor.base}/{name}", connections=1) for name in MEASURED}
    if peer:
        jobs |= {
            "turn": lambda: table.moves(CONNECTIONS, games=GAMES * 2, turn=TURN),
            "move, heard": lambda: table.moves(CONNECTIONS, listeners=LISTENERS),
            "their get": peer.get,
            "their move": peer.moves,
            "their move, heard": lambda: peer.moves(LISTENERS),
        }
    runs = in_rounds("requests", jobs) | in_rounds("one connection", single, SHORT_ROUNDS)
    made = {"bare, last": jobs["bare"], "open": table.open, "open at once": table.open_at_once}
    return runs | in_rounds("creating", made | ({"create": table.create, "their create": peer.create} if peer else {}))


def in_rounds(what: str, jobs: Mapping[str, Callable[[], Load]], rounds: int = ROUNDS) -> Runs:
    """Each in turn, several times: what else the machine does meets all alike."""
    runs: Runs = {name: [] for name in jobs}
    for number in range(rounds):
        say(f"measuring {what}, round {number + 1} of {rounds}")
        for name, job in jobs.items():
            runs[name].append(job())
    return runs


class Table:
    """A game with one player at all four seats, and as many like it as it takes."""

    def __init__(self, server: Server, store: int = 0) -> None:
        """Sit at a server, whose processor time is measured with that of the store, if its process is named."""
        self._base = server.base
        self._watched = [*server.workers, store] if store else []
        self._client = Client(server.base)
        self._seed, self._moves = planned()
        self._path, self._token, _ = self._new_game()
        self._etag = self._client.be(self._token).get(self._path).headers["etag"]

    def _new_game(self) -> tuple[str, str, int]:
        """Its path, the player's token, and its version."""
        created = self._client.post("/v1/games", {"players": 1, "rules": {"gnomes": 4}, "seed": self._seed})
        path = f"/v1/games/{created.body['game']['id']}"
        joined = self._client.post(f"{path}/players", {"name": "Gnome"})
        started = self._client.be(created.body["token"]).post(f"{path}/start")
        return path, joined.body["token"], int(started.body["version"])

    def poll(self, connections: int) -> Load:
        known = f"If-None-Match: {self._etag}"
        return self._ask(known, connections=connections)

    def state(self, connections: int) -> Load:
        return self._ask(connections=connections)

    def _ask(self, *headers: str, connections: int) -> Load:
        url = self._base + self._path
        return wrk(url, _bearer(self._token), *headers, connections=connections, watched=self._watched)

    def create(self) -> Load:
        return self._post({"rules": {"gnomes": 4}})

    def open(self) -> Load:
        """Games made, joined and started a second, in three requests each."""
        load = wrk(self._base, script=_HERE / "open.lua", watched=self._watched)
        return replace(load, rate=load.rate / 3, processor=load.processor * 3)

    def open_at_once(self) -> Load:
        """The same in one request each."""
        return self._post({"rules": {"gnomes": 4}, "players": 1, "join": {"name": "Gnome"}, "start": True})

    def _post(self, body: Mapping[str, Any]) -> Load:
        url, sent = f"{self._base}/v1/games", (json.dumps(body),)
        return wrk(url, script=_HERE / "post.lua", arguments=sent, watched=self._watched)

    def moves(self, connections: int, games: int = GAMES, listeners: int = 0, turn: int = 1) -> Load:
        """Moves a second, in fresh games with so many streams each; their versions tell what was accepted."""
        played = [self._new_game() for _ in range(games)]
        streams = [_stream(path, token) for path, token, _ in played for _ in range(listeners)]
        with tempfile.TemporaryDirectory() as folder, waiting(self._base, streams) as crowd:
            where, what = Path(folder, "games"), Path(folder, "moves")
            where.write_text("".join(f"{path} {token}\n" for path, token, _ in played))
            what.write_text("".join(f"{body}\n" for body in self._bodies(turn)))
            _settle(crowd, len(streams))
            load = wrk(
                self._base,
                connections=connections,
                script=_HERE / "moves.lua",
                arguments=(str(where), str(what)),
                watched=self._watched,
            )
        accepted = sum(self._version(path) - version for path, _, version in played)
        if not load.requests <= accepted / turn <= load.requests + connections:
            raise RuntimeError(f"{load.requests} requests were answered, {accepted} moves were accepted")
        return replace(load, rate=load.rate * turn)

    def _bodies(self, turn: int) -> list[str]:
        return [json.dumps({"moves": self._moves[at : at + turn]}) for at in range(0, len(self._moves), turn)]

    def _version(self, path: str) -> int:
        return int(self._client.get(path).body["version"])


def _bearer(token: str) -> str:
    return f"Authorization: Bearer {token}"


def _stream(path: str, token: str) -> bytes:
    return get(f"{path}/events/stream", _bearer(token), "Accept: application/x-ndjson")


def _settle(crowd: Crowd, streams: int) -> None:
    """Until every stream has begun."""
    ends = time.monotonic() + WAIT_SECONDS
    while len(crowd.told) < streams:
        if crowd.lost or time.monotonic() > ends:
            raise RuntimeError(f"of {streams} streams {len(crowd.told)} have begun, {crowd.lost} were ended")
        time.sleep(0.1)


def rate(runs: Runs, name: str) -> float:
    return statistics.median(load.rate for load in runs[name])


def share(runs: Runs, name: str, of: str) -> float:
    """One rate by the other in each round, and then the median: both of a round met the same machine."""
    return statistics.median(ours.rate / theirs.rate for ours, theirs in zip(runs[name], runs[of]))


def processor(runs: Runs, name: str, of: str) -> float:
    """The processor time of a request to the one by that of the other: other work of the machine hardly touches it."""
    return statistics.median(theirs.processor / ours.processor for ours, theirs in zip(runs[name], runs[of]))


def latency(runs: Runs, name: str) -> float:
    """Of the quietest round, in milliseconds: whatever else the machine does only adds to it."""
    return min(load.p99 for load in runs[name]) / 1e3


def rate_rows(runs: Runs) -> Iterator[tuple[object, ...]]:
    yield "bare Flask route", rate(runs, "bare"), "", "", "", "", ""
    for label, name, goal in (
        ("a poll ending in 304", "poll", "≥ 55 %"),
        ("the full state", "state", "≥ 38 %"),
        ("an accepted move", "move", "≥ 28 %"),
    ):
        least = f"{name}, least"
        parts = f"{share(runs, least, 'bare'):.0%}"
        cost = f"{processor(runs, name, 'bare'):.0%}", f"{processor(runs, least, 'bare'):.0%}"
        yield label, rate(runs, name), f"{share(runs, name, 'bare'):.0%}", goal, parts, *cost
    goal = f"≥ {2 * OPENED_BEFORE:.1%}"
    for label, name in (("create, join, start", "open"), ("the same in one request", "open at once")):
        spent = f"{processor(runs, name, 'bare, last'):.1%}"
        yield label, rate(runs, name), f"{share(runs, name, 'bare, last'):.1%}", goal, "", spent, ""


def latency_rows(runs: Runs) -> Iterator[tuple[object, ...]]:
    bare = latency(runs, "bare, one")
    yield "bare Flask route", bare, "", "", ""
    for label, name in (("a poll ending in 304", "poll"), ("the full state", "state"), ("an accepted move", "move")):
        here, least = latency(runs, f"{name}, one"), latency(runs, f"{name}, least, one")
        yield label, here, f"{here / bare:.2f} ×", "≤ 2.5 ×", f"{least / bare:.2f} ×"


def peer_rows(runs: Runs) -> Iterator[tuple[object, ...]]:
    for label, ours, theirs, goal in (
        ("create", "create", "their create", ""),
        ("get; ours with the state", "state", "their get", ""),
        ("moves, nobody listens", "move", "their move", "≥ 1 ×"),
        (f"moves, ours {TURN} a request", "turn", "their move", ""),
        (f"moves, {LISTENERS} others listen", "move, heard", "their move, heard", ""),
    ):
        yield label, rate(runs, ours), rate(runs, theirs), f"{share(runs, ours, theirs):.2f} ×", goal


def crowd_rows(url: str, idle: Server) -> Iterator[tuple[object, ...]]:
    """Each crowd at a service of its own, beside one at which nobody waits."""
    for label, request in (
        ("long-polling", lambda path, token: get(f"{path}?after=1&wait={WAIT_SECONDS}", _bearer(token))),
        ("streaming", _stream),
    ):
        still = Table(idle)
        still.poll(CONNECTIONS)
        others = _connections(url)
        with service(url) as busy:
            crowded = Table(busy)
            crowded.poll(CONNECTIONS)
            before, connections = busy.memory(), _connections(url) - others
            with _crowd(busy, request) as crowd:
                polls = {"idle": partial(still.poll, CONNECTIONS), "busy": partial(crowded.poll, CONNECTIONS)}
                runs = in_rounds(f"with {CROWD:,} clients {label}", polls, CROWD_ROUNDS)
                more = (busy.memory() - before) / 2**20
                if crowd.lost or (label == "long-polling" and crowd.told):
                    raise RuntimeError(f"{crowd.lost} were not kept waiting, {len(crowd.told)} were answered")
                grown = f"{connections} → {_connections(url) - others}"
        yield label, f"{more:.0f}", "≤ 100", f"{share(runs, 'busy', 'idle'):.0%}", "≥ 80 %", grown


@contextmanager
def _crowd(server: Server, request: Callable[[str, str], bytes]) -> Iterator[Crowd]:
    client = Client(server.base)
    created = [client.post("/v1/games").body for _ in range(CROWD_GAMES)]
    requests = [request(f"/v1/games/{game['game']['id']}", game["token"]) for game in created]
    with waiting(server.base, requests * (CROWD // CROWD_GAMES)) as crowd:
        time.sleep(SETTLING_SECONDS)
        yield crowd


def _pid_of(url: str) -> int:
    with redis.Redis.from_url(url) as client:
        facts: Any = client.info("server")
        return int(facts["process_id"])


def _connections(url: str) -> int:
    with redis.Redis.from_url(url) as client:
        facts: Any = client.info("clients")
        return int(facts["connected_clients"]) - 1
