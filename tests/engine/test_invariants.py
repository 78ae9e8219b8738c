"""`problems()` notices whatever somebody wrote to a record that the rules can't bring about."""

from typing import Any

import numpy as np
import pytest

from engine import Game, Rules
from engine.compiled.state import STATE
from engine.rules import RULES_VERSION
from tests.support.helpers import position
from tests.support.playing import Wire, new_story, wild_story

# Every value of these is valid: a secret, how often each purpose was asked, the number of moves played.
ANYTHING_GOES = ("key", "rolls", "version")
# The path that a problem with a field of the record names, where it is not the field's own name.
NAMED = {
    **dict.fromkeys(
        ("gnomes", "players", "edition", "less_deadly_dying", "hidden_hands", "crazed_gnomes", "greater_challenge"),
        ("rules/", "gnomes/"),
    ),
    **dict.fromkeys(("minutes", "stack", "room", "condition", "intoxication", "drew_items_in"), ("gnomes/",)),
    "hand": ("gnomes/", "item_deck"),
    "water": ("rooms/",),
    "fire": ("rooms/",),
    "blocked": ("blocked_hatches",),
    "track": ("tracks/",),
    "token": ("destruction/",),
    "captains_grog": ("captains_grog", "item_deck"),
    "item_discard": ("item_deck", "item_discard"),
    "event_discard": ("event_deck", "event_discard"),
    "used": ("used_items/",),
    "beyond": ("pending/open_hatch_to",),
    "event_room": ("pending/room",),
    "script_dice": ("script/dice",),
    "script_events": ("script/events",),
    "script_items": ("script/items",),
    "script_left": ("script/",),
    **{name: (f"pending/{name}",) for name in ("icons_ignored", "began_at_sea", "abandoning", "partner")},
    "hand_limit": ("pending/hand_limit",),
    "storm_left": ("pending/storm_left",),
}


def places(name: str) -> list[Any]:
    shape = STATE[name].shape
    return list(np.ndindex(shape)) if shape else [()]


def corrupted(game: Game, name: str, place: int | tuple[int, ...], value: int) -> Game:
    twin = game.copy()
    if place == ():
        twin.record[0][name] = value
    else:
        twin.record[0][name][place] = value
    return twin


