"""Where Python enters the compiled rules. A game comes in as an array of one record, and stays the caller's."""

import numpy as np
from numba import types

from engine import legal, movement, setup, turn, updates
from engine.jit import compiled
from engine.journal import JOURNALS
from engine.kinds import Phase
from engine.moves import MOVE_LISTS
from engine.state import RECORDS, Journal, Moves, State

_FACTOR, _STEP = (np.uint64(6364136223846793005), np.uint64(1442695040888963407))  # a linear congruential generator


@compiled(RECORDS, types.int64, JOURNALS, MOVE_LISTS)
def play(game: State, move: int, journal: Journal, legal_now: Moves) -> None:
    turn.play(game[0], move, journal[0], legal_now[0])


@compiled(RECORDS, types.int64, JOURNALS)
def choose(game: State, move: int, journal: Journal) -> None:
    """A move's own effect, without what follows; leaves the game between two stages. For previews."""
    turn.choose(game[0], move, journal[0])


@compiled(RECORDS, JOURNALS)
def settle_deaths(game: State, journal: Journal) -> None:
    """The deaths that a move, its own effect done, leads to for certain. For previews."""
    state = game[0]
    if state.phase == Phase.ACTION_DONE or state.phase == Phase.FAINT_CHECK:
        updates.begin_updates(state, journal[0])
    elif state.phase == Phase.EVENT_DONE:
        updates.kill_the_fainted(state, journal[0])


@compiled(RECORDS, MOVE_LISTS)
def legal_moves(game: State, out: Moves) -> int:
    """Writes ids, costs, and chances in percent (-1 where no die decides); returns how many moves there are."""
    state, moves = game[0], out[0]
    count = legal.legal_moves(state, moves)
    for number in range(count):
        moves.costs[number] = legal.cost(state, moves.ids[number])
        moves.chances[number] = legal.chance_percent(state, moves.ids[number])
    return count


@compiled(RECORDS)
def decider(game: State) -> int:
    return legal.decider(game[0])


@compiled(RECORDS)
def can_escape(game: State) -> bool:
    return movement.can_escape(game[0])


@compiled(RECORDS)
def lay_out(game: State) -> None:
    setup.lay_out(game[0])


@compiled(RECORDS, types.int64, JOURNALS)
def deal(game: State, wanting: int, journal: Journal) -> None:
    setup.deal(game[0], wanting, journal[0])


@compiled(RECORDS, JOURNALS, MOVE_LISTS)
def begin(game: State, journal: Journal, legal_now: Moves) -> None:
    setup.begin(game[0], journal[0], legal_now[0])


@compiled(RECORDS, RECORDS, types.int64, types.int64, JOURNALS, MOVE_LISTS)
def play_randomly(game: State, start: State, seed: int, games: int, silent: Journal, out: Moves) -> int:
    """Plays games of random legal moves from the start given, each under a key of its own; returns the moves made."""
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
