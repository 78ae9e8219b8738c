"""The record of a search: the choices of a decision, what their trials came to, and how far it has got."""

from typing import Protocol, TypeAlias

import numba
import numpy as np

from bots.sailor.mind import MOST_PLANS, Numbers
from bots.search.network import Layer
from bots.skill import SKILLS
from engine.compiled.state import Cells, Records, Words
from engine.enums import SEATS

MOST_CHOICES = 128
LONGEST_TURN = 64  # moves; above what a plan can need

# The columns of sums: the number of trials; the sums of the utility and its square, of the rescue and its square, of
# the deaths, of the lead over the first choice and its square, and of the rescue by a crew that is taken for modest.
RESULTS = 9
TRIALS, UTILITY, UTILITY_SQUARED, RESCUED, RESCUED_SQUARED, DEATHS, LEAD, LEAD_SQUARED, HOPE = range(RESULTS)

real, whole = np.float64, np.int64

CONTEST = np.dtype(
    (
        np.record,
        [
            # What is asked: set by the caller.
            ("seat", whole),  # that decides
            ("loyal", whole),  # 0 1
            ("tells", whole),  # 0 1, whether trials also tell chances, which take longer and decide nothing
            ("hidden", whole),  # a bit for each seat whose hand is not seen
            ("humans", whole),  # a bit for each seat of a human
            ("prices", real, (SEATS,)),  # of a death, in rescues
            ("guesses", real, (SEATS, SKILLS)),  # how likely each skill is at each seat
            ("seed", whole),
            ("candidates", whole),  # plans of rules of thumb, or moves, to try at most
            ("wide", whole),  # plans beyond those to try at most, each as often
            ("playouts", whole),  # to spend on the candidates; more in proportion if there are wide ones
            ("most", whole),  # playouts to spend at most on a decision that is close; 0: as many on each
            ("minutes", whole),  # that a playout goes on for
            # The choices. The first one is the sailor's own.
            ("count", whole),
            ("start", np.int16, (MOST_CHOICES,)),  # the number of a plan, or a move
            ("planned", np.int8, (MOST_CHOICES,)),  # 0 1, which of the two
            ("print", np.uint64, (MOST_CHOICES,)),  # of the moves that a choice leads to
            ("custom", real),  # by how much another choice must lead
            ("behind", real, (MOST_CHOICES,)),  # minutes that the sailor rates a plan lower than their own
            ("sums", real, (MOST_CHOICES, RESULTS)),
            ("fell", real, (MOST_CHOICES, SEATS)),  # trials in which a gnome died, by seat
            ("lead", real, (MOST_CHOICES,)),  # over the first one, as it is believed to be
            ("promise", real, (MOST_CHOICES,)),  # what the lead may still turn out to be
            ("sacrifice", np.int8, (MOST_CHOICES,)),  # 1: a human is its price
            # The rounds.
            ("alive", whole),  # choices that are still tried
            ("order", np.int16, (MOST_CHOICES,)),  # their numbers, the first one first
            ("limit", whole),  # minutes of a gnome at which trials end, or NEVER
            ("skills", whole, (SEATS,)),  # that a trial takes each seat to have
            ("modest", whole, (SEATS,)),  # the same, but nobody is better than a sailor
            ("round", whole),
            ("rounds", whole),
            ("each", whole),  # trials of each choice this round
            ("tried", whole),  # of them done
            ("earlier", whole),  # trials of each in the rounds before
            ("spent", whole),  # playouts of all
            ("ranked", np.int16, (MOST_PLANS,)),  # plans by rating
            ("taken", np.int8, (MOST_PLANS,)),  # 1: a plan that is a choice
            ("line", np.int16, (LONGEST_TURN,)),  # the moves of a choice that was asked for
        ],
    )
)


class Contest(Protocol):
    """One record of CONTEST as compiled code sees it."""

    seat: int
    loyal: int
    tells: int
    hidden: int
    humans: int
    prices: Numbers
    guesses: Layer
    seed: int
    candidates: int
    wide: int
    playouts: int
    most: int
    minutes: int
    count: int
    start: Cells
    planned: Cells
    print: Words
    custom: float
    behind: Numbers
    sums: Layer
    fell: Layer
    lead: Numbers
    promise: Numbers
    sacrifice: Cells
    alive: int
    order: Cells
    limit: int
    skills: Cells
    modest: Cells
    round: int
    rounds: int
    each: int
    tried: int
    earlier: int
    spent: int
    ranked: Cells
    taken: Cells
    line: Cells


Contests: TypeAlias = Records[Contest]
CONTESTS = numba.types.Array(numba.from_dtype(CONTEST), 1, "C")


def new_contest() -> np.ndarray:
    """Return a contest in which nothing is asked."""
    return np.zeros(1, CONTEST)
