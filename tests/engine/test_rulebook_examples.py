"""The rulebooks' own examples, and the reference manual's answered questions (§10)."""

from collections.abc import Sequence

import pytest

from engine import Game
from tests.support.helpers import Wire, gnome, offered, play, position, scripted, told, use, walk

FIRE, LOW, HIGH = {"fire": True}, {"water": "low"}, {"water": "high"}
SPENT_ON_THE_WAY = [1, 1, 1, 1]


def geoff(*events: str, dice: Sequence[int] = (10,)) -> tuple[Game, list[Wire]]:
    """Geoff runs from Missile Control to the burning Engine Room and puts its fire out for seven minutes."""
    game = position(
        [{"room": 7, "minutes": 40, "intoxication": 2, "items": {"grog": 1}}],
        rooms={"5": HIGH, "1": FIRE, "2": FIRE},
        blocked_hatches=["4-5"],
        tracks={"pressure": 8},
        script=scripted(["respite/2", *events], dice, ["crowbar", "toolbox"]),
    )
    told_so_far = play(game, *walk(5), use("grog"), *walk(2, 1))
    return game, told_so_far


def put_out() -> Wire:
    return {"type": "extinguish_fire", "minutes": 7}


def test_geoff_reaches_the_engine_room_in_four_minutes() -> None:
    game, events = geoff()
    assert [spent["minutes"] for spent in told(events, "minutes_spent")] == SPENT_ON_THE_WAY
    assert [moved["to"] for moved in told(events, "gnome_moved")] == [5, 2, 1]
    assert (game.position()["ghost"], gnome(game)["intoxication"]) == (36, 3)
    rooms = game.position()["rooms"]
    assert [rooms[room]["water"] for room in ("5", "7")] == ["low", "low"]
    assert {move["type"] for move in game.legal_moves()} == {"open_hatch", "extinguish_fire"}


def test_geoff_cannot_fail_with_seven_minutes_and_grog() -> None:
    game, _ = geoff()
    chance = {move["minutes"]: move["chance"] for move in offered(game, "extinguish_fire")}
    assert (chance[6], chance[7]) == (0.9, 1)
    events = play(game, put_out())
    assert told(events, "die_rolled")[0] == {
        "type": "die_rolled",
        "seat": 0,
        "purpose": "extinguish_fire",
        "value": 10,
        "needed": 10,
    }
    assert not game.position()["rooms"]["1"]["fire"]
    assert game.position()["rooms"]["2"]["fire"]


def test_geoff_faints_and_meets_seven_events_and_two_items_in_21_minutes() -> None:
    game, _ = geoff()
    events = play(game, put_out())
    assert told(events, "faint_checked")[0]["card"] == "respite/2"
    assert told(events, "gnome_fainted") == [{"type": "gnome_fainted", "seat": 0, "ghost": 19}]
    assert [drawn["minute"] for drawn in told(events, "event_drawn")] == [39, 36, 33, 30, 27, 24, 21]
    assert [drawn["source"] for drawn in told(events, "item_drawn")] == ["icon", "icon"]
    assert gnome(game) == {
        "minutes": 19,
        "stack": gnome(game)["stack"],
        "room": 1,
        "state": "fainted",
        "intoxication": 3,
        "items": {"crowbar": 1, "toolbox": 1},
        "drew_items_in": None,
    }


@pytest.mark.parametrize(("card", "cause"), [("fire", "fire"), ("leak", "high_water")])
def test_geoff_dies_when_an_event_burns_or_floods_his_room(card: str, cause: str) -> None:
    game, _ = geoff("respite", card, dice=(10, 1))
    events = play(game, put_out())
    assert told(events, "gnome_died") == [{"type": "gnome_died", "seat": 0, "cause": cause, "room": 1}]
    assert [drawn["minute"] for drawn in told(events, "event_drawn")] == [39, 36]
    assert not told(events, "item_drawn")


