"""Collect what a decider can do: plans for the turn, the best of their kinds first, or any other decision's moves."""

import numpy as np

from bots.sailor import sailor
from bots.sailor.mind import Mind, Weights
from bots.sailor.planning import widen_plans
from bots.search.comrades import is_selfish
from bots.search.contest import MOST_CHOICES, Contest
from engine.compiled import legal
from engine.compiled.jit import jit
from engine.compiled.state import Moves, State
from engine.enums import Phase

PER_DESTINATION_AND_ACTION = 2


@jit
def collect(contest: Contest, state: State, mind: Mind, weights: Weights, moves: Moves) -> None:
    """Write the choices to the contest: the sailor's own, then the other plans of a turn, or all legal moves."""
    contest.count = 0
    mind.turn = -1
    count = legal.legal_moves(state, moves)
    own = sailor.choose(state, mind, weights, moves, count)
    planned = state.phase == Phase.MOVEMENT and count > 1 and mind.plan >= 0
    if planned and (contest.loyal == 0 or not is_selfish(mind, mind.plan)):
        collect_plans(contest, mind)
        if contest.wide > 0:
            collect_widely(contest, state, mind, weights)
        return
    add_choice(contest, own, 0, 0.0)
    for number in range(count):
        if moves.ids[number] != own and contest.count < contest.candidates:
            add_choice(contest, moves.ids[number], 0, 0.0)


@jit
def add_choice(contest: Contest, start: int, planned: int, behind: float) -> None:
    if contest.count < MOST_CHOICES:
        contest.start[contest.count] = start
        contest.planned[contest.count] = planned
        contest.behind[contest.count] = behind
        contest.count += 1


@jit
def collect_plans(contest: Contest, mind: Mind) -> None:
    """Take plans by rating, but few of a kind, so that the search sees different ones, and selfish ones early."""
    for plan in range(mind.count):
        contest.taken[plan] = 0
    rank(contest, mind)
    take(contest, mind, mind.plan)
    if contest.loyal == 0:
        for at in range(mind.count):
            if is_selfish(mind, contest.ranked[at]):
                take(contest, mind, contest.ranked[at])
    for at in range(mind.count):
        if contest.loyal == 0 or not is_selfish(mind, contest.ranked[at]):
            take(contest, mind, contest.ranked[at])


@jit
def rank(contest: Contest, mind: Mind) -> None:
    """Sort the plans by rating, the earlier ones first where it is the same."""
    for plan in range(mind.count):
        at = plan
        while at > 0 and mind.score[contest.ranked[at - 1]] < mind.score[plan]:
            contest.ranked[at] = contest.ranked[at - 1]
            at -= 1
        contest.ranked[at] = plan


@jit
def take(contest: Contest, mind: Mind, plan: int) -> None:
    """Make a plan a choice, unless it is one, or there are enough of its kind or of all."""
    alike = 0
    for other in range(contest.count):
        chosen = contest.start[other]
        alike += mind.dest[chosen] == mind.dest[plan] and mind.action[chosen] == mind.action[plan]
    if contest.taken[plan] == 0 and contest.count < contest.candidates and alike < PER_DESTINATION_AND_ACTION:
        contest.taken[plan] = 1
        add_choice(contest, plan, 1, minutes_behind(mind, plan))


@jit
def minutes_behind(mind: Mind, plan: int) -> float:
    """Return how much lower a plan is rated than the sailor's own."""
    return np.float64(mind.score[mind.plan]) - np.float64(mind.score[plan])


@jit
def collect_widely(contest: Contest, state: State, mind: Mind, weights: Weights) -> None:
    """Take the best of all other plans, those included that no rule of thumb would make."""
    listed = mind.count
    widen_plans(state, mind, weights)
    for plan in range(listed, mind.count):
        contest.taken[plan] = 0
    rank(contest, mind)
    most = contest.count + contest.wide
    for at in range(mind.count):
        plan = contest.ranked[at]
        if contest.taken[plan] == 0 and contest.count < most and not is_selfish(mind, plan):
            contest.taken[plan] = 1
            add_choice(contest, plan, 1, minutes_behind(mind, plan))
