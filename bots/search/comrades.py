"""Decide for comrades in playouts: a cabin boy and a clumsy one as they would, all others as sailors.

Searchers can't be played in a playout, as each of their turns is a thousand playouts. The network knows how much more
they save (see `features.py`).
"""

import numpy as np

from bots.sailor import sailor
from bots.sailor.mind import Mind, Weights
from bots.sailor.planning import make_plans
from bots.search.network import Layer
from bots.skill import SKILLS, Skill
from engine import moves
from engine.compiled.dice import siphash
from engine.compiled.jit import jit
from engine.compiled.legal import fix_action
from engine.compiled.state import Cells, Moves, State
from engine.enums import SEA, Action, Item, Phase, Water
from engine.moves import ARGUMENT, KIND, MoveKind

CLUMSY_PERCENT = 33  # of plans that are random ones
MOST_KINDS = len(MoveKind) + len(Action)


@jit
def draw_crew(skills: Cells, guesses: Layer, gnomes: int, seed: int, trial: int) -> None:
    """Draw the skill of each seat, as likely as it is guessed to be; the same one for the same seed and trial."""
    for seat in range(gnomes):
        chance = siphash(np.uint64(seed), np.uint64(trial), np.uint64(seat + 1))
        left = np.float64(chance >> np.uint64(11)) / 9007199254740992.0
        skill = 0
        while skill < SKILLS - 1 and left >= guesses[seat, skill]:
            left -= guesses[seat, skill]
            skill += 1
        skills[seat] = skill


@jit
def decide(state: State, mind: Mind, weights: Weights, skill: int, legal: Moves, count: int) -> int:
    """Return the move of whoever must decide, which is one of the legal moves given."""
    if skill == Skill.CABIN_BOY:
        return cabin_boy(state, mind, legal, count)
    if skill == Skill.CLUMSY and is_new_turn(state, mind):
        stray(state, mind, weights, CLUMSY_PERCENT)
    return sailor.choose(state, mind, weights, legal, count)


@jit
def is_new_turn(state: State, mind: Mind) -> bool:
    """Return whether nothing of the turn is planned yet."""
    return state.phase == Phase.MOVEMENT and mind.turn != state.turn


@jit
def is_selfish(mind: Mind, plan: int) -> bool:
    return mind.action[plan] == Action.ABANDON_COMRADES or mind.action[plan] == Action.ATTACK_GNOME


@jit
def stray(state: State, mind: Mind, weights: Weights, percent: int) -> None:
    """Make a random plan of the list the plan of this turn, so many times out of a hundred."""
    make_plans(state, mind, weights)
    mind.tries = 0
    chance = _chance(state, 0)
    plan = (chance >> 20) % max(1, mind.count)
    if chance % 100 < percent and mind.count > 0 and not is_selfish(mind, plan):
        mind.plan = plan


@jit
def _chance(state: State, number: int) -> int:
    """Return a random number that belongs to no purpose of dice, as those are shifted."""
    return int(siphash(state.key[0], state.key[1], np.uint64(state.version + (number << 16))) >> np.uint64(1))


@jit
def cabin_boy(state: State, mind: Mind, legal: Moves, count: int) -> int:
    """Return a random move that is no folly, as the cabin boy of the roster chooses: first its type, then the move."""
    if state.phase == Phase.MOVEMENT:
        mind.turn = state.turn
        mind.plan = -1
        if state.fire[state.room[state.active]] > 0:
            return _surest(legal, count)
    for sensible in (True, False):
        kinds, enters = 0, False
        for number in range(count):
            if not (sensible and _is_folly(state, legal.ids[number])):
                kinds |= 1 << _kind(legal.ids[number])
                enters = enters or legal.ids[number] == moves.ENTER
        if kinds:
            kind = MoveKind.ENTER + 0 if enters else _pick_kind(kinds, _chance(state, 1))
            return _pick(state, legal, count, kind, sensible)
    return legal.ids[count - 1]


@jit
def _kind(move: int) -> int:
    """Return the type of a move; each fix-it action is one of its own."""
    if KIND[move] != MoveKind.FIX:
        return KIND[move]
    return MoveKind.FIX + fix_action(ARGUMENT[move])


@jit
def _pick_kind(kinds: int, chance: int) -> int:
    """Return one of the kinds that have a bit."""
    held = 0
    for kind in range(MOST_KINDS):
        held += (kinds >> kind) & 1
    wanted = chance % held
    for kind in range(MOST_KINDS):
        if (kinds >> kind) & 1:
            if wanted == 0:
                return kind
            wanted -= 1
    return 0


@jit
def _pick(state: State, legal: Moves, count: int, kind: int, sensible: bool) -> int:
    """Return one of the moves of a kind."""
    held = 0
    for number in range(count):
        held += _kind(legal.ids[number]) == kind and not (sensible and _is_folly(state, legal.ids[number]))
    wanted = _chance(state, 2) % held
    for number in range(count):
        if _kind(legal.ids[number]) == kind and not (sensible and _is_folly(state, legal.ids[number])):
            if wanted == 0:
                return legal.ids[number]
            wanted -= 1
    return legal.ids[count - 1]


@jit
def _surest(legal: Moves, count: int) -> int:
    """Return the move that is likeliest to succeed."""
    best = 0
    for number in range(1, count):
        if legal.chances[number] > legal.chances[best]:
            best = number
    return legal.ids[best]


@jit
def _is_folly(state: State, move: int) -> bool:
    """Return whether a move idles in danger, goes out, drinks, or leaves or attacks a comrade."""
    if state.phase != Phase.MOVEMENT:
        return False
    if move == moves.ABANDON_COMRADES or KIND[move] == MoveKind.ATTACK_GNOME or move == moves.OPEN_HATCH + SEA:
        return True
    if move == moves.USE_ITEM + Item.GROG or move == moves.USE_ITEM + Item.AQUALUNG:
        return True
    room = state.room[state.active]
    in_danger = room == SEA or state.water[room] == Water.HIGH
    return in_danger and KIND[move] != MoveKind.OPEN_HATCH
