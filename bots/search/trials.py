"""Run the trials of the search in compiled code: one choice after the other under one key after the other."""

from bots.sailor.mind import Minds, Numbers, WeightSets
from bots.search import contest as sheet
from bots.search.comrades import draw_crew
from bots.search.contest import Contest
from bots.search.network import COMPARES, DEATHS, RESCUE, TELLS, Networks, guess
from bots.search.playout import play_until, rekey
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
def judge(state: State, networks: Networks, contest: Contest) -> tuple[float, float, float]:
    """Return utility, rescue and deaths of a game, as it ended or as the network expects it to end.

    The utility is the crew's rescue minus a price for each death; for a disloyal seat, whether it has won. Rescue and
    deaths are told for the crew as it is, but the utility takes nobody for better than a sailor: strong comrades save
    most boats whatever is done now, so that the choices would hardly differ.
    """
    fell = 0.0
    worth = 0.0
    for other in range(state.gnomes):
        if state.condition[other] == Condition.DEAD:
            fell += 1
            worth -= contest.prices[other]
    if state.phase != Phase.OVER:
        network = networks[COMPARES]
        guess(state, contest.modest, network)
        worth += network.output[RESCUE] - network.output[DEATHS] * mean_price(state, contest.prices)
        teller = networks[TELLS]
        guess(state, contest.skills, teller)
        return worth, teller.output[RESCUE] + 0.0, fell + teller.output[DEATHS]
    rescued = 1.0 if state.cause == Cause.RESCUED else 0.0
    if contest.loyal > 0:
        return rescued + worth, rescued, fell
    gone = 1.0 if state.condition[contest.seat] == Condition.ABANDONED else 0.0
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
        worth, rescued, fell = judge(state, network, contest)
        if place == 0:
            first_worth = worth
        note(contest, number, state, worth, rescued, fell, worth - first_worth)


@jit
def note(contest: Contest, number: int, state: State, worth: float, rescued: float, fell: float, lead: float) -> None:
    """Add what a trial came to."""
    contest.sums[number, sheet.TRIALS] += 1
    contest.sums[number, sheet.UTILITY] += worth
    contest.sums[number, sheet.UTILITY_SQUARED] += worth * worth
    contest.sums[number, sheet.RESCUED] += rescued
    contest.sums[number, sheet.RESCUED_SQUARED] += rescued * rescued
    contest.sums[number, sheet.DEATHS] += fell
    contest.sums[number, sheet.LEAD] += lead
    contest.sums[number, sheet.LEAD_SQUARED] += lead**2
    if contest.humans > 0:
        for seat in range(state.gnomes):
            if state.condition[seat] == Condition.DEAD:
                contest.fell[number, seat] += 1
