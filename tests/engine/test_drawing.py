"""Drawing items in the Equipment Stores and the Captain's Cabin (§5)."""

from typing import Any

import pytest

from engine import Game
from tests.support.cards import ITEMS, SHUFFLED_ITEMS
from tests.support.helpers import Wire, gnome, offered, play, position, scripted, told, use, walk

STORES, CABIN = 8, 10
FAR = [{"room": 1, "minutes": 10}] * 2


def drawing(room: int, minutes: int = 40, water: str = "none", **more: Any) -> Game:
    drawer = {"room": room, "minutes": minutes} | more.pop("drawer", {})
    return position([drawer, *more.pop("others", FAR)], rooms={str(room): {"water": water}}, **more)


def draw(cards: int) -> Wire:
    return {"type": "draw_items", "cards": cards}


def cards_and_costs(game: Game) -> list[tuple[int, int]]:
    return [(move["cards"], move["cost"]) for move in offered(game, "draw_items")]


@pytest.mark.parametrize(
    ("room", "minutes", "water", "expected"),
    [
        (STORES, 40, "none", [(1, 1), (2, 2), (3, 3), (4, 4)]),
        (STORES, 40, "low", [(1, 3), (2, 4), (3, 5), (4, 6)]),
        (STORES, 40, "high", []),
        (STORES, 3, "none", [(1, 1), (2, 2), (3, 3)]),
        (STORES, 4, "low", [(1, 3), (2, 4)]),
        (STORES, 2, "low", []),
        (CABIN, 40, "none", [(1, 1), (2, 2)]),
        (CABIN, 40, "low", [(1, 3), (2, 4)]),
        (CABIN, 1, "none", [(1, 1)]),
        (CABIN, 40, "high", []),
    ],
)
def test_the_stores_give_four_cards_the_cabin_two_for_a_minute_each(
    room: int, minutes: int, water: str, expected: list[tuple[int, int]]
) -> None:
    assert cards_and_costs(drawing(room, minutes, water, active=0)) == expected


@pytest.mark.parametrize(("left", "cards"), [(6, [1, 2]), (2, [1, 2]), (1, [1]), (0, [])])
def test_the_cabin_gives_grog_while_the_stash_lasts(left: int, cards: list[int]) -> None:
    game = drawing(CABIN, captains_grog=left)
    assert [card for card, _ in cards_and_costs(game)] == cards


@pytest.mark.parametrize("cards", [1, 2])
def test_grog_from_the_cabin_comes_from_the_stash_and_not_from_the_deck(cards: int) -> None:
    game = drawing(CABIN, script=scripted(items=["coffee"]))
    deck = game.position()["item_deck"]
    events = play(game, draw(cards))
    after = game.position()
    grog = {"type": "item_drawn", "seat": 0, "item": "grog", "source": "captains_cabin"}
    assert told(events, "item_drawn") == [grog] * cards
    assert (after["captains_grog"], after["item_deck"]) == (6 - cards, deck)
    assert gnome(game)["items"] == {"grog": cards}
    assert gnome(game)["minutes"] == 40 - cards


def test_cards_from_the_stores_come_from_the_deck() -> None:
    game = drawing(STORES, script=scripted(items=["coffee", "crowbar", "crowbar"]))
    before = game.position()["item_deck"]
    events = play(game, draw(3))
    after = game.position()["item_deck"]
    assert [drawn["item"] for drawn in told(events, "item_drawn")] == ["coffee", "crowbar", "crowbar"]
    assert {drawn["source"] for drawn in told(events, "item_drawn")} == {"equipment_stores"}
    assert gnome(game)["items"] == {"coffee": 1, "crowbar": 2}
    assert (sum(before.values()) - sum(after.values()), after.get("coffee", 0)) == (3, 0)


