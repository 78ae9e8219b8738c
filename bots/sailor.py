"""The sailor: rules of thumb for every decision there is, quick enough to play out games by the thousand."""

from bots.mind import Mind, Weights
from bots.planning import item_bonus, make_plans
from bots.routes import next_room
from bots.worth import icons_between, is_wanted
from engine import moves
from engine.actions import DIE_SIDES, penalty
from engine.board import EXIT_COUNT, EXITS, EXTERIOR, HATCH_ROOMS
from engine.cards import BONUS, ITEMS
from engine.events import can_block, can_spread_to
from engine.gnomes import is_aboard
from engine.jit import jit
from engine.kinds import FAINT_MINUTES, ROOMS, SEA, Action, Condition, Item, Phase, Water
from engine.legal import decider, most_cards
from engine.movement import CANNOT, can_escape_through, can_open_hatch, enter_cost, has_fire_gear, is_hatch_clear
from engine.state import Moves, State

LOCKED_IN = 100.0  # the harm of blocking a gnome's last hatch
MOST_TRIES = 4  # plans that a turn may need when the way changes


@jit
def choose(state: State, mind: Mind, weights: Weights, legal: Moves, count: int) -> int:
    """The sailor's move for whoever must decide; always one of the legal moves given."""
    move = _wanted(state, mind, weights)
    for number in range(count):
        if legal.ids[number] == move:
            return move
    return legal.ids[count - 1]  # idling, or being done, or whatever is left


@jit
def _wanted(state: State, mind: Mind, weights: Weights) -> int:
    phase = state.phase
    if phase == Phase.MOVEMENT:
        return _on_the_move(state, mind, weights)
    if phase == Phase.HATCH:
        return _at_the_hatch(state, mind)
    if phase == Phase.ESCAPE:
        return _out_of_the_fire(state)
    if phase == Phase.ESCAPE_HATCH:
        return moves.ENTER
    if phase == Phase.WRAP_UP:
        return _wrap_up(state, weights)
    if phase == Phase.SPREAD_FIRE:
        return _spread(state, weights)
    if phase == Phase.BLOCK_HATCH:
        return _block(state, weights)
    if phase == Phase.DISCARD:
        return _discard(state, weights)
    if phase == Phase.TRADE_GIVE:
        return _give(state)
    return moves.DEFEND if phase == Phase.DEFEND else moves.DONE


@jit
def _give(state: State) -> int:
    """What the comrade needs first, one after the other."""
    for item in range(ITEMS):
        if state.hand[state.active, item] > 0 and is_wanted(state, item, state.partner):
            return moves.GIVE_ITEM + item
    return moves.DONE


@jit
def _on_the_move(state: State, mind: Mind, weights: Weights) -> int:
    if mind.turn != state.turn:
        mind.tries = 0
        make_plans(state, mind, weights)
    while mind.tries < MOST_TRIES and mind.plan >= 0:
        move = follow(state, mind)
        if move != moves.NO_MOVE:
            return move
        mind.tries += 1
        make_plans(state, mind, weights)
    return _stuck(state)


@jit
def _stuck(state: State) -> int:
    """No plan: put the fire out, let the water out, or wait."""
    room = state.room[state.active]
    if state.fire[room] > 0:
        return fix_move(Action.EXTINGUISH_FIRE, 0, min(DIE_SIDES, state.ghost))
    if state.water[room] == Water.HIGH:
        for exit_ in range(EXIT_COUNT[room]):
            to = EXITS[room, exit_]
            if to != SEA and can_open_hatch(state, to) and state.water[to] != Water.HIGH:
                return moves.OPEN_HATCH + to
    return moves.NO_ACTION


@jit
def fix_move(action: int, hatch: int, minutes: int) -> int:
    return moves.FIX + (action + hatch) * moves.MAX_FIX_MINUTES + minutes - 1


@jit
def follow(state: State, mind: Mind) -> int:
    """The next move of the plan, or NO_MOVE when it can't be followed any more."""
    plan = mind.plan
    room = state.room[state.active]
    if room == mind.dest[plan]:
        return _act(state, mind)
    to = next_room(mind, mind.gear[plan], room, mind.dest[plan])
    if to < 0:
        return moves.NO_MOVE
    if to == SEA and state.used[Item.AQUALUNG] == 0:
        return moves.USE_ITEM + Item.AQUALUNG
    if to != SEA and state.fire[to] > 0 and not has_fire_gear(state) and state.water[room] != Water.HIGH:
        return _use_gear(state)
    in_vain = state.water[room] == Water.LOW and state.water[to] == Water.HIGH  # legal in the original edition
    return moves.OPEN_HATCH + to if can_open_hatch(state, to) and not in_vain else moves.NO_MOVE


@jit
def _use_gear(state: State) -> int:
    """An extinguisher rather than a grog."""
    hand = state.hand[state.active]
    if hand[Item.FIRE_EXTINGUISHER] > 0:
        return moves.USE_ITEM + Item.FIRE_EXTINGUISHER
    return moves.USE_ITEM + Item.GROG if hand[Item.GROG] > 0 else moves.NO_MOVE


