"""`python -m bots.training.acquaint`: count how far below the sailor's best turn bots of each skill make theirs.

Games of mixed crews are played in compiled code: 3 to 8 gnomes, each seat of any skill but admirals rarely, as they
think long, half of the games with hidden hands. Each turn is looked at as `bots.acquaintance` does at people's. It
takes some minutes, and the same bots come out the same.
"""

import argparse
import json
import random
import sys
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

from bots.acquaintance import CLASSES, TURNS, Acquaintance
from bots.arena import crews
from bots.arena.crews import Brain
from bots.arena.pool import all_cores, in_order
from bots.arena.progress import Progress
from bots.skill import Skill
from engine import Game, Rules
from engine.enums import SEATS
from engine.moves import NO_MOVE, WIRE

SEED = 23
OFTEN = {Skill.CABIN_BOY: 4, Skill.CLUMSY: 4, Skill.SAILOR: 4, Skill.BOSUN: 4, Skill.CAPTAIN: 4, Skill.ADMIRAL: 1}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=120, help="of each size, with open and with hidden hands")
    parser.add_argument("--file", type=Path, default=TURNS)
    parser.add_argument("--processes", type=int, default=all_cores())
    options = parser.parse_args()
    games = [
        (hidden, gnomes, number)
        for number in range(options.games)
        for gnomes in range(3, SEATS + 1)
        for hidden in (False, True)
    ]
    counted = {name: {skill.name.lower(): [0] * CLASSES for skill in Skill} for name in ("open", "hidden")}
    progress = Progress(len(games), "games", sys.stderr)
    with closing(in_order(lambda at: look(*games[at]), len(games), options.processes, progress.show)) as results:
        for (hidden, _, _), seen in zip(games, results, strict=True):
            for skill, class_ in seen:
                counted["hidden" if hidden else "open"][skill.name.lower()][class_] += 1
            progress.done += 1
    progress.close()
    made = {"command": f"python -m bots.training.acquaint --games {options.games}", **counted}
    options.file.write_text(_laid_out(made))


def look(hidden_hands: bool, gnomes: int, number: int) -> list[tuple[Skill, int]]:
    """Let a crew play a game, and return who made turns of which class."""
    rules, chance = Rules(gnomes, hidden_hands=hidden_hands), random.Random(f"{SEED} {gnomes} {number}")
    crew = chance.choices([*OFTEN], [*OFTEN.values()], k=gnomes)
    begun = crews.starts(rules, SEED, range(number, number + 1))
    _, (line,) = crews.play([Brain.of(skill.name.lower()) for skill in crew], begun)
    game, acquaintance, seen = Game(begun.copy(), rules), Acquaintance(rules.hidden_hands), []
    for move in line[line != NO_MOVE]:
        seat = game.decider
        assert seat is not None
        class_ = acquaintance.class_of(game, WIRE[move])
        if class_ is not None:
            seen.append((crew[seat], class_))
        game.play(WIRE[move])
    return seen


def _laid_out(made: Mapping[str, object]) -> str:
    """Return JSON with a line for each skill."""
    lines = json.dumps(made, indent=1).replace("\n   ", " ").replace("\n  ]", " ]")
    return lines + "\n"


if __name__ == "__main__":
    main()
