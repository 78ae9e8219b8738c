"""Rate what things are worth to a sailor, in minutes of a gnome's time."""

import math

from bots.sailor.mind import Weights
from engine.board import FIX_ROOM, FIX_TOKEN, FIX_TRACK, HOPS
from engine.cards import BONUS, EVENT_FACES, FACE_FAINT
from engine.compiled.gnomes import is_aboard
from engine.compiled.jit import jit
from engine.compiled.state import State
from engine.enums import MAX_INTOXICATION, NOWHERE, ROOMS, TRACK_END, TRACK_RESET, Action, Item

FIRST_FIX, LAST_FIX = int(Action.FIX_ENGINE), int(Action.KILL_KRAKEN)
# Spaces that an event of the full deck moves each track by, on average: asphyxiation, heat, pressure.
PACE = (12 / 55, 10 / 55, 8 / 55)


@jit
def icons_between(high: int, low: int) -> int:
    """Count the event icons from below `high` down to `low`."""
    return icons_below(high) - icons_below(low)


@jit
def icons_below(minute: int) -> int:
    """Count the event icons on smaller numbers: 57, 54 … 21, then 18, 16 … 2."""
    if minute > 18:
        return 9 + (min(minute, 60) - 19) // 3
    return max(0, (minute - 1) // 2)


@jit
def events_to_come(state: State) -> int:
    total = 0
    for seat in range(state.gnomes):
        if is_aboard(state, seat):
            total += icons_below(state.minutes[seat])
    return total


@jit
def slowest_minute(state: State) -> int:
    slowest = 0
    for seat in range(state.gnomes):
        if is_aboard(state, seat):
            slowest = max(slowest, state.minutes[seat])
    return slowest


@jit
def danger(weights: Weights, track: int, level: int, events: int) -> float:
    """Rate how bad a track at that level is: worse the fewer spaces are left, little if few events are to come."""
    room = TRACK_END - level
    pressure = min(1.0, weights.endgame * events * PACE[track] / room)
    return weights.track[track] * math.exp(-weights.track_slope[track] * (room - 1)) * pressure


@jit
def fix_gain(state: State, weights: Weights, action: int, events: int) -> float:
    """Rate a repair of a critical system by the danger taken from its track, and by its token."""
    gain = 0.0
    track = FIX_TRACK[action]
    if track != NOWHERE:
        level = state.track[track]
        after = TRACK_RESET if level > TRACK_RESET else 1
        if level > 1:
            gain += danger(weights, track, level, events) - danger(weights, track, after, events)
    token = FIX_TOKEN[action]
    if token != NOWHERE and state.token[token] > 0:
        slack = slowest_minute(state) - state.token[token]
        near = max(0.0, 1.0 - slack / max(1.0, weights.token_slope))
        gain += weights.token + weights.token_near * near
    return gain


@jit
def room_gain(state: State, weights: Weights, room: int, events: int) -> float:
    """Rate the tasks of a room as if it could be entered."""
    gain = 0.0
    for action in range(FIRST_FIX, LAST_FIX):
        if FIX_ROOM[action] == room:
            gain += fix_gain(state, weights, action, events)
    return gain


@jit
def rival_factor(state: State, weights: Weights, room: int, minutes: int) -> float:
    """Return the share of a task that is left if comrades can be there first."""
    factor = 1.0
    for seat in range(state.gnomes):
        if seat != state.active and is_aboard(state, seat) and state.minutes[seat] > 0:
            if state.room[seat] == room and state.minutes[seat] >= minutes:
                factor = min(factor, weights.rival_near)
            elif state.minutes[seat] - HOPS[state.room[seat], room] > minutes:
                factor = min(factor, weights.rival)
    return factor


@jit
def faint_chance(state: State, intoxication: int) -> float:
    """Return the share of the cards left with which a gnome as drunk as that faints."""
    fell, all_ = 0, 0
    for face in range(EVENT_FACES):
        all_ += state.event_deck[face]
        if FACE_FAINT[face] <= intoxication:
            fell += state.event_deck[face]
    return fell / all_ if all_ > 0 else 0.0


@jit
def grog_cost(state: State, weights: Weights, grogs: int) -> float:
    if grogs == 0:
        return 0.0
    level = min(MAX_INTOXICATION, state.intoxication[state.active] + grogs)
    return weights.drunk[level] + weights.faint * faint_chance(state, level) + grogs * weights.keep[Item.GROG]


@jit
def is_gear_unused(state: State) -> bool:
    return state.used[Item.GROG] + state.used[Item.FIRE_EXTINGUISHER] == 0


@jit
def gear_cost(state: State, weights: Weights, gear: int) -> float:
    """Rate what passing a fire costs: an extinguisher, else a grog."""
    if gear == 0 or not is_gear_unused(state):
        return 0.0
    if state.hand[state.active, Item.FIRE_EXTINGUISHER] > 0:
        return weights.keep[Item.FIRE_EXTINGUISHER]
    return grog_cost(state, weights, 1)


@jit
def fire_gain(state: State, weights: Weights, dest: int, events: int) -> float:
    gain = weights.fire + weights.fire_room[dest] + weights.blocked_share * room_gain(state, weights, dest, events)
    for room in range(1, ROOMS):
        if room != dest and state.fire[room] > 0:
            gain += weights.fire_more
    return gain


@jit
def company_gain(state: State, weights: Weights, dest: int) -> float:
    gain = 0.0
    for other in range(state.gnomes):
        if other != state.active and is_aboard(state, other) and state.room[other] == dest:
            gain += weights.crowd
    return gain


@jit
def is_wanted(state: State, item: int, taker: int) -> bool:
    """Return whether a comrade who acts sooner can use the item on a critical system in need."""
    if state.minutes[taker] < state.ghost:
        return False
    for action in range(FIRST_FIX, LAST_FIX + 1):
        if item != Item.GROG and BONUS[item, action] > 0 and is_needed(state, action):
            return True
    return False


@jit
def is_needed(state: State, action: int) -> bool:
    """Return whether a system is in need: its track is half way to the end, or its token is still ahead."""
    track, token = FIX_TRACK[action], FIX_TOKEN[action]
    full = track != NOWHERE and state.track[track] >= TRACK_RESET
    return full or (token != NOWHERE and state.token[token] > 0)
