"""Every legal move of the decider, by phase (§4, §5, §7), with its cost and chance."""

from engine import moves
from engine.actions import DIE_SIDES, duel_wins, is_attack_possible, penalty, success_tenths
from engine.board import EXIT_COUNT, EXITS, EXTERIOR, FIX_ROOM, HATCH_BETWEEN
from engine.cards import ITEMS, STASH_DRAW, STORES_DRAW
from engine.events import can_block, can_spread_to, next_discarder
from engine.gnomes import is_company
from engine.items import items_to_draw
from engine.jit import jit
from engine.kinds import ABANDON_BELOW, NOBODY, ROOMS, SEA, Action, Edition, Item, Phase, Room, Water
from engine.movement import CANNOT, can_escape_through, can_open_hatch, can_stay, enter_cost
from engine.moves import MAX_FIX_MINUTES, Move
from engine.state import Moves, State

UNBLOCK = int(Action.UNBLOCK_HATCH)  # the last of the fix-it actions: its minutes come once a hatch


@jit
def decider(state: State) -> int:
    """The seat that must decide now; not always the active gnome's (§5, §7)."""
    if state.phase == Phase.DISCARD:
        return next_discarder(state)
    if state.phase in (Phase.TRADE_RETURN, Phase.DEFEND):
        return state.partner
    return NOBODY if state.phase == Phase.OVER else state.active


@jit
def legal_moves(state: State, out: Moves) -> int:
    """Writes the ids of all legal moves to `out`, returns how many; none only when the game is over."""
    phase = state.phase
    if phase == Phase.MOVEMENT:
        return _actions(state, out, _items(state, out, _hatches(state, out, 0)))
    if phase == Phase.HATCH or phase == Phase.ESCAPE_HATCH:
        return _items(state, out, _behind_hatch(state, out))
    if phase == Phase.ESCAPE:
        return _items(state, out, _hatches(state, out, 0))
    if phase == Phase.WRAP_UP:
        return _wrap_up(state, out)
    if phase == Phase.SPREAD_FIRE:
        return _fires(state, out)
    if phase == Phase.BLOCK_HATCH:
        return _hatches_to_block(state, out)
    if phase == Phase.DISCARD:
        return _held(state, next_discarder(state), moves.DISCARD_ITEM, out, 0)
    if phase == Phase.TRADE_GIVE:
        return _add(out, _held(state, state.active, moves.GIVE_ITEM, out, 0), moves.DONE)
    if phase == Phase.TRADE_RETURN:
        return _add(out, _held(state, state.partner, moves.GIVE_ITEM, out, 0), moves.DONE)
    if phase == Phase.DEFEND:
        return _add(out, _add(out, 0, moves.DEFEND), moves.DONE)
    return 0


@jit
def _add(out: Moves, count: int, move: int) -> int:
    out.ids[count] = move
    return count + 1


@jit
def _add_if(condition: bool, out: Moves, count: int, move: int) -> int:
    """Writes in any case, and counts only if it holds: quicker than a branch."""
    out.ids[count] = move
    return count + condition


@jit
def _held(state: State, seat: int, first: int, out: Moves, count: int) -> int:
    for item in range(ITEMS):
        count = _add_if(state.hand[seat, item] > 0, out, count, first + item)
    return count


@jit
def _items(state: State, out: Moves, count: int) -> int:
    """Items may be used at any moment of the own turn before the roll that they affect (§4)."""
    return _held(state, state.active, moves.USE_ITEM, out, count)


@jit
def _hatches(state: State, out: Moves, count: int) -> int:
    room = state.room[state.active]
    for exit_ in range(EXIT_COUNT[room]):
        to = EXITS[room, exit_]
        if state.phase == Phase.MOVEMENT:
            opens = can_open_hatch(state, to)
        else:
            opens = can_escape_through(state, to)
        if opens:
            count = _add(out, count, moves.OPEN_HATCH + to)
    return count


@jit
def _behind_hatch(state: State, out: Moves) -> int:
    count = 0
    if enter_cost(state) != CANNOT:
        count = _add(out, count, moves.ENTER)
    if can_stay(state):
        count = _add(out, count, moves.STAY)
    return count


@jit
def _wrap_up(state: State, out: Moves) -> int:
    """The last moment for coffee and lucky charms (§4)."""
    count = 0
    if state.hand[state.active, Item.COFFEE] > 0:
        count = _add(out, count, moves.USE_ITEM + Item.COFFEE)
    if state.hand[state.active, Item.LUCKY_CHARM] > 0:
        count = _add(out, count, moves.USE_ITEM + Item.LUCKY_CHARM)
    return _add(out, count, moves.DONE)


@jit
def _fires(state: State, out: Moves) -> int:
    count = 0
    for room in range(1, ROOMS):
        count = _add_if(can_spread_to(state, room), out, count, moves.SPREAD_FIRE + room)
    return count


@jit
def _hatches_to_block(state: State, out: Moves) -> int:
    count = 0
    for hatch in range(EXTERIOR):
        count = _add_if(can_block(state, state.event_room, hatch), out, count, moves.BLOCK_HATCH + hatch)
    return count


