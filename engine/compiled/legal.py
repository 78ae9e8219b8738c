"""List the legal moves of the decider, by phase (§4, §5, §7), with their costs and chances."""

from engine import moves
from engine.board import EXIT_COUNT, EXITS, EXTERIOR, FIX_ROOM, HATCH_BETWEEN
from engine.cards import ITEMS, STASH_DRAW, STORES_DRAW
from engine.compiled.actions import duel_wins, is_attack_possible, penalty, success_tenths
from engine.compiled.events import can_block, can_spread_to, next_discarder
from engine.compiled.gnomes import is_company
from engine.compiled.items import items_to_draw
from engine.compiled.jit import jit
from engine.compiled.movement import CANNOT, can_escape_through, can_open_hatch, enter_cost
from engine.compiled.state import Moves, State
from engine.enums import ABANDON_BELOW, DIE_SIDES, NOBODY, ROOMS, SEA, Action, Item, Phase, Room, Water
from engine.moves import MAX_FIX_MINUTES, MoveKind

UNBLOCK = int(Action.UNBLOCK_HATCH)  # the last fix-it action: it has ids for each hatch and its minutes


@jit
def decider(state: State) -> int:
    """Return the seat that must decide now, which is not always the active gnome's (§5, §7)."""
    if state.phase == Phase.DISCARD:
        return next_discarder(state)
    if state.phase in (Phase.TRADE_RETURN, Phase.DEFEND):
        return state.partner
    return NOBODY if state.phase == Phase.OVER else state.active


@jit
def legal_moves(state: State, out: Moves) -> int:
    """Write the ids of all legal moves to `out` and return their number, which is 0 only when the game is over."""
    phase = state.phase
    if phase == Phase.MOVEMENT:
        return _actions(state, out, _items(state, out, _hatches(state, out, 0)))
    if phase == Phase.HATCH or phase == Phase.ESCAPE_HATCH:
        return _items(state, out, _behind_hatch(state, out))
    if phase == Phase.ESCAPE:
        return _items(state, out, _hatches(state, out, 0))
    if phase == Phase.WRAP_UP:
        return _wrap_up(state, out)
    if phase == Phase.LUCK:
        return _add(out, _charms(state, out, 0), moves.DONE)
    if phase == Phase.SPREAD_FIRE:
        return _fires(state, out)
    if phase == Phase.BLOCK_HATCH:
        return _hatches_to_block(state, out)
    if phase == Phase.DISCARD:
        return _discards(state, out)
    if phase == Phase.TRADE_GIVE:
        return _add(out, _held(state, state.active, moves.GIVE_ITEM, out, 0), moves.DONE)
    if phase == Phase.TRADE_RETURN:
        return _add(out, _held(state, state.partner, moves.GIVE_ITEM, out, 0), moves.DONE)
    if phase == Phase.DEFEND:
        return _add(out, _add(out, 0, moves.DEFEND), moves.DONE)
    return 0


@jit
def is_legal(state: State, out: Moves, move: int) -> bool:
    """Return whether a move is legal now; `out` is written over."""
    for number in range(legal_moves(state, out)):
        if out.ids[number] == move:
            return True
    return False


@jit
def _add(out: Moves, count: int, move: int) -> int:
    out.ids[count] = move
    return count + 1


@jit
def _add_if(condition: bool, out: Moves, count: int, move: int) -> int:
    """Write the move in any case, and count it only if the condition holds: that is quicker than a branch."""
    out.ids[count] = move
    return count + condition


@jit
def _held(state: State, seat: int, first: int, out: Moves, count: int) -> int:
    for item in range(ITEMS):
        count = _add_if(state.hand[seat, item] > 0, out, count, first + item)
    return count


@jit
def _items(state: State, out: Moves, count: int) -> int:
    """Items may be used at any time in one's own turn before the roll that they affect (§4)."""
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
    """A gnome who flees must enter once the hatch is open (§5)."""
    count = 0
    if enter_cost(state) != CANNOT:
        count = _add(out, count, moves.ENTER)
    if state.phase == Phase.HATCH:
        count = _add(out, count, moves.STAY)
    return count


@jit
def _coffee(state: State, out: Moves, count: int) -> int:
    return _add_if(state.hand[state.active, Item.COFFEE] > 0, out, count, moves.USE_ITEM + Item.COFFEE)


@jit
def _charms(state: State, out: Moves, count: int) -> int:
    return _add_if(state.hand[state.active, Item.LUCKY_CHARM] > 0, out, count, moves.USE_ITEM + Item.LUCKY_CHARM)


@jit
def _wrap_up(state: State, out: Moves) -> int:
    """The wrap-up is the last chance to use coffee and lucky charms (§4)."""
    return _add(out, _charms(state, out, _coffee(state, out, 0)), moves.DONE)


@jit
def _discards(state: State, out: Moves) -> int:
    """In their own Updates a gnome may drink coffee instead, but not in a storm before the first turn (§4)."""
    seat = next_discarder(state)
    count = _held(state, seat, moves.DISCARD_ITEM, out, 0)
    return _coffee(state, out, count) if seat == state.active and state.turn > 0 else count


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
    """A burning room allows only to extinguish, high water only to do nothing (§5)."""
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
    """A fix-it action takes one to ten minutes, as far as they are left (§5)."""
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
    """Return how many cards a gnome may draw here: by rule, by what is left, by time (§5, §6)."""
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
    """The others may be abandoned with fewer than ten minutes left, in games of three or more players (§5)."""
    if state.minutes[state.active] < ABANDON_BELOW and state.players > 2:
        count = _add(out, count, moves.ABANDON_COMRADES)
    return count


@jit
def cost(state: State, move: int) -> int:
    """Return the minutes that a legal move takes (§4, §5)."""
    kind, argument = moves.KIND[move], moves.ARGUMENT[move]
    if kind == MoveKind.OPEN_HATCH or kind == MoveKind.NO_ACTION:
        return 1
    if kind == MoveKind.ENTER:
        return enter_cost(state)
    if kind == MoveKind.FIX:
        return fix_minutes(argument) + penalty(state, fix_action(argument))
    if kind == MoveKind.DRAW_ITEMS:
        return argument + penalty(state, Action.DRAW_ITEMS)
    if kind == MoveKind.TRADE_ITEMS or kind == MoveKind.ATTACK_GNOME:
        return 1 + penalty(state, Action.TRADE_ITEMS)
    return state.ghost if kind == MoveKind.ABANDON_COMRADES else 0


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
    """Return the chance of success in percent, or NOBODY if no die decides (§5).

    The chance of an attack assumes that the defender fights back: it must not reveal who holds a crowbar.
    """
    kind, argument = moves.KIND[move], moves.ARGUMENT[move]
    if kind == MoveKind.FIX:
        return 100 // DIE_SIDES * success_tenths(state, fix_action(argument), fix_minutes(argument))
    if kind == MoveKind.ATTACK_GNOME:
        return duel_wins(state, state.active, argument)
    if kind == MoveKind.DEFEND:
        return 100 - duel_wins(state, state.active, state.partner)
    return NOBODY
