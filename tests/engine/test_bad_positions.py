"""Positions that can't be: each is refused with the path of the field at fault and a reason."""

import copy
import json
import random
from collections.abc import Iterator
from typing import Any, cast

import pytest

from engine import BadPosition, Game, Rules
from tests.support.playing import Wire, wild_story

Path = tuple[str | int, ...]

BASE: Wire = {
    "gnomes": [
        {"room": 7, "minutes": 40, "items": {"grog": 2}},
        {"room": 7, "minutes": 30, "items": {"crowbar": 1}},
        {"room": 9, "minutes": 20, "items": {}},
    ],
    "rooms": {"1": {"fire": True}, "2": {"water": "high"}},
    "blocked_hatches": ["4-5"],
}


def changed(wire: Wire, path: Path, value: Any) -> Wire:
    """A copy with the value at the path; dictionaries on the way are made."""
    wire = copy.deepcopy(wire)
    at: Any = wire
    for step in path[:-1]:
        at = at[cast(int, step)] if isinstance(at, list) else at.setdefault(step, {})
    at[path[-1]] = value
    return wire


def check_refused(wanted: Any, field: str) -> BadPosition:
    before = copy.deepcopy(wanted)
    with pytest.raises(BadPosition) as caught:
        Game.from_position(wanted)
    assert caught.value.field == field
    assert caught.value.reason
    assert wanted == before
    return caught.value


def test_the_base_of_this_table_is_a_good_position() -> None:
    assert Game.from_position(BASE).problems() == []


@pytest.mark.parametrize("wanted", [None, [], "start", 4, [BASE]])
def test_a_position_that_is_no_object_is_refused(wanted: Any) -> None:
    check_refused(wanted, "")


