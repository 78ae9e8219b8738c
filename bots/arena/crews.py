"""Play whole games of mixed crews in compiled code: searchers, sailors, clumsy ones and random ones, by seat.

They decide as the bots of the roster do, by the same search without its clock, and know as little: a searcher gets a
copy of the game without its dice, in which hidden hands are dealt anew. Nothing that serves people needs this module,
so that it is compiled by whoever first wants it.
"""

from collections.abc import Sequence
from dataclasses import astuple, dataclass
from typing import Protocol, TypeAlias

import numba
import numpy as np
from numba import types

from bots.arena.series import game_seed
from bots.budget import HORIZON
from bots.roster import ROSTER
from bots.sailor import sailor
from bots.sailor.mind import MINDS, WEIGHT_SETS, Minds, WeightSets, new_mind
from bots.sailor.weights import WEIGHTS as TUNED
from bots.search import comrades
from bots.search.contest import CONTESTS, Contests, new_contest
from bots.search.halving import begin, go_on, settle
from bots.search.network import NETWORKS, Networks
from bots.search.playout import deaths, is_following, rekey
from bots.search.search import NETWORK, Stakes, bits
from bots.search.trials import deal_again
from bots.skill import SKILLS, Skill
from engine import Game, Rules
from engine.compiled import legal, turn
from engine.compiled.dice import siphash
from engine.compiled.jit import compiled, jit
from engine.compiled.journal import JOURNALS, SILENT
from engine.compiled.state import RECORDS, Games, Journals, MoveLists, Records, State, Table, new_records
from engine.enums import SEATS, Cause, Condition
from engine.moves import MOVE_LISTS, NO_MOVE, new_moves

whole = np.int64
_TABLE = types.Array(types.int64, 2, "C")
NO_END = 1 << 60  # playouts, in one go

BRAIN = np.dtype(
    (
        np.record,
        [
            ("playouts", whole),  # 0: a sailor
            ("candidates", whole),
            ("wide", whole),
            ("minutes", whole),
            ("skill", whole),  # what it is taken for, and without playouts, how it plays
            ("knows", whole),  # 0: takes all for sailors
            ("most", whole),
        ],
    )
)


class BrainRecord(Protocol):
    """One record of BRAIN as compiled code sees it."""

    playouts: int
    candidates: int
    wide: int
    minutes: int
    skill: int
    knows: int
    most: int


Brains: TypeAlias = Records[BrainRecord]
BRAINS = numba.types.Array(numba.from_dtype(BRAIN), 1, "C")


@dataclass(frozen=True)
class Brain:
    """How one seat decides: by search within a budget, or, without playouts, as its skill says.

    A searcher knows the skill of each comrade, unless it takes all for sailors.
    """

    playouts: int = 0
    candidates: int = 1
    wide: int = 0
    minutes: int = HORIZON
    skill: Skill = Skill.SAILOR
    knows: bool = True
    most: int = 0

    @classmethod
    def of(cls, bot: str) -> "Brain":
        """Return the brain of a bot of the roster, or of a clumsy one."""
        skill = Skill[bot.upper()]
        if bot not in ROSTER:
            return cls(skill=skill)
        may = ROSTER[bot].budget
        return cls(may.playouts, may.candidates, may.wide, may.minutes, skill, most=may.most)


SAILOR = Brain()
CLUMSY = Brain(skill=Skill.CLUMSY)
CABIN_BOY = Brain(skill=Skill.CABIN_BOY)

RESULTS = 5
RESCUED, DEATHS, TURNS, CAUSE, FALLEN = range(RESULTS)  # the columns of results; FALLEN has a bit for each seat
MOST_MOVES = 1024  # of a game that are kept; above what bots make


def starts(rules: Rules, seed: int, games: range) -> np.ndarray:
    """Return the set-ups of those games, which are the ones that matches under the same seed play."""
    return np.concatenate([Game.new(rules, game_seed(seed, number)).record for number in games])


def play(
    crew: Sequence[Brain], begun: np.ndarray, weights: np.ndarray = TUNED, network: np.ndarray = NETWORK,
    humans: Sequence[int] = (),
) -> tuple[np.ndarray, np.ndarray]:  # fmt: skip
    """Play each of the games to its end; return a row of results for each, and one of the moves made.

    A single brain takes all seats, several take one each. Searchers sacrifice nobody at the seats of `humans`.
    The games are left as they were.
    """
    brains = np.zeros(SEATS, BRAIN)
    for seat in range(SEATS):
        brains[seat] = astuple(crew[seat % len(crew)])
    results = np.zeros((len(begun), RESULTS), np.int64)
    lines = np.full((len(begun), MOST_MOVES), NO_MOVE, np.int64)
    contest = new_contest()
    stakes = Stakes(None, humans=humans)
    contest["loyal"], contest["prices"], contest["humans"] = 1, stakes.prices(), bits(humans)
    _play_all(
        new_records(), begun, new_records(), new_records(), brains, weights, network, contest, new_mind(), new_mind(),
        new_mind(), SILENT, new_moves(), new_moves(), results, lines,
    )  # fmt: skip
    return results, lines


