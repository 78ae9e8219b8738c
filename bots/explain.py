"""Give advice: the best choices in a position, with what the search thinks of them."""

import math
from collections.abc import Sequence
from time import monotonic
from typing import TYPE_CHECKING, TypedDict

from bots.budget import Budget
from bots.skill import Crew
from engine import Game
from engine.foresight import foresee
from engine.moves import WIRE, move_id
from engine.shapes import Move, MoveObject, Preview

# How far chances lie off the true ones beside the error of their playouts, as `make reliability` found it: crews do not
# play quite as they do in the head, and the network is a guess.
MODEL_ERROR = 0.09

if TYPE_CHECKING:
    from bots.search.search import Choice


class Plan(TypedDict):
    """A choice of the decider; without any trial there are no figures. `error` is that of its playouts alone."""

    moves: list[Move]
    rescue_rate: float | None
    error: float | None
    deaths_per_game: float | None
    playouts: int
    line: list[Preview]


class Advice(TypedDict):
    """The best choices of a seat, best first, what a plan of its own comes to beside them, and the playouts behind
    that."""

    seat: int | None
    playouts: int
    plans: list[Plan]
    own: Plan | None


def explain(
    observation: Game, budget: Budget, seed: int = 0, deadline: float = math.inf, most: int = 5, loyal: bool = True,
    own: Sequence[MoveObject] = (), crew: Crew | None = None,
) -> Advice:  # fmt: skip
    """Return the decider's best choices, best first: chance of rescue, its standard error, deaths, the expected line.
    The error is that of the playouts, by which choices differ; the `MODEL_ERROR` of all of them comes on top.

    A plan is a whole turn, and its line ends with the action or before the first thing that nobody can foresee. A
    choice that was dropped early has few `playouts`. The chance is that of the `crew` that sits there, as far as its
    skills are known; without it, of strangers.

    A plan of one's `own` is weighed in as many playouts as the best, with the same dice; the crew goes on where it
    ends. All of its moves but the last must be certain.
    """
    if observation.decider is None:
        return {"seat": None, "playouts": 0, "plans": [], "own": None}
    from bots.search.search import DEATH_PRICE, Search, Stakes  # noqa: PLC0415 - as in `roster.py`

    search = Search(observation, Stakes(observation.decider, loyal, crew=crew), seed)
    chosen = search.run(budget, deadline, judge_alone=True)
    price = DEATH_PRICE if loyal else None
    others = sorted((choice for choice in search.choices if choice is not chosen), key=lambda each: _rank(each, price))
    until = min(deadline, monotonic() + budget.seconds)
    told = [_plan(observation, choice, search.wire(choice)) for choice in [chosen, *others][:most]]
    return {
        "seat": observation.decider,
        "playouts": search.playouts,
        "plans": told,
        "own": _plan(observation, search.weigh(own, chosen.trials, until), [*map(_known, own)]) if own else None,
    }


def _rank(choice: "Choice", price: float | None) -> tuple[int, float]:
    """Sort choices by the number of trials, as a mean of few says little, then by what is told of them; without a price
    of deaths, for a seat that looks after itself, by its worth."""
    worth = choice.mean if price is None else choice.rescued - price * choice.deaths
    return -choice.trials, -worth


def _known(move: MoveObject) -> Move:
    """Return a move as the engine knows it."""
    return WIRE[move_id(move)].copy()


def _plan(observation: Game, choice: "Choice", line: list[Move]) -> Plan:
    return {
        "moves": line,
        "rescue_rate": choice.rescued if choice.trials else None,
        "error": choice.rescued_error if choice.trials else None,
        "deaths_per_game": choice.deaths if choice.trials else None,
        "playouts": choice.trials,
        "line": [preview for preview, _ in foresee(observation.copy(), line)],
    }
