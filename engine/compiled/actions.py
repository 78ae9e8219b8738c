"""The one action of a turn (§5): what it costs, its chance, and what it does."""

from engine.board import FIX_TOKEN, FIX_TRACK
from engine.cards import BONUS, ITEMS
from engine.compiled.dice import roll_die
from engine.compiled.gnomes import die, die_before_updates, swim_away
from engine.compiled.items import draw_item, give_item, take_hand
from engine.compiled.jit import jit
from engine.compiled.journal import log
from engine.compiled.movement import can_escape, put_out_fire, spend
from engine.compiled.state import Journal, State
from engine.enums import (
    DIE_SIDES,
    LOW_WATER_PENALTY,
    NOBODY,
    NOWHERE,
    TRACK_RESET,
    Action,
    Death,
    Edition,
    Item,
    Phase,
    Purpose,
    Room,
    Source,
    Water,
)
from engine.rows import Row


@jit
def is_hindered(action: int) -> bool:
    """Low water makes actions two minutes longer, but not pumping and idling; no low water burns (§5)."""
    return action not in (Action.PUMP_WATER, Action.NO_ACTION, Action.EXTINGUISH_FIRE)


@jit
def penalty_in(state: State, room: int, action: int) -> int:
    return LOW_WATER_PENALTY if state.water[room] == Water.LOW and is_hindered(action) else 0


@jit
def penalty(state: State, action: int) -> int:
    return penalty_in(state, state.room[state.active], action)


@jit
def bonus(state: State, action: int) -> int:
    """Add up the bonuses of all items used this turn, copies of one item included (§1)."""
    total = 0
    for item in range(ITEMS):
        total += state.used[item] * BONUS[item, action]
    return total


@jit
def is_too_late(state: State, action: int, minutes: int) -> bool:
    """Return whether the Ghost, with those minutes spent, has passed the token that the action would remove (§5)."""
    token = FIX_TOKEN[action]
    return token != NOWHERE and state.ghost - minutes - penalty(state, action) < state.token[token]


@jit
def success_tenths(state: State, action: int, minutes: int) -> int:
    """Count the faces of the die that succeed (§5)."""
    if is_too_late(state, action, minutes):
        return 0
    return min(DIE_SIDES, minutes + bonus(state, action))


@jit
def fix(state: State, action: int, minutes: int, hatch: int, journal: Journal) -> None:
    """Carry out any fix-it action, which always rolls one die (§5). Caller guarantees legality."""
    room = state.room[state.active]
    needed = success_tenths(state, action, minutes)
    too_late = is_too_late(state, action, minutes)
    spend(state, minutes + penalty(state, action), journal)
    value = roll_die(state, Purpose.FIX_IT)
    log(journal, Row.DIE_ROLLED, action, value, needed, state.active)
    if value > needed:
        log(journal, Row.ACTION_FAILED, state.active, action, too_late, 0)
        if action == Action.EXTINGUISH_FIRE:
            flee(state, journal)
        return
    log(journal, Row.ACTION_SUCCEEDED, state.active, action, 0, 0)
    if action == Action.EXTINGUISH_FIRE:
        put_out_fire(state, room, journal)
    elif action == Action.PUMP_WATER:
        state.water[room] = Water.NONE
        log(journal, Row.WATER_PUMPED, room, 0, 0, 0)
    elif action == Action.UNBLOCK_HATCH:
        state.blocked[hatch] = 0
        log(journal, Row.HATCH_UNBLOCKED, hatch, 0, 0, 0)
    else:
        reset_track(state, FIX_TRACK[action], journal)
        remove_token(state, FIX_TOKEN[action], journal)


@jit
def flee(state: State, journal: Journal) -> None:
    """Who fails to extinguish must flee or dies at once, or in the Updates in the original edition (§5, §9)."""
    if can_escape(state):
        state.phase = Phase.ESCAPE
    elif state.edition == Edition.REVISED:
        die_before_updates(state, Death.TRAPPED, journal)


@jit
def reset_track(state: State, track: int, journal: Journal) -> None:
    """Move the track from 6 or more to 5, otherwise to 1 (§5)."""
    if track == NOWHERE:
        return
    before = state.track[track]
    if before > 1:
        state.track[track] = TRACK_RESET if before > TRACK_RESET else 1
        log(journal, Row.TRACK_RESET, track, before, state.track[track], 0)


@jit
def remove_token(state: State, token: int, journal: Journal) -> None:
    if token != NOWHERE and state.token[token] != NOWHERE:
        log(journal, Row.TOKEN_REMOVED, token, state.token[token], 0, 0)
        state.token[token] = NOWHERE


