"""How much a bot may spend on a decision: what callers of the search set, without importing it."""

import math
from dataclasses import dataclass

HORIZON = 8  # minutes that a playout goes on for


@dataclass(frozen=True)
class Budget:
    """How much a search may spend: playouts of some minutes on its candidates, and seconds on top.

    Beside its candidates, which rules of thumb make, it tries so many `wide` ones that they would not make, each as
    often. With `most`, a decision that is clear early takes fewer playouts, and one that stays close takes up to that
    many.
    """

    playouts: int
    candidates: int
    seconds: float = math.inf
    minutes: int = HORIZON
    wide: int = 0
    most: int = 0


NOTHING = Budget(playouts=0, candidates=1)  # of one that plays by rules of thumb, or at random
