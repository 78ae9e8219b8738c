"""Advice: the best choices of a position with what the search thinks of them, for clients to show to people."""

import math
from typing import Any

from bots.search import Budget, Choice, Search, Stakes
from engine import Game
from engine.foresight import foresee

Wire = dict[str, Any]


def explain(
    observation: Game, budget: Budget, seed: int = 0, deadline: float = math.inf, most: int = 5, loyal: bool = True
) -> Wire:
    """The best choices of the decider, best first: chance of rescue, its standard error, deaths, the line expected.

    A plan is a whole turn: its line goes up to the action, or to the first thing that nobody can foresee. `trials`
    tells how many playouts stand behind a choice: those that were dropped early have few. The chance is that of sailors
    playing on; its error is that of the playouts, not of the network.
    """
    if observation.decider is None:
        return {"seat": None, "playouts": 0, "plans": []}
    search = Search(observation, Stakes(observation.decider, loyal), seed)
    chosen = search.run(budget, deadline, judge_alone=True)
    others = sorted((choice for choice in search.choices if choice is not chosen), key=_rank)
    return {
        "seat": observation.decider,
        "playouts": search.playouts,
        "plans": [_plan(observation, search, choice) for choice in [chosen, *others][:most]],
    }


def _rank(choice: Choice) -> tuple[int, float]:
    """Those that lasted longest first, then by worth: a mean of few trials says little."""
    return -choice.trials, -choice.mean


def _plan(observation: Game, search: Search, choice: Choice) -> Wire:
    line = search.wire(choice)
    return {
        "moves": line,
        "rescued": choice.rescued if choice.trials else None,
        "error": choice.rescued_error if choice.trials else None,
        "deaths": choice.deaths if choice.trials else None,
        "trials": choice.trials,
        "line": list(foresee(observation.copy(), line)),
    }