@jit
def draw_items(state: State, cards: int, journal: Journal) -> None:
    """Draw random items, or grog from the stash; the gnome must act elsewhere before the next draw here (§5)."""
    seat = state.active
    room = state.room[seat]
    spend(state, cards + penalty(state, Action.DRAW_ITEMS), journal)
    for _ in range(cards):
        if room == Room.CAPTAINS_CABIN:
            state.captains_grog -= 1
            state.hand[seat, Item.GROG] += 1
            log(journal, Row.ITEM_DRAWN, seat, Item.GROG, Source.CAPTAINS_CABIN, 0)
        else:
            draw_item(state, seat, Source.EQUIPMENT_STORES, journal)
    state.drew_items_in[seat] = room


@jit
def begin_trade(state: State, partner: int, journal: Journal) -> None:
    """The active gnome gives, then the partner gives back (§5)."""
    spend(state, 1 + penalty(state, Action.TRADE_ITEMS), journal)
    state.partner = partner
    state.phase = Phase.TRADE_GIVE


@jit
def give_in_trade(state: State, item: int, journal: Journal) -> None:
    if state.phase == Phase.TRADE_GIVE:
        give_item(state, state.active, state.partner, item, journal)
    else:
        give_item(state, state.partner, state.active, item, journal)


@jit
def abandon_comrades(state: State, journal: Journal) -> None:
    """Leave the board without Faint Check and events; in the original edition the Updates come first (§5)."""
    spend(state, state.ghost, journal)
    if state.edition == Edition.ORIGINAL:
        state.abandoning = 1
    else:
        swim_away(state, journal)


@jit
def attack_gnome(state: State, target: int, journal: Journal) -> None:
    """A defender who holds a crowbar is asked; another dies (§5)."""
    spend(state, 1 + penalty(state, Action.ATTACK_GNOME), journal)
    log(journal, Row.ATTACK_DECLARED, state.active, target, 0, 0)
    state.partner = target
    state.phase = Phase.DEFEND
    if state.hand[target, Item.CROWBAR] == 0:
        slay(state, state.active, target, journal)


@jit
def fight(state: State, journal: Journal) -> None:
    """Both roll and subtract their intoxication; a tie goes to the attacker. The defender's crowbar is used (§5)."""
    attacker, defender = state.active, state.partner
    state.hand[defender, Item.CROWBAR] -= 1
    state.item_discard[Item.CROWBAR] += 1
    log(journal, Row.ITEM_USED, defender, Item.CROWBAR, state.intoxication[defender], 0)
    log(journal, Row.ATTACK_ANSWERED, defender, attacker, 0, 0)
    first = roll_die(state, Purpose.FIGHT)
    log(journal, Row.DIE_ROLLED, Action.ATTACK_GNOME, first, NOBODY, attacker)
    second = roll_die(state, Purpose.FIGHT)
    log(journal, Row.DIE_ROLLED, Action.ATTACK_GNOME, second, NOBODY, defender)
    if first - state.intoxication[attacker] >= second - state.intoxication[defender]:
        slay(state, attacker, defender, journal)
    else:
        slay(state, defender, attacker, journal)


@jit
def slay(state: State, winner: int, loser: int, journal: Journal) -> None:
    """The winner takes the loser's items (§5)."""
    state.partner = NOBODY
    state.phase = Phase.ACTION_DONE
    take_hand(state, winner, loser, journal)
    if loser == state.active:
        die_before_updates(state, Death.SLAIN, journal)
    else:
        die(state, loser, Death.SLAIN, journal)


@jit
def duel_wins(state: State, attacker: int, defender: int) -> int:
    """Count the pairs of dice, out of a hundred, with which the attacker wins (§5)."""
    wins = 0
    for first in range(DIE_SIDES):
        for second in range(DIE_SIDES):
            if first - state.intoxication[attacker] >= second - state.intoxication[defender]:
                wins += 1
    return wins


@jit
def is_attack_possible(state: State) -> bool:
    """Only crazed gnomes attack, and only with a crowbar used this turn (§5)."""
    return state.crazed_gnomes > 0 and state.used[Item.CROWBAR] > 0


@jit
def remember_action(state: State) -> None:
    """An action in another room allows a gnome to draw items again (§5)."""
    seat = state.active
    if state.drew_items_in[seat] != state.room[seat]:
        state.drew_items_in[seat] = 0
