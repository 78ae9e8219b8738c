"""Random games of every variant, from the start and from wild positions, step by step."""

import hashlib
import itertools
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar

from engine import Game, Rules
from engine.shapes import Event, Move
from tests.support import cards

Wire = dict[str, Any]
AnyMove = TypeVar("AnyMove", bound=Mapping[str, Any])  # as the engine types it, or as JSON brought it

EDITIONS = ("revised", "original")
CHALLENGES = ("off", "no_respite", "storm")
VARIANTS: list[Wire] = [
    dict(zip(("edition", "less_deadly_dying", "crazed_gnomes", "greater_challenge"), options))
    for options in itertools.product(EDITIONS, (False, True), (False, True), CHALLENGES)
]
# Hidden hands change what is seen and nothing else, so that one variant of each edition will do.
VARIANTS += [dict(VARIANTS[number], hidden_hands=True) for number in (0, len(VARIANTS) // 2)]
GNOMES = range(3, 9)
CREWS = sorted({(gnomes, players) for gnomes in GNOMES for players in (1, gnomes)} | {(4, 2)})
HATCHES = ("1-2", "1-3", "2-3", "2-4", "3-4", "2-5", "4-5", "5-6", "5-7", "5-8", "7-8", "7-9", "8-9", "8-10", "9-10")
TOKENS = ("asphyxiated", "crushed", "missiles_launched", "devoured_by_kraken")


def variant_name(variant: Wire) -> str:
    words = [variant["edition"], variant["greater_challenge"]]
    options = ("less_deadly_dying", "hidden_hands", "crazed_gnomes")
    return "-".join(words + [option for option in options if variant.get(option)])


def all_rules(variant: Wire) -> list[Rules]:
    return [Rules(gnomes, players, **variant) for gnomes, players in CREWS]


def seed_of(*words: object) -> bytes:
    return hashlib.sha256(repr(words).encode()).digest()


def pick(moves: Sequence[AnyMove], chance: random.Random) -> AnyMove:
    """A random type, then a random move of it: otherwise the ten minutes of fix-its crowd out all else."""
    kind = chance.choice(sorted({move["type"] for move in moves}))
    return chance.choice([move for move in moves if move["type"] == kind])


@dataclass
class Story:
    """A game at every decision, the moves between them, and what they made happen."""

    start: Game
    games: list[Game]
    moves: list[Move]
    events: list[list[Event]]


def play_out(start: Game, chance: random.Random) -> Story:
    game = start.copy()
    story = Story(start, [start], [], [])
    while moves := game.legal_moves():
        move = pick(moves, chance)
        story.events.append(game.play(move))
        story.moves.append(move)
        story.games.append(game.copy())
    return story


def new_story(rules: Rules, number: int = 0) -> Story:
    seed = seed_of(rules, number)
    return play_out(Game.new(rules, seed), random.Random(seed))


def wild_story(rules: Rules, number: int = 0) -> Story:
    chance = random.Random(seed_of("wild", rules, number))
    return play_out(Game.from_position(wild_position(rules, chance)), chance)


@cache
def stories(variant_number: int) -> list[Story]:
    """A game of each crew of a variant from the start, and one of every other crew from a wild position."""
    rules = all_rules(VARIANTS[variant_number])
    return [*map(new_story, rules), *map(wild_story, rules[variant_number % 2 :: 2])]


def wild_position(rules: Rules, chance: random.Random) -> Wire:
    """A crowd with full hands in a wrecked submarine, decks almost empty: what games from the start seldom reach."""
    pool = [item for item, copies in cards.SHUFFLED_ITEMS.items() for _ in range(copies)]
    chance.shuffle(pool)
    if chance.random() < 0.5:
        pool.sort(key=lambda item: item in ("aqualung", "crowbar"))
    places = chance.choices(range(1, 11), k=2) + [chance.choice((8, 9, 10, "sea"))]
    latest = chance.choice((8, 20, 41))
    gnomes = []
    for _ in range(rules.gnomes):
        hand = [pool.pop() for _ in range(chance.randrange(6)) if len(pool) > 4]
        gnomes.append(
            {
                "minutes": chance.randint(1, latest),
                "room": chance.choice(places),
                "state": chance.choices(("alive", "fainted"), (4, 1))[0],
                "intoxication": chance.randint(0, 4),
                "items": {item: hand.count(item) for item in hand},
                "drew_items_in": chance.choice((None, 8, 10)),
            }
        )
    for gnome in gnomes[2:]:
        if chance.random() < 0.1:
            gnome.update(state="dead", items={})
    return {
        "rules": rules.to_dict(),
        "gnomes": gnomes,
        "rooms": {str(room): chance.choice(_ROOMS) for room in range(1, 11)},
        "blocked_hatches": chance.sample(HATCHES, 5),
        "tracks": {track: chance.randint(1, 7) for track in ("asphyxiation", "heat", "pressure")},
        "destruction": {chance.choice(TOKENS): 0},
        "captains_grog": chance.randint(0, 6),
        "event_deck": dict.fromkeys(chance.sample(sorted(cards.FIRST_DECK), 3), 1),
        "item_deck": {item: pool.count(item) for item in pool[:3]},
        "seed": chance.randbytes(32).hex(),
    }


_ROOMS: list[Wire] = [{}, {}, {}, {"fire": True}, {"water": "low"}, {"water": "high"}]


def every_move() -> list[Wire]:
    """Every move that is well formed, legal anywhere or not."""
    rooms = [*range(1, 11), "sea"]
    fix_its = (
        "extinguish_fire",
        "pump_water",
        "fix_engine",
        "fix_oxygen_pumps",
        "fix_reactor",
        "stop_missile_launch",
        "kill_kraken",
    )
    return [
        *[{"type": kind} for kind in ("enter", "stay", "no_action", "abandon_comrades", "defend", "done")],
        *[{"type": "open_hatch", "to": room} for room in rooms],
        *[{"type": kind, "item": item} for kind in ("use_item", "give_item", "discard_item") for item in cards.ITEMS],
        *[{"type": kind, "minutes": minutes} for kind in fix_its for minutes in range(1, 11)],
        *[
            {"type": "unblock_hatch", "hatch": hatch, "minutes": minutes}
            for hatch in HATCHES
            for minutes in range(1, 11)
        ],
        *[{"type": "draw_items", "cards": number} for number in range(1, 5)],
        *[{"type": "trade_items", "with": seat} for seat in range(8)],
        *[{"type": "attack_gnome", "seat": seat} for seat in range(8)],
        *[{"type": "spread_fire", "room": room} for room in range(1, 11)],
        *[{"type": "block_hatch", "hatch": hatch} for hatch in HATCHES],
    ]


def bare(move: Mapping[str, Any]) -> Wire:
    """A legal move without what it only tells."""
    return {field: value for field, value in move.items() if field not in ("cost", "chance")}