@pytest.mark.parametrize(
    ("path", "values"),
    [
        ("weather", [1]),
        ("rules", ["revised", 3]),
        ("rules/weather", [True]),
        ("rules/gnomes", [2, "3", None]),
        ("gnomes", [None, {}, "three"]),
        ("gnomes", [[], [{}] * 9]),
        ("gnomes/0", [None, 7, []]),
        ("gnomes/0/mood", ["grim"]),
        ("gnomes/0/minutes", [61, -1, "40", None, 40.0, True, 10**30]),
        ("gnomes/0/room", [0, 11, -1, "Sea", "7", None, 7.0, True, []]),
        ("gnomes/0/state", ["asleep", None, 0, []]),
        ("gnomes/0/intoxication", [5, -1, "2", None]),
        ("gnomes/0/drew_items_in", [7, 9, "8", [], True]),
        ("gnomes/0/stack", [-1, 113, "top", None]),
        ("gnomes/0/items", [None, [], ["grog"], 2]),
        ("gnomes/0/items/beer", [1]),
        ("gnomes/0/items/grog", [-1, 1.0, "1", None, True, 128]),
        ("rooms", [None, [], [{}] * 10]),
        ("rooms/0", [{}]),
        ("rooms/11", [{}]),
        ("rooms/sea", [{}]),
        ("rooms/5", [None, "burning", []]),
        ("rooms/5/smoke", [True]),
        ("rooms/5/fire", [1, "yes", None]),
        ("rooms/5/water", ["deep", 1, None, False, []]),
        ("blocked_hatches", [None, "4-5", {"4-5": True}, 3]),
        ("blocked_hatches/0", ["5-4", "1-10", "3-sea", 45, None, ["4-5"], True]),
        ("tracks", [None, [1, 1, 1]]),
        ("tracks/morale", [1]),
        ("tracks/heat", [0, 10, 11, "8", None, 2.5, True]),
        ("destruction", [None, ["crushed"]]),
        ("destruction/boredom", [3]),
        ("destruction/crushed", [-1, 61, 41, None, "soon"]),
        ("captains_grog", [-1, 7, "six", None]),
        ("item_deck", [None, [], 48]),
        ("item_deck/beer", [1]),
        ("item_deck/coffee", [-1, "1", None]),
        ("item_discard", [None, ["coffee"]]),
        ("event_deck", [None, ["fire/1"]]),
        ("event_deck/fire", [1]),
        ("event_deck/fire~19", [1]),
        ("event_discard", [None, 3]),
        ("event_discard/fire~11", [-1, "1", None]),
        ("active", [-1, 3, 8, "0", None, 0.0, True]),
        ("ghost", [-1, 61, 41, 0, "40", None]),
        ("phase", ["sleep", "updates", "next_turn", None, 0]),
        ("cause", ["rescued", "boredom", None, 3]),
        ("used_items", [None, ["grog"]]),
        ("used_items/beer", [1]),
        ("used_items/coffee", [-1, 2, None]),
        ("pending", [None, []]),
        ("pending/mood", [1]),
        ("pending/open_hatch_to", [8, "8", 0]),
        ("pending/partner", [1, 8, None]),
        ("pending/room", [5, 0, "5"]),
        ("pending/hand_limit", [4, 1, 9]),
        ("pending/storm_left", [1, -1, 9]),
        ("pending/icons_ignored", [1, -1, 200]),
        ("pending/began_at_sea", ["yes", 1, None]),
        ("pending/newcomer", [True, 1]),
        ("version", [-1, 65536, "1", None]),
        ("turn", [-1, 0, 40000, "1", None]),
        ("seed", ["", "xyz", "00" * 31, "00" * 33, "0" * 63, 5, b"0" * 32]),
        ("rolls", [None, [0]]),
        ("rolls/luck", [1]),
        ("rolls/fix_it", [-1, 65536, None]),
        ("script", [None, [], "lucky"]),
        ("script/cards", [[]]),
        ("script/dice", [None, 7, "7", {}, [1] * 33]),
        ("script/dice/0", [0, 11, "7", None, True, 7.5]),
        ("script/events/0", ["party", "fire/9", "Fire", 3, None]),
        ("script/items/0", ["beer", 1, None]),
    ],
    ids=lambda case: case if isinstance(case, str) else "",
)
def test_a_field_with_a_bad_value_is_named_by_its_path(path: str, values: Any) -> None:
    steps: list[str | int] = [step.replace("~1", "/") for step in path.split("/")]
    if steps[0] in ("gnomes", "blocked_hatches", "script"):
        steps = [int(step) if str(step).isdigit() else step for step in steps]
    base = changed(BASE, ("script",), {"dice": [1], "events": ["fire"], "items": ["grog"]})
    for value in values:
        check_refused(changed(base, tuple(steps), value), path)


GNOMES = BASE["gnomes"]
FIRST, SECOND, THIRD = GNOMES
DEAD = {"minutes": 20, "state": "dead", "items": {}}
SPENT = {"7": {"water": "low"}, "8": {"water": "low"}}
LUCKY = FIRST | {"items": {"lucky_charm": 1}}
LUCK = {"phase": "luck", "gnomes": [LUCKY, SECOND, THIRD], "ghost": 30, "active": 0}
SWIMMER = {"room": "sea", "minutes": 9, "items": {"coffee": 1}}
ASHORE = [{"room": 1, "minutes": 5, "items": {}}] * 2
LEAVING = {
    "rules": {"gnomes": 3, "edition": "original"},
    "phase": "wrap_up",
    "gnomes": [SWIMMER, *ASHORE],
    "ghost": 0,
    "active": 0,
    "pending": {"abandoning": True},
}


