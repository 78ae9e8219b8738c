"""The movement phase (§4): hatches, reflow, entering, the sea, and what it costs."""

from typing import Any

import pytest

from engine import Game, IllegalMove
from tests.support.helpers import Wire, gnome, offered, play, position, result_of, scripted, told, use

SEA = "sea"
NEIGHBOURS: dict[int | str, set[Any]] = {
    1: {2, 3},
    2: {1, 3, 4, 5},
    3: {1, 2, 4, SEA},
    4: {2, 3, 5},
    5: {2, 4, 6, 7, 8},
    6: {5, SEA},
    7: {5, 8, 9},
    8: {5, 7, 9, 10},
    9: {7, 8, 10, SEA},
    10: {8, 9},
    SEA: {3, 6, 9},
}
EDITIONS = ["revised", "original"]
HATCHES = sorted({(a, b) for a in NEIGHBOURS for b in NEIGHBOURS[a] if SEA not in (a, b) and a < b})
DRY: Wire = {}
LOW, HIGH, FIRE = {"water": "low"}, {"water": "high"}, {"fire": True}


def beside(
    own: Wire, other: Wire, items: Wire | None = None, edition: str = "revised", minutes: int = 40, **more: Any
) -> Game:
    """A gnome in room 7, its water and fire and those of room 5."""
    mover = {"room": 7, "minutes": minutes, "items": items or {}}
    rooms = {"7": own, "5": other}
    return position([mover, {"room": 4, "minutes": 0}], {"edition": edition}, rooms=rooms, script=scripted(), **more)


def open_hatch(to: int | str) -> Wire:
    return {"type": "open_hatch", "to": to}


def water_and_fire(game: Game, *rooms: int) -> list[tuple[str, bool]]:
    found = [game.position()["rooms"][str(room)] for room in rooms]
    return [(room["water"], room["fire"]) for room in found]


def may_enter(game: Game) -> bool:
    return bool(offered(game, "enter"))


def ghost(game: Game) -> int:
    return game.position()["ghost"]


@pytest.mark.parametrize(("room", "neighbours"), NEIGHBOURS.items())
def test_a_gnome_may_open_the_hatches_of_his_own_space_for_a_minute_each(room: int | str, neighbours: Any) -> None:
    moves = offered(position([{"room": room, "minutes": 40}]), "open_hatch")
    assert {move["to"] for move in moves} == neighbours
    assert [move["cost"] for move in moves] == [1] * len(neighbours)


def test_there_are_fifteen_interior_hatches() -> None:
    assert len(HATCHES) == 15


@pytest.mark.parametrize("hatch", HATCHES)
def test_a_blocked_hatch_opens_from_neither_side_and_blocks_no_other(hatch: tuple[int, int]) -> None:
    for room, other in (hatch, hatch[::-1]):
        game = position([{"room": room, "minutes": 40}], blocked_hatches=["-".join(map(str, hatch))])
        assert {move["to"] for move in offered(game, "open_hatch")} == NEIGHBOURS[room] - {other}
        with pytest.raises(IllegalMove):
            play(game, open_hatch(other))


def test_a_gnome_may_open_hatches_in_a_burning_room() -> None:
    assert {move["to"] for move in offered(beside(FIRE, DRY), "open_hatch")} == NEIGHBOURS[7]


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(
    ("own", "other", "own_after", "other_after"),
    [
        (HIGH, DRY, ("low", False), ("low", False)),
        (DRY, HIGH, ("low", False), ("low", False)),
        (HIGH, FIRE, ("low", False), ("low", False)),
        (FIRE, HIGH, ("low", False), ("low", False)),
        (HIGH, HIGH, ("high", False), ("high", False)),
        (LOW, DRY, ("low", False), ("none", False)),
        (DRY, LOW, ("none", False), ("low", False)),
        (LOW, LOW, ("low", False), ("low", False)),
        (LOW, FIRE, ("low", False), ("none", True)),
        (FIRE, LOW, ("none", True), ("low", False)),
        (DRY, FIRE, ("none", False), ("none", True)),
    ],
)
def test_only_high_water_flows_and_only_into_a_dry_room(
    edition: str, own: Wire, other: Wire, own_after: tuple[str, bool], other_after: tuple[str, bool]
) -> None:
    game = beside(own, other, edition=edition)
    events = play(game, open_hatch(5))
    assert water_and_fire(game, 7, 5) == [own_after, other_after]
    flowed = {own_after[0], other_after[0]} == {"low"} and HIGH in (own, other)
    assert len(told(events, "water_reflowed")) == flowed
    assert len(told(events, "fire_went_out")) == (flowed and FIRE in (own, other))
    assert ghost(game) == 39