@pytest.mark.parametrize(("die", "blocked"), [(7, []), (8, ["1-3"])])
def test_howard_unblocks_on_a_seven_or_less_and_spends_six_minutes_either_way(die: int, blocked: list[str]) -> None:
    howard = {"room": 3, "minutes": 40, "items": {"crowbar": 1}}
    game = position([howard], rooms={"3": LOW}, blocked_hatches=["1-3"], script=scripted(dice=[die]))
    play(game, use("crowbar"))
    attempt = {"type": "unblock_hatch", "hatch": "1-3", "minutes": 4}
    assert attempt | {"cost": 6, "chance": 0.7} in game.legal_moves()
    events = play(game, attempt)
    assert told(events, "die_rolled")[0]["needed"] == 7
    assert (game.position()["blocked_hatches"], gnome(game)["minutes"]) == (blocked, 34)


def test_bethany_brings_the_heat_from_eight_to_five_and_a_second_repair_below() -> None:
    game = position([{"room": 4, "minutes": 40}], tracks={"heat": 8}, script=scripted(dice=[1, 1]))
    heat = []
    for _ in range(2):
        play(game, {"type": "fix_reactor", "minutes": 1})
        heat.append(game.position()["tracks"]["heat"])
    assert heat == [5, 1]


def test_edmund_takes_two_grogs_in_two_minutes_and_no_more_until_he_has_acted_elsewhere() -> None:
    game = position([{"room": 10, "minutes": 40}], script=scripted())
    play(game, {"type": "draw_items", "cards": 2})
    assert (gnome(game)["items"], gnome(game)["minutes"], gnome(game)["drew_items_in"]) == ({"grog": 2}, 38, 10)
    assert not offered(game, "draw_items")


def test_a_toolbox_and_an_engine_manual_give_seven_to_fix_the_engine() -> None:
    game = position([{"room": 1, "minutes": 40, "items": {"toolbox": 1, "engine_manual": 1}}])
    play(game, use("toolbox"), use("engine_manual"))
    assert [move["chance"] for move in offered(game, "fix_engine")[:3]] == [0.8, 0.9, 1]


def test_pumps_that_fail_on_45_asphyxiate_on_35() -> None:
    game = position([{"room": 7, "minutes": 46}], script=scripted(["oxygen_pumps_down"]))
    events = play(game, "no_action")
    assert told(events, "token_placed") == [{"type": "token_placed", "token": "asphyxiated", "minute": 35}]
    assert game.position()["destruction"] == {"asphyxiated": 35}


def test_a_fire_that_breaks_out_around_a_gnome_can_be_fought_without_items() -> None:
    game = position([{"room": 7, "minutes": 40}], script=scripted(["fire"], dice=[7, 1]))
    play(game, "no_action")
    assert game.position()["rooms"]["7"]["fire"]
    events = play(game, {"type": "extinguish_fire", "minutes": 1})
    assert told(events, "fire_went_out") == [{"type": "fire_went_out", "room": 7}]


def test_a_gnome_may_run_through_a_burning_room_to_act_in_the_next() -> None:
    game = position(
        [{"room": 5, "minutes": 40, "items": {"fire_extinguisher": 1}}], rooms={"2": FIRE}, script=scripted()
    )
    play(game, use("fire_extinguisher"), *walk(2, 1), {"type": "fix_engine", "minutes": 10})
    assert (gnome(game)["state"], gnome(game)["room"]) == ("alive", 1)


def test_a_gnome_who_ends_his_turn_outside_twice_runs_out_of_air() -> None:
    game = position([{"room": 6, "minutes": 40, "items": {"aqualung": 1}}], script=scripted())
    events = play(game, use("aqualung"), *walk("sea"), "no_action")
    assert not told(events, "gnome_died")
    events = play(game, "no_action")
    assert told(events, "gnome_died") == [{"type": "gnome_died", "seat": 0, "cause": "no_air", "room": "sea"}]
