"""Chance is fair: chi-squared on large samples. The seeds are fixed, so a fair engine passes every time."""

import math
import random
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping
from functools import cache
from itertools import permutations
from typing import Any

import pytest

from engine import Game, Rules
from tests.support import cards
from tests.support.helpers import play
from tests.support.playing import GNOMES, Wire, pick, seed_of

FIX_ITS = {
    "extinguish_fire",
    "pump_water",
    "fix_engine",
    "fix_oxygen_pumps",
    "fix_reactor",
    "stop_missile_launch",
    "kill_kraken",
    "unblock_hatch",
}
TEN = dict.fromkeys(range(1, 11), 1)
SAMPLES = 12_000
SOAK_SAMPLES = 400_000


def critical(freedom: int) -> float:
    """The chi-squared value that one sample in ten thousand exceeds (Wilson and Hilferty's approximation)."""
    spread = 2 / (9 * freedom)
    return freedom * (1 - spread + 3.719 * math.sqrt(spread)) ** 3


def check_fair(outcomes: Iterable[Hashable], weights: Mapping[Any, float]) -> None:
    """Outcomes come as often as their weights say, and no others."""
    seen = Counter(outcomes)
    assert seen.keys() <= weights.keys()
    scale = seen.total() / sum(weights.values())
    assert scale * min(weights.values()) >= 5, "too small a sample for chi-squared"
    squares = sum((seen[each] - scale * weight) ** 2 / (scale * weight) for each, weight in weights.items())
    assert squares < critical(len(weights) - 1)


def test_the_yardstick_tells_fair_from_loaded() -> None:
    chance = random.Random(1)
    fair = [chance.randint(1, 10) for _ in range(SAMPLES)]
    check_fair(fair, TEN)
    loaded = [value if chance.random() < 0.97 else 1 for value in fair]
    with pytest.raises(AssertionError):
        check_fair(loaded, TEN)


def new_games(rules: Rules, samples: int = SAMPLES) -> Iterable[Game]:
    return (Game.new(rules, seed_of("fair", rules, number)) for number in range(samples))


@cache
def events_of_random_games() -> tuple[list[Wire], ...]:
    """What happened in a few thousand games, one list a game."""
    told: list[list[Wire]] = []
    for number in range(600):
        rules = Rules(gnomes=3 + number % 6, less_deadly_dying=True, crazed_gnomes=True)
        seed = seed_of("fair games", number)
        game, chance = Game.new(rules, seed), random.Random(seed)
        events: list[Wire] = []
        while moves := game.legal_moves():
            events += play(game, pick(moves, chance))
        told.append(events)
    return tuple(told)


def rolls(purposes: set[str]) -> list[list[int]]:
    return [
        [event["value"] for event in game if event["type"] == "die_rolled" and event["purpose"] in purposes]
        for game in events_of_random_games()
    ]


@pytest.mark.parametrize("purposes", [FIX_ITS, {"event_room"}], ids=["fix-it", "event room"])
def test_the_die_shows_its_ten_sides_alike(purposes: set[str]) -> None:
    check_fair([value for game in rolls(purposes) for value in game], TEN)


@pytest.mark.parametrize("purposes", [FIX_ITS, {"event_room"}], ids=["fix-it", "event room"])
def test_one_roll_tells_nothing_of_the_next(purposes: set[str]) -> None:
    pairs = [pair for game in rolls(purposes) for pair in zip(game[::2], game[1::2])]
    check_fair(pairs, {(one, other): 1 for one in TEN for other in TEN})


