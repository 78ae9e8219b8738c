"""Run the trials of the search in compiled code: one choice after the other under one key after the other."""

import numpy as np

from bots.sailor.mind import Minds, Numbers, WeightSets
from bots.search import contest as sheet
from bots.search.comrades import draw_crew
from bots.search.contest import Contest
from bots.search.network import COMPARES, DEATHS, RESCUE, TELLS, Network, Networks, guess
from bots.search.playout import deaths, play_until, rekey
from bots.skill import Skill
from engine.cards import ITEMS
from engine.compiled import turn
from engine.compiled.gnomes import is_aboard
from engine.compiled.items import hand_size, pick, size
from engine.compiled.jit import jit
from engine.compiled.state import Games, Journals, MoveLists, State
from engine.enums import Cause, Condition, Phase, Purpose


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
def judge(state: State, network: Network, contest: Contest) -> tuple[float, float]:
    """Return utility and rescue of a game, by which choices are compared, as it ended or as the network expects it to.

    The utility is the crew's rescue minus a price for each death; for a disloyal seat, whether it has won. Nobody is
    taken for better than a sailor: strong comrades save most boats whatever is done now, so that the choices would
    hardly differ.
    """
    worth = 0.0
    for other in range(state.gnomes):
        if state.condition[other] == Condition.DEAD:
            worth -= contest.prices[other]
    if state.phase != Phase.OVER:
        guess(state, contest.modest, network)
        worth += network.output[RESCUE] - network.output[DEATHS] * mean_price(state, contest.prices)
        return worth, network.output[RESCUE] + 0.0
    rescued = 1.0 if state.cause == Cause.RESCUED else 0.0
    if contest.loyal > 0:
        return rescued + worth, rescued
    gone = 1.0 if state.condition[contest.seat] == Condition.ABANDONED else 0.0
    return abs(rescued - gone), rescued


@jit
def tell(state: State, network: Network, contest: Contest) -> tuple[float, float]:
    """Return rescue and deaths of a game with the crew as it is, as it ended or as the network expects it to end."""
    fell = np.float64(deaths(state))
    if state.phase == Phase.OVER:
        return 1.0 if state.cause == Cause.RESCUED else 0.0, fell
    guess(state, contest.skills, network)
    return network.output[RESCUE] + 0.0, fell + network.output[DEATHS]


@jit
def mean_price(state: State, prices: Numbers) -> float:
    """Return the mean price of a death over the gnomes on board."""
    aboard, sum_ = 0, 0.0
    for seat in range(state.gnomes):
        if is_aboard(state, seat):
            aboard += 1
            sum_ += prices[seat]
    return sum_ / aboard


@jit
def try_all(
    contest: Contest, work: Games, root: Games, planned: Minds, mind: Minds, weights: WeightSets, network: Networks,
    silent: Journals, moves: MoveLists,
) -> None:  # fmt: skip
    """Add a trial to each choice that is left: play the choice, then all comrades until every gnome is past the limit.

    A choice's lead over the first one is measured in each trial: under the same dice, and with the same comrades, it
    varies less than either.
    """
    state = work[0]
    trial = contest.earlier + contest.tried
    first_worth = 0.0
    draw_crew(contest.skills, contest.guesses, root[0].gnomes, contest.seed, trial)
    for seat in range(root[0].gnomes):
        contest.modest[seat] = min(contest.skills[seat], Skill.SAILOR + 0)
    for place in range(contest.alive):
        number = contest.order[place]
        work[0] = root[0]
        rekey(state, contest.seed, trial)
        if contest.hidden > 0:
            deal_again(state, contest.hidden)
        mind[0] = planned[0]
        if contest.planned[number] > 0:
            mind[0].plan = contest.start[number]
            mind[0].tries = 0
        else:
            mind[0].turn = -1
            turn.play(state, contest.start[number], silent[0], moves[0])
        play_until(state, mind[0], weights[0], contest.skills, contest.limit, silent[0], moves[0])
        worth, hope = judge(state, network[COMPARES], contest)
        if place == 0:
            first_worth = worth
        note(contest, number, state, worth, hope, worth - first_worth)
        if contest.tells > 0:
            rescued, fell = tell(state, network[TELLS], contest)
            note_chance(contest, number, rescued, fell)


@jit
def note(contest: Contest, number: int, state: State, worth: float, hope: float, lead: float) -> None:
    """Add what a trial came to."""
    contest.sums[number, sheet.TRIALS] += 1
    contest.sums[number, sheet.UTILITY] += worth
    contest.sums[number, sheet.UTILITY_SQUARED] += worth * worth
    contest.sums[number, sheet.HOPE] += hope
    contest.sums[number, sheet.LEAD] += lead
    contest.sums[number, sheet.LEAD_SQUARED] += lead**2
    if contest.humans > 0:
        for seat in range(state.gnomes):
            if state.condition[seat] == Condition.DEAD:
                contest.fell[number, seat] += 1


@jit
def note_chance(contest: Contest, number: int, rescued: float, fell: float) -> None:
    """Add the chance that a trial told."""
    contest.sums[number, sheet.RESCUED] += rescued
    contest.sums[number, sheet.RESCUED_SQUARED] += rescued * rescued
    contest.sums[number, sheet.DEATHS] += fell
