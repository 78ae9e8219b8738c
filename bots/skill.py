"""Name what may sit at a seat, from the weakest to the strongest, and say how likely each of them is.

Bots are known. What is likely of a person is learnt from their moves in this game (see `acquaintance.py`); nobody is
told. Whoever nobody knows anything about is a stranger.
"""

from collections.abc import Sequence
from enum import IntEnum
from typing import TypeAlias


class Skill(IntEnum):
    """How well somebody plays. A clumsy one is a sailor, a third of whose plans are random ones of their list."""

    CABIN_BOY = 0
    CLUMSY = 1
    SAILOR = 2
    BOSUN = 3
    CAPTAIN = 4
    ADMIRAL = 5


SKILLS = len(Skill)
Guess: TypeAlias = tuple[float, ...]  # how likely each skill is, for one seat
Crew: TypeAlias = Sequence[Guess]

STRANGER: Guess = (0.05, 0.25, 0.35, 0.1, 0.2, 0.05)


def certainly(skill: Skill) -> Guess:
    """Return the guess of whoever knows it."""
    return tuple(float(each == skill) for each in Skill)


def of_bot(name: str) -> Guess:
    """Return how well the bot of that name plays. One that is not ours is a stranger."""
    return certainly(Skill[name.upper()]) if name.upper() in Skill.__members__ else STRANGER
