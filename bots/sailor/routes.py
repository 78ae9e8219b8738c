"""Find the quickest way from where a gnome stands to every room, without and with fire gear."""

from bots.sailor.mind import Mind
from engine.board import EXIT_COUNT, EXITS
from engine.compiled.jit import jit
from engine.compiled.movement import can_open_hatch, is_flowing, is_hatch_clear
from engine.compiled.state import State
from engine.enums import ROOMS, SEA, Edition, Item, Water

FAR = 99


@jit
def has_gear(state: State) -> bool:
    """Return whether fire gear is at hand: used this turn, or in hand."""
    seat = state.active
    held = state.hand[seat, Item.GROG] + state.hand[seat, Item.FIRE_EXTINGUISHER]
    return held > 0 or state.used[Item.GROG] > 0 or state.used[Item.FIRE_EXTINGUISHER] > 0


@jit
def brings_gear(state: State) -> bool:
    """Return whether fire gear is at hand, and something burns."""
    for room in range(1, ROOMS):
        if state.fire[room] > 0:
            return has_gear(state)
    return False


@jit
def has_air(state: State) -> bool:
    return state.used[Item.AQUALUNG] > 0 or state.hand[state.active, Item.AQUALUNG] > 0


@jit
def step_cost(state: State, start: int, room: int, to: int, gear: bool, air: bool) -> int:
    """Return the minutes from a room through a hatch into the next one as things stand, or FAR."""
    if not is_hatch_clear(state, room, to):
        return FAR
    if to == SEA:
        return 2 if air else FAR
    if state.water[to] == Water.HIGH:
        return 2 if state.water[room] == Water.NONE and room != SEA else FAR
    pours = state.water[room] == Water.HIGH and room == start  # elsewhere the way in has let the water out
    if state.fire[to] > 0 and not gear and not pours:
        return FAR
    wet = state.water[to] == Water.LOW or pours
    return 2 if wet or (room == SEA and state.edition == Edition.REVISED) else 1


@jit
def find_routes(state: State, mind: Mind, gear: int) -> None:
    """Find all routes, minute by minute, as every step takes one or two minutes."""
    start = state.room[state.active]
    air = has_air(state)
    for room in range(ROOMS):
        mind.far[gear, room] = FAR
    mind.far[gear, start] = 0
    mind.before[gear, start] = start
    last = 0
    minute = 0
    while minute <= last:
        for room in range(ROOMS):
            if mind.far[gear, room] == minute:
                for exit_ in range(EXIT_COUNT[room]):
                    to = EXITS[room, exit_]
                    if mind.far[gear, to] > minute + 1:
                        cost = minute + step_cost(state, start, room, to, gear > 0, air)
                        if cost < mind.far[gear, to]:
                            mind.far[gear, to] = cost
                            mind.before[gear, to] = room
                            last = max(last, cost)
        minute += 1


@jit
def minutes_to_flee(state: State, room: int, gear: bool) -> int:
    """Return the minutes from a burning room through the quickest hatch that can be passed, or FAR."""
    nearest = FAR
    for exit_ in range(EXIT_COUNT[room]):
        nearest = min(nearest, step_cost(state, room, room, EXITS[room, exit_], gear, has_air(state)))
    return nearest


@jit
def hatch_that_saves(state: State) -> int:
    """Return where a hatch leads that drains the room's high water or lets water onto its fire, or -1."""
    room = state.room[state.active]
    for exit_ in range(EXIT_COUNT[room]):
        to = EXITS[room, exit_]
        deadly = state.fire[room] > 0 or state.water[room] == Water.HIGH
        if deadly and can_open_hatch(state, to) and is_flowing(state, room, to):
            return int(to)
    return -1


@jit
def next_room(mind: Mind, gear: int, room: int, dest: int) -> int:
    """Return the room after `room` on the way to `dest`, or -1 if the way does not lead through it."""
    step = dest
    for _ in range(ROOMS):
        if mind.before[gear, step] == room:
            return step
        step = mind.before[gear, step]
    return -1