@pytest.mark.parametrize(
    ("edition", "own_after", "flows"), [("revised", ("low", False), 1), ("original", ("high", False), 0)]
)
def test_opened_from_high_water_onto_low_water_both_are_low_but_not_in_the_original_edition(
    edition: str, own_after: tuple[str, bool], flows: int
) -> None:
    game = beside(HIGH, LOW, edition=edition)
    events = play(game, open_hatch(5))
    assert water_and_fire(game, 7, 5) == [own_after, ("low", False)]
    assert told(events, "water_reflowed") == [{"type": "water_reflowed", "room": 7, "to": 5}] * flows
    assert {move["type"]: move["cost"] for move in game.legal_moves()} == {"enter": 1, "stay": 0}
    play(game, "stay")
    assert {move["type"] for move in game.legal_moves()} >= ({"pump_water"} if flows else {"no_action"})
    assert bool(offered(game, "pump_water")) == bool(flows)


def test_a_gnome_trapped_in_high_water_among_low_rooms_can_save_themselves() -> None:
    rooms = {"7": HIGH, "5": LOW, "8": LOW, "9": LOW}
    game = position([{"room": 7, "minutes": 40}], rooms=rooms, script=scripted())
    events = play(game, open_hatch(8), "stay", "no_action")
    assert not told(events, "gnome_died")
    assert (gnome(game)["state"], water_and_fire(game, 7, 8)) == ("alive", [("low", False)] * 2)


def test_low_water_keeps_the_hatch_to_high_water_shut_until_the_gnome_has_pumped() -> None:
    game = beside(LOW, HIGH)
    assert {move["to"] for move in offered(game, "open_hatch")} == {8, 9}
    play(game, {"type": "pump_water", "minutes": 10})
    assert {move["to"] for move in offered(game, "open_hatch")} == {5, 8, 9}
    play(game, open_hatch(5))
    assert water_and_fire(game, 7, 5) == [("low", False), ("low", False)]


def test_in_the_original_edition_a_hatch_opens_from_low_to_high_water_and_nothing_flows() -> None:
    game = beside(LOW, HIGH, edition="original")
    events = play(game, open_hatch(5))
    assert water_and_fire(game, 7, 5) == [("low", False), ("high", False)]
    assert told(events, "choice")[-1] == {"type": "choice", "seat": 0, "move": {"type": "stay"}, "automatic": True}
    assert (gnome(game)["room"], ghost(game)) == (7, 39)


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(
    ("own", "other", "used", "cost"),
    [
        (DRY, DRY, None, 0),
        (LOW, DRY, None, 0),
        (FIRE, DRY, None, 0),
        (DRY, LOW, None, 1),
        (LOW, LOW, None, 1),
        (DRY, HIGH, None, 1),
        (HIGH, DRY, None, 1),
        (HIGH, LOW, None, 1),
        (HIGH, HIGH, None, None),
        (DRY, FIRE, None, None),
        (DRY, FIRE, "water_pump", None),
        (DRY, FIRE, "aqualung", None),
        (DRY, FIRE, "grog", 0),
        (DRY, FIRE, "fire_extinguisher", 0),
        (FIRE, FIRE, "grog", 0),
        (HIGH, FIRE, None, 1),
        (HIGH, HIGH, "aqualung", None),
    ],
)
def test_entering_costs_a_minute_in_low_water_and_needs_gear_for_fire(
    edition: str, own: Wire, other: Wire, used: str | None, cost: int | None
) -> None:
    game = beside(own, other, {used: 1} if used else {}, edition)
    play(game, *([use(used)] if used else []), open_hatch(5))
    if cost is None:
        assert (game.position()["phase"], gnome(game)["room"], ghost(game)) == ("movement", 7, 39)
        return
    assert [move["cost"] for move in offered(game, "enter")] == [cost]
    play(game, "enter")
    assert (gnome(game)["room"], ghost(game)) == (5, 39 - cost)


