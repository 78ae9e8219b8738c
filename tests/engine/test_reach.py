"""Where a gnome can get to: every way is legal and comes to what is told, none is quicker, and nothing hidden shows."""

import heapq
import random
from collections.abc import Iterator
from typing import Any

import pytest

from engine import Game, observe
from engine.reach import reach
from engine.shapes import Event, Way
from tests.engine.test_preview import happened_in_order
from tests.support.helpers import Wire, decider_of, gnome, play, position, use
from tests.support.playing import VARIANTS, bare, stories, variant_name

ON_THE_MOVE = ("movement", "hatch", "escape", "escape_hatch")
NO_ACTIONS = ("open_hatch", "enter", "stay", "use_item")
FIRE_GEAR = ("fire_extinguisher", "grog")
LOW, HIGH, FIRE = {"water": "low"}, {"water": "high"}, {"fire": True}
TRIED = 14  # positions of each variant


def positions(variant: int, tried: int = TRIED) -> Iterator[Game]:
    """Some positions of a variant's games in which somebody is on the move, half of them in the middle of a turn."""
    games = [game for story in stories(variant) for game in story.games if phase(game) in ON_THE_MOVE]
    chance = random.Random(variant)
    wild = [game for game in games if phase(game) != "movement"]
    yield from chance.sample(games, tried // 2)
    yield from chance.sample(wild, tried // 2)


def phase(game: Game) -> str:
    return game.view()["phase"]


def ways(game: Game, room: int | str) -> list[Way]:
    """The ways into a room; none if it can't be reached."""
    return next((told["ways"] for told in reach(game) if told["room"] == room), [])


def acts(game: Game) -> list[Wire]:
    return [dict(move) for move in game.legal_moves() if move["type"] not in NO_ACTIONS]


@pytest.mark.parametrize("variant", range(len(VARIANTS)), ids=lambda number: variant_name(VARIANTS[number]))
def test_every_way_is_legal_and_comes_to_what_is_told(variant: int) -> None:
    for game in positions(variant):
        seat = decider_of(game)
        for told in reach(observe(game, seat)):
            for way in told["ways"]:
                check_way(game.copy(), seat, told["room"], way)


def check_way(game: Game, seat: int, room: int | str, way: Way) -> None:
    """Play a way, and find at its end what it told."""
    left, turn, events = game.view()["ghost"], game.view()["turn"], []
    for number, move in enumerate(way["moves"]):
        assert game.decider == seat
        legal = {tuple(bare(each).items()): each["cost"] for each in game.legal_moves()}
        assert legal[tuple(bare(move).items())] == move["cost"]
        last = number == len(way["moves"]) - 1
        events += game.play(move)
        assert last or (game.decider == seat and game.view()["turn"] == turn)
    assert happened_in_order(way["certain"], events)
    spent = sum(event["minutes"] for event in own(events, seat, "minutes_spent"))
    assert spent == way["minutes"] == left - way["ghost"]
    assert way["minutes"] - 1 <= sum(move["cost"] for move in way["moves"]) <= way["minutes"]
    assert [move["item"] for move in way["moves"] if move["type"] == "use_item"] == way["items"]
    if way["ends_turn"]:
        assert way["actions"] == []
        arrived = [event["to"] for event in own(events, seat, "gnome_moved")]
        assert room in arrived or gnome(game, seat)["room"] == room
        return
    assert (gnome(game, seat)["room"], game.view()["ghost"], phase(game)) == (room, way["ghost"], "movement")
    check_actions(game, way)


def check_actions(game: Game, way: Way) -> None:
    """Every legal action is told, no other, with what previews tell of it and what items would add."""
    options = [option for action in way["actions"] for option in action["options"]]
    key = lambda move: sorted(map(str, move.items()))  # noqa: E731
    assert sorted((dict(option["move"]) for option in options), key=key) == sorted(acts(game), key=key)
    for action in way["actions"]:
        option = action["options"][0]
        foretold = game.preview(option["move"])
        assert (option["ghost"], option["triggers"]) == (foretold["ghost"], foretold["triggers"])
        for help_ in action["helps"]:
            better = game.copy()
            better.play(use(help_["item"]))
            chance = next(move["chance"] for move in better.legal_moves() if bare(move) == bare(option["move"]))
            before = option["move"]["chance"]
            assert chance == (min(1, round(before + help_["bonus"] / 10, 2)) if before else 0)
            assert gnome(game, game.view()["active"])["items"][help_["item"]] == help_["held"]


def own(events: list[Event], seat: int, kind: str) -> list[Event]:
    """The events of a kind that a seat brought about."""
    return [event for event in events if event["type"] == kind and event["seat"] == seat]


def situation(game: Game) -> str:
    seen = game.view()
    return repr((seen["gnomes"][seen["active"]]["room"], seen["phase"], seen["pending"], seen["rooms"]))


def quickest(game: Game, gear: tuple[str, ...]) -> dict[int | str, int]:
    """The fewest minutes into each room, by trying all moves through hatches on whole games."""
    game, seat, turn = game.copy(), decider_of(game), game.view()["turn"]
    for item in gear:
        game.play(use(item))
    queue: list[tuple[int, int, Game]] = [(0, 0, game)]
    seen: set[str] = set()
    found: dict[int | str, int] = {}
    count = 0
    while queue:
        minutes, _, now = heapq.heappop(queue)
        if situation(now) in seen:
            continue
        seen.add(situation(now))
        if phase(now) == "movement":
            found.setdefault(gnome(now, seat)["room"], minutes)
        for move in now.legal_moves():
            if move["type"] in ("open_hatch", "enter", "stay"):
                then = now.copy()
                events = then.play(move)
                spent = minutes + sum(
                    e["minutes"] for e in events if e["type"] == "minutes_spent" and e["seat"] == seat
                )
                if then.decider == seat and then.view()["turn"] == turn and phase(then) in ON_THE_MOVE:
                    count += 1
                    heapq.heappush(queue, (spent, count, then))
                else:  # the turn is over
                    for event in own(events, seat, "gnome_moved"):
                        found[event["to"]] = min(found.get(event["to"], 99), spent)
    return found


@pytest.mark.parametrize("variant", range(0, len(VARIANTS), 2), ids=lambda number: variant_name(VARIANTS[number]))
def test_no_way_is_quicker_than_those_that_are_told_and_no_room_is_left_out(variant: int) -> None:
    for game in positions(variant, 4):
        seat = decider_of(game)
        held, used = gnome(game, seat)["items"], game.view()["used_items"]
        fire = [()] + [(item,) for item in FIRE_GEAR if item in held and not any(each in used for each in FIRE_GEAR)]
        air = [()] + [("aqualung",)] * ("aqualung" in held and "aqualung" not in used)
        told = reach(observe(game, seat))
        for gear in (one + other for one in fire for other in air):
            best: dict[Any, int] = {}
            for room in told:
                for way in room["ways"]:
                    if set(way["items"]) <= set(gear):
                        best[room["room"]] = min(best.get(room["room"], 99), way["minutes"])
            assert best == quickest(game, gear)


@pytest.mark.parametrize("variant", [2, 14, len(VARIANTS) - 1], ids=lambda number: variant_name(VARIANTS[number]))
def test_nothing_that_the_seat_may_not_know_shows_in_its_reach(variant: int) -> None:
    for game in positions(variant):
        before = game.to_bytes()
        assert reach(game) == reach(observe(game, decider_of(game)))
        assert game.to_bytes() == before


def test_water_is_let_out_on_the_way_to_a_flooded_room() -> None:
    (way,) = ways(position([{"room": 7, "minutes": 40}], rooms={"5": HIGH}, active=0), 5)
    assert way["moves"] == [{"type": "open_hatch", "to": 5, "cost": 1}, {"type": "enter", "cost": 1}]
    assert [event["type"] for event in way["certain"]] == [
        "hatch_opened", "minutes_spent", "water_reflowed", "minutes_spent", "gnome_moved",
    ]  # fmt: skip
    assert (way["ghost"], way["triggers"]["events"]) == (38, [39])
    assert {action["action"] for action in way["actions"]} == {"pump_water", "no_action"}


def test_water_that_pours_out_of_the_own_room_puts_the_fire_next_door_out_on_the_way() -> None:
    (way,) = ways(position([{"room": 7, "minutes": 40}], rooms={"7": HIGH, "8": FIRE}, active=0), 8)
    assert (way["minutes"], [move["type"] for move in way["moves"]]) == (2, ["open_hatch", "enter"])
    assert "fire_went_out" in [event["type"] for event in way["certain"]]


def test_items_that_open_a_way_are_told_beside_the_longer_way_without() -> None:
    hand = {"fire_extinguisher": 1, "grog": 1}
    game = position([{"room": 7, "minutes": 40, "items": hand}], rooms={"5": FIRE, "8": FIRE}, active=0)
    around, *through = ways(game, 10)
    assert (around["items"], around["minutes"], through) == ([], 2, [])
    assert [way["items"] for way in ways(game, 5)] == [["fire_extinguisher"], ["grog"]]
    assert [way["minutes"] for way in ways(game, 5)] == [1, 1]
    task = ways(game, 5)[0]["actions"][0]
    assert (task["action"], task["options"][0]["move"]["chance"]) == ("extinguish_fire", 0.4)
    assert task["helps"] == [{"item": "grog", "held": 1, "bonus": 3}]


def test_a_hatch_that_nobody_can_pass_closes_by_itself_and_the_way_says_no_more() -> None:
    """With empty hands a gnome who opens a hatch to a fire stays, without being asked."""
    game = position([{"room": 7, "minutes": 40}], rooms={"5": FIRE}, active=0)
    play(game, {"type": "open_hatch", "to": 5})
    assert phase(game) == "movement"
    assert ways(game, 5) == []


def test_who_stands_at_an_open_hatch_may_stay_or_enter() -> None:
    game = position([{"room": 7, "minutes": 40}], active=0)
    play(game, {"type": "open_hatch", "to": 5})
    assert [ways(game, room)[0]["moves"] for room in (7, 5)] == [
        [{"type": "stay", "cost": 0}], [{"type": "enter", "cost": 0}],
    ]  # fmt: skip


def test_a_way_on_which_the_last_minute_goes_ends_the_turn() -> None:
    game = position([{"room": 7, "minutes": 1}], active=0)
    (way,) = ways(game, 5)
    assert (way["ends_turn"], way["ghost"], way["actions"]) == (True, 0, [])
    assert ways(game, 2) == []


def test_who_swims_with_the_last_minute_of_a_second_turn_is_told_that_they_die() -> None:
    hand = {"aqualung": 1}
    game = position([{"room": 9, "minutes": 2, "items": hand}], active=0, pending={"began_at_sea": True})
    (way,) = ways(game, "sea")
    assert (way["items"], way["ends_turn"]) == (["aqualung"], True)
    assert [event["type"] for event in way["certain"]][-1] == "gnome_died"


def test_there_is_nowhere_to_go_while_something_else_is_asked() -> None:
    crew = [{"room": 7, "minutes": 39, "items": {"grog": 2}}]
    game = position(crew, phase="discard", pending={"hand_limit": 1}, active=0, ghost=30)
    assert reach(game) == []
