"""The Faint Check (§6)."""

from typing import Any

import pytest

from engine import Game
from tests.support.helpers import gnome, play, position, scripted, told

DRINK = {"type": "use_item", "item": "grog"}
SIP = {"type": "use_item", "item": "coffee"}


def drinker(card: str, **facts: Any) -> Game:
    """A gnome in room 7 with a grog; a Faint Check would turn this card."""
    return position([{"room": 7, "minutes": 59, "items": {"grog": 1}} | facts], script=scripted(events=[card]))


def test_who_used_no_grog_needs_no_faint_check() -> None:
    events = play(drinker("respite/1", intoxication=4), "no_action")
    assert not told(events, "faint_checked", "gnome_fainted")


@pytest.mark.parametrize("before", range(5))
@pytest.mark.parametrize("card", ["respite/1", "respite/2", "respite/3", "respite/4", "fire/-"])
def test_a_gnome_faints_when_the_number_is_not_above_his_intoxication(card: str, before: int) -> None:
    level = min(before + 1, 4)
    number = card[-1]
    game = drinker(card, intoxication=before)
    events = play(game, DRINK, "no_action")
    assert told(events, "faint_checked") == [
        {"type": "faint_checked", "seat": 0, "card": card, "intoxication": level},
    ]
    assert bool(told(events, "gnome_fainted")) == (number != "-" and int(number) <= level)
    assert gnome(game)["intoxication"] == level


def test_last_turns_grog_needs_no_second_check() -> None:
    game = drinker("respite/4")
    assert told(play(game, DRINK, "no_action"), "faint_checked")
    assert not told(play(game, "no_action"), "faint_checked")


def test_coffee_after_grog_sobers_but_the_check_is_made() -> None:
    events = play(drinker("respite/1", items={"grog": 1, "coffee": 1}), DRINK, SIP, "no_action")
    assert [check["intoxication"] for check in told(events, "faint_checked")] == [0]
    assert not told(events, "gnome_fainted")


@pytest.mark.parametrize(("minutes", "arrival"), [(59, 48), (30, 19), (12, 1), (11, 0), (6, 0)])
def test_fainting_costs_ten_minutes_but_never_more_than_there_are(minutes: int, arrival: int) -> None:
    game = position(
        [{"room": 7, "minutes": minutes, "items": {"grog": 1}}, {"minutes": 3}, {"minutes": 2}],
        script=scripted(events=["respite/1"]),
    )
    events = play(game, DRINK, "no_action")
    assert told(events, "gnome_fainted") == [{"type": "gnome_fainted", "seat": 0, "ghost": arrival}]
    assert gnome(game)["minutes"] == arrival


def test_a_fainted_gnome_lies_where_he_fainted_until_his_next_turn() -> None:
    game = position([{"room": 7, "minutes": 24, "items": {"grog": 1}}], script=scripted(events=["respite/1"]))
    play(game, DRINK, "no_action")
    assert (gnome(game)["state"], gnome(game)["room"]) == ("fainted", 7)
    assert game.decider != 0


def test_the_event_on_the_card_is_ignored_and_discarded() -> None:
    game = drinker("reactor_malfunction/4")
    events = play(game, DRINK, "no_action")
    view = game.view()
    assert view["tracks"]["heat"] == 1
    assert view["event_discard"] == {"reactor_malfunction/4": 1}
    assert not told(events, "event_drawn")


def test_who_faints_at_sea_dies_and_nothing_more_is_resolved() -> None:
    game = position(
        [{"room": 3, "minutes": 58, "items": {"grog": 1, "aqualung": 1, "crowbar": 1}}],
        script=scripted(events=["respite/1"]),
    )
    play(game, {"type": "use_item", "item": "aqualung"}, DRINK, {"type": "open_hatch", "to": "sea"}, "enter")
    events = play(game, "no_action")
    assert [death["cause"] for death in told(events, "gnome_died")] == ["fainted_outside"]
    assert not told(events, "event_drawn", "item_drawn")
    view = game.view()
    assert (view["gnomes"][0]["state"], view["gnomes"][0]["items"]) == ("dead", {})
    assert view["item_discard"] == {"grog": 1, "aqualung": 1, "crowbar": 1}
    assert view["active"] != 0


def test_who_abandons_makes_no_faint_check_and_meets_no_event() -> None:
    game = position([{"room": "sea", "minutes": 9, "items": {"grog": 1}}, {"minutes": 5}, {"minutes": 5}])
    events = play(game, DRINK, "abandon_comrades")
    assert not told(events, "faint_checked", "event_drawn", "item_drawn")
