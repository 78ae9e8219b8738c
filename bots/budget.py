"""How much a bot may spend on a decision: what callers of the search set, without importing it."""

import math
from dataclasses import dataclass

HORIZON = 8  # minutes that a playout goes on for


@dataclass
class Budget:
    """How much a search may spend: playouts of some minutes on its candidates, and seconds on top.

    Beside its candidates, which rules of thumb make, it tries so many `wide` ones that they would not make, each as
    often.
    """

    playouts: int
    candidates: int
    seconds: float = math.inf
    minutes: int = HORIZON
    wide: int = 0
