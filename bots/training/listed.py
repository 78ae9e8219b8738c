"""List the plans that a sailor has for a turn, for those who judge turns afterwards."""

from dataclasses import dataclass

import numpy as np

from bots.sailor.mind import MINDS, WEIGHT_SETS, Minds, WeightSets, new_mind
from bots.sailor.planning import make_plans
from bots.sailor.weights import WEIGHTS
from engine.cards import BONUS
from engine.compiled.jit import compiled
from engine.compiled.state import RECORDS, Games
from engine.enums import DIE_SIDES, FIX_ITS, Item


@dataclass(frozen=True)
class Listed:
    """A plan: where to go, what to do there and for how long, and what the sailor thinks that is worth in minutes."""

    dest: int
    action: int
    minutes: int
    grogs: int
    score: float


def plans(game: np.ndarray) -> list[Listed]:
    """Return the plans for the turn that is about to begin in a record of one game, which stays as it is."""
    mind = new_mind()
    _plan(game, mind, WEIGHTS)
    found = mind[0]
    columns = (found[name][: found.count].tolist() for name in ("dest", "action", "minutes", "grogs", "score"))
    return [Listed(*row) for row in zip(*columns, strict=True)]


def chance(game: np.ndarray, plan: Listed) -> float:
    """Return the chance of a plan to fix something, with all that the gnome holds and the grogs of the plan."""
    hand = game[0].hand[game[0].active].copy()
    hand[Item.GROG] = plan.grogs
    bonus = int(hand @ BONUS[:, plan.action]) if plan.action < FIX_ITS else DIE_SIDES
    return min(DIE_SIDES, plan.minutes + bonus) / DIE_SIDES


@compiled(RECORDS, MINDS, WEIGHT_SETS)
def _plan(game: Games, mind: Minds, weights: WeightSets) -> None:
    make_plans(game[0], mind[0], weights[0])
