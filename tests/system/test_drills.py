"""The drills in short, and that they would notice: what was lost, made twice, told otherwise, or late."""

import time
from dataclasses import dataclass, field
from random import Random
from typing import Any

import pytest

from tests.drills import bad_input, churn, hold, hostile, junk, storm
from tests.drills.faults import OF_ONE_STORE
from tests.drills.guests import Guests, OddPlayer
from tests.drills.inquest import Findings, examine
from tests.drills.players import Accepted, Counts, Game, Repeat
from tests.drills.raw import Answer
from tests.drills.storm import STORMS, Storm
from tests.drills.weather import Weather
from tests.outside.given import Owner
from tests.outside.playing import Player
from tests.support.serving import Client, Reply, Wire

QUICK = (
    "kill a worker's fork",
    "freeze a worker",
    "network to the API: dropped",
    "network to Redis: dropped",
    "network to Redis: late",
    "CLIENT KILL normal",
    "CLIENT KILL pubsub",
    "SCRIPT FLUSH",
    "full memory",
    "full disk",
)
SEED = "the seed of the tests"
FIRST, SECOND = ({"type": "open_hatch", "to": number} for number in (7, 8))


@pytest.mark.thorough
def test_nothing_is_lost_while_faults_are_thrown() -> None:
    """But for those who are stuck, which takes long to see."""
    report = storm.run(Storm("in short", {name: OF_ONE_STORE[name] for name in QUICK}, calm=1.0), 4.0, 16, SEED)
    assert not report.complaints, "\n".join(report.complaints)
    assert set(report.thrown) <= set(QUICK)
    assert report.faults >= 1
    assert report.counts.acknowledged > 0
    assert report.guests.total() > 0, "bots of others play, too"
    assert report.found.compared > 0
    assert report.keys > 0


@pytest.mark.soak
@pytest.mark.parametrize("each", STORMS, ids=lambda each: each.name)
def test_nothing_is_lost_in_a_storm(each: Storm) -> None:
    report = storm.run(each, 240.0, 200, SEED)
    assert not report.complaints, "\n".join(report.complaints)
    assert report.counts.games >= 200


@pytest.mark.soak
def test_memory_stays_flat_in_twenty_minutes() -> None:
    assert churn.run(1200.0)


@pytest.mark.soak
def test_a_hundred_thousand_bad_requests_break_nothing() -> None:
    assert bad_input.run(1200.0, 100_000, SEED)


@pytest.mark.thorough
def test_bad_requests_break_nothing() -> None:
    assert bad_input.run(20.0, 400, SEED)


@pytest.mark.parametrize(
    ("status", "body", "is_bad"),
    [
        (422, b'{"code": "invalid"}', False),
        (503, b'{"code": "unavailable"}', False),
        (500, b'{"code": "internal"}', True),
        (502, b"<html>", True),
        (500, b"[]", True),
    ],
)
def test_an_answer_to_bad_input_is_judged(status: int, body: bytes, is_bad: bool) -> None:
    assert bool(bad_input.judged(Answer(status, {}, body), b"GET /")) is is_bad


def test_every_kind_of_attack_is_known() -> None:
    assert hostile.NEIGHBOURS == 0.8
    assert {"half a body", "stream", "gone", "unread", "endless", "made-up tokens"} <= {
        *hold.KINDS,
        *junk.KINDS,
    }


# What the drills would notice


class Told:
    """Answers that the service might give in the end."""

    def __init__(self, events: list[Wire], again: Wire | None = None) -> None:
        self.events, self.again = events, again

    def insist(self, method: str, path: str, *_: Any) -> Reply:
        if method == "POST":
            return Reply(200, self.again, {"idempotency-replayed": "true"})
        if "/events" in path:
            return Reply(200, {"events": self.events, "more": False}, {})
        if path.endswith("/replay"):
            return Reply(404, None, {})
        return Reply(200, {"epoch": "new"}, {})


def chosen(version: int, move: Wire, seat: int = 0, seq: int | None = None) -> Wire:
    return {
        "type": "choice", "automatic": False, "seq": seq or version, "version": version, "seat": seat, "move": move,
    }  # fmt: skip


def told(*moves: tuple[int, Wire], epoch: str = "new") -> list[Accepted]:
    return [Accepted(epoch, version, move, [chosen(version, move)]) for version, move in moves]


def findings(events: list[Wire], accepted: list[Accepted], may_roll_back: bool = False, **more: Any) -> Findings:
    found, game = Findings(), Game("/v1/games/x", "host", {0: "token"}, accepted, **more)
    examine(Told(events), game, found, may_roll_back)  # type: ignore[arg-type]
    return found


def test_what_is_as_it_was_told_is_well() -> None:
    found = findings([chosen(1, FIRST), chosen(2, SECOND, seat=1)], told((1, FIRST)))
    assert (found.lost, found.doubled, found.differing, found.compared) == ([], [], [], 1)


