"""Records that the first releases stored go on under today's rules from where they stand."""

import zlib
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from engine import BadBytes, Game
from engine.rules import RULES_VERSION
from service.store.old_records import RECORD_1, from_1
from tests.support.helpers import Wire, gnome, play, position, scripted, told

FIRE, LOW, HIGH = {"fire": True}, {"water": "low"}, {"water": "high"}
BURNED = {"room": 7, "minutes": 40, "items": {"crowbar": 1}}


def stored(game: Game, **written: Any) -> bytes:
    """As a release of layout 1 stored it, with what its rules allowed and today's don't."""
    old = np.zeros(1, RECORD_1)
    for name in RECORD_1.names or ():
        old[name] = written.get(name, game.record[name])
    body = b"RedN\x01" + old.tobytes()
    return body + zlib.crc32(body).to_bytes(4, "little")


def today(game: Game, **written: Any) -> Game:
    return Game.from_bytes(from_1(stored(game, **written)))


def phase(game: Game) -> str:
    return str(game.position()["phase"])


def test_a_record_of_layout_1_took_as_many_bytes_as_it_did() -> None:
    assert RECORD_1.itemsize == 478


@pytest.mark.parametrize(("played", "version"), [(0, RULES_VERSION), (1, 1), (300, 1)])
def test_a_game_that_was_begun_names_the_rules_of_then(played: int, version: int) -> None:
    game = today(position(), version=played)
    assert game.rules_version == version
    assert game.problems() == []


@pytest.mark.parametrize("edition", ["revised", "original"])
@pytest.mark.parametrize("crazed", [False, True])
def test_crazed_gnomes_hide_their_hands_from_now_on(edition: str, crazed: bool) -> None:
    game = today(position(rules={"edition": edition, "crazed_gnomes": crazed}))
    assert game.rules.hidden_hands == crazed
    assert game.rules.crazed_gnomes == crazed


@pytest.mark.parametrize("hand", [{}, {"grog": 1, "coffee": 1}])
def test_who_had_spent_the_last_minute_on_a_hatch_to_high_water_may_still_stay_there(hand: Wire) -> None:
    crew = [{"room": 7, "minutes": 40, "items": hand}]
    game = position(crew, rooms={"7": LOW, "8": LOW}, phase="hatch", pending={"open_hatch_to": 8}, script=scripted())
    again = today(game, phase=3, ghost=0)
    assert "stay" in [move["type"] for move in again.legal_moves()]
    assert "no_action" not in [move["type"] for move in again.legal_moves()]
    play(again, "stay")
    assert (gnome(again)["state"], gnome(again)["room"]) == ("alive", 7)


def test_who_was_behind_the_hatch_with_minutes_left_must_go_on() -> None:
    crew = [{"room": 7, "minutes": 40, "items": {"crowbar": 1}}]
    game = position(crew, rooms={"7": LOW, "8": LOW}, phase="hatch", pending={"open_hatch_to": 8}, ghost=30)
    assert {move["type"] for move in today(game, phase=3).legal_moves()} == {"enter", "use_item"}


@pytest.mark.parametrize("hand", [{}, {"crowbar": 1}])
def test_who_counted_on_the_last_minute_for_a_way_out_is_asked_once_more_and_burns(hand: Wire) -> None:
    rooms = {"7": FIRE, "5": HIGH, "8": FIRE, "9": FIRE}
    game = position([{"room": 7, "minutes": 40, "items": hand}], rooms=rooms, script=scripted())
    again = today(game, phase=2, ghost=1)
    assert (phase(again), again.legal_moves()) == ("wrap_up", [{"type": "done", "cost": 0}])
    assert [death["cause"] for death in told(play(again, "done"), "gnome_died")] == ["fire"]


def test_who_has_another_way_out_of_the_fire_takes_it() -> None:
    rooms = {"7": FIRE, "5": HIGH, "8": FIRE, "9": {}}
    again = today(position([BURNED], rooms=rooms), phase=2, ghost=1)
    assert phase(again) == "escape"
    assert {move.get("to") for move in again.legal_moves() if move["type"] == "open_hatch"} == {9}


def test_a_charm_that_comes_after_the_event_of_then_is_too_late() -> None:
    crew = [{"room": 7, "minutes": 42, "items": {"crowbar": 1, "grog": 1}}]
    game = position(crew, phase="discard", pending={"hand_limit": 1}, ghost=35, active=0,
                    script=scripted(items=["lucky_charm"]))  # fmt: skip
    events = play(today(game), {"type": "discard_item", "item": "grog"})
    assert told(events, "item_drawn")
    assert [event["minute"] for event in told(events, "event_drawn")] == [39, 36]


@pytest.mark.parametrize(
    "spoil",
    [
        lambda whole: whole[:-1],
        lambda whole: whole + b"\0",
        lambda whole: whole[:100] + bytes([whole[100] ^ 1]) + whole[101:],
        lambda whole: whole[:5],
        lambda whole: b"",
    ],
)
def test_damaged_bytes_are_refused(spoil: Callable[[bytes], bytes]) -> None:
    with pytest.raises(BadBytes):
        from_1(spoil(stored(position())))


@pytest.mark.parametrize("written", [{"active": 9}, {"phase": 12}, {"phase": -1}, {"gnomes": 2}, {"room": 11}])
def test_a_record_that_can_not_be_is_refused(written: Wire) -> None:
    with pytest.raises(BadBytes):
        from_1(stored(position(), **written))
