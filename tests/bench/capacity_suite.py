"""What games cost, for the capacity model in deploy/README.md: bytes, and the time of Redis, web processes and workers.

Times are those that processes had a core for, so that whatever else the machine does adds little to them.
"""

import json
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np

from bots.roster import ROSTER, Bot
from bots.search.search import Search, Stakes
from engine import Game, Rules, observe
from service.cli import main as red_november
from tests.bench.api_suite import CONF
from tests.bench.crowd import waiting
from tests.bench.harness import print_table, say
from tests.bench.load import gunicorn
from tests.bench.meter import Cost, Meter, proportional_set
from tests.bench.tables import Line, Table, follow, sit, started, stream
from tests.support.serving import UNLIMITED, as_user, running_redis, running_workers

CREWS = (4, 8)
GAMES = 100  # of each crew, played to the end
CLIENTS = 4  # that play at a time
LOOKS, WITH_KEY = 4000, 20  # polls and states; games with keys
STREAMS, CROWD = 20, 400
OF_BOTS = {"cabin_boy": 12, "sailor": 12, "bosun": 8, "captain": 6, "admiral": 2}  # games
SEARCHED_TURNS = 10
TABLES, LIVE_SECONDS = 16, 20.0
PACE = 20.0  # seconds that a person takes for a turn at a live table
BOTS = 3  # at it, besides the person
# The limits count, as they always do, but nobody meets them.
HIGH = UNLIMITED | {f"LIMIT_{name}": "1000000000/60" for name in ("CREATE", "JOIN", "MOVE", "POLL", "ADVICE")}

Row = tuple[object, ...]


def run() -> None:
    with tempfile.TemporaryDirectory() as folder, running_redis(Path(folder)) as url:
        settings = {"REDIS_URL": as_user(url, "api")} | HIGH
        with gunicorn(f"{CONF}:application()", CONF, "/v1/rules", **settings) as web:
            meter = Meter(url, web)
            meter.redis.config_set("auto-aof-rewrite-percentage", 0)  # its log is measured by its growth
            list(lives(meter, CREWS[0], games=CLIENTS))  # so that all is warm
            at_rest = web.memory() + proportional_set(web.pid)
            by_crew = {gnomes: [*lives(meter, gnomes)] for gnomes in CREWS}
            kinds = one_of_each(meter, by_crew[CREWS[0]])
            columns = ("", *(f"{gnomes} gnomes" for gnomes in CREWS))
            print_table("Bytes in Redis, a game", columns, memory_rows(meter, by_crew, kinds["a move with a key"]))
            with running_workers(url) as started:
                (worker,) = [process.pid for process in started]
                watched = meter.watching([worker])
                bots = {name: full_speed(watched, name, games) for name, games in OF_BOTS.items()}
                live = {name: live_table(watched, name) for name in ("sailor", "bosun", "captain")}
                kinds["a sailor's decision"] = bots["sailor"].cost / bots["sailor"].decisions
                odds = odds_bytes(watched)
                ours = proportional_set(worker)
            columns = ("", "commands", "round trips", "Redis µs", "web µs", "a Redis core, /s", "a web core, /s", "log")
            print_table("One of each", columns, cost_rows(kinds))
            columns = ("", "decisions", "playouts", "search ms", "worker ms", "games an hour and core", "cores")
            print_table("Bots' turns; and cores for bots of 1,000 live tables", columns, bot_rows(bots, live))
            columns = ("", "moves", "Redis µs", "web µs", "worker ms", "foreseen", "Redis", "web", "workers", "all")
            print_table(
                f"A round at a live table; and cores for 1,000, {PACE:.0f} s a round", columns, live_rows(bots, live)
            )
            columns = ("", "", "goal")
            print_table(f"With {BOTS} bots at a live table", columns, goal_rows(live))
            rows = [
                (f"gunicorn with {len(web.workers)} processes", f"{at_rest / 2**20:.0f} MB"),
                ("a worker", f"{ours / 2**20:.0f} MB"),
                ("a client with a stream", f"{waiting_bytes(meter) / 2**10:.1f} kB"),
                ("the odds of a game", f"{odds:.0f} B"),
                *moving_rows(meter),
            ]
            print_table("Besides", ("", ""), rows)


def at_once(work: Callable[[Any], object], things: Sequence[Any]) -> None:
    with ThreadPoolExecutor(CLIENTS) as pool:
        list(pool.map(work, things))


@dataclass(frozen=True)
class Stage:
    """What became of a hundred games, and what it cost."""

    name: str
    cost: Cost  # of one game
    requests: float
    game: float  # bytes of its hash
    events: float


