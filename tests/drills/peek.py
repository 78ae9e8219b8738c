"""Twins: two games that differ in what is hidden and in nothing else, about which everybody asks everything.

Each answer must be the same, byte for byte, with its headers and in its order; so nobody can tell the twins apart.
"""

import random
import re
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import cache
from itertools import count
from statistics import median
from typing import Any
from unittest import mock

import orjson
import redis

from bots.budget import Budget
from bots.roster import Bot
from engine import Game, Rules
from engine.game import SEED_BYTES
from service.app import create_app
from service.config import ANYBODY, Config
from service.games import advice, odds
from service.games.tables import fetch
from service.store.ids import derived_id
from service.store.store import Store
from service.words import LANGUAGES
from tests.support.answers import NDJSON, SSE

Wire = dict[str, Any]
Told = tuple[str, int, tuple[tuple[str, str], ...], bytes]

NOON = 1_800_000_000.0
PROMISE = b"promise of the dice"
TRIES = 50_000  # seeds, among which twins are looked for
_OF_A_GAME = re.compile(r"(?<=/)[a-z0-9]{16}(?=/|$)|(?<=advice/)\w+|(?<=version=)\d+")  # what differs between games
PLAYOUTS = 4  # of an adviser who is in a hurry


@dataclass
class World:
    """The service in this process, where clock and chance are the same each time; and what it told."""

    store: Store
    app: Any
    told: list[Told] = field(default_factory=list)
    times: list[tuple[str, float]] = field(default_factory=list)  # what was asked, and the seconds that it took
    promise: bytes = b""  # the hash that binds us to a seed, which differs with it and tells nothing

    def ask(self, who: str, token: str, method: str, path: str, body: Any = None, **headers: str) -> Any:
        """Keeps the answer to be compared; returns its body, as JSON where it is."""
        sent = {name.replace("_", "-"): value for name, value in headers.items()} | {"X-Request-ID": "twin"}
        if token:
            sent["Authorization"] = f"Bearer {token}"
        stream = sent.get("Accept") in (NDJSON, SSE)
        began = time.process_time()
        reply = self.app.test_client().open(path, method=method, json=body, headers=sent, buffered=not stream)
        data = next(iter(reply.response), b"") if stream and reply.status_code == 200 else reply.get_data()
        reply.close()
        self.times.append((f"{method} {_OF_A_GAME.sub('', path)}", time.process_time() - began))
        kept = tuple((name, value) for name, value in reply.headers.items())
        self.told.append((f"{who}: {method} {path} {headers}", reply.status_code, kept, data))
        return orjson.loads(data) if "json" in reply.content_type and data and not stream else data


@contextmanager
def world(redis_url: str, seed: bytes | None = None) -> Iterator[World]:
    """With nothing in its store; `seed` is that of the first game that has none given."""
    with redis.Redis.from_url(redis_url) as operator:
        operator.flushall()
    config = Config(redis_url=redis_url, limits={}, games_per_caller=0, max_queue_seconds=0, bot_accounts=ANYBODY)
    store = Store.connect(config)
    numbers, chance, ticks = count(), random.Random(7), count()
    seeds = [seed] if seed else []

    def urandom(size: int) -> bytes:
        return seeds.pop() if seeds and size == SEED_BYTES else bytes(size)

    with ExitStack() as stack:
        for place, made in (
            ("service.store.answers.new_id", lambda: derived_id("twin", str(next(numbers)))),
            ("service.games.creation.os", mock.Mock(urandom=urandom)),
            ("service.callers.tokens.os", mock.Mock(urandom=chance.randbytes)),
            ("service.games.advice.secrets", mock.Mock(token_hex=lambda size: f"{next(numbers):0{2 * size}x}")),
            ("service.clock.now", lambda: NOON + next(ticks)),
            ("service.workers.jobs.own_store", lambda: store),
            ("service.games.advice.ADVISER", Bot("admiral", 4, "Quick.", Budget(PLAYOUTS, candidates=2))),
        ):
            stack.enter_context(mock.patch(place, made))
        yield World(store, create_app(config, store))
    store.redis.close()


@cache
def twin_seeds(**rules: Any) -> tuple[bytes, bytes]:
    """Two seeds whose games look the same to a spectator, and deal other hands."""
    seen: dict[bytes, tuple[bytes, Any]] = {}
    for number in range(TRIES):
        seed = number.to_bytes(SEED_BYTES, "big")
        game = Game.new(Rules(**rules), seed)
        looks = orjson.dumps(game.view(None))
        dealt = [gnome["items"] for gnome in game.position()["gnomes"]]
        first, dealt_first = seen.setdefault(looks, (seed, dealt))
        if dealt_first != dealt:
            return first, seed
    raise AssertionError("there are no twins")


