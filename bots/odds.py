"""Estimate the crew's chance from what everybody can see: cheaply, by sailors, and the same on every machine."""

import numpy as np

from engine import Game, observe
from engine.compiled.journal import SILENT
from engine.compiled.state import new_records
from engine.moves import new_moves

PLAYOUTS = 200


def chance_of_rescue(game: Game, seed: int, playouts: int = PLAYOUTS) -> float:
    """Return the share of playouts in which sailors rescue the crew from here; 0 or 1 for a game that is over.

    The same position and the same seed of 63 bits give the same estimate.
    """
    if game.result is not None:
        return 1.0 if game.result["crew"] == "rescued" else 0.0
    from bots.sailor.mind import new_mind  # noqa: PLC0415 - as in `roster.py`
    from bots.sailor.weights import WEIGHTS  # noqa: PLC0415
    from bots.search.playout import TALLY, play_sailors  # noqa: PLC0415

    seen = observe(game, None)
    tally = np.zeros(TALLY, np.int64)
    wins = play_sailors(new_records(), seen.record, WEIGHTS, seed, playouts, new_mind(), SILENT, new_moves(), tally)
    return int(wins) / playouts