@pytest.mark.parametrize(
    ("patch", "field"),
    [
        ({"rules": {"gnomes": 4}}, "gnomes"),
        ({"rooms": {"5": {"fire": True, "water": "low"}}}, "rooms/5"),
        ({"blocked_hatches": ["4-5", "1-2", "4-5"]}, "blocked_hatches/2"),
        ({"gnomes": [FIRST, SECOND | {"minutes": 20, "stack": 1}, THIRD | {"stack": 1}]}, "gnomes/2/stack"),
        ({"gnomes": [FIRST, SECOND, DEAD | {"items": {"grog": 1}}]}, "gnomes/2/items"),
        ({"gnomes": [DEAD] * 3}, "gnomes"),
        ({"gnomes": [DEAD, DEAD, DEAD | {"state": "abandoned"}]}, "gnomes"),
        ({"gnomes": [FIRST, SECOND, DEAD], "active": 2}, "active"),
        ({"gnomes": [gnome | {"minutes": 0} for gnome in GNOMES]}, "ghost"),
        ({"gnomes": [FIRST | {"state": "fainted"}, SECOND, THIRD], "phase": "movement"}, "gnomes/0/state"),
        ({"gnomes": [FIRST | {"items": {"coffee": 2}}, SECOND, THIRD]}, "gnomes"),
        ({"gnomes": [FIRST | {"items": {"coffee": 1}}, SECOND | {"items": {"coffee": 1}}, THIRD]}, "gnomes"),
        ({"gnomes": [FIRST | {"items": {"grog": 7}}, SECOND, THIRD]}, "gnomes"),
        ({"item_discard": {"coffee": 2}}, "item_discard"),
        ({"item_deck": {"coffee": 2}}, "item_deck"),
        ({"item_deck": {"coffee": 1}, "item_discard": {}}, "item_discard"),
        ({"event_discard": {"fire/1": 2}}, "event_discard"),
        ({"event_deck": {"fire/1": 2}}, "event_deck"),
        ({"event_deck": {"fire/1": 1}, "event_discard": {}}, "event_discard"),
        ({"phase": "over"}, "cause"),
        ({"phase": "over", "cause": "none"}, "cause"),
        ({"phase": "over", "cause": "boredom"}, "cause"),
        ({"phase": "hatch"}, "pending/open_hatch_to"),
        ({"phase": "hatch", "pending": {"open_hatch_to": 2}}, "pending/open_hatch_to"),
        ({"phase": "hatch", "pending": {"open_hatch_to": 5}, "blocked_hatches": ["5-7"]}, "pending/open_hatch_to"),
        ({"phase": "escape"}, "phase"),
        ({"phase": "wrap_up"}, "phase"),
        ({"phase": "discard"}, "pending/hand_limit"),
        ({"phase": "discard", "pending": {"hand_limit": 3}}, "pending/hand_limit"),
        ({"phase": "discard", "pending": {"hand_limit": 4}}, "phase"),
        ({"phase": "spread_fire", "rooms": {}}, "phase"),
        ({"phase": "block_hatch"}, "pending/room"),
        ({"phase": "block_hatch", "pending": {"room": 1}, "blocked_hatches": ["1-2", "1-3"]}, "phase"),
        ({"phase": "trade_give"}, "pending/partner"),
        ({"phase": "trade_give", "pending": {"partner": 0}}, "pending/partner"),
        ({"phase": "trade_give", "pending": {"partner": 2}}, "pending/partner"),
        ({"phase": "trade_return", "pending": {"partner": 3}}, "pending/partner"),
        ({"phase": "trade_give", "pending": {"partner": 1}, "rooms": {"7": {"fire": True}}}, "phase"),
        ({"phase": "defend", "pending": {"partner": 1}}, "pending/partner"),
        ({"ghost": 0, "phase": "movement"}, "ghost"),
        ({"destruction": {"crushed": 41}}, "destruction/crushed"),
        ({"tracks": {"asphyxiation": 10}}, "tracks/asphyxiation"),
        ({"used_items": {"lucky_charm": 1}, "pending": {"icons_ignored": 4}}, "pending/icons_ignored"),
        ({"turn": 0, "phase": "movement"}, "turn"),
        ({"rules": {"gnomes": 3, "crazed_gnomes": True, "hidden_hands": False}}, "rules/hidden_hands"),
        ({"phase": "escape_hatch", "pending": {"open_hatch_to": 8}}, "phase"),
        ({"phase": "escape_hatch", "pending": {"open_hatch_to": 8}, "rooms": {"7": {"water": "low"}}}, "phase"),
        ({"phase": "escape_hatch", "pending": {"open_hatch_to": 8}, "rooms": SPENT, "ghost": 0}, "phase"),
        (LUCK | {"gnomes": [FIRST, SECOND, THIRD]}, "phase"),
        (LUCK | {"ghost": 40}, "phase"),
        (LUCK | {"gnomes": [LUCKY | {"minutes": 41}, SECOND, THIRD]}, "phase"),
        (LUCK | {"used_items": {"grog": 1}}, "phase"),
        (LUCK | {"gnomes": [LUCKY | {"state": "fainted"}, SECOND, THIRD]}, "phase"),
        (LUCK | {"turn": 0}, "turn"),
        (LUCK | {"pending": {"hand_limit": 4}}, "pending/hand_limit"),
        (LUCK | {"pending": {"abandoning": True}}, "pending/abandoning"),
        (LEAVING | {"rules": {"gnomes": 3}}, "pending/abandoning"),
        (LEAVING | {"rules": {"gnomes": 3, "players": 1, "edition": "original"}}, "pending/abandoning"),
        (LEAVING | {"phase": "movement", "ghost": 5}, "pending/abandoning"),
        (LEAVING | {"ghost": 1}, "pending/abandoning"),
        (LEAVING | {"gnomes": [SWIMMER | {"minutes": 10}, *ASHORE]}, "pending/abandoning"),
        (LEAVING | {"gnomes": [SWIMMER | {"room": 9}, *ASHORE]}, "pending/abandoning"),
        (LEAVING | {"pending": {"abandoning": 1}}, "pending/abandoning"),
        (LEAVING | {"phase": "trade_give", "pending": {"abandoning": True, "partner": 1}}, "pending/partner"),
    ],
)
def test_a_position_that_contradicts_itself_is_refused_with_the_field_at_fault(patch: Wire, field: str) -> None:
    check_refused(BASE | patch, field)


