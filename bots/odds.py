"""Estimate the crew's chance from what everybody can see: cheaply, and the same on every machine."""

from bots.budget import Budget
from bots.skill import Crew
from engine import Game, observe

PLAYOUTS = 200


def chance_of_rescue(game: Game, seed: int, crew: Crew | None = None, playouts: int = PLAYOUTS) -> float:
    """Return the chance that this crew is rescued from here; 0 or 1 for a game that is over.

    `crew` tells how well each seat plays, as far as that is known; without it, all are strangers. The same position,
    crew and seed of 63 bits give the same estimate.
    """
    if game.result is not None:
        return 1.0 if game.result["crew"] == "rescued" else 0.0
    from bots.search.search import Search, Stakes  # noqa: PLC0415 - as in `roster.py`

    search = Search(observe(game, None), Stakes(None, crew=crew), seed)
    return search.run(Budget(playouts, candidates=1), judge_alone=True).rescued
