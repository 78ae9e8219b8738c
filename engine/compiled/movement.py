"""Open hatches, let water flow and move through the submarine (§4), also to flee from a fire (§5)."""

from engine.board import EXIT_COUNT, EXITS, EXTERIOR, HATCH_BETWEEN
from engine.compiled.jit import jit
from engine.compiled.journal import log
from engine.compiled.state import Journal, State
from engine.enums import NOWHERE, SEA, Edition, Item, Phase, Water
from engine.rows import Row

CANNOT = -1


@jit
def spend(state: State, minutes: int, journal: Journal) -> None:
    """The Ghost shows the minutes spent this turn (§4). Caller guarantees that they are left."""
    if minutes > 0:
        state.ghost -= minutes
        log(journal, Row.MINUTES_SPENT, state.active, minutes, state.ghost, 0)


@jit
def has_fire_gear(state: State) -> bool:
    """Grog or an extinguisher used this turn opens burning rooms to a gnome (§1)."""
    return state.used[Item.GROG] > 0 or state.used[Item.FIRE_EXTINGUISHER] > 0


@jit
def is_hatch_clear(state: State, room: int, to: int) -> bool:
    """Return whether there is a hatch that no token blocks. Exterior hatches are never blocked (§1)."""
    hatch = HATCH_BETWEEN[room, to]
    return hatch == EXTERIOR or (hatch != NOWHERE and state.blocked[hatch] == 0)


@jit
def can_open_hatch(state: State, to: int) -> bool:
    """Opening takes a minute, and is forbidden from low to high water in the revised edition (§4, §9)."""
    room = state.room[state.active]
    if state.ghost < 1 or not is_hatch_clear(state, room, to):
        return False
    low_to_high = state.water[room] == Water.LOW and state.water[to] == Water.HIGH
    return not low_to_high or state.edition == Edition.ORIGINAL


@jit
def entry_cost(state: State, to: int, fire_gear: bool, aqualung: bool) -> int:
    """Return the minutes to enter with that gear, or CANNOT; from the sea it is one in the revised edition (§4)."""
    if to == SEA:
        return 1 if aqualung else CANNOT
    if state.water[to] == Water.HIGH or (state.fire[to] > 0 and not fire_gear):
        return CANNOT
    from_sea = state.room[state.active] == SEA and state.edition == Edition.REVISED
    return 1 if from_sea or state.water[to] == Water.LOW else 0


@jit
def can_pass(state: State, to: int, minutes: int, fire_gear: bool, aqualung: bool) -> bool:
    cost = entry_cost(state, to, fire_gear, aqualung)
    return cost != CANNOT and cost <= minutes


@jit
def enter_cost(state: State) -> int:
    """Return the minutes to go through the open hatch, or CANNOT for water, fire, no air or no time (§4)."""
    cost = entry_cost(state, state.beyond, has_fire_gear(state), state.used[Item.AQUALUNG] > 0)
    return cost if cost <= state.ghost else CANNOT


@jit
def is_way_out(state: State, to: int, fire_gear: bool, aqualung: bool) -> bool:
    """Return whether a gnome in a fire can open and pass a hatch; high water behind it flows, and is low then (§5)."""
    if not can_open_hatch(state, to):
        return False
    if state.water[to] == Water.HIGH:
        return state.ghost > 1
    return can_pass(state, to, state.ghost - 1, fire_gear, aqualung)


@jit
def can_escape_through(state: State, to: int) -> bool:
    """A gnome who flees may only open a hatch that they can pass with the items used so far (§5)."""
    return is_way_out(state, to, has_fire_gear(state), state.used[Item.AQUALUNG] > 0)


@jit
def can_escape(state: State) -> bool:
    """Return whether a gnome could flee through some hatch, if need be with items still in hand (§5)."""
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
def is_flowing(state: State, room: int, to: int) -> bool:
    """High water flows into a dry room through any interior hatch (§4).

    Opened from its own side it flows into low water, too, except in the original edition.
    """
    if room == SEA or to == SEA:
        return False
    here, there = state.water[room], state.water[to]
    if here == Water.HIGH:
        return there == Water.NONE or (there == Water.LOW and state.edition == Edition.REVISED)
    return here == Water.NONE and there == Water.HIGH


@jit
def reflow(state: State, room: int, to: int, journal: Journal) -> None:
    """Water that flows becomes low in both rooms, and puts out the fire that it reaches (§4)."""
    if is_flowing(state, room, to):
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
    """The gnome may move on; if their last minute is spent, they take no action (§4)."""
    moving_on = state.phase == Phase.HATCH and state.ghost > 0
    state.phase = Phase.MOVEMENT if moving_on else Phase.ACTION_DONE
    state.beyond = 0
