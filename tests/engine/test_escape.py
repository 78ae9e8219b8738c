"""A failed attempt to extinguish a fire: out through any hatch that will do, or death (§5, §9)."""

from collections.abc import Sequence
from typing import Any

import pytest

from engine import Game, IllegalMove
from tests.support.helpers import Wire, gnome, offered, play, position, scripted, told, use

EDITIONS = ["revised", "original"]
DRY: Wire = {}
LOW, HIGH, FIRE = {"water": "low"}, {"water": "high"}, {"fire": True}
ATTEMPT = {"type": "extinguish_fire", "minutes": 1}
LOST = 10  # the die of a failed attempt
ALL_OF_7 = ["5-7", "7-8", "7-9"]
ALL_OF_9 = ["7-9", "8-9", "9-10"]


def burning(
    room: int,
    neighbours: Any,
    left: int = 10,
    edition: str = "revised",
    items: dict[str, int] | None = None,
    blocked: Sequence[str] = (),
    card: str = "fire/-",
    **gnome: int,
) -> Game:
    """A gnome in a burning room who will fail, and the minutes that he'll have left then."""
    rooms = {str(other): inside for other, inside in neighbours.items()} | {str(room): FIRE}
    victim = {"room": room, "minutes": left + 1, "items": items or {}} | gnome
    crew = [victim, {"room": 1, "minutes": 1}, {"room": 1, "minutes": 1}]
    board = {"rooms": rooms, "blocked_hatches": list(blocked), "script": scripted([card], [LOST]), "active": 0}
    return position(crew, {"edition": edition}, **board)


def ways_out(game: Game, events: Sequence[Wire]) -> Any:
    """The hatches offered, or the only one, which is taken at once."""
    if game.position()["phase"] == "escape":
        return {move["to"] for move in offered(game, "open_hatch")}
    return {opened["to"] for opened in told(events, "hatch_opened")}


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(
    ("room", "neighbours", "blocked", "used", "left", "expected"),
    [
        (7, {}, [], None, 10, {5, 8, 9}),
        (7, {}, [], None, 1, {5, 8, 9}),
        (7, {5: LOW, 9: FIRE}, [], None, 10, {5, 8}),
        (7, {5: HIGH, 8: LOW, 9: FIRE}, [], None, 10, {5, 8}),
        (7, {5: HIGH, 9: LOW}, [], None, 2, {5, 8, 9}),
        (7, {5: HIGH, 9: LOW}, [], None, 1, {8}),
        (7, {5: HIGH, 8: HIGH, 9: FIRE}, [], None, 2, {5, 8}),
        (7, {}, ["5-7"], None, 10, {8, 9}),
        (7, {}, ["5-7", "7-9"], None, 10, {8}),
        (7, {5: FIRE, 8: FIRE, 9: HIGH}, [], None, 10, {9}),
        (7, {5: FIRE, 8: FIRE, 9: FIRE}, [], "grog", 10, {5, 8, 9}),
        (7, {5: FIRE, 8: FIRE, 9: FIRE}, [], "fire_extinguisher", 1, {5, 8, 9}),
        (9, {}, [], None, 10, {7, 8, 10}),
        (9, {}, [], "aqualung", 10, {7, 8, 10, "sea"}),
        (9, {}, [], "aqualung", 2, {7, 8, 10, "sea"}),
        (9, {}, [], "aqualung", 1, {7, 8, 10}),
        (9, {}, ALL_OF_9, "aqualung", 2, {"sea"}),
    ],
)
def test_a_gnome_flees_through_the_hatches_that_they_can_open_and_go_through(
    edition: str, room: int, neighbours: Wire, blocked: list[str], used: str | None, left: int, expected: Any
) -> None:
    game = burning(room, neighbours, left, edition, {used: 1} if used else {}, blocked)
    events = play(game, *([use(used)] if used else []), ATTEMPT)
    assert told(events, "action_failed")
    assert ways_out(game, events) == expected
    assert gnome(game)["state"] == "alive"


NO_WAY_OUT = [
    (7, {5: FIRE, 8: FIRE, 9: FIRE}, [], {}, 10),
    (7, {5: FIRE, 8: FIRE, 9: FIRE}, [], {"grog": 1}, 0),
    (7, {5: FIRE, 8: FIRE, 9: FIRE}, [], {"crowbar": 1, "aqualung": 1, "water_pump": 1}, 10),
    (7, {}, ALL_OF_7, {"crowbar": 1, "grog": 1}, 10),
    (7, {5: LOW, 8: LOW, 9: LOW}, [], {}, 1),
    (7, {5: LOW, 8: LOW, 9: FIRE}, [], {}, 1),
    (7, {5: HIGH, 8: HIGH, 9: HIGH}, ALL_OF_7, {}, 10),
    (7, {5: HIGH}, [], {}, 0),
    (7, {5: HIGH, 8: HIGH, 9: HIGH}, [], {}, 1),
    (7, {5: HIGH, 8: LOW, 9: FIRE}, [], {"crowbar": 1}, 1),
    (9, {}, ALL_OF_9, {}, 10),
    (9, {}, ALL_OF_9, {"aqualung": 1}, 1),
    (9, {}, ALL_OF_9, {"grog": 2, "fire_extinguisher": 1}, 10),
]


