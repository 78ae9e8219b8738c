"""Items: what each does, how they add up, and when they may be used (§1, §4)."""

import pytest

from engine import Game, IllegalMove
from tests.support.cards import ITEMS
from tests.support.helpers import Wire, gnome, offered, play, position, scripted, told, use
from tests.support.workplaces import WORKPLACES, at_work, fix

REPAIRS = {"fix_engine": 3, "fix_oxygen_pumps": 3, "fix_reactor": 3}
BONUS = {
    "coffee": {},
    "grog": dict.fromkeys(WORKPLACES, 3),
    "toolbox": REPAIRS,
    "engine_manual": {"fix_engine": 4},
    "pump_manual": {"fix_oxygen_pumps": 4},
    "reactor_manual": {"fix_reactor": 4},
    "deactivation_code": {"stop_missile_launch": 4},
    "crowbar": {"unblock_hatch": 3},
    "fire_extinguisher": {"extinguish_fire": 3},
    "water_pump": {"pump_water": 3},
    "aqualung": {},
    "harpoon": {"kill_kraken": 4},
    "lucky_charm": {},
}


def usable(game: Game) -> set[str]:
    return {move["item"] for move in offered(game, "use_item")}


def held(room: int = 7, minutes: int = 40, **items: int) -> Wire:
    return {"room": room, "minutes": minutes, "items": items}


def chance_with(action: str, minutes: int, *items: str) -> int:
    hand = {item: items.count(item) for item in items}
    game = at_work(action, items=hand)
    play(game, *map(use, items))
    return next(round(10 * move["chance"]) for move in offered(game, action) if move["minutes"] == minutes)


@pytest.mark.parametrize("action", WORKPLACES)
@pytest.mark.parametrize(("item", "bonuses"), BONUS.items())
def test_an_item_helps_its_own_actions_and_no_other(item: str, bonuses: dict[str, int], action: str) -> None:
    assert chance_with(action, 2, item) == 2 + bonuses.get(action, 0)


@pytest.mark.parametrize(
    ("action", "items", "bonus"),
    [
        ("unblock_hatch", ["crowbar", "crowbar"], 6),
        ("fix_engine", ["toolbox", "engine_manual"], 7),
        ("fix_reactor", ["grog", "grog"], 6),
        ("fix_reactor", ["grog", "toolbox", "crowbar"], 6),
        ("extinguish_fire", ["grog", "fire_extinguisher"], 6),
        ("fix_oxygen_pumps", ["toolbox", "toolbox", "pump_manual"], 9),
        ("fix_engine", ["engine_manual", "engine_manual", "engine_manual"], 12),
    ],
)
def test_bonuses_add_up_and_a_chance_is_never_above_one(action: str, items: list[str], bonus: int) -> None:
    assert chance_with(action, 1, *items) == min(10, 1 + bonus)


@pytest.mark.parametrize(("die", "succeeds"), [(5, True), (6, False)])
def test_a_bonus_counts_for_the_roll(die: int, succeeds: bool) -> None:
    game = at_work("unblock_hatch", items={"crowbar": 1}, dice=(die,))
    events = play(game, use("crowbar"), fix("unblock_hatch", 2))
    assert told(events, "die_rolled")[0]["needed"] == 5
    assert bool(told(events, "action_succeeded")) == succeeds


@pytest.mark.parametrize("item", ITEMS)
def test_any_item_may_be_used_even_when_it_helps_nothing_and_is_discarded(item: str) -> None:
    game = position([held(**{item: ITEMS[item]})], captains_grog=0)
    events = play(game, use(item))
    assert told(events, "item_used")[0]["item"] == item
    assert game.position()["used_items"] == {item: 1}
    assert game.position()["item_discard"] == {item: 1}
    assert gnome(game)["items"] == ({item: ITEMS[item] - 1} if ITEMS[item] > 1 else {})
    assert game.position()["ghost"] == 40


@pytest.mark.parametrize("item", ITEMS)
def test_nobody_uses_what_he_does_not_hold_or_a_comrade_holds(item: str) -> None:
    game = position([held(), held(minutes=20, **{item: 1})])
    assert usable(game) == set()
    with pytest.raises(IllegalMove):
        play(game, use(item))


def test_an_item_works_until_the_turn_ends_and_no_longer() -> None:
    game = at_work("fix_engine", items={"toolbox": 1}, dice=(10,))
    play(game, use("toolbox"), {"type": "open_hatch", "to": 2}, "enter")
    assert offered(game, "fix_oxygen_pumps")[0]["chance"] == 0.4
    play(game, fix("fix_oxygen_pumps", 1))
    assert offered(game, "fix_oxygen_pumps")[0]["chance"] == 0.1


@pytest.mark.parametrize(("before", "after"), [(0, 1), (1, 2), (2, 3), (3, 4), (4, 4)])
def test_grog_intoxicates_at_once_up_to_four(before: int, after: int) -> None:
    game = position([held(grog=1) | {"intoxication": before}])
    events = play(game, use("grog"))
    assert gnome(game)["intoxication"] == after
    assert told(events, "item_used") == [{"type": "item_used", "seat": 0, "item": "grog", "intoxication": after}]


@pytest.mark.parametrize(("before", "after"), [(0, 0), (1, 0), (2, 0), (3, 1), (4, 2)])
def test_coffee_sobers_by_two_at_once_but_not_below_zero(before: int, after: int) -> None:
    game = position([held(coffee=1) | {"intoxication": before}])
    play(game, use("coffee"))
    assert gnome(game)["intoxication"] == after


