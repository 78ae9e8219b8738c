"""The compiled part of the search: one choice after the other under one key after the other."""

from typing import Any

from numba import types

from bots import sailor
from bots.mind import MINDS, WEIGHT_SETS, Mind, Weights
from bots.network import DEATHS, NETWORKS, RESCUE, Network, guess
from bots.playout import NEVER, play_until, rekey
from bots.worth import slowest_minute
from engine import turn
from engine.cards import ITEMS
from engine.gnomes import is_aboard
from engine.items import hand_size, pick, size
from engine.jit import compiled, jit
from engine.journal import JOURNALS
from engine.kinds import Cause, Condition, Phase, Purpose
from engine.moves import MOVE_LISTS
from engine.state import RECORDS, Journal, Moves, State

# Trials; sums of the utility and its square, of the rescue and its square, of the deaths, and of the lead over the
# first choice and its square.
RESULTS = 8
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
def judge(state: State, network: Network, prices: Any, seat: int, loyal: bool) -> tuple[float, float, float]:
    """Utility, rescue and deaths of a game that is over, or that the network foresees from here.

    The utility is the crew's rescue less a price for every death; or, of the disloyal, what the rules say of his seat.
    """
    fell = 0.0
    worth = 0.0
    for other in range(state.gnomes):
        if state.condition[other] == Condition.DEAD:
            fell += 1
            worth -= prices[other]
    if state.phase != Phase.OVER:
        guess(state, network)
        chance, to_come = network.told[RESCUE] + 0.0, network.told[DEATHS] + 0.0
        return chance + worth - to_come * mean_price(state, prices), chance, fell + to_come
    rescued = 1.0 if state.cause == Cause.RESCUED else 0.0
    if loyal:
        return rescued + worth, rescued, fell
    gone = 1.0 if state.condition[seat] == Condition.ABANDONED else 0.0
    return abs(rescued - gone), rescued, fell


@jit
def mean_price(state: State, prices: Any) -> float:
    """Of the next death, whoever it is of those aboard."""
    aboard, sum_ = 0, 0.0
    for seat in range(state.gnomes):
        if is_aboard(state, seat):
            aboard += 1
            sum_ += prices[seat]
    return sum_ / aboard


@compiled(
    RECORDS, RECORDS, MINDS, MINDS, WEIGHT_SETS, NETWORKS, _INTS, _INTS, types.int64, types.int64, types.int64,
    types.int64, _FLOATS, types.int64, types.boolean, types.int64, JOURNALS, MOVE_LISTS, _TABLE,
)  # fmt: skip
def try_out(
    work: State, root: State, planned: Mind, mind: Mind, weights: Weights, network: Network, start: Any, by_plan: Any,
    seed: int, first: int, trials: int, horizon: int, prices: Any, seat: int, loyal: bool, hidden: int,
    silent: Journal, moves: Moves, results: Any,
) -> None:  # fmt: skip
    """Adds to a row for each choice: it starts with the plan of that number, or with the move of that id.

    Sailors play until every gnome is as many minutes on as the slowest's horizon; the network knows nothing of the
    disloyal, whose games are played to their end. A choice's lead over the first one is measured trial by trial: under
    the same dice it varies less than either.
    """
    state = work[0]
    limit = slowest_minute(root[0]) - horizon if loyal else NEVER
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
            play_until(state, mind[0], weights[0], limit, silent[0], moves[0])
            worth, rescued, fell = judge(state, network[0], prices, seat, loyal)
            results[number, 0] += 1
            results[number, 1] += worth
            results[number, 2] += worth * worth
            results[number, 3] += rescued
            results[number, 4] += rescued * rescued
            results[number, 5] += fell
            if number == 0:
                first_worth = worth
            results[number, 6] += worth - first_worth
            results[number, 7] += (worth - first_worth) ** 2