@jit
def hidden_from(state: State, seat: int) -> int:
    """Return a bit for each seat whose hand a seat's player may not see (§9)."""
    hidden = 0
    for other in range(state.gnomes):
        another = other * state.players // state.gnomes != seat * state.players // state.gnomes
        if state.hidden_hands > 0 and another:
            hidden |= 1 << other
    return hidden


@jit
def forget(state: State, hidden: int, seed: int) -> None:
    """Turn a copy of a game into what a seat may know: without dice, script and hidden hands."""
    for purpose in range(len(state.rolls)):
        state.rolls[purpose] = 0
    for kind in range(len(state.script_left)):
        state.script_left[kind] = 0
    rekey(state, seed, 0)
    if hidden > 0:
        deal_again(state, hidden)


@jit
def think(
    state: State, seat: int, brains: Brains, root: Games, work: Games, weights: WeightSets, network: Networks,
    contests: Contests, planned: Minds, mind: Minds, silent: Journals, moves: MoveLists,
) -> int:  # fmt: skip
    """Return the number of the choice that a searcher makes. `planned` holds the plans afterwards."""
    contest, brain = contests[0], brains[seat]
    contest.seat = seat
    contest.hidden = hidden_from(state, seat)
    contest.candidates, contest.wide = brain.candidates, brain.wide
    contest.playouts, contest.most, contest.minutes = brain.playouts, brain.most, brain.minutes
    for other in range(state.gnomes):
        taken_for = brains[other].skill if brain.knows > 0 else Skill.SAILOR + 0
        for skill in range(SKILLS):
            contest.guesses[other, skill] = 1.0 if skill == taken_for else 0.0
    # What anybody may know makes the seed, so that neither dice nor hands can be learnt from it.
    seed = siphash(np.uint64(state.turn), np.uint64(state.version), np.uint64(state.ghost * SEATS + seat))
    contest.seed = np.int64(seed >> np.uint64(1))  # type: ignore[assignment]
    forget(root[0], contest.hidden, contest.seed)
    begin(contest, work, root, planned, mind, weights, silent, moves)
    if contest.count > 1:
        go_on(contest, work, root, planned, mind, weights, network, silent, moves, NO_END)
    return settle(contest)


@compiled(
    RECORDS, RECORDS, RECORDS, RECORDS, BRAINS, WEIGHT_SETS, NETWORKS, CONTESTS, MINDS, MINDS, MINDS, JOURNALS,
    MOVE_LISTS, MOVE_LISTS, _TABLE, _TABLE,
)  # fmt: skip
def _play_all(
    game: Games, starts: Games, root: Games, work: Games, brains: Brains, weights: WeightSets, network: Networks,
    contests: Contests, planned: Minds, mind: Minds, followed: Minds, silent: Journals, here: MoveLists,
    moves: MoveLists, results: Table, lines: Table,
) -> None:  # fmt: skip
    """Play the games. The lists of moves are for the game, and for what a searcher imagines."""
    state = game[0]
    for number in range(len(starts)):
        game[0] = starts[number]
        followed[0].turn = -1
        made = 0
        thinker, turn_ = -1, -1  # whose plan is followed in which turn, if it was thought about
        count = legal.legal_moves(state, here[0])
        while count > 0:
            seat = legal.decider(state)
            if brains[seat].playouts == 0:
                move = comrades.decide(state, followed[0], weights[0], brains[seat].skill, here[0], count)
            elif thinker == seat and is_following(state, seat, turn_):
                move = sailor.choose(state, followed[0], weights[0], here[0], count)
            else:
                root[0] = game[0]
                best = think(state, seat, brains, root, work, weights, network, contests, planned, mind, silent, moves)
                thinker, turn_, move = -1, -1, contests[0].start[best] + 0
                if contests[0].planned[best] > 0:
                    thinker, turn_ = seat, state.turn + 0
                    followed[0] = planned[0]
                    followed[0].plan = contests[0].start[best]
                    followed[0].tries = 0
                    move = sailor.choose(state, followed[0], weights[0], here[0], count)
            if made < MOST_MOVES:
                lines[number, made] = move
            made += 1
            count = turn.play(state, move, silent[0], here[0])
        results[number, RESCUED] = state.cause == Cause.RESCUED
        results[number, DEATHS] = deaths(state)
        for seat in range(state.gnomes):
            results[number, FALLEN] |= (state.condition[seat] == Condition.DEAD) << seat
        results[number, TURNS] = state.turn
        results[number, CAUSE] = state.cause
