"""The quickest way from where a gnome stands to every room, without and with fire gear."""

from bots.mind import Mind
from engine.board import EXIT_COUNT, EXITS
from engine.jit import jit
from engine.kinds import ROOMS, SEA, Item, Water
from engine.movement import is_hatch_clear
from engine.state import State

FAR = 99


@jit
def has_gear(state: State) -> bool:
    """Fire gear at hand: used this turn, or in hand."""
    seat = state.active
    held = state.hand[seat, Item.GROG] + state.hand[seat, Item.FIRE_EXTINGUISHER]
    return held > 0 or state.used[Item.GROG] > 0 or state.used[Item.FIRE_EXTINGUISHER] > 0


@jit
def has_air(state: State) -> bool:
    return state.used[Item.AQUALUNG] > 0 or state.hand[state.active, Item.AQUALUNG] > 0


@jit
def step_cost(state: State, start: int, room: int, to: int, gear: bool, air: bool) -> int:
    """Minutes from a room through a hatch into the next one as things stand, or FAR."""
    if not is_hatch_clear(state, room, to):
        return FAR
    if to == SEA:
        return 2 if air else FAR
    if state.water[to] == Water.HIGH:
        return 2 if state.water[room] == Water.NONE and room != SEA else FAR
    pours = state.water[room] == Water.HIGH and room == start  # elsewhere his way in has let the water out
    if state.fire[to] > 0 and not gear and not pours:
        return FAR
    return 2 if state.water[to] == Water.LOW or pours or room == SEA else 1


@jit
def find_routes(state: State, mind: Mind, gear: int) -> None:
    """Every step takes one or two minutes, so rooms are settled minute by minute."""
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
def next_room(mind: Mind, gear: int, room: int, dest: int) -> int:
    """The room after `room` on the way to `dest`, or -1 when the way does not lead through it."""
    step = dest
    for _ in range(ROOMS):
        if mind.before[gear, step] == room:
            return step
        step = mind.before[gear, step]
    return -1
