"""The door for learners: plays a move in each lane, begins ended games anew, and writes what the next decider knows.

What is written is what `engine.vector` says, without a Python object. The public part of a row is copied out of the
record in words, and masks are cleared only where they were set: a learner's step costs little more than the rules.
"""

from typing import Any

import numba
import numpy as np
from numba import types

from engine.cards import ITEMS
from engine.compiled import legal, setup, turn
from engine.compiled.dice import siphash
from engine.compiled.jit import compiled, jit
from engine.compiled.journal import JOURNALS
from engine.compiled.state import RECORDS, Cells, Games, Journal, Journals, MoveLists, Moves, State, Table, Words
from engine.enums import NOBODY, SEATS, Cause, Condition
from engine.moves import COUNT, MOVE_LISTS
from engine.vector import DECIDER_AT, DECK_AT, HAND_AT, HIDDEN_AT, RECORD_BYTES, SEAT_AT, TURN_BEGUN_AT

ILLEGAL = -1
PLAY, PLAY_ONE, BEGIN, LOOK = 0, 1, 2, 3  # what `advance` does: all actions, one action, a new game, a row for a seat
ONCE = 4  # added to PLAY or PLAY_ONE: a game that has ended stays as it is
PUT = BEGIN + ONCE  # go on with a game that was put into a lane

