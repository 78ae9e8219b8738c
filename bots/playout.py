"""Games played on by sailors, inside compiled code."""

import numpy as np
from numba import types

from bots import sailor
from bots.mind import MINDS, WEIGHT_SETS, Mind, Weights
from engine import legal, turn
from engine.dice import siphash
from engine.jit import compiled, jit
from engine.journal import JOURNALS
from engine.kinds import Cause, Condition, Phase
from engine.moves import MOVE_LISTS
from engine.state import RECORDS, Journal, Moves, State

CAUSES = len(Cause)
TALLY = CAUSES + 1  # games by the cause of their end, then deaths
NEVER = -1  # a limit that nobody reaches


@jit
def play_out(state: State, mind: Mind, weights: Weights, silent: Journal, moves: Moves) -> None:
    """Sailors at all seats, to the end, from the start of a turn."""
    mind.turn = -1
    play_until(state, mind, weights, NEVER, silent, moves)


@jit
def play_until(state: State, mind: Mind, weights: Weights, limit: int, silent: Journal, moves: Moves) -> None:
    """Sailors at all seats, the first turn by the plan that the mind holds.

    They stop before the first turn of a gnome who has no more minutes left than the limit: nobody has more then.
    """
    count = legal.legal_moves(state, moves)
    while count > 0:
        if state.minutes[state.active] <= limit and state.phase == Phase.MOVEMENT and mind.turn != state.turn:
            return
        move = sailor.choose(state, mind, weights, moves, count)
        count = turn.play(state, move, silent, moves)


@jit
def rekey(state: State, seed: int, number: int) -> None:
    """Fresh dice: the number-th of a seed."""
    state.key[0] = siphash(np.uint64(seed), np.uint64(0), np.uint64(2 * number))
    state.key[1] = siphash(np.uint64(seed), np.uint64(0), np.uint64(2 * number + 1))


@jit
def deaths(state: State) -> int:
    dead = 0
    for seat in range(state.gnomes):
        dead += state.condition[seat] == Condition.DEAD
    return dead


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
    game: State,
    starts: State,
    weights: Weights,
    seed: int,
    games: int,
    mind: Mind,
    silent: Journal,
    moves: Moves,
    tally: np.ndarray,
) -> int:
    """Plays that many games from the starts in turn; counts the causes of their ends in `tally`; returns the wins."""
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