def test_both_dice_of_a_fight_show_their_ten_sides_alike_and_independently() -> None:
    attacker, defender = {"room": 5, "minutes": 40, "items": {}}, {"room": 5, "minutes": 30, "items": {"crowbar": 1}}
    scene = {
        "rules": {"gnomes": 3, "crazed_gnomes": True},
        "gnomes": [attacker, defender, {"room": 9, "minutes": 20, "items": {}}],
        "used_items": {"crowbar": 1},
    }
    pairs = []
    for number in range(SAMPLES // 10):
        game = Game.from_position(scene | {"seed": seed_of("fight", number).hex()})
        game.play({"type": "attack_gnome", "seat": 1})
        happened = game.play({"type": "defend"})
        fight = [event for event in happened if event.get("purpose") == "attack_gnome"]
        assert [event["seat"] for event in fight] == [0, 1]
        pairs.append(tuple(event["value"] for event in fight))
    check_fair([value for pair in pairs for value in pair], TEN)
    check_fair(pairs, {(one, other): 1 for one in TEN for other in TEN})


def test_newcomers_stand_up_in_any_room_alike() -> None:
    rooms = [event["room"] for game in events_of_random_games() for event in game if event["type"] == "gnome_replaced"]
    check_fair(rooms, TEN)


def test_gnomes_start_in_any_room_alike_and_independently() -> None:
    pairs = [tuple(gnome["room"] for gnome in game.position()["gnomes"]) for game in new_games(Rules(gnomes=3))]
    for seat in range(3):
        check_fair([rooms[seat] for rooms in pairs], TEN)
    check_fair([rooms[:2] for rooms in pairs], {(one, other): 1 for one in TEN for other in TEN})


@pytest.mark.parametrize("gnomes", GNOMES)
def test_each_gnome_is_as_likely_to_begin(gnomes: int) -> None:
    firsts = [game.decider for game in new_games(Rules(gnomes=gnomes), SAMPLES // 4)]
    check_fair(firsts, dict.fromkeys(range(gnomes), 1))


def test_every_order_of_the_first_stack_is_as_likely() -> None:
    stacks = [tuple(gnome["stack"] for gnome in game.position()["gnomes"]) for game in new_games(Rules(), SAMPLES // 2)]
    assert all(len(set(stack)) == 4 for stack in stacks)
    order = [tuple(sorted(range(4), key=stack.__getitem__)) for stack in stacks]
    check_fair(order, dict.fromkeys(permutations(range(4)), 1))


def test_hands_are_dealt_from_a_shuffled_deck() -> None:
    """Every pair of the 48 shuffled cards is as likely in a hand."""
    weights: dict[tuple[str, str], float] = {}
    kinds = list(cards.SHUFFLED_ITEMS.items())
    for number, (one, copies) in enumerate(kinds):
        if copies > 1:
            weights[one, one] = copies * (copies - 1)
        for other, others in kinds[number + 1 :]:
            weights[one, other] = 2 * copies * others
    place = {item: number for number, item in enumerate(cards.SHUFFLED_ITEMS)}
    hands = []
    for game in new_games(Rules(gnomes=3)):
        hand = Counter(game.position()["gnomes"][1]["items"])
        hands.append(tuple(sorted(hand.elements(), key=place.__getitem__)))
    check_fair(hands, weights)


def first_events(samples: int) -> list[list[str]]:
    """The cards of a storm, as far as it comes before somebody must choose."""
    games = new_games(Rules(gnomes=8, greater_challenge="storm"), samples)
    return [[event["card"] for event in game.opening if event["type"] == "event_drawn"] for game in games]


def test_the_first_event_is_any_of_the_fifty_five_cards() -> None:
    check_fair([drawn[0] for drawn in first_events(SAMPLES)], cards.FIRST_DECK)


def test_the_second_event_is_any_of_the_cards_that_remain() -> None:
    first = "respite/2"  # it asks nobody to choose, so a second card always follows
    after = [drawn[1] for drawn in first_events(3 * SAMPLES) if drawn[0] == first]
    check_fair(after, cards.FIRST_DECK | {first: cards.FIRST_DECK[first] - 1})


def test_items_drawn_in_the_stores_are_any_of_those_that_remain() -> None:
    left = {"grog": 1, "crowbar": 2, "toolbox": 3, "water_pump": 4}
    gnomes = [{"room": 8, "minutes": 40, "items": {}}] + [{"room": 9, "minutes": 20, "items": {}}] * 2
    drawn = []
    for number in range(SAMPLES // 10):
        seed = seed_of("stores", number).hex()
        game = Game.from_position({"gnomes": gnomes, "item_deck": left, "seed": seed})
        drawn += [
            event["item"]
            for event in game.play({"type": "draw_items", "cards": 1})
            if event["type"] == "item_drawn" and event["source"] == "equipment_stores"
        ]
    assert len(drawn) == SAMPLES // 10
    check_fair(drawn, left)


@pytest.mark.soak
def test_the_first_event_is_fair_on_a_very_large_sample() -> None:
    check_fair([drawn[0] for drawn in first_events(SOAK_SAMPLES)], cards.FIRST_DECK)


@pytest.mark.soak
def test_start_rooms_and_first_gnome_are_fair_on_a_very_large_sample() -> None:
    rooms, firsts = [], []
    for game in new_games(Rules(gnomes=8), SOAK_SAMPLES):
        rooms.append(game.position()["gnomes"][7]["room"])
        firsts.append(game.decider)
    check_fair(rooms, TEN)
    check_fair(firsts, dict.fromkeys(range(8), 1))