def lives(meter: Meter, gnomes: int, games: int = GAMES) -> Iterator[Stage]:
    say(f"playing {games} games of {gnomes} gnomes")
    line = Line(meter.web.base)
    tables = [Table(line, gnomes, number) for number in range(games)]
    moves = sum(len(table.moves) for table in tables) / games
    for name, act, requests in (
        ("created", Table.create, 1.0),
        ("started", Table.start, gnomes + 1.0),
        ("in the middle", lambda table: table.play(0, 0.5), moves / 2),
        ("finished", lambda table: table.play(0.5, 1), moves / 2),
    ):
        cost = meter.of(lambda act=act: at_once(act, tables)) / games  # type: ignore[misc]
        ids = [table.path.rpartition("/")[2] for table in tables]
        keys = ([f"{kind}:{id_}" for id_ in ids] for kind in ("game", "events"))
        yield Stage(name, cost, requests, *(_usage(meter, each) for each in keys))


def _usage(meter: Meter, keys: Sequence[str]) -> float:
    with meter.redis.pipeline() as pipeline:
        for key in keys:
            pipeline.memory_usage(key, samples=0)
        return float(np.mean([size or 0 for size in pipeline.execute()]))


def memory_rows(meter: Meter, by_crew: dict[int, list[Stage]], with_key: Cost) -> Iterator[Row]:
    stages = [*zip(*by_crew.values(), strict=True)]
    for number, crews in enumerate(stages):
        so_far = [sum(stage.cost.memory for stage in found[: number + 1]) for found in by_crew.values()]
        yield f"{crews[0].name}, used_memory", *so_far
    for crews in stages:
        yield f"  {crews[0].name}: game:…", *(stage.game for stage in crews)
        yield f"  {crews[0].name}: events:…", *(stage.events for stage in crews)
    entries = [float(meter.redis.zcard(name)) for name in _INDEXES]
    sizes = [_usage(meter, [name]) for name in _INDEXES]
    yield "an entry in two indexes", *[2 * sum(sizes) / sum(entries)] * len(CREWS)
    plain = [found[2].cost.memory / found[2].requests for found in by_crew.values()]
    yield "an answer kept for a key", *(with_key.memory - each for each in plain)
    yield "moves", *(sum(stage.requests for stage in found[2:]) for found in by_crew.values())
    yield "written to the log", *(sum(stage.cost.log for stage in found) for found in by_crew.values())


_INDEXES = ("games:finished", "alive:finished")


