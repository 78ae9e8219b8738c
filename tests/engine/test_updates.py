"""The Updates: the active gnome's death, the walk of his Time Keeper, the deaths of the fainted (§6)."""

from collections.abc import Sequence
from typing import Any

import pytest

from engine import Game
from tests.support.helpers import Wire, gnome, offered, play, position, scripted, told

DRINK = {"type": "use_item", "item": "grog"}
CHARM = {"type": "use_item", "item": "lucky_charm"}
AQUALUNG = {"type": "use_item", "item": "aqualung"}
OUT: list[Wire | str] = [{"type": "open_hatch", "to": "sea"}, "enter"]
IN: list[Wire | str] = [{"type": "open_hatch", "to": 3}, "enter"]
FIX_FOR_TEN = {"type": "fix_engine", "minutes": 10}

SLEEPER = {"room": 3, "state": "fainted", "items": {"crowbar": 2}}


def deaths(events: Sequence[Wire]) -> list[tuple[int, str]]:
    return [(death["seat"], death["cause"]) for death in told(events, "gnome_died")]


def icons(events: Sequence[Wire]) -> list[int]:
    return [event["minute"] for event in told(events, "event_drawn")]


def waking(drawn: Sequence[str], dice: Sequence[int] = (), **more: Any) -> Game:
    """Gnome 0 is about to draw these events one by one; gnome 1 sleeps in room 3."""
    return position([{"room": 8, "minutes": 40}, SLEEPER], script=scripted(events=drawn, dice=dice), **more)


def test_the_active_gnome_dies_in_high_water_before_any_event() -> None:
    game = position(
        [{"room": 3, "minutes": 40, "items": {"crowbar": 2}}, {"minutes": 30}], rooms={"3": {"water": "high"}}
    )
    events = play(game, "no_action")
    assert deaths(events) == [(0, "high_water")]
    assert not told(events, "event_drawn", "item_drawn", "time_keeper_moved")
    assert gnome(game)["state"] == "dead"
    assert game.view()["item_discard"] == {"crowbar": 2}
    assert game.decider == 1


def test_the_active_gnome_dies_in_a_burning_room() -> None:
    keepers = [{"room": 3, "minutes": 1, "stack": 2}, {"minutes": 1, "stack": 1}, {"minutes": 1, "stack": 0}]
    game = position(keepers, rooms={"3": {"fire": True}})
    assert deaths(play(game, {"type": "open_hatch", "to": 1}, "stay")) == [(0, "fire")]


def test_the_faint_check_comes_before_the_death() -> None:
    game = position([{"room": 3, "minutes": 40, "items": {"grog": 1}}], rooms={"3": {"water": "high"}})
    events = play(game, DRINK, "no_action")
    assert [event["type"] for event in told(events, "faint_checked", "gnome_died")] == ["faint_checked", "gnome_died"]


def test_the_active_gnome_lives_in_low_water() -> None:
    game = position([{"room": 3, "minutes": 41}], rooms={"3": {"water": "low"}})
    assert deaths(play(game, "no_action")) == []


@pytest.mark.parametrize(
    ("begins_in", "way", "dies"),
    [
        ("sea", [], True),
        ("sea", IN, False),
        ("sea", [*IN, AQUALUNG, *OUT], True),
        ("sea", [AQUALUNG], True),
        (3, [AQUALUNG, *OUT], False),
        (3, [AQUALUNG, *OUT, *IN], False),
        (3, [AQUALUNG, *OUT, *IN, *OUT], False),
    ],
)
def test_who_is_at_sea_when_his_turn_begins_and_when_it_ends_dies(
    begins_in: int | str, way: list[Wire], dies: bool
) -> None:
    began = {"pending": {"began_at_sea": True}} if begins_in == "sea" else {}
    game = position([{"room": begins_in, "minutes": 59, "items": {"aqualung": 1}}], script=scripted(), **began)
    assert deaths(play(game, *way, "no_action")) == ([(0, "no_air")] if dies else [])


def test_killing_the_kraken_in_a_second_turn_outside_costs_the_gnomes_life() -> None:
    game = position(
        [{"room": 3, "minutes": 60, "items": {"aqualung": 1}}],
        script=scripted(dice=[1]),
        destruction={"devoured_by_kraken": 30},
    )
    assert deaths(play(game, AQUALUNG, *OUT, "no_action")) == []
    assert deaths(play(game, {"type": "kill_kraken", "minutes": 5})) == [(0, "no_air")]
    assert game.view()["destruction"] == {}


def test_the_time_keeper_meets_its_icons_in_order_and_an_event_comes_before_an_item() -> None:
    game = position([{"room": 1, "minutes": 36}], script=scripted(items=["coffee"]))
    events = play(game, FIX_FOR_TEN)
    met = told(events, "event_drawn", "item_drawn", "time_keeper_moved")
    assert [event["type"] for event in met] == [
        "event_drawn",
        "event_drawn",
        "item_drawn",
        "event_drawn",
        "time_keeper_moved",
    ]
    assert icons(events) == [33, 30, 27]
    assert gnome(game)["minutes"] == 26


def test_an_item_icon_gives_an_item_to_the_gnome_who_walks() -> None:
    game = position([{"room": 1, "minutes": 41}], script=scripted(items=["coffee"]))
    events = play(game, "no_action")
    assert told(events, "item_drawn") == [{"type": "item_drawn", "seat": 0, "item": "coffee", "source": "icon"}]
    assert gnome(game)["items"] == {"coffee": 1}