@pytest.mark.parametrize(("room", "neighbours", "blocked", "items", "left"), NO_WAY_OUT)
def test_with_no_way_out_even_by_the_items_in_hand_a_gnome_dies_at_once(
    room: int, neighbours: dict[int, Any], blocked: list[str], items: dict[str, int], left: int
) -> None:
    game = burning(room, neighbours, left, items=items, blocked=blocked)
    events = play(game, ATTEMPT)
    assert told(events, "gnome_died") == [{"type": "gnome_died", "seat": 0, "cause": "trapped", "room": room}]
    assert not told(events, "item_used", "hatch_opened", "event_drawn", "item_drawn", "time_keeper_moved")
    assert (gnome(game)["state"], gnome(game)["items"]) == ("dead", {})
    assert game.position()["item_discard"] == items
    assert game.decider in (1, 2)


@pytest.mark.parametrize(("room", "neighbours", "blocked", "items", "left"), NO_WAY_OUT)
def test_in_the_original_edition_he_dies_in_the_fire_at_the_updates(
    room: int, neighbours: dict[int, Any], blocked: list[str], items: dict[str, int], left: int
) -> None:
    game = burning(room, neighbours, left, "original", items, blocked)
    events = play(game, ATTEMPT)
    assert told(events, "gnome_died") == [{"type": "gnome_died", "seat": 0, "cause": "fire", "room": room}]
    assert not told(events, "item_used", "hatch_opened", "event_drawn", "item_drawn")
    assert gnome(game)["state"] == "dead"


@pytest.mark.parametrize(("edition", "lives_on"), [("revised", False), ("original", True)])
def test_only_in_the_original_edition_the_trapped_have_a_wrap_up_and_a_faint_check(
    edition: str, lives_on: bool
) -> None:
    hand = {"grog": 1, "coffee": 1}
    game = burning(7, {}, edition=edition, items=hand, blocked=ALL_OF_7, intoxication=3)
    events = play(game, use("grog"), ATTEMPT)
    assert (game.position()["phase"] == "wrap_up") == lives_on
    if lives_on:
        events += play(game, "done")
    kinds = [event["type"] for event in told(events, "faint_checked", "gnome_died")]
    assert kinds == (["faint_checked", "gnome_died"] if lives_on else ["gnome_died"])


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(
    ("room", "neighbours", "blocked", "item", "left", "to"),
    [
        (7, {5: FIRE}, ["7-8", "7-9"], "grog", 1, 5),
        (7, {5: FIRE}, ["7-8", "7-9"], "fire_extinguisher", 1, 5),
        (9, {}, ALL_OF_9, "aqualung", 2, "sea"),
    ],
)
def test_the_item_in_hand_that_opens_a_way_saves_and_must_be_used(
    edition: str, room: int, neighbours: Wire, blocked: list[str], item: str, left: int, to: int | str
) -> None:
    game = burning(room, neighbours, left, edition, {item: 1, "crowbar": 1}, blocked)
    play(game, ATTEMPT)
    assert game.position()["phase"] == "escape"
    assert {(move["type"], move["item"]) for move in game.legal_moves()} == {
        ("use_item", item),
        ("use_item", "crowbar"),
    }
    events = play(game, use("crowbar"))
    assert next(choice["move"] for choice in told(events, "choice") if choice["automatic"]) == use(item)
    assert [moved["to"] for moved in told(events, "gnome_moved")] == [to]


def test_an_item_used_during_the_escape_opens_more_hatches() -> None:
    game = burning(9, {7: FIRE}, items={"grog": 1, "aqualung": 1})
    play(game, ATTEMPT)
    assert {move["to"] for move in offered(game, "open_hatch")} == {8, 10}
    play(game, use("grog"))
    assert {move["to"] for move in offered(game, "open_hatch")} == {7, 8, 10}
    play(game, use("aqualung"))
    assert {move["to"] for move in offered(game, "open_hatch")} == {7, 8, 10, "sea"}


