"""Input that is huge, deep, or almost right: always a GameError with a short message, never a stuck or broken game."""

import zlib
from collections.abc import Callable
from typing import Any, cast

import pytest

from engine import BadBytes, BadPosition, BadRules, Game, GameError, IllegalMove, Rules, replay
from tests.support.helpers import IDLE, Wire, gnome, play, position, scripted, told

HUGE = 10**5000
DEEP: Any = []
for _ in range(5000):
    DEEP = [DEEP]
LONG = "x" * 1_000_000
JUNK = [HUGE, DEEP, LONG]
TRAPPED = [{"minutes": 40, "room": 1, "items": {"crowbar": 1}}, {"room": 3}]


@pytest.mark.parametrize("junk", JUNK, ids=["huge", "deep", "long"])
@pytest.mark.parametrize(
    "call",
    [
        lambda junk: Game.new(Rules(), bytes(32)).play({"type": "fix_engine", "minutes": junk}),
        lambda junk: Game.new(Rules(), bytes(32)).play({"type": junk}),
        lambda junk: Game.from_position({"script": {"dice": [junk]}}),
        lambda junk: Game.from_position({"phase": junk}),
        lambda junk: Game.from_position({"ghost": junk}),
        lambda junk: Rules(edition=junk),
        lambda junk: Rules(gnomes=junk),
    ],
)
def test_a_value_that_can_not_be_shown_is_refused_in_a_short_message(
    call: Callable[[object], object], junk: object
) -> None:
    with pytest.raises(GameError) as caught:
        call(junk)
    assert len(str(caught.value)) < 500


@pytest.mark.parametrize("name", [LONG, "self", ""])
def test_an_unknown_field_of_any_name_is_refused(name: str) -> None:
    for call in (lambda: Rules.from_dict({name: 1}), lambda: Game.from_position({name: 1})):
        with pytest.raises(GameError) as caught:
            call()
        assert len(str(caught.value)) < 500


@pytest.mark.parametrize("rules", [{}, 0, {"gnomes": 5}, "original"])
def test_a_game_takes_rules_and_nothing_that_looks_like_them(rules: Any) -> None:
    with pytest.raises(BadRules):
        Game.new(rules, bytes(32))


def test_a_replay_without_moves_is_refused() -> None:
    with pytest.raises(IllegalMove):
        replay(Rules(), bytes(32), cast(Any, None))


@pytest.mark.parametrize("more", [{"blocked_hatches": ["1-2", "1-3"], "phase": "escape", "ghost": 38},
                                  {"rooms": {"1": {"fire": True}, "2": {"fire": True}}, "phase": "escape_hatch",
                                   "pending": {"open_hatch_to": 2}}])  # fmt: skip
def test_a_position_that_would_get_stuck_is_refused(more: Wire) -> None:
    with pytest.raises(BadPosition) as caught:
        position(TRAPPED, **({"rooms": {"1": {"fire": True}}} | more))
    assert caught.value.field == "phase"


@pytest.mark.parametrize("field", ["version", "turn"])
def test_a_counter_that_would_wrap_is_refused(field: str) -> None:
    counter: Wire = {field: 65_530}
    with pytest.raises(BadPosition) as caught:
        position(**counter)
    assert caught.value.field == field


def test_a_high_stack_may_grow_and_be_read_again() -> None:
    game = position([{"room": 7, "minutes": 21}, {"minutes": 20, "stack": 112}], script=scripted())
    play(game, "no_action")
    assert gnome(game)["stack"] == 113
    assert game.problems() == []
    with pytest.raises(BadPosition):
        position([{"stack": 121}])


@pytest.mark.parametrize(("field", "value"), [("phase", 99), ("room", 100), ("active", 7), ("gnomes", 99)])
def test_well_formed_bytes_of_a_game_that_can_not_be_are_refused(field: str, value: int) -> None:
    game = Game.new(Rules(gnomes=3), bytes(32))
    game.record[field] = value
    with pytest.raises(BadBytes):
        Game.from_bytes(game.to_bytes())
    assert zlib.crc32(game.to_bytes()[:-4]).to_bytes(4, "little") == game.to_bytes()[-4:]


def test_the_view_of_a_game_that_is_over_makes_the_same_game() -> None:
    game = position([{"minutes": 1}, {"minutes": 0}, {"minutes": 0}], script=scripted())
    play(game, "no_action")
    assert Game.from_position(game.view()).view() == game.view()


def test_a_preview_tells_whom_a_spreading_fire_kills() -> None:
    sleeper = IDLE | {"room": 7, "state": "fainted"}
    rooms = {"5": {"fire": True}}
    game = position([{"room": 9, "minutes": 41}, sleeper], rooms=rooms, script=scripted(["fire_spreads"]), ghost=41)
    play(game, "no_action", "no_action")
    decision = game.view()["decision"]
    assert decision is not None
    assert decision["kind"] == "spread_fire"
    spread = {"type": "spread_fire", "room": 7}
    assert [event["seat"] for event in told(game.preview(spread)["certain"], "gnome_died")] == [1]
    assert [event["seat"] for event in told(game.play(spread), "gnome_died")] == [1]


def test_a_preview_of_being_done_tells_a_certain_death() -> None:
    game = position([{"room": 7, "minutes": 40, "items": {"coffee": 1}}], rooms={"7": {"water": "high"}})
    play(game, "no_action")
    assert [event["cause"] for event in told(game.preview({"type": "done"})["certain"], "gnome_died")] == ["high_water"]


def test_a_preview_does_not_say_what_a_drunk_gnome_outside_dies_of() -> None:
    game = position([{"room": "sea", "minutes": 40}], used_items={"grog": 1}, pending={"began_at_sea": True})
    (death,) = told(game.preview({"type": "no_action"})["certain"], "gnome_died")
    assert "cause" not in death