WORDS = np.dtype((np.record, [("words", np.int64, (RECORD_BYTES // 8,))]))  # a record's public part, or that of a row
if WORDS.itemsize != RECORD_BYTES:
    raise TypeError("the public part of a record is no whole number of words: copy the rest, too")

_WORDS = types.Array(numba.from_dtype(WORDS), 1, "A")
_FACTOR, _STEP = (np.uint64(6364136223846793005), np.uint64(1442695040888963407))  # a linear congruential generator


@jit
def _write_row(state: State, source: Cells, target: Cells, row: Cells, seat: int) -> None:
    """Write what a seat may know, as `engine.vector.observation` does."""
    for word in range(RECORD_BYTES // 8):
        target[word] = source[word]
    for other in range(SEATS):
        row[HIDDEN_AT + other] = 0
    if state.hidden_hands > 0:
        _hide(state, row, seat)
    row[TURN_BEGUN_AT] = state.turn > 0
    row[DECIDER_AT] = legal.decider(state)
    row[SEAT_AT] = seat


@jit
def _hide(state: State, row: Cells, seat: int) -> None:
    """Turn the hands of other players into their sizes, and count their cards as unseen (§9)."""
    for other in range(state.gnomes):
        own = seat != NOBODY and other * state.players // state.gnomes == seat * state.players // state.gnomes
        if not own:
            for item in range(ITEMS):
                copies = state.hand[other, item]
                row[HIDDEN_AT + other] += copies
                row[DECK_AT + item] += copies
                row[HAND_AT + other * ITEMS + item] = 0


@jit
def _holds(moves: Moves, count: int, action: int) -> bool:
    """Return whether an action is among the legal ones. Looking at all of them is quicker than stopping at it."""
    found = False
    if 0 <= action < COUNT:
        for number in range(count):
            found |= moves.ids[number] == action
    return found


@jit
def _mark(mask: Cells, moves: Moves, count: int, legal_now: bool) -> None:
    for number in range(count):
        mask[np.uint64(moves.ids[number])] = (
            legal_now > 0
        )  # an index without a sign is not asked whether it is negative


@jit
def _pay(state: State, rewards: Cells) -> None:
    """Give each seat its own won or lost: who abandoned the others wins when the crew is lost (§5, §8)."""
    rescued = state.cause == Cause.RESCUED
    for seat in range(state.gnomes):
        gone = state.condition[seat] == Condition.ABANDONED
        rewards[seat] = 1 if rescued != gone else -1


@jit
def _begin(state: State, journal: Journal, moves: Moves, keys: Words, lane: int, episode: int) -> int:
    """Begin a game under the key of lane and episode; return how many moves are legal. Caller has set the rules."""
    number = ((lane << 32) | episode) << 1
    state.key[0] = siphash(keys[0], keys[1], np.uint64(number))
    state.key[1] = siphash(keys[0], keys[1], np.uint64(number | 1))
    setup.lay_out(state)
    setup.deal(state, (1 << state.gnomes) - 1, journal)
    return setup.begin(state, journal, moves)


@compiled(
    RECORDS,
    _WORDS,
    JOURNALS,
    RECORDS,
    types.uint64[::1],
    MOVE_LISTS,
    types.int16[::1],
    types.Array(types.boolean, 2, "C"),
    _WORDS,
    types.Array(types.int8, 2, "C"),
    types.int8[::1],
    types.Array(types.float32, 2, "C"),
    types.Array(types.boolean, 1, "C"),
    types.int64[::1],
    types.int64[::1],
    types.int64,
    types.int64[::1],
    types.int64,
    types.int64,
    types.int64,
)
def advance(
    games: Games,
    public: Any,
    silent: Journals,
    blank: Games,
    keys: Words,
    lists: MoveLists,
    counts: Cells,
    masks: Table,
    shown: Any,
    rows: Table,
    deciders: Cells,
    rewards: Table,
    dones: Cells,
    episodes: Cells,
    illegal: Cells,
    what: int,
    actions: Cells,
    first: int,
    last: int,
    one: int,
) -> int:
    """Do what is asked in the lanes from `first` to before `last`; return how many moves are legal in the last one.

    `one` is the action of PLAY_ONE, and the seat that LOOK writes a row for. PLAY_ONE returns ILLEGAL for such a move.
    """
    if first < 0 or last > len(games) or last > len(actions):
        raise IndexError("no such lane")
    playing = what & LOOK < BEGIN
    count = 0
    for lane in range(first, last):
        state, moves, mask = games[lane], lists[lane], masks[lane]
        count = counts[lane]
        seat = one
        if what != LOOK:
            for other in range(SEATS):
                rewards[lane, other] = 0
            dones[lane] = False
            if playing:
                action = one if what & PLAY_ONE else actions[lane]
                if not _holds(moves, count, action):
                    illegal[lane] += 1
                    count = ILLEGAL
                    continue
            _mark(mask, moves, count, False)
            if playing:
                count = turn.play(state, action, silent[0], moves)
                if count == 0:
                    _pay(state, rewards[lane])
                    dones[lane] = True
            elif what == PUT:
                count = legal.legal_moves(state, moves)
            fresh = what == BEGIN
            while fresh or (count == 0 and what < ONCE):  # a storm may end a game before anybody is asked
                fresh = False
                episodes[lane] += 1
                games[lane] = blank[0]
                count = _begin(games[lane], silent[0], moves, keys, lane, episodes[lane])
            _mark(mask, moves, count, True)
            counts[lane] = count
            seat = legal.decider(state)
            deciders[lane] = seat
        _write_row(state, public[lane].words, shown[lane].words, rows[lane], seat)
    return count


@compiled(
    MOVE_LISTS,
    types.int16[::1],
    types.Array(types.boolean, 2, "C"),
    types.uint64[::1],
    types.int64[::1],
)
def sample(lists: MoveLists, counts: Cells, masks: Table, chance: Words, actions: Cells) -> None:
    """Write a random legal action for each lane, of those that the masks leave, or ILLEGAL if they leave none."""
    draw = chance[0]
    for lane in range(len(counts)):
        moves, mask = lists[lane], masks[lane]
        left = 0
        for number in range(counts[lane]):
            left += mask[np.uint64(moves.ids[number])]
        draw = draw * _FACTOR + _STEP
        behind = (np.int64(draw >> np.uint64(32)) * left) >> 32
        chosen = ILLEGAL
        for number in range(counts[lane]):
            if mask[np.uint64(moves.ids[number])]:
                if behind == 0:
                    chosen = moves.ids[number]
                behind -= 1
        actions[lane] = chosen
    chance[0] = draw