@dataclass
class Table:
    """A game in a world: its path, and the tokens of everybody who has anything to do with it, by name."""

    world: World
    path: str
    seats: int
    tokens: dict[str, str]

    def each(self, *without: str) -> Iterator[tuple[str, str]]:
        yield from ((who, token) for who, token in self.tokens.items() if who not in without)


def seated(world: World, wanted: Wire) -> Table:
    """Everybody has joined; one more was there, and left again. Whoever they are, all that they are told is kept."""
    made = world.ask("host", "", "POST", "/v1/games", wanted)
    path = f"/v1/games/{made['game']['id']}"
    world.promise = made["game"]["dice"]["hash"].encode()
    seats = len(made["game"]["seats"])
    tokens = {"nobody": "", "host": made["token"], "guest of none": "rn_made_up"}
    gone = world.ask("gone", "", "POST", f"{path}/players", {"name": "Gone", "seat": 1})
    world.ask("gone", gone["token"], "GET", path)
    world.ask("gone", gone["token"], "DELETE", f"{path}/players/{gone['game']['you']['player_id']}")
    tokens["gone"] = gone["token"]
    for seat in range(seats):
        joined = world.ask(f"seat {seat}", "", "POST", f"{path}/players", {"name": f"Gnome {seat}", "seat": seat})
        if "token" in joined:  # one player may have all seats
            tokens[f"seat {seat}"] = joined["token"]
    return Table(world, path, seats, tokens)


def look(table: Table, *without: str, pictures: bool = False) -> None:
    """Everything that can be asked without changing the game, by everybody but those who may know."""
    world, path = table.world, table.path
    game_id = path.rpartition("/")[2]
    version = fetch(world.store, game_id).version  # type: ignore[union-attr]
    for who, token in table.each(*without):
        for asked in ("", "/legal-moves", "/replay", "/events?limit=1000", "/odds"):
            world.ask(who, token, "GET", path + asked)
        for past in range(1, version + 1):
            world.ask(who, token, "GET", f"{path}?version={past}")
            world.ask(who, token, "GET", f"{path}/board.svg?version={past}&lang=en")
        for lang in LANGUAGES:
            world.ask(who, token, "GET", f"{path}/events?limit=1000&lang={lang}")
            world.ask(who, token, "GET", f"{path}/board.svg?lang={lang}&theme=dark")
            world.ask(who, token, "GET", f"/watch/{game_id}?lang={lang}")
            for form in (NDJSON, SSE):
                world.ask(who, token, "GET", f"{path}/events/stream?lang={lang}&after=0", Accept=form)
        if pictures:
            world.ask(who, token, "GET", f"{path}/board.png?width=200")
    for status in ("waiting", "playing", "finished"):
        world.ask("nobody", "", "GET", f"/v1/games?status={status}")
    world.ask("nobody", "", "GET", "/")
    table_now = fetch(world.store, game_id)
    assert table_now
    odds.fill(world.store, table_now)
    world.ask("nobody", "", "GET", f"{path}/odds")


def try_out(table: Table, *without: str) -> None:
    """Moves that nobody may make, moves only tried, advice, forks of every version, and what is in those forks."""
    world, path = table.world, table.path
    game_id = path.rpartition("/")[2]
    now = fetch(world.store, game_id)
    assert now
    moves = [
        {name: value for name, value in move.items() if name not in ("cost", "chance")}
        for move in now.game.legal_moves()
    ]
    for who, token in table.each(*without):
        world.ask(who, token, "POST", f"{path}/moves", {"moves": [{"type": "defend"}]})
        for move in moves:
            world.ask(who, token, "POST", f"{path}/previews", {"moves": [move]})
        forks: list[Wire] = [{"dice": "same"}, *({"version": at} for at in range(1, now.version + 1))]
        for asked in forks:
            fork = world.ask(who, token, "POST", f"{path}/forks", asked | {"seats": ["open"] * table.seats})
            if "game" in fork:
                _open(world, who, fork, table.seats)
        told = world.ask(who, token, "POST", f"{path}/advice")
        if "id" in told:
            advice.work_out(world.store, game_id, told["id"])
            world.ask(who, token, "GET", f"{path}/advice/{told['id']}")


