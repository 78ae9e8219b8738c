"""The sailor: rules of thumb for every decision, quick enough to play out games by the thousand."""

from bots.sailor.mind import BY_RULE, Mind, Weights
from bots.sailor.planning import item_bonus, make_plans
from bots.sailor.routes import hatch_that_saves, next_room
from bots.sailor.worth import icons_between, is_wanted
from engine import moves
from engine.board import EXIT_COUNT, EXITS, EXTERIOR, HATCH_ROOMS
from engine.cards import BONUS, ITEMS
from engine.compiled.actions import penalty
from engine.compiled.events import can_block, can_spread_to
from engine.compiled.gnomes import is_aboard
from engine.compiled.items import charms_left
from engine.compiled.jit import jit
from engine.compiled.legal import decider, most_cards
from engine.compiled.movement import (
    CANNOT,
    can_escape_through,
    can_open_hatch,
    enter_cost,
    has_fire_gear,
    is_hatch_clear,
)
from engine.compiled.state import Moves, State
from engine.enums import DIE_SIDES, FAINT_MINUTES, ROOMS, SEA, Action, Condition, Item, Phase, Water

LOCKED_IN = 100.0  # the harm of blocking a gnome's last hatch
MOST_TRIES = 4  # plans that a turn may need when the way changes


@jit
def choose(state: State, mind: Mind, weights: Weights, legal: Moves, count: int) -> int:
    """Return the sailor's move for whoever must decide, which is one of the legal moves given."""
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
    if phase == Phase.LUCK:
        return _luck(state, weights, state.ghost)
    if phase == Phase.SPREAD_FIRE:
        return _spread(state, weights)
    if phase == Phase.BLOCK_HATCH:
        return _block(state, weights)
    if phase == Phase.DISCARD:
        return _discard(state, weights)
    if phase == Phase.TRADE_GIVE:
        return _give(state, mind)
    return moves.DEFEND if phase == Phase.DEFEND else moves.DONE


@jit
def _give(state: State, mind: Mind) -> int:
    """Give what the plan names, or what the comrade needs sooner, one item after the other."""
    if mind.turn == state.turn and mind.plan >= 0 and mind.gift[mind.plan] != BY_RULE:
        gift = mind.gift[mind.plan]
        return moves.GIVE_ITEM + gift if state.hand[state.active, gift] > 0 else moves.DONE
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
    """Without a plan, let water into the fire, put it out, let the water out, or wait."""
    room = state.room[state.active]
    saving = hatch_that_saves(state)
    if saving >= 0:
        return moves.OPEN_HATCH + saving
    if state.fire[room] > 0:
        return fix_move(Action.EXTINGUISH_FIRE, 0, min(DIE_SIDES, state.ghost))
    return moves.NO_ACTION


@jit
def fix_move(action: int, hatch: int, minutes: int) -> int:
    return moves.FIX + (action + hatch) * moves.MAX_FIX_MINUTES + minutes - 1


@jit
def follow(state: State, mind: Mind) -> int:
    """Return the next move of the plan, or NO_MOVE if it can't be followed any more."""
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
    """Use an extinguisher rather than a grog."""
    hand = state.hand[state.active]
    if hand[Item.FIRE_EXTINGUISHER] > 0:
        return moves.USE_ITEM + Item.FIRE_EXTINGUISHER
    return moves.USE_ITEM + Item.GROG if hand[Item.GROG] > 0 else moves.NO_MOVE


@jit
def _act(state: State, mind: Mind) -> int:
    """Use the items that help, then take the action of the plan."""
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
    item = _helpful_item(state, mind, action, minutes, mind.bare[plan] > 0)
    if item >= 0:
        return moves.USE_ITEM + item
    return fix_move(action, mind.hatch[plan], minutes)


@jit
def _helpful_item(state: State, mind: Mind, action: int, minutes: int, bare: bool) -> int:
    """Return an item that the attempt still needs: the strongest, unless it is a bare one, then grogs as planned."""
    hand = state.hand[state.active]
    total = minutes + item_bonus(state, action, 0) + 3 * state.used[Item.GROG]
    if total >= DIE_SIDES:
        return -1
    best, most = -1, 0
    for item in range(ITEMS):
        if not bare and item != Item.GROG and hand[item] > 0 and BONUS[item, action] > most:
            best = item
            most = BONUS[item, action]
    if best < 0 and hand[Item.GROG] > 0 and state.used[Item.GROG] < mind.grogs[mind.plan]:
        return Item.GROG + 0
    return best


@jit
def _at_the_hatch(state: State, mind: Mind) -> int:
    """Enter if the plan leads through the hatch, with fire gear if need be."""
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
    """Flee into a room that is safe, else into one that burns, else use gear or air to get out."""
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
    """Drink coffee when drunk, and use a charm before a long way."""
    seat = state.active
    if state.hand[seat, Item.COFFEE] > 0 and state.intoxication[seat] >= 2:
        return moves.USE_ITEM + Item.COFFEE
    low = state.ghost
    if state.used[Item.GROG] > 0 and state.abandoning == 0:
        low = max(0, low - FAINT_MINUTES // 2)
    return _luck(state, weights, low)


@jit
def _luck(state: State, weights: Weights, low: int) -> int:
    """Use a charm if enough event icons lie ahead, or if it is the last chance for it."""
    seat = state.active
    icons = icons_between(state.minutes[seat], low) - charms_left(state)
    if state.hand[seat, Item.LUCKY_CHARM] > 0 and icons > 0 and (icons >= weights.charm_icons or state.ghost == 0):
        return moves.USE_ITEM + Item.LUCKY_CHARM
    return moves.DONE


@jit
def _spread(state: State, weights: Weights) -> int:
    """Choose the room where a fire does least harm, and kills nobody who has fainted."""
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
    """Count the interior hatches of a room that are not blocked."""
    count = 0
    for exit_ in range(EXIT_COUNT[room]):
        to = EXITS[room, exit_]
        count += to != SEA and is_hatch_clear(state, room, to)
    return count


@jit
def _block(state: State, weights: Weights) -> int:
    """Choose the hatch that matters least, and no gnome's last one."""
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
    """Discard the item that is worth least, a second copy being worth less; but drink coffee instead."""
    seat = decider(state)
    hand = state.hand[seat]
    may_drink = seat == state.active and state.turn > 0 and hand[Item.COFFEE] > 0
    if may_drink and state.intoxication[seat] >= 2:
        return moves.USE_ITEM + Item.COFFEE
    worst, least = 0, 1e9
    for item in range(ITEMS):
        if hand[item] > 0:
            worth = weights.keep[item] - 0.1 * (hand[item] - 1)
            if worth < least:
                worst = item
                least = worth
    if may_drink and worst == Item.COFFEE:
        return moves.USE_ITEM + Item.COFFEE
    return moves.DISCARD_ITEM + worst