@pytest.mark.parametrize("gear", ["grog", "fire_extinguisher"])
def test_gear_may_be_used_behind_the_open_hatch_to_a_burning_room(gear: str) -> None:
    game = beside(DRY, FIRE, {gear: 1})
    play(game, open_hatch(5))
    assert not may_enter(game)
    assert {move["type"] for move in game.legal_moves()} == {"stay", "use_item"}
    play(game, use(gear))
    assert may_enter(game)
    play(game, "enter")
    assert (gnome(game)["room"], ghost(game)) == (5, 39)


def test_gear_used_last_turn_opens_no_fire() -> None:
    game = beside(DRY, FIRE, {"fire_extinguisher": 1})
    play(game, use("fire_extinguisher"), "no_action", open_hatch(5))
    assert (game.position()["phase"], gnome(game)["room"]) == ("movement", 7)


def test_who_stays_has_spent_the_minute_and_may_open_the_same_hatch_again() -> None:
    game = beside(DRY, DRY)
    play(game, open_hatch(5))
    assert offered(game, "stay") == [{"type": "stay", "cost": 0}]
    events = play(game, "stay")
    assert not told(events, "gnome_moved", "minutes_spent")
    play(game, open_hatch(5), "enter")
    assert (gnome(game)["room"], ghost(game)) == (5, 38)


def test_moves_go_on_room_after_room_and_an_action_ends_them() -> None:
    game = position([{"room": 10, "minutes": 40}], script=scripted())
    for room in (9, 7, 5, 4, 3, 1):
        play(game, open_hatch(room), "enter")
    assert (gnome(game)["room"], ghost(game)) == (1, 34)
    play(game, {"type": "fix_engine", "minutes": 2})
    assert gnome(game)["minutes"] == 32


def test_opening_a_hatch_twice_lets_water_pass_through_room_by_room() -> None:
    game = position([{"room": 7, "minutes": 40}], rooms={"5": HIGH})
    play(game, open_hatch(5), "stay", open_hatch(8), "enter")
    assert water_and_fire(game, 5, 7, 8) == [("low", False), ("low", False), ("none", False)]


def alone(room: int, minutes: int, items: dict[str, int] | None = None, **more: Any) -> Game:
    """The only gnome with minutes left: the game ends with his turn."""
    done = [{"room": 4, "minutes": 0}, {"room": 4, "minutes": 0}]
    return position([{"room": room, "minutes": minutes, "items": items or {}}, *done], script=scripted(), **more)


@pytest.mark.parametrize(
    ("minutes", "other", "cost"), [(1, DRY, 0), (1, LOW, None), (1, HIGH, None), (2, LOW, 1), (2, HIGH, 1)]
)
def test_entering_may_not_cost_more_minutes_than_are_left(
    minutes: int, other: dict[str, str], cost: int | None
) -> None:
    game = alone(7, minutes, {"crowbar": 1}, rooms={"5": other})
    play(game, open_hatch(5))
    assert [move["cost"] for move in offered(game, "enter")] == ([] if cost is None else [cost])


def test_the_last_minute_of_movement_leaves_none_for_an_action() -> None:
    game = alone(7, 1)
    events = play(game, open_hatch(5), "enter")
    assert not told(events, "die_rolled", "action_succeeded", "action_failed")
    assert result_of(game)["cause"] == "rescued"


@pytest.mark.parametrize("item", ["coffee", "lucky_charm"])
def test_after_the_last_minute_of_movement_there_is_still_the_wrap_up(item: str) -> None:
    game = alone(7, 1, {item: 1, "crowbar": 1})
    play(game, open_hatch(5), "enter")
    assert game.position()["phase"] == "wrap_up"
    assert {move.get("item") for move in game.legal_moves()} == {item, None}


def test_a_burning_room_entered_with_the_last_minute_kills() -> None:
    game = position([{"room": 7, "minutes": 1, "items": {"fire_extinguisher": 1}}], rooms={"5": FIRE}, active=0)
    events = play(game, use("fire_extinguisher"), open_hatch(5), "enter")
    assert told(events, "gnome_died") == [{"type": "gnome_died", "seat": 0, "cause": "fire", "room": 5}]


def outside(items: dict[str, int] | None = None, minutes: int = 40, **more: Any) -> Game:
    return position([{"room": SEA, "minutes": minutes, "items": items or {}}], script=scripted(), **more)