@pytest.mark.parametrize(
    ("deck", "discards", "cards"),
    [
        ({}, {}, []),
        ({"crowbar": 1}, {}, [1]),
        ({}, {"crowbar": 2}, [1, 2]),
        ({"coffee": 1}, {"crowbar": 2}, [1, 2, 3]),
        ({"coffee": 1, "aqualung": 1}, {"crowbar": 2}, [1, 2, 3, 4]),
    ],
)
def test_no_more_cards_may_be_asked_for_than_deck_and_discards_hold(
    deck: Wire, discards: Wire, cards: list[int]
) -> None:
    left = {item: deck.get(item, 0) + discards.get(item, 0) for item in ITEMS}
    hoarder = {item: count - left[item] for item, count in SHUFFLED_ITEMS.items()}
    game = drawing(
        STORES,
        others=[{"room": 1, "minutes": 10, "items": hoarder}],
        item_deck=deck,
        item_discard=discards,
        script=scripted(),
    )
    assert [card for card, _ in cards_and_costs(game)] == cards
    if cards:
        play(game, draw(cards[-1]))
        assert sum(gnome(game)["items"].values()) == cards[-1]


def test_an_item_used_this_turn_lies_on_the_discards_and_may_be_drawn_again() -> None:
    hoarder = SHUFFLED_ITEMS | {"crowbar": 5}
    others = [{"room": 1, "minutes": 10, "items": hoarder}]
    game = drawing(STORES, drawer={"items": {"crowbar": 1}}, others=others, item_deck={}, script=scripted())
    assert cards_and_costs(game) == []
    play(game, use("crowbar"))
    assert cards_and_costs(game) == [(1, 1)]
    events = play(game, draw(1))
    assert told(events, "deck_reshuffled")[0]["deck"] == "items"
    assert gnome(game)["items"] == {"crowbar": 1}


@pytest.mark.parametrize("room", [STORES, CABIN])
def test_who_has_drawn_may_not_draw_there_again_before_an_action_elsewhere(room: int) -> None:
    game = drawing(room, script=scripted())
    play(game, draw(1))
    assert gnome(game)["drew_items_in"] == room
    assert cards_and_costs(game) == []
    play(game, "no_action")
    assert cards_and_costs(game) == []
    play(game, *walk(9, room))
    assert cards_and_costs(game) == []
    play(game, "no_action", *walk(9), "no_action")
    assert gnome(game)["drew_items_in"] is None
    play(game, *walk(room))
    assert cards_and_costs(game)


def test_drawing_in_one_room_is_an_action_in_another_room_for_the_other() -> None:
    game = drawing(STORES, script=scripted())
    play(game, draw(1), *walk(CABIN))
    assert cards_and_costs(game) == [(1, 1), (2, 2)]
    play(game, draw(2))
    assert gnome(game)["drew_items_in"] == CABIN
    play(game, *walk(STORES), draw(1), *walk(CABIN))
    assert cards_and_costs(game) == [(1, 1), (2, 2)]


@pytest.mark.parametrize(
    ("room", "inside", "move"),
    [
        (7, {}, {"type": "stop_missile_launch", "minutes": 1}),
        (7, {"water": "low"}, {"type": "pump_water", "minutes": 1}),
        (7, {"water": "high"}, {"type": "no_action"}),
        (7, {"fire": True}, {"type": "extinguish_fire", "minutes": 1}),
        ("sea", None, {"type": "no_action"}),
        ("sea", None, {"type": "kill_kraken", "minutes": 1}),
    ],
)
@pytest.mark.parametrize("drew", [STORES, CABIN])
def test_any_action_in_another_room_even_a_failed_one_and_at_sea_lets_a_gnome_draw_again(
    drew: int, room: int | str, inside: Wire | None, move: Wire
) -> None:
    rooms = {str(room): inside} if inside else {}
    more: Wire = {"rooms": rooms, "blocked_hatches": ["5-7", "7-9"], "script": scripted(dice=[10])}
    game = position(
        [{"room": room, "minutes": 40, "drew_items_in": drew}, *FAR], pending={"began_at_sea": False}, **more
    )
    play(game, move)
    assert gnome(game)["drew_items_in"] is None


@pytest.mark.parametrize("drew", [STORES, CABIN])
def test_an_action_in_the_same_room_does_not_let_a_gnome_draw_again(drew: int) -> None:
    game = drawing(drew, water="low", drawer={"drew_items_in": drew}, script=scripted(dice=[10]))
    play(game, {"type": "pump_water", "minutes": 1})
    assert gnome(game)["drew_items_in"] == drew
    assert cards_and_costs(game) == []
