"""Play whole games of sailors in compiled code, with the same outcome as through the façade."""

from bots.sailor import sailor
from bots.sailor.mind import MINDS, WEIGHT_SETS, Minds, WeightSets, new_mind
from bots.sailor.weights import WEIGHTS
from engine import Game
from engine.compiled import legal, turn
from engine.compiled.jit import compiled
from engine.compiled.journal import JOURNALS, new_journal
from engine.compiled.state import RECORDS, Games, Journals, MoveLists
from engine.moves import MOVE_LISTS, new_moves
from engine.rows import Row


def play_on(game: Game) -> int:
    """Let sailors play a game to its end, in place; return the deaths on the way, those of replaced gnomes included."""
    return int(_play_on(game.record, WEIGHTS, new_mind(), new_journal(), new_moves()))


@compiled(RECORDS, WEIGHT_SETS, MINDS, JOURNALS, MOVE_LISTS)
def _play_on(game: Games, weights: WeightSets, mind: Minds, journal: Journals, moves: MoveLists) -> int:
    state, happened = game[0], journal[0]
    deaths = 0
    count = legal.legal_moves(state, moves[0])
    while count > 0:
        happened.count = 0
        move = sailor.choose(state, mind[0], weights[0], moves[0], count)
        count = turn.play(state, move, happened, moves[0])
        for row in range(happened.count):
            deaths += happened.rows[row, 0] == Row.GNOME_DIED
    return deaths