def hosts() -> list[Game]:
    """Games in the middle: from the start, with every option, with cards forced, and in many phases."""
    plain = new_story(Rules(gnomes=5), 3)
    wild = wild_story(Rules(8, 8, "original", True, True, True, "storm"), 5)
    forced = position([{"room": 7, "minutes": 40}], script={"dice": [3], "events": ["fire"], "items": ["grog"]})
    return [plain.games[len(plain.games) // 2], wild.games[len(wild.games) // 2], wild.games[-1], forced]


@pytest.mark.parametrize("name", [name for name in STATE.names or () if name not in ANYTHING_GOES])
def test_a_field_out_of_range_is_noticed_and_named(name: str) -> None:
    """The largest and the smallest number that the field can hold, in each of its places."""
    limits = np.iinfo(STATE[name].base)
    values = [limits.min] if name == "turn" else [limits.min, limits.max]
    for game in hosts():
        assert game.problems() == []
        for place in places(name):
            for value in values:
                found = corrupted(game, name, place, value).problems()
                assert found, (place, value)
                assert all(problem.reason for problem in found)
                assert found[0].field.startswith(NAMED.get(name, (name,))), (place, value, found)


@pytest.mark.parametrize("name", ANYTHING_GOES)
def test_fields_that_may_hold_anything_are_never_a_problem(name: str) -> None:
    limits = np.iinfo(STATE[name].base)
    for place in places(name):
        for value in (limits.min, limits.max):
            assert corrupted(hosts()[0], name, place, value).problems() == []


def test_a_record_takes_600_bytes_at_the_most() -> None:
    assert STATE.itemsize <= 600


PLAIN: Wire = {"room": 7, "minutes": 40, "items": {"grog": 1}}


@pytest.mark.parametrize(
    ("name", "place", "value", "field"),
    [
        ("gnomes", (), 2, "rules/gnomes"),
        ("gnomes", (), 4, "rules/players"),
        ("players", (), 2, "rules/players"),
        ("edition", (), 2, "rules/edition"),
        ("crazed_gnomes", (), 2, "rules/crazed_gnomes"),
        ("crazed_gnomes", (), 1, "rules/hidden_hands"),
        ("hidden_hands", (), 2, "rules/hidden_hands"),
        ("rules_version", (), 0, "rules_version"),
        ("rules_version", (), RULES_VERSION + 1, "rules_version"),
        ("minutes", 0, 61, "gnomes/0/minutes"),
        ("minutes", 3, 1, "gnomes/3"),
        ("stack", 1, 121, "gnomes/1/stack"),
        ("room", 0, 11, "gnomes/0/room"),
        ("room", 7, 1, "gnomes/7"),
        ("condition", 2, 4, "gnomes/2/state"),
        ("condition", 0, 1, "gnomes/0/state"),
        ("condition", 0, 2, "gnomes/0/items"),
        ("condition", 0, 3, "active"),
        ("intoxication", 1, 5, "gnomes/1/intoxication"),
        ("drew_items_in", 1, 7, "gnomes/1/drew_items_in"),
        ("hand", (0, 1), 2, "item_deck"),
        ("hand", (1, 0), 1, "item_deck"),
        ("water", 5, 3, "rooms/5/water"),
        ("water", 1, 1, "rooms/1"),
        ("water", 0, 1, "rooms/0"),
        ("fire", 2, 2, "rooms/2/fire"),
        ("fire", 0, 1, "rooms/0"),
        ("blocked", 14, 2, "blocked_hatches"),
        ("track", 1, 0, "tracks/heat"),
        ("track", 2, 10, "tracks/pressure"),
        ("token", 1, 41, "destruction/crushed"),
        ("token", 3, -2, "destruction/devoured_by_kraken"),
        ("captains_grog", (), 5, "item_deck"),
        ("captains_grog", (), 7, "captains_grog"),
        ("item_deck", 4, 3, "item_deck"),
        ("item_discard", 4, 1, "item_deck"),
        ("event_deck", 0, 1, "event_deck"),
        ("event_discard", 0, 1, "event_deck"),
        ("phase", (), 12, "phase"),
        ("phase", (), 13, "phase"),
        ("phase", (), 11, "cause"),
        ("phase", (), 1, "pending/open_hatch_to"),
        ("phase", (), 2, "phase"),
        ("phase", (), 4, "pending/partner"),
        ("phase", (), 7, "phase"),
        ("phase", (), 9, "pending/room"),
        ("phase", (), 10, "pending/hand_limit"),
        ("active", (), 3, "active"),
        ("active", (), -1, "active"),
        ("ghost", (), 41, "ghost"),
        ("ghost", (), 0, "ghost"),
        ("used", 12, 3, "used_items/lucky_charm"),
        ("icons_ignored", (), 1, "pending/icons_ignored"),
        ("began_at_sea", (), 2, "pending/began_at_sea"),
        ("abandoning", (), 1, "pending/abandoning"),
        ("event_drawn", (), 1, "event_drawn"),
        ("beyond", (), 5, "pending/open_hatch_to"),
        ("partner", (), 1, "pending/partner"),
        ("event_room", (), 5, "pending/room"),
        ("hand_limit", (), 4, "pending/hand_limit"),
        ("storm_left", (), 1, "pending/storm_left"),
        ("cause", (), 8, "cause"),
        ("turn", (), 0, "turn"),
        ("script_left", 0, 33, "script/dice"),
        ("script_left", 0, 1, "script/dice"),
        ("script_dice", 0, 5, "script/dice"),
    ],
)
def test_a_value_that_contradicts_the_others_is_noticed_and_named(
    name: str, place: int | tuple[int, int], value: int, field: str
) -> None:
    game = position([PLAIN, PLAIN, PLAIN | {"minutes": 30}], rooms={"1": {"fire": True}})
    assert game.problems() == []
    found = corrupted(game, name, place, value).problems()
    assert found
    assert found[0].field == field


def test_two_time_keepers_in_one_place_are_noticed() -> None:
    game = position([PLAIN, PLAIN, PLAIN | {"minutes": 30}])
    stacks = game.record[0]["stack"]
    stacks[1] = stacks[0]
    assert [problem.field for problem in game.problems()] == ["gnomes/1/stack"]


def test_looking_for_problems_changes_nothing() -> None:
    for game in hosts():
        before = game.to_bytes()
        game.problems()
        assert game.to_bytes() == before
