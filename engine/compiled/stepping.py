"""The door for programs that play by numbers. It is compiled when somebody asks for it, not with the others."""

from numba import types

from engine.compiled import legal, turn
from engine.compiled.jit import compiled, jit
from engine.compiled.journal import JOURNALS
from engine.compiled.state import RECORDS, Cells, Games, Journals, MoveLists, Moves, State, Table
from engine.moves import MOVE_LISTS

ILLEGAL = -1

_IDS, _MASK, _SEATS = types.Array(types.int16, 2, "C"), types.Array(types.boolean, 2, "C"), types.int8[::1]


@jit
def _tell(state: State, moves: Moves, count: int, ids: Cells, mask: Cells) -> None:
    for move in range(len(mask)):
        mask[move] = False
    for number in range(count):
        move = moves.ids[number]
        ids[number] = move
        mask[move] = True


@compiled(RECORDS, JOURNALS, MOVE_LISTS, _IDS, _MASK, _SEATS, types.int64)
def look(games: Games, silent: Journals, out: MoveLists, ids: Table, mask: Table, deciders: Cells, lane: int) -> int:
    """Write what is legal in a lane; return how many moves there are."""
    if lane < 0 or lane >= len(games):
        raise IndexError("no such lane")
    count = legal.legal_moves(games[lane], out[0])
    _tell(games[lane], out[0], count, ids[lane], mask[lane])
    deciders[lane] = legal.decider(games[lane])
    return count


@compiled(RECORDS, JOURNALS, MOVE_LISTS, _IDS, _MASK, _SEATS, types.int64, types.int64)
def step(
    games: Games, silent: Journals, out: MoveLists, ids: Table, mask: Table, deciders: Cells, lane: int, move: int
) -> int:
    """Play a move in a lane and write what is legal then; return how many moves there are, or ILLEGAL."""
    if lane < 0 or lane >= len(games):
        raise IndexError("no such lane")
    state, moves = games[lane], out[0]
    if not legal.is_legal(state, moves, move):
        return ILLEGAL
    count = turn.play(state, move, silent[0], moves)
    _tell(state, moves, count, ids[lane], mask[lane])
    deciders[lane] = legal.decider(state)
    return count
