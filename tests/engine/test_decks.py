"""Decks, discards and reshuffles (§6)."""

from collections.abc import Sequence
from typing import Any, cast

from engine import Game
from tests.support.cards import EVENTS, FIRST_DECK, SHUFFLED_ITEMS
from tests.support.helpers import Wire, gnome, play, position, scripted, told

DRINK = {"type": "use_item", "item": "grog"}
LAST = "respite/1"
MEETS_TWO_EVENTS = {"type": "fix_reactor", "minutes": 4}


def reshuffles(events: Sequence[Wire]) -> list[tuple[str, bool]]:
    return [(event["deck"], event["kraken_joins"]) for event in told(events, "deck_reshuffled")]


def pile(game: Game, kind: str) -> dict[str, int]:
    """All event or item cards of deck and discards."""
    view = game.view()
    deck, discard = cast(Wire, view)[f"{kind}_deck"], cast(Wire, view)[f"{kind}_discard"]
    return {card: deck.get(card, 0) + discard.get(card, 0) for card in {*deck, *discard}}


def hoarded(deck: Sequence[str] = (), discard: Sequence[str] = (), **facts: Any) -> Game:
    """Gnome 0 with an item icon ahead; what is in neither pile nor his hand is in gnome 2's."""
    held = facts.setdefault("items", {})
    piles = [*deck, *discard]
    hoard = {item: copies - piles.count(item) - held.get(item, 0) for item, copies in SHUFFLED_ITEMS.items()}
    return position(
        [{"room": 8, "minutes": 41} | facts, {}, {"items": hoard}],
        item_deck={item: deck.count(item) for item in deck},
        item_discard={item: discard.count(item) for item in discard},
        script=scripted(),
    )


def test_a_drawn_event_goes_from_the_deck_to_the_discards() -> None:
    game = position([{"minutes": 58}], event_deck={LAST: 1, "descent/1": 1}, script={"events": ["descent/1"]})
    before = game.view()["event_discard"]
    play(game, "no_action")
    assert game.view()["event_deck"] == {LAST: 1}
    assert game.view()["event_discard"] == before | {"descent/1": 1}


def test_an_event_lies_on_the_discards_while_its_choice_is_made() -> None:
    game = position([{"minutes": 58}], script={"events": ["blocked_hatch/4"], "dice": [5]})
    play(game, "no_action")
    assert game.view()["phase"] == "block_hatch"
    assert game.view()["event_discard"] == {"blocked_hatch/4": 1}


def test_the_last_card_of_the_deck_needs_no_reshuffle() -> None:
    game = position([{"minutes": 58}], event_deck={LAST: 1})
    events = play(game, "no_action")
    assert [event["card"] for event in told(events, "event_drawn")] == [LAST]
    assert reshuffles(events) == []
    assert game.view()["event_deck"] == {}


def test_the_next_card_brings_back_all_that_were_drawn_and_the_kraken() -> None:
    game = position([{"room": 4, "minutes": 46}], event_deck={LAST: 1}, script={"dice": [10]})
    events = play(game, MEETS_TWO_EVENTS)
    assert [event["type"] for event in told(events, "event_drawn", "deck_reshuffled")] == [
        "event_drawn",
        "deck_reshuffled",
        "event_drawn",
    ]
    assert reshuffles(events) == [("events", True)]
    assert pile(game, "event") == EVENTS
    assert sum(game.view()["event_discard"].values()) == 1


def test_until_then_the_kraken_is_in_neither_pile() -> None:
    assert pile(position(event_deck={}), "event") == FIRST_DECK


def test_the_kraken_joins_only_once() -> None:
    game = position([{"minutes": 58}], event_deck={}, event_discard=EVENTS)
    assert reshuffles(play(game, "no_action")) == [("events", False)]
    assert pile(game, "event") == EVENTS


def test_a_faint_check_reshuffles_too() -> None:
    game = position([{"minutes": 59, "items": {"grog": 1}}], event_deck={})
    events = play(game, DRINK, "no_action")
    assert [event["type"] for event in told(events, "deck_reshuffled", "faint_checked")] == [
        "deck_reshuffled",
        "faint_checked",
    ]
    assert reshuffles(events) == [("events", True)]


def test_items_come_from_the_deck_while_there_are_any() -> None:
    game = hoarded(deck=["coffee"], discard=["toolbox"])
    assert reshuffles(play(game, "no_action")) == []
    assert gnome(game)["items"] == {"coffee": 1}


def test_an_empty_item_deck_is_made_of_the_discards() -> None:
    game = hoarded(discard=["toolbox", "toolbox", "toolbox"])
    assert reshuffles(play(game, "no_action")) == [("items", False)]
    assert gnome(game)["items"] == {"toolbox": 1}
    assert (game.view()["item_deck"], game.view()["item_discard"]) == ({"toolbox": 2}, {})


def test_used_grogs_go_into_the_deck_and_not_back_to_the_captains_stash() -> None:
    game = hoarded(discard=["grog", "grog"])
    play(game, "no_action")
    assert gnome(game)["items"] == game.view()["item_deck"] == {"grog": 1}
    assert game.view()["captains_grog"] == 6


def test_an_item_icon_gives_nothing_when_deck_and_discards_are_empty() -> None:
    game = hoarded()
    events = play(game, "no_action")
    assert not told(events, "item_drawn", "deck_reshuffled")
    assert gnome(game)["items"] == {}
    assert gnome(game)["minutes"] == 40


def test_a_draw_goes_on_through_a_reshuffle() -> None:
    game = hoarded(["coffee"], ["toolbox", "harpoon"], minutes=60)
    events = play(game, {"type": "draw_items", "cards": 3}, "done")
    assert reshuffles(events) == [("items", False)]
    assert told(events, "item_drawn")[0]["item"] == "coffee"
    assert gnome(game)["items"] == {"coffee": 1, "toolbox": 1, "harpoon": 1}
