"""Let a crew of any skills play games on, in compiled code."""

import numpy as np

from bots.sailor import sailor
from bots.sailor.mind import Mind, Weights
from bots.search import comrades
from bots.search.comrades import is_new_turn
from bots.skill import Skill
from engine import Game, Rules
from engine.board import START_MINUTES
from engine.compiled import legal, turn
from engine.compiled.dice import siphash
from engine.compiled.jit import jit
from engine.compiled.state import Cells, Journal, Moves, State
from engine.enums import Condition, Phase

CREWS = tuple(START_MINUTES)  # sizes
NEVER = -1  # a limit that nobody reaches


def starts(rules: Rules, seed: int, count: int) -> np.ndarray:
    """Return that many set-ups, the same ones for the same seed."""
    seeds = np.random.default_rng((seed, rules.gnomes)).bytes(32 * count)
    return np.concatenate([Game.new(rules, seeds[at : at + 32]).record for at in range(0, len(seeds), 32)])


@jit
def play_until(
    state: State, mind: Mind, weights: Weights, skills: Cells, limit: int, silent: Journal, moves: Moves
) -> None:
    """Let all play as their skills say, the first turn by the plan that the mind holds.

    They stop before the turn of a gnome who has at most as many minutes left as the limit: nobody has more then.
    """
    planned = mind.turn + 0
    count = legal.legal_moves(state, moves)
    while count > 0:
        if state.minutes[state.active] <= limit and is_new_turn(state, mind):
            return
        skill = Skill.SAILOR + 0 if state.turn == planned else skills[legal.decider(state)]
        move = comrades.decide(state, mind, weights, skill, moves, count)
        count = turn.play(state, move, silent, moves)


@jit
def rekey(state: State, seed: int, number: int) -> None:
    """Give the game new dice: those with that number under a seed."""
    state.key[0] = siphash(np.uint64(seed), np.uint64(0), np.uint64(2 * number))
    state.key[1] = siphash(np.uint64(seed), np.uint64(0), np.uint64(2 * number + 1))


@jit
def deaths(state: State) -> int:
    dead = 0
    for seat in range(state.gnomes):
        dead += state.condition[seat] == Condition.DEAD
    return dead


@jit
def is_following(state: State, seat: int, turn_: int) -> bool:
    """Return whether a turn is still at what was planned for it: neither over, nor at a die or a surprise."""
    phase = state.phase
    planned = phase == Phase.MOVEMENT or phase == Phase.HATCH or phase == Phase.TRADE_GIVE
    return planned and state.turn == turn_ and state.active == seat


@jit
def follow(state: State, mind: Mind, weights: Weights, silent: Journal, moves: Moves, line: Cells) -> int:
    """Follow the plan that the mind holds, and write its moves to the line; return their number."""
    seat, turn_, made = state.active + 0, state.turn + 0, 0
    count = legal.legal_moves(state, moves)
    while made < len(line) and is_following(state, seat, turn_):
        line[made] = sailor.choose(state, mind, weights, moves, count)
        count = turn.play(state, line[made], silent, moves)
        made += 1
    return made