@pytest.mark.parametrize("sound", [LUCK, LEAVING, LUCK | {"rules": {"gnomes": 3, "edition": "original"}}])
def test_the_moments_that_those_positions_miss_are_sound_themselves(sound: Wire) -> None:
    assert Game.from_position(BASE | sound).problems() == []


JUNK: list[Any] = [None, True, -1, 7, 300, 10**30, 0.5, float("nan"), "", "grog", [], [1], {}, {"grog": 1}, b"\0"]


def leaves(wire: Any, path: Path = ()) -> Iterator[Path]:
    """Every path in a position, to whole objects too."""
    if path:
        yield path
    inner = wire.items() if isinstance(wire, dict) else enumerate(wire) if isinstance(wire, list) else ()
    for step, value in inner:
        yield from leaves(value, (*path, step))


@pytest.mark.parametrize("number", range(4))
def test_junk_anywhere_in_a_position_is_refused_or_still_makes_a_sound_game(number: int) -> None:
    """No other error, and no broken game: an error that is not a BadPosition fails the test."""
    chance = random.Random(number)
    rules = Rules(gnomes=3 + number, crazed_gnomes=number % 2 == 1, less_deadly_dying=number > 1)
    story = wild_story(rules, number)
    whole = json.loads(json.dumps(story.games[len(story.games) // 2].position()))
    refusals = 0
    for path in leaves(whole):
        for junk in chance.sample(JUNK, 4):
            try:
                game = Game.from_position(changed(whole, path, junk))
            except BadPosition:
                refusals += 1
            else:
                assert game.problems() == []
    assert refusals > 500
