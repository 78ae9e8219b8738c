"""The functions through which Python enters the compiled rules. The caller owns the array of one record."""

import numpy as np
from numba import types

from engine.compiled import bounds, legal, movement, setup, turn, updates
from engine.compiled.jit import compiled
from engine.compiled.journal import JOURNALS
from engine.compiled.state import RECORDS, Games, Journals, MoveLists
from engine.enums import Phase
from engine.moves import MOVE_LISTS

_FACTOR, _STEP = (np.uint64(6364136223846793005), np.uint64(1442695040888963407))  # a linear congruential generator


@compiled(RECORDS, types.int64, JOURNALS, MOVE_LISTS)
def play(game: Games, move: int, journal: Journals, legal_now: MoveLists) -> None:
    turn.play(game[0], move, journal[0], legal_now[0])


@compiled(RECORDS, types.int64, JOURNALS, MOVE_LISTS)
def play_if_legal(game: Games, move: int, journal: Journals, legal_now: MoveLists) -> bool:
    """Play a move as `play` does, and return True; return False, and change nothing, if it is not legal."""
    if not legal.is_legal(game[0], legal_now[0], move):
        return False
    turn.play(game[0], move, journal[0], legal_now[0])
    return True


@compiled(RECORDS, types.int64, JOURNALS)
def choose(game: Games, move: int, journal: Journals) -> None:
    """Carry out a move without what follows it, for previews. The game is left between two stages."""
    turn.choose(game[0], move, journal[0])


@compiled(RECORDS, JOURNALS)
def settle_deaths(game: Games, journal: Journals) -> None:
    """Let those die whom a move, its own effect done, certainly kills. For previews."""
    state = game[0]
    if state.phase == Phase.ACTION_DONE or state.phase == Phase.FAINT_CHECK:
        updates.begin_updates(state, journal[0])
    elif state.phase == Phase.EVENT_DONE:
        updates.kill_the_fainted(state, journal[0])


@compiled(RECORDS, MOVE_LISTS)
def legal_moves(game: Games, out: MoveLists) -> int:
    """Write ids, costs, and chances in percent (-1 if no die decides); return how many moves there are."""
    state, moves = game[0], out[0]
    count = legal.legal_moves(state, moves)
    for number in range(count):
        moves.costs[number] = legal.cost(state, moves.ids[number])
        moves.chances[number] = legal.chance_percent(state, moves.ids[number])
    return count


@compiled(RECORDS)
def is_in_bounds(game: Games) -> bool:
    return bounds.is_in_bounds(game[0])


@compiled(RECORDS)
def decider(game: Games) -> int:
    return legal.decider(game[0])


@compiled(RECORDS)
def can_escape(game: Games) -> bool:
    return movement.can_escape(game[0])


@compiled(RECORDS)
def lay_out(game: Games) -> None:
    setup.lay_out(game[0])


@compiled(RECORDS, types.int64, JOURNALS)
def deal(game: Games, wanting: int, journal: Journals) -> None:
    setup.deal(game[0], wanting, journal[0])


@compiled(RECORDS, JOURNALS, MOVE_LISTS)
def begin(game: Games, journal: Journals, legal_now: MoveLists) -> None:
    setup.begin(game[0], journal[0], legal_now[0])


@compiled(RECORDS, RECORDS, types.int64, types.int64, JOURNALS, MOVE_LISTS)
def play_randomly(game: Games, start: Games, seed: int, games: int, silent: Journals, out: MoveLists) -> int:
    """Play games of random legal moves from a start, each under its own key; return how many moves were made."""
    made = 0
    draw = np.uint64(seed)
    state, legal_now = game[0], out[0]
    for _ in range(games):
        game[0] = start[0]
        draw = draw * _FACTOR + _STEP
        state.key[0] = draw
        count = legal.legal_moves(state, legal_now)
        while count > 0:
            draw = draw * _FACTOR + _STEP
            pick = (np.int64(draw >> np.uint64(32)) * count) >> 32
            count = turn.play(state, legal_now.ids[pick], silent[0], legal_now)
            made += 1
    return made
