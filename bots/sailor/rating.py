"""Rate a turn that somebody makes: by how many minutes the sailor would rather do something else."""

from numba import types

from bots.sailor.mind import MINDS, WEIGHT_SETS, Mind, Minds, WeightSets
from bots.sailor.planning import make_plans
from engine.compiled.jit import compiled, jit
from engine.compiled.legal import fix_action, fix_hatch
from engine.compiled.state import RECORDS, Games
from engine.enums import Action, Phase
from engine.moves import ARGUMENT, KIND, MoveKind

NO_VERDICT = -1.0  # the move is no action, or nothing else could be done
UNLISTED = 1000.0  # minutes; what the sailor would never do


@jit
def action_of(move: int) -> int:
    """Return the action that a move is, or -1."""
    kind = KIND[move]
    if kind == MoveKind.FIX:
        return fix_action(ARGUMENT[move])
    if kind == MoveKind.DRAW_ITEMS:
        return Action.DRAW_ITEMS + 0
    if kind == MoveKind.TRADE_ITEMS:
        return Action.TRADE_ITEMS + 0
    if kind == MoveKind.NO_ACTION:
        return Action.NO_ACTION + 0
    if kind == MoveKind.ABANDON_COMRADES:
        return Action.ABANDON_COMRADES + 0
    return Action.ATTACK_GNOME + 0 if kind == MoveKind.ATTACK_GNOME else -1


@jit
def object_of(move: int, action: int) -> int:
    """Return the hatch or the comrade that an action is about, 0 for others."""
    if action == Action.UNBLOCK_HATCH:
        return fix_hatch(ARGUMENT[move])
    return ARGUMENT[move] if action == Action.TRADE_ITEMS or action == Action.ATTACK_GNOME else 0


@jit
def object_of_plan(mind: Mind, plan: int) -> int:
    """Return the same of a plan."""
    action = mind.action[plan]
    if action == Action.UNBLOCK_HATCH:
        return mind.hatch[plan]
    return mind.minutes[plan] if action == Action.TRADE_ITEMS or action == Action.ATTACK_GNOME else 0


@compiled(RECORDS, MINDS, WEIGHT_SETS, types.int64)
def minutes_below(game: Games, minds: Minds, weights: WeightSets, move: int) -> float:
    """Return by how many minutes the turn that ends with this move is rated below the best one, or NO_VERDICT.

    A turn is where somebody acts, what they do there, and to which hatch or comrade; neither how long nor with what.
    The mind keeps the plans of a turn. They are made when its first move is looked at.
    """
    state, mind = game[0], minds[0]
    if state.phase != Phase.MOVEMENT:
        return NO_VERDICT
    if mind.turn != state.turn:
        make_plans(state, mind, weights[0])
    action = action_of(move)
    if action < 0 or mind.plan < 0:
        return NO_VERDICT
    dest, other = state.room[state.active], object_of(move, action)
    is_choice, best = False, -1e9
    for plan in range(mind.count):
        fits = mind.dest[plan] == dest and mind.action[plan] == action and object_of_plan(mind, plan) == other
        if fits:
            best = max(best, mind.score[plan])
        is_choice = is_choice or not fits
    if best < -1e8:
        return UNLISTED
    return mind.score[mind.plan] - best if is_choice else NO_VERDICT