@pytest.mark.parametrize("edition", EDITIONS)
def test_there_is_no_staying_in_the_fire_and_no_second_action(edition: str) -> None:
    game = burning(7, {}, edition=edition, items={"crowbar": 1})
    play(game, ATTEMPT)
    assert {move["type"] for move in game.legal_moves()} == {"open_hatch", "use_item"}
    play(game, {"type": "open_hatch", "to": 8})
    assert {move["type"] for move in game.legal_moves()} == {"enter", "use_item"}
    for refused in ("stay", "done", "no_action"):
        with pytest.raises(IllegalMove):
            play(game, refused)


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(("inside", "minutes"), [(DRY, 2), (LOW, 3)])
def test_the_way_out_costs_the_minutes_of_an_ordinary_move(edition: str, inside: dict[str, str], minutes: int) -> None:
    game = burning(7, {8: inside}, 30, edition)
    play(game, ATTEMPT)
    events = play(game, {"type": "open_hatch", "to": 8})
    assert told(events, "gnome_moved") == [{"type": "gnome_moved", "seat": 0, "from": 7, "to": 8}]
    assert (gnome(game)["room"], gnome(game)["minutes"]) == (8, 31 - minutes)
    assert game.position()["rooms"]["7"]["fire"]


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("left", [2, 30])
def test_high_water_next_door_puts_the_fire_out_but_who_failed_must_leave_all_the_same(edition: str, left: int) -> None:
    """Two minutes in all: the hatch, and the low water behind it."""
    game = burning(7, {8: HIGH}, left, edition, {"crowbar": 1})
    play(game, ATTEMPT)
    events = play(game, {"type": "open_hatch", "to": 8})
    assert told(events, "fire_went_out") == [{"type": "fire_went_out", "room": 7}]
    assert {(move["type"], move["cost"]) for move in game.legal_moves()} == {("enter", 1), ("use_item", 0)}
    with pytest.raises(IllegalMove):
        play(game, "stay")
    play(game, "enter")
    assert (gnome(game)["state"], gnome(game)["room"], gnome(game)["minutes"]) == ("alive", 8, left - 2)
    after = game.position()["rooms"]
    assert (after["7"], after["8"]) == ({"water": "low", "fire": False},) * 2


@pytest.mark.parametrize(("edition", "death"), [("revised", "trapped"), ("original", "fire")])
def test_the_last_minute_opens_no_way_through_high_water(edition: str, death: str) -> None:
    game = burning(7, {8: HIGH}, 1, edition, blocked=["5-7", "7-9"])
    events = play(game, ATTEMPT)
    assert not told(events, "hatch_opened")
    assert [died["cause"] for died in told(events, "gnome_died")] == [death]


@pytest.mark.parametrize("edition", EDITIONS)
def test_he_may_flee_into_another_fire_and_die_there_at_the_updates(edition: str) -> None:
    game = burning(7, {5: FIRE}, edition=edition, items={"fire_extinguisher": 1})
    play(game, use("fire_extinguisher"), ATTEMPT)
    events = play(game, {"type": "open_hatch", "to": 5})
    assert told(events, "gnome_moved")[0]["to"] == 5
    assert told(events, "gnome_died") == [{"type": "gnome_died", "seat": 0, "cause": "fire", "room": 5}]


def test_who_fled_to_sea_lives_to_see_his_next_turn() -> None:
    game = burning(9, {}, items={"aqualung": 1}, blocked=ALL_OF_9)
    events = play(game, use("aqualung"), ATTEMPT)
    assert (gnome(game)["room"], gnome(game)["state"]) == ("sea", "alive")
    assert not told(events, "gnome_died")


def test_after_the_escape_the_turn_ends_as_any_other() -> None:
    game = burning(7, {}, 29, items={"grog": 1, "coffee": 1}, card="fire/1")
    play(game, use("grog"), ATTEMPT, {"type": "open_hatch", "to": 8}, "enter")
    assert (game.position()["phase"], game.position()["ghost"]) == ("wrap_up", 28)
    events = play(game, "done")
    assert told(events, "gnome_fainted") == [{"type": "gnome_fainted", "seat": 0, "ghost": 18}]
    assert (gnome(game)["minutes"], gnome(game)["room"]) == (18, 8)


def test_a_successful_attempt_needs_no_escape() -> None:
    game = burning(7, {}, 29, items={"grog": 3, "fire_extinguisher": 1})
    events = play(game, *[use("grog")] * 3, ATTEMPT)
    assert told(events, "action_succeeded")
    assert gnome(game)["room"] == 7


def test_the_last_gnome_trapped_ends_the_game() -> None:
    dead = [{"room": 1, "minutes": 20, "state": "dead"}] * 2
    board = {"rooms": {"6": FIRE, "5": FIRE}, "script": scripted(dice=[LOST])}
    game = position([{"room": 6, "minutes": 40}, *dead], **board)
    play(game, ATTEMPT)
    assert game.result == {"crew": "lost", "cause": "all_dead", "seats": ["lost"] * 3}