@pytest.mark.parametrize("inside", [DRY, LOW, HIGH, FIRE])
@pytest.mark.parametrize("room", [3, 6, 9])
def test_an_aqualung_lets_a_gnome_out_for_a_minute_on_top_of_the_opening(room: int, inside: Wire) -> None:
    game = position([{"room": room, "minutes": 40, "items": {"aqualung": 1}}], rooms={str(room): inside})
    play(game, use("aqualung"), open_hatch(SEA))
    assert [move["cost"] for move in offered(game, "enter")] == [1]
    events = play(game, "enter")
    assert (gnome(game)["room"], ghost(game)) == (SEA, 38)
    assert told(events, "gnome_moved") == [{"type": "gnome_moved", "seat": 0, "from": room, "to": SEA}]


def test_an_aqualung_may_be_used_behind_the_open_exterior_hatch() -> None:
    game = position([{"room": 6, "minutes": 40, "items": {"aqualung": 1}}])
    play(game, open_hatch(SEA))
    assert not may_enter(game)
    play(game, use("aqualung"), "enter")
    assert gnome(game)["room"] == SEA


def test_opening_an_exterior_hatch_without_an_aqualung_is_allowed_and_pointless() -> None:
    game = position([{"room": 6, "minutes": 40}])
    events = play(game, open_hatch(SEA))
    assert told(events, "choice")[-1]["automatic"]
    assert (gnome(game)["room"], ghost(game)) == (6, 39)


def test_with_one_minute_left_there_is_no_way_out_to_sea() -> None:
    game = alone(6, 1, {"aqualung": 1})
    play(game, use("aqualung"), open_hatch(SEA))
    assert (result_of(game)["cause"], gnome(game)["room"]) == ("rescued", 6)


@pytest.mark.parametrize("water", [HIGH, LOW, DRY])
@pytest.mark.parametrize("room", [3, 6, 9])
def test_no_water_passes_an_exterior_hatch(room: int, water: dict[str, str]) -> None:
    items = {"aqualung": 1}
    out = position([{"room": room, "minutes": 40, "items": items}], rooms={str(room): water})
    back = outside(items, rooms={str(room): water})
    for game, to in ((out, SEA), (back, room)):
        before = water_and_fire(game, room)
        assert not told(play(game, open_hatch(to)), "water_reflowed")
        assert water_and_fire(game, room) == before


@pytest.mark.parametrize("room", [3, 6, 9])
@pytest.mark.parametrize(
    ("inside", "used", "enters"),
    [
        (DRY, None, True),
        (LOW, None, True),
        (HIGH, None, False),
        (FIRE, None, False),
        (FIRE, "grog", True),
        (FIRE, "fire_extinguisher", True),
    ],
)
def test_back_in_costs_always_a_minute_on_top_of_the_opening(
    room: int, inside: Wire, used: str | None, enters: bool
) -> None:
    game = outside({used: 1} if used else {}, rooms={str(room): inside})
    play(game, *([use(used)] if used else []), open_hatch(room))
    if enters:
        assert [move["cost"] for move in offered(game, "enter")] == [1]
        play(game, "enter")
    assert (gnome(game)["room"], ghost(game)) == ((room, 38) if enters else (SEA, 39))


def test_out_and_in_again_by_another_hatch_serves_as_a_way_round() -> None:
    game = position([{"room": 9, "minutes": 40, "items": {"aqualung": 1}}])
    play(game, use("aqualung"), open_hatch(SEA), "enter", open_hatch(3), "enter")
    assert (gnome(game)["room"], ghost(game)) == (3, 36)


def test_one_aqualung_serves_the_whole_turn() -> None:
    game = position([{"room": 9, "minutes": 40, "items": {"aqualung": 1}}])
    play(game, use("aqualung"), open_hatch(SEA), "enter", open_hatch(6), "enter", open_hatch(SEA), "enter")
    assert (gnome(game)["room"], ghost(game)) == (SEA, 34)


def test_who_began_outside_needs_an_aqualung_to_go_out_again() -> None:
    game = outside()
    play(game, open_hatch(3), "enter", open_hatch(SEA))
    assert (gnome(game)["room"], game.position()["phase"]) == (3, "movement")
