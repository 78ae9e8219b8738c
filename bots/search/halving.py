"""Find the best choice by trials under the same dice, dropping the worse half each round (sequential halving).

A search that can't gain much any more ends early. One that still can after its rounds goes on with the choices that may
be best, up to the most that it may spend.

Trial n of every choice has the same key, so that all meet the same cards and rolls. What the sailor thinks of a choice
is believed until the trials know better: the sailor's own is given up only on evidence. It stays to the end, as the
others are measured by their lead over it.
"""

import numpy as np
from numba import types

from bots.sailor.mind import MINDS, WEIGHT_SETS, Minds, Weights, WeightSets
from bots.sailor.worth import slowest_minute
from bots.search import belief
from bots.search import contest as sheet
from bots.search.candidates import collect
from bots.search.contest import CONTESTS, Contest, Contests
from bots.search.network import NETWORKS, Networks
from bots.search.playout import NEVER, follow
from bots.search.trials import try_all
from engine.compiled.jit import compiled, jit
from engine.compiled.journal import JOURNALS
from engine.compiled.state import RECORDS, Games, Journal, Journals, MoveLists, Moves
from engine.enums import SEATS, Action
from engine.moves import MOVE_LISTS

_PRIME = np.uint64(1099511628211)  # of hashes by Fowler, Noll and Vo

BEGIN, GO_ON, WRITE, END = range(4)  # the steps of a search

# When a human is the price of a choice: their death is likelier than behind some other one by that much, in a game
# that the other one does not lose anyhow.
SACRIFICE = 0.2
HOPE = 0.05

# Of utility: by how much a choice must lead for the sailor's own work to be given up. Less is hardly a difference, and
# if all leave a task to the others, who are taken for sailors, nobody does it.
CUSTOM = 0.004
DULL = 0.003  # of utility: what more trials must promise to gain
DOUBT = 1.5  # spreads by which a lead may be wrong
CONTENDERS = 4  # beside the first choice, in rounds beyond the last one


