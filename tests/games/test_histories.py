"""Whatever happens at a table, its events come to the lobby that is stored, version by version."""

import random
from collections.abc import Callable
from typing import Any

import msgspec
import orjson
import pytest

from service.games import stored
from service.games.apply import before_first, fold
from service.workers import jobs
from tests.support.desk import Desk, HeldClock
from tests.support.playing import pick
from tests.support.serving import Client, Wire

STEPS = 45
SECONDS = 40
PRESENT_ONLY = ("decision", "legal_moves", "dice", "epoch")  # what an earlier version cannot show, or not yet


class History:
    """A game in which people and bots do what they like, and what everybody saw of each version."""

    def __init__(self, desk: Desk, time: HeldClock, seed: int) -> None:
        self.desk, self.time, self.chance = desk, time, random.Random(seed)
        seats = [self.chance.choice(["open", "open", "open", "sailor"]) for _ in range(self.chance.choice([3, 4]))]
        made = desk.api.post("/v1/games", {"seats": seats, "turn_seconds": SECONDS, "name": f"History {seed}"}).body
        self.path, self.host = f"/v1/games/{made['game']['id']}", desk.api.be(made["token"])
        self.players: dict[str, Client] = {}
        self.seen: dict[int, Wire] = {}
        self.done: set[str] = set()
        self.look()

    def look(self) -> None:
        state = self.desk.api.get(self.path).body
        self.seen[state["version"]] = state

    @property
    def now(self) -> Wire:
        return self.seen[max(self.seen)]

    def step(self) -> None:
        acts: list[Callable[[], None]] = [self.hand_over, self.leave]
        acts += [self.join, self.join, self.start] if self.now["status"] == "waiting" else [self.move] * 6 + [self.wait]
        act = self.chance.choice(acts)
        before = max(self.seen)
        act()
        self.look()
        if max(self.seen) > before:
            self.done.add(act.__name__)

    def join(self) -> None:
        reply = self.desk.api.post(f"{self.path}/players", {"name": f"Gnome {len(self.players)}"})
        if reply.status == 201:
            self.players[reply.body["game"]["you"]["player_id"]] = self.desk.api.be(reply.body["token"])

    def leave(self) -> None:
        if self.players and self.chance.random() < 0.3:
            gone = self.chance.choice(list(self.players))
            self.players.pop(gone).delete(f"{self.path}/players/{gone}")

    def start(self) -> None:
        self.host.post(f"{self.path}/start", {"fill_with": "cabin_boy"})

    def hand_over(self) -> None:
        seat = self.chance.randrange(len(self.now["seats"]))
        wanted = self.chance.choice([{"kind": "player"}, {"kind": "bot", "bot": "sailor"}])
        self.host.put(f"{self.path}/seats/{seat}/controller", wanted)

    def move(self) -> None:
        """By whoever must decide: a bot plays on until a player must."""
        if not self.now["decision"]:
            return
        seat = self.now["seats"][self.now["decision"]["seat"]]
        if seat["kind"] == "bot":
            self.decide_by_bot()
            return
        player = self.players[seat["player_id"]]
        player.play(self.path, pick(player.get(self.path).body["legal_moves"], self.chance))

    def wait(self) -> None:
        """A reminder first; then a bot stands in."""
        self.time.move(self.chance.choice([SECONDS * 0.8, SECONDS]))
        self.decide_by_bot()

    def decide_by_bot(self) -> None:
        """Once, for a bot or for whoever let their time run out; or remind them."""
        with jobs.Shift(self.desk.store, self.desk.table(self.path)) as shift:
            shift.act()

    def finish(self) -> None:
        """To the end of the game, by bots."""
        self.start()
        for seat in range(len(self.now["seats"])):
            self.host.put(f"{self.path}/seats/{seat}/controller", {"kind": "bot", "bot": "sailor"})
        self.desk.work(self.path)
        self.look()


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> HeldClock:
    return HeldClock(monkeypatch, 1_800_000_000.0)


@pytest.fixture
def desk(redis_url: str, time: HeldClock) -> Desk:
    return Desk(redis_url)


@pytest.mark.parametrize("seed", range(16))
def test_events_come_to_what_is_stored_and_to_what_was_seen(desk: Desk, time: HeldClock, seed: int) -> None:
    history = History(desk, time, seed)
    for _ in range(STEPS):
        history.step()
    if seed % 2:
        history.finish()
    told = desk.store.events(history.path.rpartition("/")[2], 0, 10_000)
    table = desk.table(history.path)
    events = [orjson.loads(event) for event in told]

    lobby = fold(before_first(table.lobby, events), events)
    assert (lobby.status, lobby.seats, lobby.players) == (table.lobby.status, table.lobby.seats, table.lobby.players)
    assert (events[-1]["seq"], events[-1]["version"], events[-1]["at"]) == (table.seq, table.version, table.changed_at)

    for secret in (table.secrets.seed, *table.secrets.tokens):
        assert secret not in str(told), "an event carries a secret"

    began = min((version for version, state in history.seen.items() if state["status"] != "waiting"), default=10_000)
    for version, state in history.seen.items():
        past = desk.api.get(f"{history.path}?version={version}").body
        assert public(past, version >= began) == public(state, version >= began), version


def public(state: Wire, started: bool) -> Wire:
    """Without what only the present shows. Before the start, bots that were to fill open seats are there already."""
    seats = [
        {
            name: value
            for name, value in seat.items()
            if name != "last_seen_at" and (started or name not in ("kind", "bot"))
        }
        for seat in state["seats"]
    ]
    return {name: value for name, value in state.items() if name not in PRESENT_ONLY} | {"seats": seats}


def test_histories_have_everything_in_them(desk: Desk, time: HeldClock) -> None:
    """Else the test above would prove little."""
    done: set[str] = set()
    types: set[str] = set()
    for seed in range(8):
        history = History(desk, time, seed)
        for _ in range(STEPS):
            history.step()
        history.finish()
        done |= history.done
        types |= {event["type"] for event in desk.history(history.path)}
    assert done == {"join", "leave", "start", "hand_over", "move", "wait"}
    assert types >= {
        "game_created", "game_started", "game_over", "player_joined", "player_left", "controller_changed",
        "player_away", "player_back", "time_is_short",
    }  # fmt: skip


def test_what_is_stored_is_read_as_it_was(desk: Desk, time: HeldClock) -> None:
    history = History(desk, time, 1)
    for _ in range(STEPS):
        history.step()
        table = desk.table(history.path)
        found: Any = desk.store.redis.hgetall(f"game:{table.id}")
        assert msgspec.json.encode(stored.About.of(table)) == found[b"about"]
