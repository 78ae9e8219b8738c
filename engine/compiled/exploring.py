"""The doors for whoever looks where a gnome can get to: every situation that moves through hatches (§4) lead to.

The moves themselves are tried, so water flows and fires go out here as in a game. Both doors leave it at moves that
nothing follows but what is chosen at once, for want of any other choice: no die is rolled, no card is drawn.
"""

from typing import Protocol

import numba
import numpy as np

from engine import moves
from engine.compiled.jit import compiled, jit
from engine.compiled.journal import JOURNALS
from engine.compiled.legal import legal_moves
from engine.compiled.state import RECORDS, Cells, Games, Journal, Journals, MoveLists, Moves, Records, State, Table
from engine.compiled.turn import choose
from engine.enums import LAST_ASKED, MAX_MINUTES, ROOMS, Phase
from engine.moves import MOVE_LISTS

MOST_PLACES = 4096  # far more than the wildest boats have
LONGEST = 48  # moves of a way
NONE = -1
_SLOTS = 4 * MOST_PLACES  # of a table by hash, a power of two
_SPREAD = np.uint64(0x9E3779B97F4A7C15)  # of hashes, by Fibonacci

# The situations that are known, each beside its game: by which move it comes of which other one, and after how many.
ATLAS = np.dtype(
    (
        np.record,
        [
            ("count", np.int16),
            ("parent", np.int16, (MOST_PLACES,)),
            ("move", np.int16, (MOST_PLACES,)),
            ("length", np.int16, (MOST_PLACES,)),
            ("after", np.int16, (MOST_PLACES,)),  # the next one of as many minutes and moves
            ("key", np.int64, (MOST_PLACES,)),
            ("first", np.int16, (MAX_MINUTES + 1, LONGEST + 1)),  # by minutes left and moves made
            ("slots", np.int16, (_SLOTS,)),
            ("best", np.int16, (ROOMS,)),  # by room, the situation in which the gnome gets there first
        ],
    )
)
ATLASES = numba.types.Array(numba.from_dtype(ATLAS), 1, "C")


class Atlas(Protocol):
    """One record of ATLAS."""

    count: int
    parent: Cells
    move: Cells
    length: Cells
    after: Cells
    key: Cells
    first: Table
    slots: Cells
    best: Cells


def new_atlas() -> np.ndarray:
    """Return an atlas without any situation."""
    atlas = np.empty(1, ATLAS)
    atlas["count"] = 0
    for column in ("first", "slots", "best"):
        atlas[column] = NONE
    return atlas


@jit
def _is_on_the_way(state: State) -> bool:
    return state.phase in (Phase.HATCH, Phase.ESCAPE, Phase.ESCAPE_HATCH)


@jit
def _go(state: State, move: int, journal: Journal, legal: Moves) -> None:
    """Make a move, and then what is chosen at once: a choice with a single option."""
    count = 1
    while count == 1:
        choose(state, move, journal)
        count = legal_moves(state, legal) if _is_on_the_way(state) else 0
        move = legal.ids[0]


@jit
def _key(state: State) -> int:
    """Return a number that differs for what differs on the way: where the gnome is, and all water and fire."""
    key = (state.room[state.active] << 5 | state.phase) << 4 | state.beyond
    for room in range(1, ROOMS):
        key = key << 3 | state.water[room] << 1 | state.fire[room]
    return key


@jit
def _slot(atlas: Atlas, key: int) -> int:
    """Return where the situation with that key is noted, or where there is room for it."""
    slot = np.int64((np.uint64(key) * _SPREAD) >> np.uint64(40)) & (_SLOTS - 1)
    while atlas.slots[slot] != NONE and atlas.key[atlas.slots[slot]] != key:
        slot = (slot + 1) & (_SLOTS - 1)
    return int(slot)


@jit
def _is_later(games: Games, atlas: Atlas, one: int, other: int) -> bool:
    """Return whether one situation takes more minutes than another, or as many and no fewer moves."""
    if games[one].ghost != games[other].ghost:
        return games[one].ghost < games[other].ghost
    return atlas.length[one] >= atlas.length[other]


@jit
def _note(games: Games, atlas: Atlas, parent: int, move: int, length: int) -> None:
    """Add the game behind the last situation to them, unless it is known to come about sooner."""
    number = atlas.count
    atlas.parent[number] = parent
    atlas.move[number] = move
    atlas.length[number] = length
    atlas.key[number] = _key(games[number])
    slot = _slot(atlas, atlas.key[number])
    if atlas.slots[slot] != NONE and _is_later(games, atlas, number, atlas.slots[slot]):
        return
    atlas.slots[slot] = number
    left = games[number].ghost
    atlas.after[number] = atlas.first[left, length]
    atlas.first[left, length] = number
    atlas.count += 1


@jit
def _go_on(games: Games, atlas: Atlas, number: int, silent: Journal, legal: Moves, then: Moves) -> None:
    """Try every move through a hatch."""
    for at in range(legal_moves(games[number], legal)):
        move = legal.ids[at]
        if move <= moves.STAY and atlas.count < MOST_PLACES:
            games[atlas.count] = games[number]
            _go(games[atlas.count], move, silent, then)
            _note(games, atlas, number, move, atlas.length[number] + 1)


@compiled(RECORDS, ATLASES, JOURNALS, MOVE_LISTS, MOVE_LISTS)
def explore(games: Games, atlases: Records[Atlas], silent: Journals, legal: MoveLists, then: MoveLists) -> None:
    """Fill the atlas with what the first of the games leads to: the quickest situations first, of those the ones of
    the fewest moves. The games are as many as an atlas has places for."""
    atlas = atlases[0]
    _note(games, atlas, NONE, moves.NO_MOVE, 0)
    most = games[0].ghost
    for spent in range(most + 1):
        for length in range(LONGEST):
            number = atlas.first[most - spent, length]
            while number != NONE:
                state = games[number]
                if atlas.slots[_slot(atlas, atlas.key[number])] == number:
                    arrived = state.phase == Phase.MOVEMENT or state.phase > LAST_ASKED
                    if arrived and atlas.best[state.room[state.active]] == NONE:
                        atlas.best[state.room[state.active]] = number
                    if state.phase <= LAST_ASKED:
                        _go_on(games, atlas, number, silent[0], legal[0], then[0])
                number = atlas.after[number]


@compiled(RECORDS, numba.types.int64, JOURNALS, MOVE_LISTS)
def go(game: Games, move: int, journal: Journals, legal: MoveLists) -> None:
    """Make a legal move on the way, and what is chosen at once then. The game is left between two stages."""
    _go(game[0], move, journal[0], legal[0])
