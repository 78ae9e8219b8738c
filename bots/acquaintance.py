"""Guess how well somebody plays from the turns that they make in a game, which all at the table see.

The sailor's rules of thumb rate each turn in minutes below the best one. `training/turns.json` tells how often each
skill makes turns so far below, idle ones and others, as `python -m bots.training.acquaint` counted it in games of bots.
Every turn makes the skills likelier or less likely by the root of that, as people are no bots, and a tenth of the guess
stays what it is for a stranger: nobody is ever known for certain.

Where hands are hidden, the rating is made as if they were all empty. It takes neither cards nor dice into account that
anybody at the table may not see, so what follows from a guess tells nobody anything about a hand.
"""

import json
import math
from bisect import bisect_left
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from bots.skill import STRANGER, Guess, Skill
from engine import Game
from engine.moves import move_id
from engine.shapes import MoveObject

TURNS = Path(__file__).parent / "training/turns.json"
WITHIN = (0.0, 1.0, 3.0, 6.0, 12.0, 999.0)  # minutes below the best turn; the last rating is beyond
CLASSES = 2 * (len(WITHIN) + 1)  # of each rating one for turns with an action, and one for idle turns
LEFT = 0.1  # of the guess about a stranger, whatever is seen


class Acquaintance:
    """What a game tells of those who play it."""

    def __init__(self, hidden_hands: bool) -> None:
        from bots.sailor.mind import new_mind  # noqa: PLC0415 - as in `roster.py`

        self._hidden_hands = hidden_hands
        self._mind = new_mind()
        self._turns: dict[str, list[int]] = {}  # of everybody seen, how many of each class

    def see(self, game: Game, move: MoveObject, who: str) -> None:
        """Take note of a move of somebody, before it is played."""
        class_ = self.class_of(game, move)
        if class_ is not None:
            self._turns.setdefault(who, [0] * CLASSES)[class_] += 1

    def class_of(self, game: Game, move: MoveObject) -> int | None:
        """Return the class of the turn that a move ends with, None for other moves. Earlier ones must have been asked
        for, too."""
        from bots.sailor.rating import NO_VERDICT, minutes_below  # noqa: PLC0415
        from bots.sailor.weights import WEIGHTS  # noqa: PLC0415

        record = game.record
        if self._hidden_hands:
            record = game.copy().record
            record["hand"] = 0
        below = minutes_below(record, self._mind, WEIGHTS, move_id(move))
        return None if below == NO_VERDICT else 2 * bisect_left(WITHIN, below) + (move["type"] == "no_action")

    def guess(self, who: str) -> Guess:
        """Return how likely each skill is."""
        return guessed(self._turns.get(who, ()), self._hidden_hands)


def guessed(turns: Sequence[int], hidden_hands: bool) -> Guess:
    """Return how likely each skill is of somebody who made so many turns of each class.

    Nothing but multiplication, division and roots is used, which are the same on every machine.
    """
    likely, chances = STRANGER, _chances(hidden_hands)
    for class_, count in enumerate(turns):
        for _ in range(count):
            weighed = [each * row[class_] for each, row in zip(likely, chances, strict=True)]
            whole = sum(weighed)
            likely = tuple(each / whole for each in weighed)
    return tuple(LEFT * before + (1 - LEFT) * now for before, now in zip(STRANGER, likely, strict=True))


@cache
def _chances(hidden_hands: bool) -> list[list[float]]:
    """Return the root of the chance of each class of turns, by skill. A class that was never met is a rare one."""
    counted = json.loads(TURNS.read_text())["hidden" if hidden_hands else "open"]
    rows = [[count + 1 for count in counted[skill.name.lower()]] for skill in Skill]
    return [[math.sqrt(count / sum(row)) for count in row] for row in rows]