def test_a_move_that_is_gone_is_lost() -> None:
    assert findings([chosen(1, FIRST)], told((1, FIRST), (2, SECOND))).lost


def test_a_move_that_nobody_sent_is_doubled_unless_somebody_is_in_doubt() -> None:
    events = [chosen(1, FIRST), chosen(2, FIRST)]
    assert findings(events, told((1, FIRST))).doubled
    assert not findings(events, told((1, FIRST)), doubtful=[(2, FIRST)]).doubled


def test_two_moves_of_one_version_are_doubled() -> None:
    assert findings([chosen(1, FIRST), chosen(1, SECOND, seq=2)], told((1, FIRST)), doubtful=[(1, SECOND)]).doubled


@pytest.mark.parametrize(
    "events",
    [
        [chosen(1, FIRST, seq=2)],
        [chosen(2, FIRST, seq=1), chosen(1, SECOND, seq=2)],
        [chosen(1, FIRST) | {"minutes": 3}],
    ],
)
def test_a_history_that_was_told_otherwise_is_noticed(events: list[Wire]) -> None:
    assert findings(events, told((1, FIRST)), doubtful=[(1, SECOND), (2, FIRST)]).differing


@dataclass
class ToldOfGuest(Client):
    """Answers about a game that a bot of somebody else's plays."""

    events: list[Wire] = field(default_factory=list)

    def be(self, token: str) -> Client:
        return self

    def call(self, method: str, path: str, body: Any = None, **headers: str) -> Reply:
        history = {"events": self.events, "next": 0, "more": False}
        return Reply(200, history if "/events" in path else {"seats": [{"bot": "bot:gnome"}]}, {})


@pytest.mark.parametrize(("events", "is_well"), [([chosen(1, FIRST)], True), ([], False), ([chosen(1, SECOND)], False)])
def test_what_a_bot_of_others_was_told_is_played_must_be_there(events: list[Wire], is_well: bool) -> None:
    client = ToldOfGuest("http://x", events=events)
    guests = Guests(Player(Owner(client, "gnome")), OddPlayer(Owner(client, "odd"), Random(1)))
    guests.fair.sent, guests.fair.told = {"x.0": FIRST}, {"x.0": "played"}
    game = Game("/v1/games/x", "host", {}, has_guests=True)
    assert (not [*guests.complaints(client, [game])]) is is_well


def test_a_repeated_answer_must_be_the_same() -> None:
    game = Game(
        "/v1/games/x", "host", {0: "token"}, told((1, FIRST)), repeats=[Repeat("token", {}, "key", {"version": 1})]
    )
    for again, is_well in (({"version": 1}, True), ({"version": 2}, False)):
        found = Findings()
        examine(Told([chosen(1, FIRST)], again), game, found)  # type: ignore[arg-type]
        assert (found.differing == []) is is_well
        assert found.repeated == 1


def test_only_what_another_epoch_tells_may_roll_back() -> None:
    events = [chosen(1, FIRST)]
    gone = findings(events, told((1, FIRST), (2, SECOND), epoch="old"), may_roll_back=True)
    assert (gone.rolled_back, gone.lost) == (1, [])
    assert findings(events, told((1, FIRST), (2, SECOND)), may_roll_back=True).lost, "the same master knew it"


def test_what_came_after_a_lost_move_can_not_be_there() -> None:
    accepted = told((1, FIRST), (2, SECOND), epoch="old")
    assert findings([chosen(2, SECOND)], accepted, may_roll_back=True).lost
    made_again = chosen(2, SECOND) | {"version": "later"}
    assert not findings([made_again], accepted, may_roll_back=True).lost


def test_patience_counts_while_nothing_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = 0.0
    monkeypatch.setattr(time, "monotonic", lambda: clock)
    weather, counts = Weather(), Counts()
    clock = 10.0
    with weather.fault():
        clock = 15.0
        weather.see(True)
    clock = 20.0
    weather.see(True)
    assert weather.calm(0.0, 30.0) == 10.0
    assert weather.calm(12.0, 25.0) == 5.0
    assert weather.calm(11.0, 19.0) == 0.0
    counts.quiet("nobody", 5.0, 29.0, weather)
    assert counts.stuck == []
    counts.quiet("nobody", 5.0, 31.0, weather)
    assert len(counts.stuck) == 1
    assert (counts.silence, counts.calm_silence) == (26.0, 11.0)


def test_what_is_not_whole_is_trouble_though_nobody_meant_it(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = 1.0
    monkeypatch.setattr(time, "monotonic", lambda: clock)
    weather = Weather()
    weather.see(False)
    clock = 9.0
    assert weather.calm(0.0, 9.0) == 1.0
