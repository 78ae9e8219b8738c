"""Sample positions to learn from: what the network would see of them, and how sailors ended their games."""

from typing import Any

import numpy as np
from numba import types

from bots.sailor import sailor
from bots.sailor.mind import MINDS, WEIGHT_SETS, Mind, Minds, Weights, WeightSets, new_mind
from bots.sailor.planning import make_plans
from bots.sailor.weights import WEIGHTS
from bots.search import features
from bots.search.comrades import is_new_turn
from bots.search.playout import deaths, rekey, starts
from bots.skill import Skill
from engine import Rules
from engine.compiled import legal, turn
from engine.compiled.dice import siphash
from engine.compiled.jit import compiled, jit
from engine.compiled.journal import JOURNALS, SILENT
from engine.compiled.state import RECORDS, Cells, Games, Journals, MoveLists, State, new_records
from engine.enums import SEATS, Cause
from engine.moves import MOVE_LISTS, new_moves

SET_UPS = 400  # of a rule set and crew, each played with many dice
MOST_A_GAME = 6  # positions
ONE_TURN_OF = 5  # is learnt from
STRAY_ONE_TURN_OF = 4
STRAY_MINUTES = 6.0  # how much lower than the sailor's own plan one may be rated to stray to it
TRIES = 12  # to find such a plan
TURNS_A_GNOME = 14  # within which a game is left to itself

_FLOATS = types.Array(types.float32, 2, "C")
_SKILLS = types.Array(types.int64, 1, "C")


def sample(rules: Rules, seed: int, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Return features of nearly that many positions, whether their crews were rescued, and the deaths after them."""
    seen, ends = np.zeros((count, features.FEATURES), np.float32), np.zeros((count, 2), np.float32)
    most_turns = TURNS_A_GNOME * rules.gnomes
    begun, sailors = starts(rules, seed, SET_UPS), np.full(SEATS, Skill.SAILOR, np.int64)
    found = _sample(
        new_records(), begun, WEIGHTS, seed, most_turns, new_mind(), SILENT, new_moves(), sailors, seen, ends
    )
    return seen[:found], ends[:found]


@jit
def _chance(seed: int, number: int, purpose: int) -> int:
    return int(siphash(np.uint64(seed), np.uint64(number), np.uint64(purpose)) >> np.uint64(20))


@jit
def _is_learnt_from(state: State, first: int, seed: int, number: int) -> bool:
    return state.turn == first or _chance(seed, number, 2 * state.turn + 1) % ONE_TURN_OF == 0


@jit
def _stray(state: State, mind: Mind, weights: Weights, seed: int, number: int) -> None:
    """Choose another plan than the best, now and then."""
    if _chance(seed, number, 2 * state.turn + 1) % STRAY_ONE_TURN_OF > 0:
        return
    make_plans(state, mind, weights)
    mind.tries = 0
    if mind.plan < 0:
        return
    best = mind.score[mind.plan]
    for try_ in range(TRIES):
        plan = _chance(seed, number, 1000 * state.turn + 2 * try_ + 2) % mind.count
        if mind.score[plan] > best - STRAY_MINUTES:
            mind.plan = plan
            return


@compiled(
    RECORDS, RECORDS, WEIGHT_SETS, types.int64, types.int64, MINDS, JOURNALS, MOVE_LISTS, _SKILLS,
    _FLOATS, _FLOATS,
)  # fmt: skip
def _sample(
    game: Games, starts: Games, weights: WeightSets, seed: int, most_turns: int, mind: Minds, silent: Journals,
    moves: MoveLists, skills: Cells, seen: Any, ends: Any,
) -> int:  # fmt: skip
    """Sample games that stray from the sailor's plans until a random turn; what comes after is learnt from."""
    rows, number = 0, 0
    state = game[0]
    while rows + MOST_A_GAME <= len(seen):
        game[0] = starts[number % len(starts)]
        rekey(state, seed, number)
        mind[0].turn = -1
        first, learnt_from = rows, _chance(seed, number, 0) % most_turns
        count = legal.legal_moves(state, moves[0])
        while count > 0:
            if is_new_turn(state, mind[0]):
                if state.turn < learnt_from:
                    _stray(state, mind[0], weights[0], seed, number)
                elif rows < first + MOST_A_GAME and _is_learnt_from(state, learnt_from, seed, number):
                    features.look(state, skills, seen[rows])
                    ends[rows, 1] = -deaths(state)
                    rows += 1
            move = sailor.choose(state, mind[0], weights[0], moves[0], count)
            count = turn.play(state, move, silent[0], moves[0])
        for row in range(first, rows):
            ends[row, 0] = state.cause == Cause.RESCUED
            ends[row, 1] = max(0.0, ends[row, 1] + deaths(state))  # newcomers take the places of the dead
        number += 1
    return rows
