"""How a game ends, and for whom well (§8)."""

from typing import Any

import pytest

from engine import Game, IllegalMove
from tests.support.helpers import Wire, play, position, result_of, scripted, told

SAFE = {"minutes": 0}
DEAD = {"state": "dead"}
GONE = {"state": "abandoned"}

DROWNS = {"room": 3, "minutes": 40}
LEAVES = {"room": "sea", "minutes": 9}
ARRIVES = {"minutes": 1}
LAST_MOVES = {"drowns": "no_action", "leaves": "abandon_comrades", "arrives": "no_action"}


def ended(first: str, *others: Wire, **more: Any) -> tuple[Game, list[Wire]]:
    """Gnome 0's last move, and what came of it: he drowns, leaves, or arrives on 0."""
    gnomes: dict[str, Wire] = {"drowns": DROWNS, "leaves": LEAVES, "arrives": ARRIVES}
    game = position([gnomes[first], *others], rooms={"3": {"water": "high"}}, **more)
    return game, play(game, LAST_MOVES[first])


@pytest.mark.parametrize(
    ("track", "before", "event", "lost"),
    [
        ("heat", 9, "reactor_warmup", True),
        ("heat", 8, "reactor_warmup", False),
        ("heat", 9, "reactor_malfunction", True),
        ("heat", 8, "reactor_malfunction", True),
        ("heat", 7, "reactor_malfunction", False),
        ("pressure", 9, "descent", True),
        ("pressure", 8, "descent", False),
        ("pressure", 9, "fast_descent", True),
        ("pressure", 8, "fast_descent", True),
        ("asphyxiation", 9, "fire", True),
        ("asphyxiation", 8, "fire", False),
        ("asphyxiation", 9, "fire_spreads", True),
        ("asphyxiation", 8, "fire_spreads", False),
        ("asphyxiation", 9, "friendly_fire", True),
    ],
)
def test_the_game_is_lost_when_a_track_reaches_10(track: str, before: int, event: str, lost: bool) -> None:
    game = position(
        [{"minutes": 46}], rooms={"6": {"fire": True}}, tracks={track: before}, script=scripted([event], dice=[7, 8])
    )
    events = play(game, "no_action")
    assert told(events, "game_over") == ([{"type": "game_over", "crew": "lost", "cause": track}] if lost else [])
    assert game.result == ({"crew": "lost", "cause": track, "seats": ["lost"] * 3} if lost else None)


def test_nothing_is_resolved_behind_the_end() -> None:
    game = position(
        [{"room": 4, "minutes": 46, "items": {"grog": 6}}],
        tracks={"asphyxiation": 9},
        script=scripted(["friendly_fire"], dice=[10, 7, 8]),
    )
    events = play(game, {"type": "fix_reactor", "minutes": 10})
    assert events[-1]["type"] == "game_over"
    assert len(told(events, "event_drawn")) == 1
    assert not told(events, "room_flooded", "items_discarded", "item_drawn")


@pytest.mark.parametrize(
    ("first", "others", "crew", "cause", "seats"),
    [
        ("drowns", [DEAD, DEAD], "lost", "all_dead", "lost lost lost"),
        ("drowns", [DEAD, GONE], "lost", "nobody_aboard", "lost lost won"),
        ("drowns", [GONE, GONE], "lost", "nobody_aboard", "lost won won"),
        ("leaves", [DEAD, DEAD], "lost", "nobody_aboard", "won lost lost"),
        ("leaves", [GONE, DEAD], "lost", "nobody_aboard", "won won lost"),
        ("leaves", [GONE, GONE], "lost", "nobody_aboard", "won won won"),
        ("drowns", [SAFE, SAFE], "rescued", "rescued", "won won won"),
        ("drowns", [SAFE, DEAD], "rescued", "rescued", "won won won"),
        ("drowns", [SAFE, GONE], "rescued", "rescued", "won won lost"),
        ("leaves", [SAFE, SAFE], "rescued", "rescued", "lost won won"),
        ("leaves", [SAFE, DEAD], "rescued", "rescued", "lost won won"),
        ("arrives", [SAFE, SAFE], "rescued", "rescued", "won won won"),
        ("arrives", [SAFE | {"state": "fainted"}, DEAD], "rescued", "rescued", "won won won"),
        ("arrives", [DEAD, GONE], "rescued", "rescued", "won won lost"),
    ],
)
def test_the_last_move_ends_the_game_for_each_seat(
    first: str, others: list[Wire], crew: str, cause: str, seats: str
) -> None:
    game, events = ended(first, *others)
    assert game.result == {"crew": crew, "cause": cause, "seats": seats.split()}
    assert events[-1] == {"type": "game_over", "crew": crew, "cause": cause}


@pytest.mark.parametrize(("first", "others"), [("drowns", [{}, DEAD]), ("leaves", [{"minutes": 5}, GONE])])
def test_the_game_goes_on_while_somebody_aboard_has_minutes_left(first: str, others: list[Wire]) -> None:
    game, _ = ended(first, *others)
    assert game.result is None
    assert game.decider == 1


def test_a_token_passed_by_those_on_0_is_worse_than_their_rescue() -> None:
    game, _ = ended("drowns", SAFE, SAFE, destruction={"crushed": 20})
    assert game.result == {"crew": "lost", "cause": "crushed", "seats": ["lost"] * 3}


def test_an_event_on_the_last_spaces_may_still_destroy_the_sub() -> None:
    game = position(
        [{"room": 4, "minutes": 3}, SAFE, SAFE],
        tracks={"pressure": 9},
        script=scripted(["descent"], dice=[1]),
    )
    play(game, {"type": "fix_reactor", "minutes": 3})
    assert result_of(game)["cause"] == "pressure"


def test_the_rescue_waits_for_the_choices_of_the_last_event() -> None:
    game = position(
        [{"room": 4, "minutes": 3}, SAFE, SAFE],
        rooms={"5": {"fire": True}},
        script=scripted(["fire_spreads"], dice=[1]),
    )
    play(game, {"type": "fix_reactor", "minutes": 3})
    assert game.result is None
    play(game, {"type": "spread_fire", "room": 6})
    assert result_of(game)["crew"] == "rescued"


def test_when_the_game_is_over_nobody_decides_and_nothing_is_legal() -> None:
    game, _ = ended("arrives", SAFE, SAFE)
    stored = game.to_bytes()
    assert game.decider is None
    assert game.legal_moves() == []
    assert game.view(0)["decision"] is None
    assert game.view(0)["result"] == game.result
    with pytest.raises(IllegalMove):
        play(game, "no_action")
    assert game.to_bytes() == stored
