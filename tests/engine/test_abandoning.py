"""Comrades abandoned in the original edition: the Updates come first, then gnome and Time Keeper leave (§5, §9)."""

from collections.abc import Sequence
from typing import Any

import pytest

from engine import Game
from tests.support.helpers import Wire, gnome, offered, play, position, scripted, told, use

LEAVE = "abandon_comrades"
ORIGINAL = {"edition": "original"}


def outside(
    minutes: int = 9,
    others: Sequence[int] = (5, 4),
    events: Sequence[str] = (),
    items: Sequence[str] = (),
    rules: dict[str, str] = ORIGINAL,
    hand: dict[str, int] | None = None,
    **more: Any,
) -> Game:
    crew = [
        {"room": "sea", "minutes": minutes, "items": hand or {}},
        *({"room": 1, "minutes": each} for each in others),
    ]
    return position(crew, rules, script=scripted(events, items=items), active=0, **more)


def met(events: Sequence[Wire]) -> list[int]:
    return [event["minute"] for event in told(events, "event_drawn")]


def last_of(events: Sequence[Wire], *kinds: str) -> list[str]:
    return [event["type"] for event in told(events, *kinds)]


@pytest.mark.parametrize(("rules", "icons"), [(ORIGINAL, [8, 6, 4, 2]), ({"edition": "revised"}, [])])
def test_all_minutes_are_spent_through_every_event_icon_in_the_original_edition_only(
    rules: dict[str, str], icons: list[int]
) -> None:
    game = outside(rules=rules)
    assert [move["cost"] for move in offered(game, LEAVE)] == [9]
    events = play(game, LEAVE)
    assert met(events) == icons
    assert gnome(game)["state"] == "abandoned"
    assert game.decider == 1


def test_the_gnome_is_gone_only_after_the_last_icon() -> None:
    events = play(outside(), LEAVE)
    kinds = last_of(events, "event_drawn", "time_keeper_moved", "gnome_abandoned", "turn_began")
    assert kinds == ["event_drawn"] * 4 + ["time_keeper_moved", "gnome_abandoned", "turn_began"]


def test_their_choices_in_those_updates_are_theirs_to_make() -> None:
    game = outside(events=["stumble", "blocked_hatch"], hand={"toolbox": 1, "crowbar": 1})
    play(game, LEAVE)
    position = game.position()
    assert (game.decider, position["phase"]) == (0, "discard")
    assert position["pending"] == {"hand_limit": 1, "began_at_sea": True, "abandoning": True}
    assert (gnome(game)["state"], gnome(game)["minutes"], position["ghost"]) == ("alive", 8, 0)
    play(game, {"type": "discard_item", "item": "toolbox"})
    assert (game.decider, game.position()["phase"]) == (0, "block_hatch")
    play(game, game.legal_moves()[0])
    assert gnome(game)["items"] == {"crowbar": 1}
    assert gnome(game)["state"] == "abandoned"


def test_there_is_a_wrap_up_and_a_charm_swallows_icons() -> None:
    game = outside(hand={"lucky_charm": 1})
    play(game, LEAVE)
    position = game.position()
    assert (position["phase"], position["pending"]) == ("wrap_up", {"began_at_sea": True, "abandoning": True})
    assert met(play(game, use("lucky_charm"))) == [2]


def test_no_faint_check_is_made_and_air_does_not_run_out() -> None:
    game = outside(hand={"grog": 1})
    assert game.position()["pending"] == {"began_at_sea": True}
    events = play(game, use("grog"), LEAVE)
    assert not told(events, "faint_checked", "gnome_died")
    assert gnome(game)["state"] == "abandoned"


def test_who_is_still_leaving_when_the_boat_sinks_has_won() -> None:
    game = outside(events=["descent"], tracks={"pressure": 9})
    events = play(game, LEAVE)
    assert last_of(events, "gnome_abandoned", "game_over") == ["gnome_abandoned", "game_over"]
    assert game.result == {"crew": "lost", "cause": "pressure", "seats": ["won", "lost", "lost"]}
    assert game.problems() == []
    assert Game.from_bytes(game.to_bytes()) == game
    assert Game.from_position(game.position()) == game


def test_a_token_passed_on_the_way_to_nought_is_the_end_of_the_others() -> None:
    game = outside(others=(2, 2), destruction={"crushed": 4})
    play(game, LEAVE)
    assert game.result == {"crew": "lost", "cause": "crushed", "seats": ["won", "lost", "lost"]}


@pytest.mark.parametrize("rules", [ORIGINAL, {"edition": "revised"}])
def test_who_left_has_lost_when_the_others_are_rescued(rules: dict[str, str]) -> None:
    game = outside(others=(0, 0), rules=rules)
    play(game, LEAVE)
    assert game.result == {"crew": "rescued", "cause": "rescued", "seats": ["lost", "won", "won"]}


def test_the_last_one_aboard_leaves_nobody() -> None:
    dead = [{"room": 1, "state": "dead"}] * 2
    game = position([{"room": "sea", "minutes": 3, "items": {}}, *dead], ORIGINAL, script=scripted())
    play(game, LEAVE)
    assert game.result == {"crew": "lost", "cause": "nobody_aboard", "seats": ["won", "lost", "lost"]}


def test_their_items_stay_out_of_play_and_a_comrade_moves_on() -> None:
    game = outside(hand={"toolbox": 1}, items=["coffee"], minutes=9)
    play(game, LEAVE)
    assert gnome(game)["items"] == {"toolbox": 1}
    assert "toolbox" not in game.position()["item_discard"]
    assert game.position()["pending"] == {}


@pytest.mark.parametrize(("edition", "cost"), [("revised", {3: 1, 6: 1, 9: 1}), ("original", {3: 0, 6: 0, 9: 1})])
def test_coming_back_in_costs_a_minute_or_in_the_original_edition_only_that_of_low_water(
    edition: str, cost: Wire
) -> None:
    for room, minutes in cost.items():
        game = position([{"room": "sea", "minutes": 40}], {"edition": edition}, rooms={"9": {"water": "low"}})
        play(game, {"type": "open_hatch", "to": room})
        assert offered(game, "enter")[0]["cost"] == minutes
        play(game, "enter")
        assert (gnome(game)["room"], game.position()["ghost"]) == (room, 39 - minutes)


@pytest.mark.parametrize("edition", ["revised", "original"])
def test_going_out_costs_two_minutes_in_both_editions(edition: str) -> None:
    game = position([{"room": 9, "minutes": 40, "items": {"aqualung": 1}}], {"edition": edition})
    play(game, use("aqualung"), {"type": "open_hatch", "to": "sea"}, "enter")
    assert game.position()["ghost"] == 38
