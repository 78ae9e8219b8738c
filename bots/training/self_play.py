"""Let sailors play whole games in compiled code, by the ten thousand."""

import numpy as np
from numba import types

from bots.sailor import sailor
from bots.sailor.mind import MINDS, WEIGHT_SETS, Mind, Minds, Weights, WeightSets
from bots.search.playout import deaths, rekey
from engine.compiled import legal, turn
from engine.compiled.jit import compiled, jit
from engine.compiled.journal import JOURNALS
from engine.compiled.state import RECORDS, Games, Journal, Journals, MoveLists, Moves, State
from engine.enums import Cause
from engine.moves import MOVE_LISTS

CAUSES = len(Cause)
TALLY = CAUSES + 1  # games by the cause of their end, then deaths


@jit
def play_out(state: State, mind: Mind, weights: Weights, silent: Journal, moves: Moves) -> None:
    """Let sailors at all seats play from the start of a turn to the end of the game."""
    mind.turn = -1
    count = legal.legal_moves(state, moves)
    while count > 0:
        count = turn.play(state, sailor.choose(state, mind, weights, moves, count), silent, moves)


@compiled(
    RECORDS,
    RECORDS,
    WEIGHT_SETS,
    types.int64,
    types.int64,
    MINDS,
    JOURNALS,
    MOVE_LISTS,
    types.Array(types.int64, 1, "C"),
)
def play_sailors(
    game: Games,
    starts: Games,
    weights: WeightSets,
    seed: int,
    games: int,
    mind: Minds,
    silent: Journals,
    moves: MoveLists,
    tally: np.ndarray,
) -> int:
    """Play games from the starts in turn; count the causes of their ends in `tally`; return the wins."""
    wins = 0
    state = game[0]
    for number in range(games):
        game[0] = starts[number % len(starts)]
        rekey(state, seed, number)
        play_out(state, mind[0], weights[0], silent[0], moves[0])
        tally[state.cause] += 1
        tally[CAUSES] += deaths(state)
        wins += state.cause == Cause.RESCUED
    return wins
