"""Hatches, water and ways through the submarine (§4), the forced exit after a failed extinguish among them (§5)."""

from engine.board import EXIT_COUNT, EXITS, EXTERIOR, HATCH_BETWEEN
from engine.jit import jit
from engine.journal import Row, log
from engine.kinds import NOWHERE, SEA, Edition, Item, Phase, Water
from engine.state import Journal, State

CANNOT = -1


@jit
def spend(state: State, minutes: int, journal: Journal) -> None:
    """The Ghost shows the minutes spent this turn (§4). Caller guarantees that they are left."""
    if minutes > 0:
        state.ghost -= minutes
        log(journal, Row.MINUTES_SPENT, state.active, minutes, state.ghost, 0)


@jit
def has_fire_gear(state: State) -> bool:
    """Grog or an extinguisher used this turn lets him into burning rooms (§1)."""
    return state.used[Item.GROG] > 0 or state.used[Item.FIRE_EXTINGUISHER] > 0


@jit
def is_hatch_clear(state: State, room: int, to: int) -> bool:
    """There is a hatch, and no token blocks it. Exterior hatches are never blocked (§1)."""
    hatch = HATCH_BETWEEN[room, to]
    return hatch == EXTERIOR or (hatch != NOWHERE and state.blocked[hatch] == 0)


@jit
def can_open_hatch(state: State, to: int) -> bool:
    """One minute; not from low water to high water, except in the original edition (§4, §9)."""
    room = state.room[state.active]
    if state.ghost < 1 or not is_hatch_clear(state, room, to):
        return False
    low_to_high = state.water[room] == Water.LOW and state.water[to] == Water.HIGH
    return not low_to_high or state.edition == Edition.ORIGINAL


@jit
def entry_cost(state: State, to: int, fire_gear: bool, aqualung: bool) -> int:
    """Minutes to go through an open hatch with that gear, or CANNOT (§4)."""
    if to == SEA:
        return 1 if aqualung else CANNOT
    if state.water[to] == Water.HIGH or (state.fire[to] > 0 and not fire_gear):
        return CANNOT
    from_sea = state.room[state.active] == SEA
    return 1 if from_sea or state.water[to] == Water.LOW else 0


@jit
def can_pass(state: State, to: int, minutes: int, fire_gear: bool, aqualung: bool) -> bool:
    cost = entry_cost(state, to, fire_gear, aqualung)
    return cost != CANNOT and cost <= minutes


@jit
def enter_cost(state: State) -> int:
    """Minutes to go through the hatch that is open, or CANNOT: water, fire, no air, or no time (§4)."""
    cost = entry_cost(state, state.beyond, has_fire_gear(state), state.used[Item.AQUALUNG] > 0)
    return cost if cost <= state.ghost else CANNOT


@jit
def can_stay(state: State) -> bool:
    """Behind an open hatch always, but on a forced exit only when water has put the fire out (§5)."""
    return state.phase == Phase.HATCH or state.fire[state.room[state.active]] == 0


@jit
def is_way_out(state: State, to: int, fire_gear: bool, aqualung: bool) -> bool:
    """A hatch he can pass with that gear, or one to high water, which puts his fire out (§5)."""
    if not can_open_hatch(state, to):
        return False
    return state.water[to] == Water.HIGH or can_pass(state, to, state.ghost - 1, fire_gear, aqualung)


@jit
def can_escape_through(state: State, to: int) -> bool:
    """On a forced exit only a hatch that will do with the items used so far may be opened (§5)."""
    return is_way_out(state, to, has_fire_gear(state), state.used[Item.AQUALUNG] > 0)


@jit
def can_escape(state: State) -> bool:
    """Some hatch would do, if need be with items still in his hand (§5)."""
    seat = state.active
    room = state.room[seat]
    hand = state.hand[seat]
    fire_gear = has_fire_gear(state) or hand[Item.GROG] > 0 or hand[Item.FIRE_EXTINGUISHER] > 0
    aqualung = state.used[Item.AQUALUNG] > 0 or hand[Item.AQUALUNG] > 0
    for exit_ in range(EXIT_COUNT[room]):
        if is_way_out(state, EXITS[room, exit_], fire_gear, aqualung):
            return True
    return False


@jit
def put_out_fire(state: State, room: int, journal: Journal) -> None:
    if state.fire[room] > 0:
        state.fire[room] = 0
        log(journal, Row.FIRE_WENT_OUT, room, 0, 0, 0)


@jit
def reflow(state: State, room: int, to: int, journal: Journal) -> None:
    """High water beside a dry room makes both low, and puts out the fire it reaches; none passes outside (§4)."""
    if room == SEA or to == SEA:
        return
    here, there = state.water[room], state.water[to]
    if (here == Water.HIGH and there == Water.NONE) or (here == Water.NONE and there == Water.HIGH):
        state.water[room] = Water.LOW
        state.water[to] = Water.LOW
        log(journal, Row.WATER_REFLOWED, room, to, 0, 0)
        put_out_fire(state, room, journal)
        put_out_fire(state, to, journal)


@jit
def open_hatch(state: State, to: int, journal: Journal) -> None:
    """Caller guarantees legality."""
    room = state.room[state.active]
    log(journal, Row.HATCH_OPENED, state.active, room, to, 0)
    spend(state, 1, journal)
    reflow(state, room, to, journal)
    state.beyond = to
    state.phase = Phase.ESCAPE_HATCH if state.phase == Phase.ESCAPE else Phase.HATCH


@jit
def enter(state: State, journal: Journal) -> None:
    """Caller guarantees legality."""
    spend(state, enter_cost(state), journal)
    seat = state.active
    log(journal, Row.GNOME_MOVED, seat, state.room[seat], state.beyond, 0)
    state.room[seat] = state.beyond


@jit
def close_hatch(state: State) -> None:
    """Then he moves on, or his movement is over: with the last minute spent there is no action (§4)."""
    moving_on = state.phase == Phase.HATCH and state.ghost > 0
    state.phase = Phase.MOVEMENT if moving_on else Phase.ACTION_DONE
    state.beyond = 0