def test_two_grogs_intoxicate_twice_and_call_for_one_faint_check() -> None:
    game = position([held(grog=2)], script=scripted(["fire/-"]))
    events = play(game, use("grog"), use("grog"), "no_action")
    assert gnome(game)["intoxication"] == 2
    assert len(told(events, "faint_checked")) == 1


@pytest.mark.parametrize("item", [item for item in ITEMS if item != "grog"])
def test_only_grog_calls_for_a_faint_check(item: str) -> None:
    game = position([held(**{item: 1}) | {"intoxication": 4}], script=scripted())
    assert not told(play(game, use(item), "no_action"), "faint_checked")


def test_items_may_be_used_behind_an_open_hatch() -> None:
    game = position([held(grog=1, crowbar=1, coffee=1)], script=scripted())
    play(game, {"type": "open_hatch", "to": 5})
    assert usable(game) == {"grog", "crowbar", "coffee"}
    play(game, use("crowbar"), use("grog"))
    assert {move["type"] for move in game.legal_moves()} == {"enter", "stay", "use_item"}


def test_nobody_uses_items_during_a_trade() -> None:
    items = {"grog": 1, "coffee": 1}
    game = position([held(**items), held(minutes=20, grog=1)])
    play(game, {"type": "trade_items", "with": 1})
    for _ in range(2):
        assert {move["type"] for move in game.legal_moves()} == {"give_item", "done"}
        play(game, "done")


@pytest.mark.parametrize("late", ["coffee", "lucky_charm"])
def test_after_the_action_coffee_and_charm_may_still_be_used_and_nothing_else(late: str) -> None:
    hand = {"grog": 1, "crowbar": 1, "toolbox": 1, late: 1}
    game = position([held(**hand)], script=scripted())
    play(game, "no_action")
    assert (game.decider, game.position()["phase"]) == (0, "wrap_up")
    assert {(move["type"], move.get("item")) for move in game.legal_moves()} == {("use_item", late), ("done", None)}
    events = play(game, use(late))
    assert told(events, "time_keeper_moved")[0]["minutes"] == 39


def test_the_wrap_up_goes_on_while_something_is_left_to_use() -> None:
    game = position([held(coffee=1, lucky_charm=2)], script=scripted())
    play(game, "no_action", use("lucky_charm"))
    assert usable(game) == {"coffee", "lucky_charm"}
    events = play(game, "done")
    assert gnome(game)["items"] == {"coffee": 1, "lucky_charm": 1}
    assert told(events, "time_keeper_moved")


def test_without_coffee_or_charm_the_turn_ends_with_the_action() -> None:
    hand = {item: 1 for item in ITEMS if item not in ("coffee", "lucky_charm")}
    game = position([held(**hand)], script=scripted())
    assert told(play(game, "no_action"), "time_keeper_moved")


@pytest.mark.parametrize(("coffee", "faints"), [(True, False), (False, True)])
def test_coffee_after_the_action_counts_for_the_faint_check(coffee: bool, faints: bool) -> None:
    game = position([held(coffee=1, grog=1) | {"intoxication": 2}], script=scripted(["respite/2"]))
    play(game, use("grog"), "no_action")
    events = play(game, use("coffee") if coffee else "done")
    assert told(events, "faint_checked")[0]["intoxication"] == (1 if coffee else 3)
    assert bool(told(events, "gnome_fainted")) == faints


@pytest.mark.parametrize("in_wrap_up", [False, True])
@pytest.mark.parametrize(
    ("charms", "ignored", "met"), [(0, [], [39, 36, 33, 30]), (1, [39, 36, 33], [30]), (2, [39, 36, 33, 30], [])]
)
def test_a_charm_ignores_the_first_three_event_icons_and_no_item_icon(
    charms: int, ignored: list[int], met: list[int], in_wrap_up: bool
) -> None:
    game = position([held(lucky_charm=charms)], script=scripted())
    luck, work = [use("lucky_charm")] * charms, [{"type": "stop_missile_launch", "minutes": 10}]
    events = play(game, *(work + luck if in_wrap_up else luck + work))
    assert [event["minute"] for event in told(events, "icon_ignored")] == ignored
    assert [event["minute"] for event in told(events, "event_drawn")] == met
    assert len(told(events, "item_drawn")) == 1


def test_a_charm_does_not_outlast_its_turn() -> None:
    game = position([held(lucky_charm=1)], script=scripted())
    play(game, use("lucky_charm"), "no_action")
    assert gnome(game)["minutes"] == 39
    events = play(game, {"type": "stop_missile_launch", "minutes": 10})
    assert [event["minute"] for event in told(events, "event_drawn")] == [36, 33, 30]


def test_coffee_drawn_from_the_stores_may_be_drunk_in_the_same_turn() -> None:
    drinker = {"room": 8, "minutes": 39, "intoxication": 4}
    game = position([drinker], script=scripted(items=["coffee"]))
    play(game, {"type": "draw_items", "cards": 1})
    assert usable(game) == {"coffee"}
    play(game, use("coffee"))
    assert gnome(game)["intoxication"] == 2


def test_a_fainted_gnome_or_one_whose_turn_it_is_not_has_no_wrap_up() -> None:
    comrade = held(minutes=20, coffee=1, lucky_charm=1) | {"state": "fainted"}
    game = position([held(), comrade], script=scripted())
    assert told(play(game, "no_action"), "time_keeper_moved")