@jit
def begin(
    contest: Contest, work: Games, root: Games, planned: Minds, mind: Minds, weights: WeightSets, silent: Journals,
    moves: MoveLists,
) -> None:  # fmt: skip
    """Collect the choices, and set out for the first round. The mind `planned` holds the plans afterwards."""
    state = root[0]
    collect(contest, state, planned[0], weights[0], moves[0])
    idles = contest.planned[0] > 0 and planned[0].action[contest.start[0]] == Action.NO_ACTION
    contest.custom = 0.0 if idles else CUSTOM
    if contest.wide > 0:
        merge(contest, work, root, planned, mind, weights[0], silent[0], moves[0])
    for number in range(contest.count):
        contest.order[number] = number
        contest.lead[number] = 0.0
        contest.sacrifice[number] = 0
        for column in range(sheet.RESULTS):
            contest.sums[number, column] = 0.0
        for seat in range(SEATS):
            contest.fell[number, seat] = 0.0
    contest.alive = contest.count
    contest.limit = slowest_minute(state) - contest.minutes if contest.loyal > 0 else NEVER
    contest.round, contest.earlier, contest.tried, contest.spent = 0, 0, 0, 0
    contest.rounds = rounds_for(contest.count)
    listed = min(contest.count, contest.candidates)
    if listed < contest.count:
        contest.playouts = max(1, contest.playouts // (rounds_for(listed) * listed)) * contest.count * contest.rounds
    share(contest)


@jit
def write_line(
    contest: Contest, number: int, work: Games, root: Games, planned: Minds, mind: Minds, weights: Weights,
    silent: Journal, moves: Moves,
) -> int:  # fmt: skip
    """Write the moves of a choice: of a plan, those up to its action or its first surprise. Return their number."""
    if contest.planned[number] == 0:
        contest.line[0] = contest.start[number]
        return 1
    work[0] = root[0]
    mind[0] = planned[0]
    mind[0].plan = contest.start[number]
    mind[0].tries = 0
    return follow(work[0], mind[0], weights, silent, moves, contest.line)


@jit
def merge(
    contest: Contest, work: Games, root: Games, planned: Minds, mind: Minds, weights: Weights, silent: Journal,
    moves: Moves,
) -> None:  # fmt: skip
    """Keep one of the choices that come to the same moves."""
    kept = 0
    for number in range(contest.count):
        length = write_line(contest, number, work, root, planned, mind, weights, silent, moves)
        print_ = np.uint64(length)
        for at in range(length):
            print_ = (print_ ^ np.uint64(contest.line[at])) * _PRIME
        known = False
        for other in range(kept):
            known = known or contest.print[other] == print_
        if not known:
            contest.start[kept] = contest.start[number]
            contest.planned[kept] = contest.planned[number]
            contest.behind[kept] = contest.behind[number]
            contest.print[kept] = print_
            kept += 1
    contest.count = kept


@jit
def rounds_for(choices: int) -> int:
    """Return how often so many choices are halved."""
    rounds = 1
    while 1 << rounds < choices:
        rounds += 1
    return rounds


@jit
def share(contest: Contest) -> None:
    """Share this round's playouts out among the choices that are left."""
    contest.tried = 0
    contest.each = max(1, contest.playouts // (contest.rounds * contest.alive))


@jit
def go_on(
    contest: Contest, work: Games, root: Games, planned: Minds, mind: Minds, weights: WeightSets, network: Networks,
    silent: Journals, moves: MoveLists, most: int,
) -> None:  # fmt: skip
    """Run about that many more playouts, or as many as are left to do."""
    stop = contest.spent + most
    while contest.round < contest.rounds and contest.spent < stop:
        try_all(contest, work, root, planned, mind, weights, network, silent, moves)
        contest.tried += 1
        contest.spent += contest.alive
        if contest.tried == contest.each:
            end_round(contest)


@jit
def end_round(contest: Contest) -> None:
    """Keep the better half of the choices beside the first one."""
    weigh(contest)
    for place in range(2, contest.alive):
        number = contest.order[place]
        at = place
        while at > 1 and is_better(contest, number, contest.order[at - 1]):
            contest.order[at] = contest.order[at - 1]
            at -= 1
        contest.order[at] = number
    contest.alive = 1 + (max(1, (contest.alive - 1) // 2) if contest.alive > 1 else 0)
    contest.earlier += contest.each
    contest.round += 1
    if contest.most > 0:
        go_on_or_stop(contest)
    share(contest)


@jit
def go_on_or_stop(contest: Contest) -> None:
    """End a search that has little to gain, and prolong one that has."""
    best = leader(contest)
    left = 0
    for number in range(contest.count):
        left += number != best and may_be_best(contest, number, best)
    if left == 0 and contest.round > 1:
        contest.rounds = contest.round
    elif left > 0 and contest.round == contest.rounds and contest.spent < contest.most:
        contest.rounds += 1
        call_contenders(contest, best)


@jit
def may_be_best(contest: Contest, number: int, best: int) -> bool:
    """Return whether a choice may turn out to be better than the best so far by more than is worth nothing."""
    behind = contest.lead[best] - contest.lead[number]
    unsure = max(number, best) if min(number, best) == 0 else number  # the first one is what all are measured by
    spread = contest.promise[unsure] - contest.lead[unsure]
    return contest.sacrifice[number] <= contest.sacrifice[best] and DOUBT * spread - behind > DULL


@jit
def call_contenders(contest: Contest, best: int) -> None:
    """Let the choices that promise most take part in the next round, the first and the best among them."""
    contest.alive = 1
    if best > 0:
        contest.order[1] = best
        contest.alive = 2
    for _ in range(CONTENDERS - 1):
        found = -1
        for number in range(1, contest.count):
            taken = number == best
            for place in range(contest.alive):
                taken = taken or contest.order[place] == number
            hopeful = not taken and may_be_best(contest, number, best)
            if hopeful and (found < 0 or is_better(contest, number, found)):
                found = number
        if found >= 0:
            contest.order[contest.alive] = found
            contest.alive += 1


@jit
def is_better(contest: Contest, one: int, other: int) -> bool:
    """Return whether a choice deserves more trials than another one; one that costs a human does not."""
    if contest.sacrifice[one] != contest.sacrifice[other]:
        return contest.sacrifice[one] < contest.sacrifice[other]
    return contest.promise[one] > contest.promise[other]


@jit
def weigh(contest: Contest) -> None:
    """Write what to believe of each choice after the trials so far."""
    for number in range(contest.count):
        expected, spread = belief.UNRATED_LEAD, belief.UNRATED_SPREAD
        if contest.planned[number] > 0:
            expected, spread = belief.expect(contest.behind[number])
        trials, leads = contest.sums[number, sheet.TRIALS], contest.sums[number, sheet.LEAD]
        lead, spread = belief.update(expected, spread, trials, leads, contest.sums[number, sheet.LEAD_SQUARED])
        contest.lead[number] = lead
        contest.promise[number] = lead + spread
        contest.sacrifice[number] = contest.humans > 0 and is_sacrifice(contest, number)


@jit
def is_sacrifice(contest: Contest, number: int) -> bool:
    """Return whether a human is the price of a choice: someone dies who would live if another one were made."""
    trials = contest.sums[number, sheet.TRIALS]
    for seat in range(SEATS):
        if (contest.humans >> seat) & 1 and trials > 0:
            for other in range(contest.count):
                tried = contest.sums[other, sheet.TRIALS]
                if tried > 0 and contest.sums[other, sheet.HOPE] >= HOPE * tried:
                    more = contest.fell[number, seat] / trials - contest.fell[other, seat] / tried
                    if more > SACRIFICE + 1 / min(trials, tried):  # one death in few trials is none
                        return True
    return False


@jit
def settle(contest: Contest) -> int:
    """Weigh the trials so far, and return the number of the best choice."""
    weigh(contest)
    return leader(contest)


@jit
def leader(contest: Contest) -> int:
    """Return the number of the best choice as it was last weighed: the sailor's own, unless another one leads."""
    best = 0
    for number in range(1, contest.count):
        if contest.sums[number, sheet.TRIALS] > 0:
            saves = contest.sacrifice[number] < contest.sacrifice[best]
            ahead = contest.lead[number] > (contest.lead[best] if best > 0 else contest.custom)
            if saves or (ahead and contest.sacrifice[number] == contest.sacrifice[best]):
                best = number
    return best


@compiled(
    types.int64, CONTESTS, RECORDS, RECORDS, MINDS, MINDS, WEIGHT_SETS, NETWORKS, JOURNALS, MOVE_LISTS, types.int64
)  # fmt: skip
def step(
    which: int, contest: Contests, work: Games, root: Games, planned: Minds, mind: Minds, weights: WeightSets,
    network: Networks, silent: Journals, moves: MoveLists, argument: int,
) -> int:  # fmt: skip
    """Take one step of a search. There is one door for all of them, as each door compiles the rules beneath it anew.

    BEGIN sets out, after which the mind `planned` holds the plans. GO_ON runs about as many more playouts as the
    argument says, and returns 0 when all are done. WRITE writes the line of the choice with that number, and returns
    its length. END returns the number of the best choice so far.
    """
    if which == BEGIN:
        begin(contest[0], work, root, planned, mind, weights, silent, moves)
        return contest[0].count
    if which == GO_ON:
        go_on(contest[0], work, root, planned, mind, weights, network, silent, moves, argument)
        return contest[0].rounds - contest[0].round
    if which == WRITE:
        return write_line(contest[0], argument, work, root, planned, mind, weights[0], silent[0], moves[0])
    return settle(contest[0])