def one_of_each(meter: Meter, stages: list[Stage]) -> dict[str, Cost]:
    say("measuring requests")
    line = Line(meter.web.base)
    table, *keyed = [started(line, CREWS[0], number) for number in range(1 + WITH_KEY)]
    me = table.tokens[0]
    etag = line.ask("GET", table.path, me)["ETag"]
    looks = range(LOOKS)
    poll = meter.of(lambda: at_once(lambda _: line.ask("GET", table.path, me, If_None_Match=etag), looks))
    state = meter.of(lambda: at_once(lambda _: line.ask("GET", table.path, me), looks))
    with_key = meter.of(lambda: at_once(lambda each: each.play(0, 0.5, key="k"), keyed))
    alone, heard = started(line, CREWS[0], 0), started(line, CREWS[0], 0)
    unheard = meter.of(lambda: alone.play(0, 0.5))
    with waiting(meter.web.base, [stream(heard.path)] * STREAMS) as crowd:
        wait_until(lambda: len(crowd.told) == STREAMS)
        told = meter.of(lambda: heard.play(0, 0.5))
    return {
        "a poll ending in 304": poll / LOOKS,
        "a state": state / LOOKS,
        "a game made, joined and started": stages[0].cost + stages[1].cost,
        "a move": (stages[2].cost + stages[3].cost) / (stages[2].requests + stages[3].requests),
        "a move with a key": with_key / sum(len(each.moves) // 2 for each in keyed),
        "a move told to a stream": (told - unheard) / (len(heard.moves) // 2 * STREAMS),
    }


def wait_until(true: Callable[[], bool], seconds: float = 120) -> None:
    ends = time.monotonic() + seconds
    while not true():
        if time.monotonic() > ends:
            raise RuntimeError("what was waited for does not come")
        time.sleep(0.05)


def cost_rows(kinds: dict[str, Cost]) -> Iterator[Row]:
    for name, cost in kinds.items():
        carried = [1e6 / cost.redis, 1e6 / cost.web if cost.web > 50 else ""]
        yield name, f"{cost.commands:.1f}", f"{cost.asked:.1f}", cost.redis, cost.web, *carried, cost.log


@dataclass(frozen=True)
class Turns:
    """Of bots that play among themselves as fast as a worker can."""

    cost: Cost
    games: int
    turns: int
    decisions: int
    searched: float  # seconds
    playouts: float  # a turn


def full_speed(meter: Meter, name: str, games: int) -> Turns:
    say(f"measuring {name}s")
    line, paths = Line(meter.web.base), []

    def play() -> None:
        for number in range(games):
            wanted = {"seats": [name] * CREWS[0], "seed": number.to_bytes(32).hex()}
            made = line.post("/v1/games", body=wanted)
            paths.append(f"/v1/games/{made['game']['id']}")
            line.post(f"{paths[-1]}/start", made["token"])
        ids = [path.rpartition("/")[2] for path in paths]
        wait_until(lambda: all(meter.redis.zscore("alive:finished", id_) for id_ in ids))

    decided, searched = meter.decisions(name)
    cost = meter.of(play)
    turns = sum(json.loads(line.tell("GET", path)[1])["turn"] for path in paths)
    now, seconds = meter.decisions(name)
    return Turns(cost, games, turns, now - decided, seconds - searched, playouts_a_turn(ROSTER[name]))


def playouts_a_turn(bot: Bot) -> float:
    """Over the first turns of a game."""
    if not bot.budget.playouts:
        return 0.0
    game, played = Game.new(Rules(gnomes=CREWS[0]), bytes(32)), 0
    while game.result is None and int(game.record["turn"][0]) < SEARCHED_TURNS:
        seat = game.decider
        assert seat is not None
        search = Search(observe(game, seat), Stakes(seat, True, ()), game.version)
        moves = search.wire(search.run(bot.budget))
        played += search.playouts
        list(follow(game, seat, moves))
    return played / int(game.record["turn"][0])


@dataclass
class Live:
    """Tables at which a person plays with bots, faster than persons do."""

    cost: Cost  # of one round: a turn of the person, and of each of the bots
    moves: float  # of the person, a round


def live_table(meter: Meter, bot: str) -> Live:
    say(f"playing at {TABLES} live tables with {bot}s")
    ends = time.monotonic() + LIVE_SECONDS
    done: list[tuple[int, int]] = []
    persons = [
        threading.Thread(target=lambda: done.append(sit(meter.web.base, [bot] * BOTS, ends))) for _ in range(TABLES)
    ]

    def play() -> None:
        for each in persons:
            each.start()
        for each in persons:
            each.join()

    cost = meter.of(play)
    if len(done) < TABLES:
        raise RuntimeError("not every table was played at")
    rounds, moves = map(sum, zip(*done, strict=True))
    return Live(cost / rounds, moves / rounds)


def workers_a_round(bots: dict[str, Turns], live: dict[str, Live], name: str) -> float:
    """Microseconds of workers: as with sailors, whose thoughts are nothing beside a job, and the searches."""
    own, sailors = (bots[each].cost.workers / bots[each].turns for each in (name, "sailor"))
    return live["sailor"].cost.workers + BOTS * (own - sailors)


def bot_rows(bots: dict[str, Turns], live: dict[str, Live]) -> Iterator[Row]:
    for name, found in bots.items():
        turn = found.cost.workers / found.turns
        busy = workers_a_round(bots, live, name)
        yield (
            name, found.decisions / found.turns, found.playouts, 1e3 * found.searched / found.turns, turn / 1e3,
            3.6e9 * found.games / found.cost.workers, 1e3 * busy / (1e6 * PACE + busy),
        )  # fmt: skip


def live_rows(bots: dict[str, Turns], live: dict[str, Live]) -> Iterator[Row]:
    for name, found in live.items():
        cost, cores = found.cost, [each / PACE / 1e3 for each in parts_of(found.cost)]
        yield (
            f"with {name}s", found.moves, cost.redis, cost.web, cost.workers / 1e3,
            f"{workers_a_round(bots, live, name) / 1e3:.1f}", *cores, sum(cores),
        )  # fmt: skip


def parts_of(cost: Cost) -> list[float]:
    """Return the microseconds of Redis, the web processes, and the workers."""
    return [cost.redis, cost.web, cost.workers]


def goal_rows(live: dict[str, Live]) -> Iterator[Row]:
    yield "a worker besides thinking, with sailors, ms a round", live["sailor"].cost.workers / 1e3, "≤ 5"
    cores = sum(parts_of(live["captain"].cost)) / PACE / 1e3
    yield "cores of everything for 1,000 tables with captains", cores, "≤ 0.7"


def waiting_bytes(meter: Meter) -> float:
    say(f"letting {CROWD} clients wait")
    line = Line(meter.web.base)
    paths = [started(line, CREWS[0], number).path for number in range(CROWD // STREAMS)]
    before = meter.web.memory()
    with waiting(meter.web.base, [stream(path) for path in paths] * STREAMS) as crowd:
        wait_until(lambda: len(crowd.told) == CROWD)
        return (meter.web.memory() - before) / CROWD


def odds_bytes(meter: Meter) -> float:
    line = Line(meter.web.base)
    table = started(line, CREWS[0], 0)
    table.play()
    line.ask("GET", f"{table.path}/odds?wait=20")
    return _usage(meter, [f"odds:{table.path.rpartition('/')[2]}"])


def moving_rows(meter: Meter) -> Iterator[Row]:
    """Into another database of the same server."""
    say("moving all games")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "games.ndjson")
        for name, url, arguments in (
            ("exported", meter.url, ["--output", str(file)]),
            ("imported", meter.url.replace("db=0", "db=1"), [str(file)]),
        ):
            began, told = time.perf_counter(), StringIO()
            with redirect_stdout(told), redirect_stderr(told):
                red_november([name.removesuffix("ed"), "--redis-url", url, *arguments])
            games = int(told.getvalue().split()[0])
            yield f"games {name} a second", games / (time.perf_counter() - began)
        yield "bytes a game in the file", file.stat().st_size / games
