"""Time for a decision: reminders, the stand-in, and coming back; under a clock that the tests hold."""

from typing import Any

import pytest

from service.store.store import Conflict
from service.workers import jobs, sweeper
from tests.support.desk import Desk, HeldClock
from tests.support.serving import Seated, Wire, new_game

SECONDS = 40


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> HeldClock:
    return HeldClock(monkeypatch, 1_800_000_000.0)


@pytest.fixture
def desk(redis_url: str, monkeypatch: pytest.MonkeyPatch, time: HeldClock) -> Desk:
    made = Desk(redis_url)
    made.clear_queues()
    monkeypatch.setattr(jobs, "own_store", lambda: made.store)
    return made


@pytest.fixture
def game(desk: Desk) -> Seated:
    return new_game(desk.api, seats=3, turn_seconds=SECONDS)


def types(events: list[Wire]) -> list[str]:
    return [event["type"] for event in events]


def test_the_state_tells_until_when_one_must_decide(game: Seated, time: HeldClock) -> None:
    decision = game.state["decision"]
    assert decision["deadline"].startswith("2027-01-15T08:00:40")
    time.move(10)
    game.decider().play(game.path, game.decider().get(game.path).body["legal_moves"][0])
    assert game.state["decision"]["deadline"].startswith("2027-01-15T08:00:50")


def test_without_a_time_for_turns_there_is_no_deadline(desk: Desk) -> None:
    game = new_game(desk.api)
    assert game.state["decision"]["deadline"] is None
    assert desk.store.redis.zscore("due", game.path.rpartition("/")[2]) is None


def test_nobody_is_played_for_before_his_time_is_up(desk: Desk, game: Seated, time: HeldClock) -> None:
    time.move(SECONDS * 0.7)
    before = game.state
    desk.work(game.path)
    assert game.state["version"] == before["version"]


def test_he_is_reminded_once(desk: Desk, game: Seated, time: HeldClock) -> None:
    time.move(SECONDS * 0.76)
    desk.work(game.path)
    desk.work(game.path)
    reminders = [event for event in desk.history(game.path) if event["type"] == "time_is_short"]
    assert [(event["seat"], event["seconds"]) for event in reminders] == [(game.state["decision"]["seat"], 10)]
    assert game.state["decision"]["deadline"].startswith("2027-01-15T08:00:40")


def test_a_bot_stands_in_for_one_decision_and_the_seat_is_away(desk: Desk, game: Seated, time: HeldClock) -> None:
    before = game.state
    seat = before["decision"]["seat"]
    time.move(SECONDS)
    desk.work(game.path)
    after = game.state
    assert after["moves_played"] == before["moves_played"] + 1
    assert after["seats"][seat]["away"]
    assert after["seats"][seat]["kind"] == "player"
    told = desk.history(game.path)[before["seq"] :]
    assert types(told)[:2] == ["player_away", "choice"]


def test_an_absent_player_is_waited_for_but_shortly(desk: Desk, game: Seated, time: HeldClock) -> None:
    seat = game.state["decision"]["seat"]
    time.move(SECONDS)
    desk.work(game.path)
    while game.state["decision"]["seat"] == seat:
        played = game.state["moves_played"]
        time.move(2.9)
        desk.work(game.path)
        assert game.state["moves_played"] == played
        time.move(0.2)
        desk.work(game.path)
        assert game.state["moves_played"] == played + 1
    assert not game.state["seats"][game.state["decision"]["seat"]]["away"]


def stood_in_for(desk: Desk, time: HeldClock) -> tuple[Seated, int]:
    """A game in which a bot has just decided for whoever was too late, and that seat."""
    game = new_game(desk.api, seats=3, turn_seconds=SECONDS)
    seat = game.state["decision"]["seat"]
    time.move(SECONDS)
    desk.work(game.path)
    return game, seat


def test_he_is_back_with_his_next_move(desk: Desk, time: HeldClock) -> None:
    game, seat = stood_in_for(desk, time)
    while game.state["decision"]["seat"] != seat:  # now and then one decision is the whole turn
        game, seat = stood_in_for(desk, time)
    legal = game.players[seat].get(game.path).body["legal_moves"]
    played = game.players[seat].play(game.path, legal[0])
    assert played.status == 200
    assert types(played.body["events"])[0] == "player_back"
    assert not played.body["game"]["seats"][seat]["away"]


def test_a_move_that_comes_with_the_deadline_counts_once(desk: Desk, game: Seated, time: HeldClock) -> None:
    """Whoever commits first: the other finds another version."""
    decider = game.decider()
    before = decider.get(game.path).body
    time.move(SECONDS)
    stale = desk.table(game.path)
    assert decider.play(game.path, before["legal_moves"][0]).status == 200
    version = game.state["version"]
    with pytest.raises(Conflict), jobs.Shift(desk.store, stale) as shift:
        shift.act()
    assert game.state["version"] == version


def test_the_sweeper_finds_those_whose_time_is_up(desk: Desk, game: Seated, time: HeldClock) -> None:
    assert sweeper.sweep(desk.store) == 0
    time.move(SECONDS * 0.76)
    assert sweeper.sweep(desk.store) == 1
    jobs.take_turns()  # the reminder
    assert sweeper.sweep(desk.store) == 0
    time.move(SECONDS)
    assert sweeper.sweep(desk.store) == 1
    assert sweeper.sweep(desk.store) == 0, "it was hinted at just now"


def test_a_seat_handed_to_a_bot_has_no_deadline(game: Seated) -> None:
    seat = game.state["decision"]["seat"]
    taken: Any = game.host.put(f"{game.path}/seats/{seat}/controller", {"kind": "bot", "bot": "sailor"}).body
    assert taken["decision"]["deadline"] is None
    back = game.host.put(f"{game.path}/seats/{seat}/controller", {"kind": "player"}).body
    assert back["decision"]["deadline"] is not None
