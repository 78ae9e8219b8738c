"""The compiled part of the search: one choice after the other under one key after the other."""

from typing import Any

from numba import types

from bots import sailor
from bots.mind import MINDS, WEIGHT_SETS, Mind, Weights
from bots.playout import finish, rekey
from engine import turn
from engine.cards import ITEMS
from engine.items import hand_size, pick, size
from engine.jit import compiled, jit
from engine.journal import JOURNALS
from engine.kinds import Cause, Condition, Purpose
from engine.moves import MOVE_LISTS
from engine.state import RECORDS, Journal, Moves, State

RESULTS = (
    7  # trials; sums of the utility and its square, rescues, deaths, the lead over the first choice and its square
)
_INTS = types.Array(types.int64, 1, "C")
_FLOATS = types.Array(types.float64, 1, "C")
_TABLE = types.Array(types.float64, 2, "C")


@compiled(RECORDS, MINDS, WEIGHT_SETS, MOVE_LISTS, types.int64)
def sailor_move(game: State, mind: Mind, weights: Weights, legal: Moves, count: int) -> int:
    """The sailor's choice among the legal moves; at the start of a turn, the mind holds his plans afterwards."""
    return sailor.choose(game[0], mind[0], weights[0], legal[0], count)


@jit
def deal_again(state: State, hidden: int) -> None:
    """Another world that looks the same: hidden hands dealt anew from all that is unseen."""
    for seat in range(state.gnomes):
        if (hidden >> seat) & 1:
            for item in range(ITEMS):
                state.item_deck[item] += state.hand[seat, item]
    for seat in range(state.gnomes):
        if (hidden >> seat) & 1:
            held = hand_size(state, seat)
            for item in range(ITEMS):
                state.hand[seat, item] = 0
            for _ in range(held):
                item = pick(state, state.item_deck, size(state.item_deck), Purpose.SEATING)
                state.item_deck[item] -= 1
                state.hand[seat, item] += 1


@jit
def utility(state: State, prices: Any, seat: int, loyal: bool) -> float:
    """The crew's rescue less a price for every death; or, of the disloyal, what the rules say of his own seat."""
    rescued = state.cause == Cause.RESCUED
    if not loyal:
        gone = state.condition[seat] == Condition.ABANDONED
        return 1.0 if rescued != gone else 0.0
    worth = 1.0 if rescued else 0.0
    for other in range(state.gnomes):
        if state.condition[other] == Condition.DEAD:
            worth -= prices[other]
    return worth


@jit
def count_dead(state: State) -> int:
    dead = 0
    for seat in range(state.gnomes):
        dead += state.condition[seat] == Condition.DEAD
    return dead


@compiled(
    RECORDS, RECORDS, MINDS, MINDS, WEIGHT_SETS, _INTS, _INTS, types.int64, types.int64, types.int64, _FLOATS,
    types.int64, types.boolean, types.int64, JOURNALS, MOVE_LISTS, _TABLE,
)  # fmt: skip
def try_out(
    work: State, root: State, planned: Mind, mind: Mind, weights: Weights, start: Any, by_plan: Any, seed: int,
    first: int, trials: int, prices: Any, seat: int, loyal: bool, hidden: int, silent: Journal, moves: Moves,
    results: Any,
) -> None:  # fmt: skip
    """Adds to a row for each choice: it starts with the plan of that number, or with the move of that id.

    A choice's lead over the first one is measured trial by trial: under the same dice it varies less than either.
    """
    state = work[0]
    for trial in range(first, first + trials):
        first_worth = 0.0
        for number in range(len(start)):
            work[0] = root[0]
            rekey(state, seed, trial)
            if hidden > 0:
                deal_again(state, hidden)
            mind[0] = planned[0]
            if by_plan[number] > 0:
                mind[0].plan = start[number]
                mind[0].tries = 0
            else:
                mind[0].turn = -1
                turn.play(state, start[number], silent[0], moves[0])
            finish(state, mind[0], weights[0], silent[0], moves[0])
            worth = utility(state, prices, seat, loyal)
            results[number, 0] += 1
            results[number, 1] += worth
            results[number, 2] += worth * worth
            results[number, 3] += state.cause == Cause.RESCUED
            results[number, 4] += count_dead(state)
            if number == 0:
                first_worth = worth
            results[number, 5] += worth - first_worth
            results[number, 6] += (worth - first_worth) ** 2
