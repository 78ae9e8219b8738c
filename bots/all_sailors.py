"""Whole games of nobody but sailors in compiled code, each under its own dice: what the façade would make of them."""

from bots import sailor
from bots.mind import MINDS, WEIGHT_SETS, Mind, Weights, new_mind
from bots.weights import WEIGHTS
from engine import Game, legal, turn
from engine.jit import compiled
from engine.journal import JOURNALS, Row, new_journal
from engine.moves import MOVE_LISTS, new_moves
from engine.state import RECORDS, Journal, Moves, State


def play_on(game: Game) -> int:
    """Sailors play a game to its end, in place; returns the deaths on the way, those of replaced gnomes included."""
    return int(_play_on(game.record, WEIGHTS, new_mind(), new_journal(), new_moves()))


@compiled(RECORDS, WEIGHT_SETS, MINDS, JOURNALS, MOVE_LISTS)
def _play_on(game: State, weights: Weights, mind: Mind, journal: Journal, moves: Moves) -> int:
    state, told = game[0], journal[0]
    deaths = 0
    count = legal.legal_moves(state, moves[0])
    while count > 0:
        told.count = 0
        move = sailor.choose(state, mind[0], weights[0], moves[0], count)
        count = turn.play(state, move, told, moves[0])
        for row in range(told.count):
            deaths += told.rows[row, 0] == Row.GNOME_DIED
    return deaths
