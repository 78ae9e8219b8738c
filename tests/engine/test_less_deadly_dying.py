"""Less deadly dying: whoever dies is replaced (§9)."""

from collections.abc import Sequence
from typing import Any

import pytest

from engine import Game
from tests.support.helpers import Wire, gnome, play, position, result_of, scripted, told

RULES = {"less_deadly_dying": True}
DRINK = {"type": "use_item", "item": "grog"}
CHARM = {"type": "use_item", "item": "lucky_charm"}
OUT_TO_SEA: list[Wire | str] = [{"type": "use_item", "item": "aqualung"}, {"type": "open_hatch", "to": "sea"}, "enter"]
EXTINGUISH = {"type": "extinguish_fire", "minutes": 1}
ATTACK: list[Wire | str] = [{"type": "use_item", "item": "crowbar"}, {"type": "attack_gnome", "seat": 1}, "defend"]

FAINTED = {"room": 3, "state": "fainted", "intoxication": 3, "items": {"crowbar": 2}}
HIGH = {"water": "high"}
FIRE = {"fire": True}


def deadly(gnomes: Sequence[Wire], dice: Sequence[int], events: Sequence[str] = (), **more: Any) -> Game:
    return position(
        gnomes, RULES | more.pop("rules", {}), script=scripted(events, dice=dice, items=["harpoon"]), **more
    )


def deaths(events: Sequence[Wire]) -> list[tuple[int, str]]:
    return [(death["seat"], death["cause"]) for death in told(events, "gnome_died")]


def newcomers(events: Sequence[Wire]) -> list[tuple[int, int]]:
    return [(newcomer["seat"], newcomer["room"]) for newcomer in told(events, "gnome_replaced")]


def fainting_at_sea(dice: Sequence[int], **items: int) -> tuple[Game, list[Wire]]:
    """Gnome 0 from 58: three minutes and ten fainted."""
    items = {"aqualung": 1, "grog": 1, **items}
    game = deadly([{"room": 3, "minutes": 58, "items": items}], dice, ["respite/1"], rooms={"6": FIRE, "8": HIGH})
    charm = [CHARM] if "lucky_charm" in items else []
    return game, play(game, DRINK, *charm, *OUT_TO_SEA, "no_action")


def trapped(dice: Sequence[int]) -> tuple[Game, list[Wire]]:
    """Gnome 0, drunk, from 58: a failed minute of extinguishing, and no way out of room 6."""
    game = deadly(
        [{"room": 6, "minutes": 58, "items": {"grog": 1, "toolbox": 1}}],
        [10, *dice],
        rooms={"6": FIRE, "8": HIGH},
        blocked_hatches=["5-6"],
    )
    return game, play(game, DRINK, EXTINGUISH)


def beaten(dice: Sequence[int]) -> tuple[Game, list[Wire]]:
    """Gnome 0, drunk, from 58: a minute's attack that he loses."""
    game = deadly(
        [
            {"room": 7, "minutes": 58, "items": {"crowbar": 1, "grog": 1, "toolbox": 1}},
            {"room": 7, "items": {"crowbar": 1}},
        ],
        [1, 10, *dice],
        rules={"crazed_gnomes": True},
        rooms={"6": FIRE, "8": HIGH},
    )
    return game, play(game, DRINK, *ATTACK)


BEFORE_THE_UPDATES = {"fainted_outside": fainting_at_sea, "trapped": trapped, "slain": beaten}


def test_a_newcomer_stands_up_sober_and_with_empty_hands_and_keeps_the_time_keeper() -> None:
    game = deadly([{"minutes": 40}, FAINTED], [3, 7], ["fire"])
    events = play(game, "no_action")
    assert deaths(events) == [(1, "fire")]
    assert newcomers(events) == [(1, 7)]
    newcomer = gnome(game, 1)
    assert (newcomer["state"], newcomer["intoxication"], newcomer["items"]) == ("alive", 0, {})
    assert (newcomer["room"], newcomer["minutes"]) == (7, 20)
    assert game.view()["item_discard"] == {"crowbar": 2}


def test_each_of_several_dead_has_a_newcomer_of_his_own() -> None:
    game = deadly([{"minutes": 40}, FAINTED, FAINTED], [3, 7, 4], ["leak"])
    events = play(game, "no_action")
    assert deaths(events) == [(1, "high_water"), (2, "high_water")]
    assert newcomers(events) == [(1, 7), (2, 4)]


def test_a_newcomer_may_draw_where_the_dead_gnome_could_not_again() -> None:
    game = deadly([{"minutes": 40}, FAINTED | {"room": 8, "drew_items_in": 8}], [8, 8], ["fire"])
    play(game, "no_action")
    assert gnome(game, 1)["drew_items_in"] is None


def test_a_death_in_mid_walk_does_not_stop_the_walk() -> None:
    game = deadly(
        [{"room": 3, "minutes": 46, "items": {"grog": 1}}, {"minutes": 20}], [3, 6], ["respite/1", "fire", "fire/-"]
    )
    events = play(game, DRINK, "no_action")
    assert deaths(events) == [(0, "fire")]
    assert newcomers(events) == [(0, 6)]
    assert [event["minute"] for event in told(events, "event_drawn")] == [45, 42, 39, 36]
    newcomer = gnome(game)
    assert (newcomer["minutes"], newcomer["state"], newcomer["items"]) == (35, "alive", {"harpoon": 1})


def test_a_newcomer_in_mid_walk_is_awake_and_survives_a_burning_room() -> None:
    game = deadly([{"room": 3, "minutes": 43, "items": {"grog": 1}}], [3, 6], ["respite/1", "leak"], rooms={"6": FIRE})
    events = play(game, DRINK, "no_action")
    assert deaths(events) == [(0, "high_water")]
    assert (gnome(game)["room"], gnome(game)["state"]) == (6, "alive")