def test_on_a_space_with_both_icons_the_hand_limit_comes_before_the_item() -> None:
    game = position(
        [{"room": 1, "minutes": 31, "items": {"grog": 5}}], script=scripted(["turbulence"], items=["coffee"])
    )
    play(game, "no_action")
    assert gnome(game)["items"] == {"grog": 4, "coffee": 1}


@pytest.mark.parametrize(
    ("drawn", "dice", "room", "cause"),
    [
        ("fire", [3], {}, "fire"),
        ("fire", [4], {}, None),
        ("fire", [3], {"water": "low"}, None),
        ("leak", [3], {}, "high_water"),
        ("leak", [3], {"water": "low"}, "high_water"),
        ("leak", [4], {}, None),
        ("underwater_current", [], {"water": "low"}, "high_water"),
        ("underwater_current", [], {}, None),
        ("respite", [], {"water": "low"}, None),
        ("friendly_fire", [3, 4], {}, "fire"),
        ("friendly_fire", [4, 3], {}, "high_water"),
        ("friendly_fire", [4, 5], {}, None),
    ],
)
def test_a_fainted_gnome_dies_when_his_room_burns_or_is_at_high_water(
    drawn: str, dice: list[int], room: Wire, cause: str | None
) -> None:
    game = waking([drawn], dice, rooms={"3": room})
    assert deaths(play(game, "no_action")) == ([(1, cause)] if cause else [])
    assert gnome(game, 1)["state"] == ("dead" if cause else "fainted")
    assert game.view()["item_discard"] == ({"crowbar": 2} if cause else {})


def test_a_fainted_gnome_dies_when_the_active_player_lets_the_fire_spread_to_him() -> None:
    game = waking(["fire_spreads"], rooms={"1": {"fire": True}})
    play(game, "no_action")
    assert deaths(play(game, {"type": "spread_fire", "room": 3})) == [(1, "fire")]


def test_friendly_fire_counts_as_one_event_so_that_its_leak_saves_nobody_from_its_fire() -> None:
    assert deaths(play(waking(["friendly_fire"], [3, 3]), "no_action")) == [(1, "high_water")]


def test_friendly_fire_has_its_discards_before_the_death() -> None:
    game = position(
        [{"room": 8, "minutes": 40}, SLEEPER | {"items": {"crowbar": 3, "grog": 2}}],
        script=scripted(["friendly_fire"], [3, 4]),
    )
    assert deaths(play(game, "no_action")) == []
    assert game.decider == 1
    assert deaths(play(game, {"type": "discard_item", "item": "grog"})) == [(1, "fire")]


def test_events_do_not_kill_who_is_awake() -> None:
    game = position([{"room": 3, "minutes": 40}, {"room": 3}], script=scripted(["fire"], [3]))
    assert deaths(play(game, "no_action")) == []
    assert game.view()["rooms"]["3"]["fire"]


def test_an_active_gnome_who_fainted_and_dies_in_mid_walk_meets_no_further_icon() -> None:
    game = position(
        [{"room": 8, "minutes": 43, "items": {"grog": 1, "toolbox": 1}}, {"minutes": 30}],
        script=scripted(["respite/1", "leak"], [8]),
    )
    events = play(game, DRINK, "no_action")
    assert icons(events) == [42]
    assert deaths(events) == [(0, "high_water")]
    assert not told(events, "item_drawn", "time_keeper_moved")
    assert game.view()["item_discard"] == {"grog": 1, "toolbox": 1}
    assert game.decider == 1


def test_a_bystanders_death_does_not_stop_the_walk() -> None:
    game = position([{"room": 1, "minutes": 46}, SLEEPER], script=scripted(["leak"], [10, 3]))
    events = play(game, FIX_FOR_TEN)
    assert deaths(events) == [(1, "high_water")]
    assert icons(events) == [45, 42, 39, 36]
    assert len(told(events, "item_drawn")) == 1


def test_one_event_may_kill_several_fainted_gnomes() -> None:
    game = position([{"room": 8, "minutes": 40}, SLEEPER, SLEEPER], script=scripted(["fire"], [3]))
    assert deaths(play(game, "no_action")) == [(1, "fire"), (2, "fire")]


def test_two_lucky_charms_ignore_six_event_icons() -> None:
    game = position(
        [{"room": 1, "minutes": 19, "items": {"lucky_charm": 2}}, {"minutes": 0}, {"minutes": 0}],
        rooms={"1": {"water": "low"}},
        script=scripted(),
    )
    hatch: list[Wire | str] = [{"type": "open_hatch", "to": 2}, "stay"]
    events = play(game, CHARM, CHARM, *hatch, *hatch, FIX_FOR_TEN)
    assert [event["minute"] for event in told(events, "icon_ignored")] == [18, 16, 14, 12, 10, 8]
    assert icons(events) == [6]


def test_a_lucky_charm_leaves_the_item_icons_and_the_faint_check() -> None:
    game = position(
        [{"room": 1, "minutes": 31, "items": {"lucky_charm": 1, "grog": 1}}],
        script=scripted(["fire/-"], items=["coffee"]),
    )
    events = play(game, CHARM, DRINK, "no_action")
    assert len(told(events, "faint_checked")) == 1
    assert not told(events, "event_drawn")
    assert [event["item"] for event in told(events, "item_drawn")] == ["coffee"]


def test_a_fainted_active_player_still_makes_the_choices_of_his_events() -> None:
    game = position(
        [{"room": 8, "minutes": 30, "items": {"grog": 1}}],
        rooms={"4": {"fire": True}},
        script=scripted(["respite/1", "fire_spreads"]),
    )
    play(game, DRINK, "no_action")
    assert gnome(game)["state"] == "fainted"
    assert game.decider == 0
    assert {move["room"] for move in offered(game, "spread_fire")} == {2, 3, 5}