def _open(world: World, who: str, fork: Wire, seats: int) -> None:
    """Joins a fork on all seats, starts it, and looks: whatever a fork knows is told there."""
    path = f"/v1/games/{fork['game']['id']}"
    tokens = []
    for _ in range(seats):
        tokens.append(world.ask(who, "", "POST", f"{path}/players", {"name": "Forked"}).get("token", ""))
    world.ask(who, fork["token"], "POST", f"{path}/start")
    for token in tokens:
        world.ask(who, token, "GET", path)
    world.ask(who, fork["token"], "DELETE", path)


def differences(
    redis_url: str, tell: Callable[[World], None], *seeds: bytes | None, to: str = ""
) -> tuple[int, list[str]]:
    """How many answers there were in each world, to that one or to all, and which of them were not the same in both."""
    told = []
    for seed in seeds:
        with world(redis_url, seed) as one:
            tell(one)
            heard = [each for each in one.told if each[0].startswith(to)]
            told.append([(*head, data.replace(one.promise, PROMISE)) for *head, data in heard])
    first, second = told
    assert [each[0] for each in first] == [each[0] for each in second]
    return len(first), [
        f"{one[0]}\n  {one[1:]}\n  {other[1:]}" for one, other in zip(first, second, strict=True) if one != other
    ]


def times(redis_url: str, tell: Callable[[World], None], rounds: int) -> dict[str, tuple[float, float]]:
    """Return the median seconds that each question takes in either world. They are asked in turn, and the first of a
    round is the second of the next."""
    taken: tuple[dict[str, list[float]], ...] = defaultdict(list), defaultdict(list)
    for number in range(2 * rounds):
        with world(redis_url) as one:
            tell(one)
            which = number % 4 in (1, 2)  # as the positions come: one, other, other, one
            for asked, seconds in one.times:
                taken[which][asked].append(seconds)
    return {asked: (median(taken[0][asked]), median(taken[1][asked])) for asked in taken[0]}


def before_the_start(rules: Wire, pictures: bool = False) -> Callable[[World], None]:
    """A game that waits: whoever looks, joins, leaves, forks or asks is told no hand, not even their own."""

    def tell(world: World) -> None:
        table = seated(world, {"rules": rules})
        look(table, pictures=pictures)
        try_out(table)

    return tell


def after_the_start(positions: Iterator[Wire], moves: list[Wire], without: tuple[str, ...]) -> Callable[[World], None]:
    """A game under way, from positions that differ in what `without` alone may know; the moves are seat 0's."""

    def tell(world: World) -> None:
        table = seated(world, {"position": next(positions)})
        world.ask("host", table.tokens["host"], "POST", f"{table.path}/start")
        for move in (None, *moves):
            if move is not None:
                world.ask("seat 0", table.tokens["seat 0"], "POST", f"{table.path}/moves", {"moves": [move]})
            look(table, *without)
            try_out(table, *without)

    return tell


BOT = "deepgnome"
_OF_A_BOT = f"/v1/bots/{BOT}"


def seat_of_a_bot(positions: Iterator[Wire], chances: Iterator[int], turns: int = 2) -> Callable[[World], None]:
    """A game in which a bot of somebody else's has seat 0, and is asked and answers for some turns; in between it looks
    at all that there is. `chances` are what all other tokens are made of."""

    def tell(world: World) -> None:
        token = world.ask("owner", "", "POST", "/v1/bots", {"name": BOT, "seconds": 600})["token"]
        with mock.patch("service.callers.tokens.os", mock.Mock(urandom=random.Random(next(chances)).randbytes)):
            table = seated(world, {"position": next(positions), "seats": [f"bot:{BOT}", "open", "open"]})
        table.tokens["bot"] = token
        others = tuple(who for who in table.tokens if who != "bot")
        world.ask("host", table.tokens["host"], "POST", f"{table.path}/start")
        for _ in range(turns):
            _answer(world, token)
            look(table, *others)
            try_out(table, *others)

    return tell


def _answer(world: World, token: str) -> None:
    """What the bot is asked, in every form; then an answer that is none, one for another, and one that is played."""
    for form in ("state", "vector"):
        page = world.ask("bot", token, "GET", f"{_OF_A_BOT}/decisions?wait=0&form={form}")
        world.ask("bot", token, "GET", f"{_OF_A_BOT}/decisions?form={form}", Accept=NDJSON)
    for decision in page["decisions"]:
        for sent in ({"moves": [{"type": "defend"}]}, {"moves": [{"type": "no_action"}]}, {"action": 0}):
            world.ask("bot", token, "POST", f"{_OF_A_BOT}/answers", {"answers": [{"id": decision["id"], **sent}]})
    for path in (f"{_OF_A_BOT}/games", _OF_A_BOT, "/v1/bots"):
        world.ask("bot", token, "GET", path)
    assert page["decisions"], "it is not asked"