@pytest.mark.parametrize("room", [6, 7])
def test_who_dies_in_step_1_is_replaced_once_and_the_newcomer_walks_on(room: int) -> None:
    game = deadly([{"room": 3, "minutes": 46, "items": {"crowbar": 1}}], [room], rooms={"3": HIGH, "6": FIRE})
    events = play(game, "no_action")
    assert deaths(events) == [(0, "high_water")]
    assert newcomers(events) == [(0, room)]
    assert [event["minute"] for event in told(events, "event_drawn")] == [45]
    assert (gnome(game)["minutes"], gnome(game)["items"]) == (45, {})
    assert game.view()["item_discard"] == {"crowbar": 1}


def test_who_runs_out_of_air_is_replaced_aboard() -> None:
    game = deadly([{"room": "sea", "minutes": 46}], [7])
    events = play(game, "no_action")
    assert deaths(events) == [(0, "no_air")]
    assert (gnome(game)["room"], gnome(game)["minutes"]) == (7, 45)


@pytest.mark.parametrize("cause", BEFORE_THE_UPDATES)
def test_who_dies_before_the_updates_is_replaced_and_the_events_of_the_turn_go_on(cause: str) -> None:
    game, events = BEFORE_THE_UPDATES[cause]([7])
    assert deaths(events) == [(0, cause)]
    assert newcomers(events) == [(0, 7)]
    assert told(events, "event_drawn")[0]["minute"] == 57
    newcomer = gnome(game)
    assert (newcomer["room"], newcomer["state"], newcomer["intoxication"]) == (7, "alive", 0)


@pytest.mark.parametrize("cause", BEFORE_THE_UPDATES)
@pytest.mark.parametrize(("room", "second"), [(6, "fire"), (8, "high_water")])
def test_step_1_applies_to_a_newcomer_from_before_the_updates(cause: str, room: int, second: str) -> None:
    game, events = BEFORE_THE_UPDATES[cause]([room, 7])
    assert deaths(events) == [(0, cause), (0, second)]
    assert newcomers(events) == [(0, room), (0, 7)]
    assert told(events, "event_drawn")
    assert gnome(game)["state"] == "alive"


def test_a_newcomer_aboard_breathes_whoever_began_the_turn_outside() -> None:
    game = deadly([{"room": "sea", "minutes": 40, "items": {"grog": 1}}], [7], ["respite/1"])
    assert deaths(play(game, DRINK, "no_action")) == [(0, "fainted_outside")]
    assert (gnome(game)["state"], gnome(game)["room"]) == ("alive", 7)


def test_a_newcomer_comes_also_with_the_last_minute() -> None:
    keepers = [{"room": 6, "minutes": 1}, {"minutes": 0}, {"minutes": 0}]
    game = deadly(keepers, [10, 7], rooms={"6": FIRE})
    assert deaths(play(game, EXTINGUISH)) == [(0, "trapped")]
    assert gnome(game)["state"] == "alive"
    assert result_of(game)["cause"] == "rescued"


@pytest.mark.parametrize("cause", ["trapped", "slain"])
def test_a_newcomer_makes_no_faint_check_for_the_dead_gnomes_grog(cause: str) -> None:
    _, events = BEFORE_THE_UPDATES[cause]([7])
    assert not told(events, "faint_checked")


def test_what_the_dead_gnome_used_stays_in_force_for_the_turn() -> None:
    game, events = fainting_at_sea([7], lucky_charm=1)
    assert [event["minute"] for event in told(events, "icon_ignored")] == [57, 54, 51]
    assert [event["minute"] for event in told(events, "event_drawn")] == [48, 45]
    assert gnome(game)["items"] == {"harpoon": 1}


def test_a_slain_defender_leaves_his_items_to_the_attacker_and_his_time_keeper_to_a_newcomer() -> None:
    game = deadly(
        [
            {"room": 7, "minutes": 40, "items": {"crowbar": 1}},
            {"room": 7, "minutes": 30, "intoxication": 2, "items": {"toolbox": 2}},
        ],
        [4],
        rules={"crazed_gnomes": True},
    )
    events = play(game, *ATTACK[:2])
    assert deaths(events) == [(1, "slain")]
    assert gnome(game)["items"] == {"toolbox": 2}
    newcomer = gnome(game, 1)
    assert (newcomer["room"], newcomer["minutes"], newcomer["state"]) == (4, 30, "alive")
    assert (newcomer["intoxication"], newcomer["items"]) == (0, {})


def test_a_slain_attacker_leaves_his_items_to_the_defender() -> None:
    game, _ = beaten([7])
    assert gnome(game, 1)["items"] == {"toolbox": 1}


def test_a_time_keeper_that_stays_holds_a_destruction_token_off() -> None:
    game = deadly([{"room": 3, "minutes": 40}], [7], rooms={"3": HIGH}, destruction={"crushed": 35})
    events = play(game, "no_action")
    assert deaths(events) == [(0, "high_water")]
    assert game.result is None


def test_the_newcomer_of_the_last_gnome_aboard_plays_on() -> None:
    game = deadly([{"room": 3, "minutes": 40}, {"state": "abandoned"}, {"state": "abandoned"}], [7], rooms={"3": HIGH})
    play(game, "no_action")
    assert (game.decider, game.result) == (0, None)


def test_who_abandons_is_not_replaced() -> None:
    game = deadly([{"room": "sea", "minutes": 9}, {"minutes": 5}, {"minutes": 5}], [7])
    assert newcomers(play(game, "abandon_comrades")) == []
    assert gnome(game)["state"] == "abandoned"
