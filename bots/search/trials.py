"""Run the trials of the search in compiled code: one choice after the other under one key after the other."""

from typing import Any

from numba import types

from bots.sailor import sailor
from bots.sailor.mind import MINDS, WEIGHT_SETS, Minds, Numbers, WeightSets
from bots.sailor.worth import slowest_minute
from bots.search.network import DEATHS, NETWORKS, RESCUE, Network, Networks, guess
from bots.search.playout import NEVER, play_until, rekey
from engine.cards import ITEMS
from engine.compiled import turn
from engine.compiled.gnomes import is_aboard
from engine.compiled.items import hand_size, pick, size
from engine.compiled.jit import compiled, jit
from engine.compiled.journal import JOURNALS
from engine.compiled.state import RECORDS, Cells, Games, Journals, MoveLists, State
from engine.enums import Cause, Condition, Phase, Purpose
from engine.moves import MOVE_LISTS

# The columns of results: the number of trials; the sums of the utility and its square, of the rescue and its square, of
# the deaths, and of the lead over the first choice and its square.
RESULTS = 8
_INTS = types.Array(types.int64, 1, "C")
_FLOATS = types.Array(types.float64, 1, "C")
_TABLE = types.Array(types.float64, 2, "C")


@compiled(RECORDS, MINDS, WEIGHT_SETS, MOVE_LISTS, types.int64)
def sailor_move(game: Games, mind: Minds, weights: WeightSets, legal: MoveLists, count: int) -> int:
    """Return the sailor's choice among the legal moves. At the start of a turn the mind holds the plans afterwards."""
    return sailor.choose(game[0], mind[0], weights[0], legal[0], count)


@jit
def deal_again(state: State, hidden: int) -> None:
    """Deal the hidden hands anew from everything unseen: another world that looks the same."""
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
def judge(state: State, network: Network, prices: Numbers, seat: int, loyal: bool) -> tuple[float, float, float]:
    """Return utility, rescue and deaths of a game, as it ended or as the network expects it to end.

    The utility is the crew's rescue minus a price for each death; for a disloyal seat, whether it has won.
    """
    fell = 0.0
    worth = 0.0
    for other in range(state.gnomes):
        if state.condition[other] == Condition.DEAD:
            fell += 1
            worth -= prices[other]
    if state.phase != Phase.OVER:
        guess(state, network)
        chance, to_come = network.output[RESCUE] + 0.0, network.output[DEATHS] + 0.0
        return chance + worth - to_come * mean_price(state, prices), chance, fell + to_come
    rescued = 1.0 if state.cause == Cause.RESCUED else 0.0
    if loyal:
        return rescued + worth, rescued, fell
    gone = 1.0 if state.condition[seat] == Condition.ABANDONED else 0.0
    return abs(rescued - gone), rescued, fell


@jit
def mean_price(state: State, prices: Numbers) -> float:
    """Return the mean price of a death over the gnomes on board."""
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
    work: Games, root: Games, planned: Minds, mind: Minds, weights: WeightSets, network: Networks,
    start: Cells, by_plan: Cells, seed: int, first: int, trials: int, horizon: int, prices: Numbers, seat: int,
    loyal: bool, hidden: int, silent: Journals, moves: MoveLists, results: Any,
) -> None:  # fmt: skip
    """Add trials to a row for each choice, which starts with the plan of that number, or with the move of that id.

    Sailors play until every gnome is past the horizon. The network knows nothing of disloyal seats, so that their games
    are played to the end. A choice's lead over the first one is measured in each trial: under the same dice it varies
    less than either.
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
