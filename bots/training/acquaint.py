"""`python -m bots.training.acquaint`: count how far below the sailor's best turn bots of each skill make theirs.

Games of mixed crews are played in compiled code: 3 to 8 gnomes, each seat of any skill but the rarer the slower it
thinks, half of the games with hidden hands. Each turn is looked at as `bots.acquaintance` does at people's. It takes a
minute of a core, and the same bots come out the same.
"""

import argparse
import json
import random
from collections.abc import Mapping
from pathlib import Path

from bots.acquaintance import CLASSES, TURNS, Acquaintance
from bots.arena import crews
from bots.arena.crews import Brain
from bots.skill import Skill
from engine import Game, Rules
from engine.enums import SEATS
from engine.moves import NO_MOVE, WIRE

SEED = 23
OFTEN = {Skill.CABIN_BOY: 4, Skill.CLUMSY: 4, Skill.SAILOR: 4, Skill.BOSUN: 4, Skill.CAPTAIN: 4, Skill.ADMIRAL: 1}
Counts = dict[str, list[int]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=30, help="of each size, with open and with hidden hands")
    parser.add_argument("--file", type=Path, default=TURNS)
    options = parser.parse_args()
    counted = {name: count(options.games, hidden) for name, hidden in (("open", False), ("hidden", True))}
    made = {"command": f"python -m bots.training.acquaint --games {options.games}", **counted}
    options.file.write_text(_laid_out(made))


def count(games: int, hidden_hands: bool) -> Counts:
    """Return how many turns of each class bots of each skill made."""
    counts: Counts = {skill.name.lower(): [0] * CLASSES for skill in Skill}
    for gnomes in range(3, SEATS + 1):
        rules = Rules(gnomes, hidden_hands=hidden_hands)
        for number in range(games):
            chance = random.Random(f"{SEED} {gnomes} {number}")
            crew = chance.choices([*OFTEN], [*OFTEN.values()], k=gnomes)
            look(rules, crew, number, counts)
    return counts


def look(rules: Rules, crew: list[Skill], number: int, counts: Counts) -> None:
    """Let a crew play a game, and count their turns."""
    begun = crews.starts(rules, SEED, range(number, number + 1))
    _, (line,) = crews.play([Brain.of(skill.name.lower()) for skill in crew], begun)
    game, seen = Game(begun.copy(), rules), Acquaintance(rules.hidden_hands)
    for move in line[line != NO_MOVE]:
        seat = game.decider
        assert seat is not None
        class_ = seen.class_of(game, WIRE[move])
        if class_ is not None:
            counts[crew[seat].name.lower()][class_] += 1
        game.play(WIRE[move])


def _laid_out(made: Mapping[str, object]) -> str:
    """Return JSON with a line for each skill."""
    lines = json.dumps(made, indent=1).replace("\n   ", " ").replace("\n  ]", " ]")
    return lines + "\n"


if __name__ == "__main__":
    main()