@jit
def _act(state: State, mind: Mind) -> int:
    """First the items that help, then the action of the plan."""
    plan = mind.plan
    action, minutes = mind.action[plan], mind.minutes[plan]
    if action == Action.NO_ACTION:
        return moves.NO_MOVE if state.fire[state.room[state.active]] > 0 else moves.NO_ACTION
    if action == Action.DRAW_ITEMS:
        cards = min(minutes, most_cards(state))
        return moves.DRAW_ITEMS + cards if cards > 0 else moves.NO_ACTION
    if action == Action.ABANDON_COMRADES:
        return moves.ABANDON_COMRADES
    if action == Action.TRADE_ITEMS:
        return moves.TRADE_ITEMS + minutes
    if action == Action.ATTACK_GNOME:
        armed = state.used[Item.CROWBAR] > 0
        return moves.ATTACK_GNOME + minutes if armed else moves.USE_ITEM + Item.CROWBAR
    minutes = min(minutes, state.ghost - penalty(state, action))
    if minutes < 1:
        return moves.NO_MOVE
    item = _helpful_item(state, mind, action, minutes)
    if item >= 0:
        return moves.USE_ITEM + item
    return fix_move(action, mind.hatch[plan], minutes)


@jit
def _helpful_item(state: State, mind: Mind, action: int, minutes: int) -> int:
    """An item of the hand that the attempt still needs, the strongest first, grogs as planned."""
    hand = state.hand[state.active]
    total = minutes + item_bonus(state, action, 0) + 3 * state.used[Item.GROG]
    if total >= DIE_SIDES:
        return -1
    best, most = -1, 0
    for item in range(ITEMS):
        if item != Item.GROG and hand[item] > 0 and BONUS[item, action] > most:
            best = item
            most = BONUS[item, action]
    if best < 0 and hand[Item.GROG] > 0 and state.used[Item.GROG] < mind.grogs[mind.plan]:
        return Item.GROG + 0
    return best


@jit
def _at_the_hatch(state: State, mind: Mind) -> int:
    """Through, if that was the way; with fire gear if need be."""
    plan = mind.plan
    if mind.turn == state.turn and plan >= 0:
        room = state.room[state.active]
        if next_room(mind, mind.gear[plan], room, mind.dest[plan]) != state.beyond:
            return moves.STAY
    if enter_cost(state) != CANNOT:
        return moves.ENTER
    if state.beyond != SEA and state.fire[state.beyond] > 0 and not has_fire_gear(state) and mind.gear[plan] > 0:
        return _use_gear(state)
    return moves.STAY


@jit
def _out_of_the_fire(state: State) -> int:
    """A room where he survives, else one that burns, else gear or air to get out with."""
    room = state.room[state.active]
    refuge = moves.NO_MOVE
    for exit_ in range(EXIT_COUNT[room]):
        to = EXITS[room, exit_]
        if can_escape_through(state, to):
            if to != SEA and state.fire[to] == 0:
                return moves.OPEN_HATCH + to
            if refuge == moves.NO_MOVE or to == SEA:
                refuge = moves.OPEN_HATCH + to
    if refuge != moves.NO_MOVE:
        return refuge
    if not has_fire_gear(state) and _use_gear(state) != moves.NO_MOVE:
        return _use_gear(state)
    return moves.USE_ITEM + Item.AQUALUNG


@jit
def _wrap_up(state: State, weights: Weights) -> int:
    """Coffee against a hangover, a charm for a long way."""
    seat = state.active
    hand = state.hand[seat]
    if hand[Item.COFFEE] > 0 and state.intoxication[seat] >= 2:
        return moves.USE_ITEM + Item.COFFEE
    if hand[Item.LUCKY_CHARM] > 0:
        low = state.ghost
        if state.used[Item.GROG] > 0:
            low = max(0, low - FAINT_MINUTES // 2)
        icons = icons_between(state.minutes[seat], low) - 3 * state.used[Item.LUCKY_CHARM]
        if icons >= weights.charm_icons or (state.ghost == 0 and icons > 0):
            return moves.USE_ITEM + Item.LUCKY_CHARM
    return moves.DONE


@jit
def _spread(state: State, weights: Weights) -> int:
    """Where a fire does least harm, and kills no sleeper."""
    best, least = 0, 1e9
    for room in range(1, ROOMS):
        if can_spread_to(state, room):
            harm = weights.spread[room]
            for seat in range(state.gnomes):
                if is_aboard(state, seat) and state.room[seat] == room:
                    harm += 1000.0 if state.condition[seat] == Condition.FAINTED else 3.0
            if harm < least:
                best = room
                least = harm
    return moves.SPREAD_FIRE + best


@jit
def clear_hatches(state: State, room: int) -> int:
    """Interior hatches of a room that are not blocked."""
    count = 0
    for exit_ in range(EXIT_COUNT[room]):
        to = EXITS[room, exit_]
        count += to != SEA and is_hatch_clear(state, room, to)
    return count


@jit
def _block(state: State, weights: Weights) -> int:
    """The hatch that is missed least, and nobody's last one."""
    best, least = 0, 1e9
    for hatch in range(EXTERIOR):
        if can_block(state, state.event_room, hatch):
            harm = weights.block[hatch]
            for seat in range(state.gnomes):
                here = state.room[seat]
                if is_aboard(state, seat) and (HATCH_ROOMS[hatch, 0] == here or HATCH_ROOMS[hatch, 1] == here):
                    harm += LOCKED_IN if clear_hatches(state, here) == 1 else 0.3
            if harm < least:
                best = hatch
                least = harm
    return moves.BLOCK_HATCH + best


@jit
def _discard(state: State, weights: Weights) -> int:
    """The item that is worth least; the second copy of one less than the first."""
    hand = state.hand[decider(state)]
    worst, least = 0, 1e9
    for item in range(ITEMS):
        if hand[item] > 0:
            worth = weights.keep[item] - 0.1 * (hand[item] - 1)
            if worth < least:
                worst = item
                least = worth
    return moves.DISCARD_ITEM + worst