@jit
def _actions(state: State, out: Moves, count: int) -> int:
    """A burning room allows but extinguishing, high water but idling (§5)."""
    room = state.room[state.active]
    if state.fire[room] > 0:
        return _fix_its(state, Action.EXTINGUISH_FIRE, 0, out, count)
    if state.water[room] != Water.HIGH:
        if state.water[room] == Water.LOW:
            count = _fix_its(state, Action.PUMP_WATER, 0, out, count)
        for action in range(Action.FIX_ENGINE, Action.UNBLOCK_HATCH):
            if FIX_ROOM[action] == room:
                count = _fix_its(state, action, 0, out, count)
        count = _leave(state, out, count) if room == SEA else _indoors(state, out, count)
    return _add(out, count, moves.NO_ACTION)


@jit
def _fix_its(state: State, action: int, hatch: int, out: Moves, count: int) -> int:
    """One to ten minutes, as far as they are left (§5)."""
    first = moves.FIX + (action + hatch) * MAX_FIX_MINUTES
    for minute in range(min(MAX_FIX_MINUTES, state.ghost - penalty(state, action))):
        count = _add(out, count, first + minute)
    return count


@jit
def _indoors(state: State, out: Moves, count: int) -> int:
    seat = state.active
    room = state.room[seat]
    for exit_ in range(EXIT_COUNT[room]):
        hatch = HATCH_BETWEEN[room, EXITS[room, exit_]]
        if hatch != EXTERIOR and state.blocked[hatch] > 0:
            count = _fix_its(state, Action.UNBLOCK_HATCH, hatch, out, count)
    if room == Room.EQUIPMENT_STORES or room == Room.CAPTAINS_CABIN:
        for cards in range(1, most_cards(state) + 1):
            count = _add(out, count, moves.DRAW_ITEMS + cards)
    if state.ghost > penalty(state, Action.TRADE_ITEMS):
        count = _company(state, moves.TRADE_ITEMS, out, count)
        if is_attack_possible(state):
            count = _company(state, moves.ATTACK_GNOME, out, count)
    return count


@jit
def most_cards(state: State) -> int:
    """Cards that a draw may ask for in this room: by rule, by what is left, by time (§5, §6)."""
    seat = state.active
    if state.drew_items_in[seat] == state.room[seat]:
        return 0
    minutes = state.ghost - penalty(state, Action.DRAW_ITEMS)
    if state.room[seat] == Room.CAPTAINS_CABIN:
        return min(STASH_DRAW, minutes, state.captains_grog)
    return min(STORES_DRAW, minutes, items_to_draw(state))


@jit
def _company(state: State, first: int, out: Moves, count: int) -> int:
    for other in range(state.gnomes):
        count = _add_if(is_company(state, state.active, other), out, count, first + other)
    return count


@jit
def _leave(state: State, out: Moves, count: int) -> int:
    """Comrades may be abandoned with under ten minutes left, in games of three players or more (§5)."""
    if state.minutes[state.active] < ABANDON_BELOW and state.players > 2:
        count = _add(out, count, moves.ABANDON_COMRADES)
    return count


@jit
def cost(state: State, move: int) -> int:
    """Minutes that a legal move takes (§4, §5)."""
    kind, argument = moves.KIND[move], moves.ARGUMENT[move]
    if kind == Move.OPEN_HATCH or kind == Move.NO_ACTION:
        return 1
    if kind == Move.ENTER:
        return enter_cost(state)
    if kind == Move.FIX:
        return fix_minutes(argument) + penalty(state, fix_action(argument))
    if kind == Move.DRAW_ITEMS:
        return argument + penalty(state, Action.DRAW_ITEMS)
    if kind == Move.TRADE_ITEMS or kind == Move.ATTACK_GNOME:
        return 1 + penalty(state, Action.TRADE_ITEMS)
    return state.ghost if kind == Move.ABANDON_COMRADES else 0


@jit
def fix_action(argument: int) -> int:
    return min(argument // MAX_FIX_MINUTES, UNBLOCK)


@jit
def fix_minutes(argument: int) -> int:
    return argument % MAX_FIX_MINUTES + 1


@jit
def fix_hatch(argument: int) -> int:
    return max(0, argument // MAX_FIX_MINUTES - UNBLOCK)


@jit
def chance_percent(state: State, move: int) -> int:
    """Chance of success where a die decides, else NOBODY. An attack's is that of the fight, should he answer (§5).

    Secret hands must not show here who holds a crowbar; open ones tell that no die will be needed.
    """
    kind, argument = moves.KIND[move], moves.ARGUMENT[move]
    if kind == Move.FIX:
        return 100 // DIE_SIDES * success_tenths(state, fix_action(argument), fix_minutes(argument))
    if kind == Move.ATTACK_GNOME:
        if state.edition == Edition.ORIGINAL and state.hand[argument, Item.CROWBAR] == 0:
            return NOBODY
        return duel_wins(state, state.active, argument)
    if kind == Move.DEFEND:
        return 100 - duel_wins(state, state.active, state.partner)
    return NOBODY
