"""Where Python enters the compiled rules. A game comes in as an array of one record, and stays the caller's."""

import numpy as np
from numba import types

from engine import legal, setup, turn
from engine.jit import compiled
from engine.kinds import Phase
from engine.state import RECORDS, Journal, Moves, State

SHORTS = types.Array(types.int16, 1, "C")
ROWS = types.Array(types.int16, 2, "C")


@compiled(RECORDS, types.int64, ROWS, SHORTS)
def play(game: State, move: int, journal: Journal, scratch: Moves) -> None:
    turn.play(game[0], move, journal, scratch)


@compiled(RECORDS, types.int64, ROWS)
def choose(game: State, move: int, journal: Journal) -> None:
    """A move's own effect, without what follows; leaves the game between two stages. For previews."""
    turn.choose(game[0], move, journal)


@compiled(RECORDS, SHORTS, SHORTS, SHORTS)
def legal_moves(game: State, out: Moves, costs: Moves, chances: Moves) -> int:
    """Writes ids, costs and chances in percent (-1 where no die decides); returns how many, -1 - … never."""
    state = game[0]
    count = legal.legal_moves(state, out)
    for number in range(count):
        costs[number] = legal.cost(state, out[number])
        chances[number] = legal.chance_percent(state, out[number])
    return count


@compiled(RECORDS)
def decider(game: State) -> int:
    return legal.decider(game[0])


@compiled(RECORDS)
def lay_out(game: State) -> None:
    setup.lay_out(game[0])


@compiled(RECORDS, SHORTS, ROWS)
def deal(game: State, wanting: Moves, journal: Journal) -> None:
    setup.deal(game[0], wanting, journal)


@compiled(RECORDS, ROWS, SHORTS)
def begin(game: State, journal: Journal, scratch: Moves) -> None:
    setup.begin(game[0], journal, scratch)


@compiled(RECORDS, RECORDS, types.uint64, types.int64, ROWS, SHORTS)
def play_randomly(game: State, start: State, seed: int, games: int, silent: Journal, scratch: Moves) -> int:
    """Plays games of random legal moves from the start given, each under a key of its own; returns the moves made."""
    made = 0
    draw = np.uint64(seed)
    state = game[0]
    for _ in range(games):
        game[0] = start[0]
        draw = draw * np.uint64(6364136223846793005) + np.uint64(1442695040888963407)
        state.key[0] = draw
        while state.phase != Phase.OVER:
            count = legal.legal_moves(state, scratch)
            draw = draw * np.uint64(6364136223846793005) + np.uint64(1442695040888963407)
            pick = (np.int64(draw >> np.uint64(32)) * count) >> 32
            turn.play(state, scratch[pick], silent, scratch)
            made += 1
    return made
