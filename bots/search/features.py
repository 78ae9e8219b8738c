"""Turn a position into what the network sees: some 300 numbers around 0 to 1, most of them 0."""

from bots.sailor.mind import Numbers
from bots.sailor.worth import FIRST_FIX, LAST_FIX, events_to_come, slowest_minute
from bots.skill import SKILLS, Skill
from engine.board import EXTERIOR_ROOMS, FIX_ROOM, HATCHES, HOPS
from engine.cards import BONUS, EVENT_FACES, FACE_EVENT, ITEMS
from engine.compiled.gnomes import is_aboard
from engine.compiled.jit import jit
from engine.compiled.state import Cells, State
from engine.enums import (
    MAX_INTOXICATION,
    MAX_MINUTES,
    ROOMS,
    SEA,
    SEATS,
    TRACK_END,
    Challenge,
    Condition,
    Event,
    Item,
    Token,
    Track,
    Water,
)

TRACKS, TOKENS, EVENTS = len(Track), len(Token), len(Event)
FIX_ITS = LAST_FIX - FIRST_FIX + 1
MINUTES_A_STAGE = 4
STAGES = MAX_MINUTES // MINUTES_A_STAGE + 1
MINUTES_A_SLACK = 3
SLACKS = 6
SEEN_ALONE = 4  # gnomes whose turns come next
FAR_AWAY = 12  # minutes
FULL_BONUS = 9  # of tools, beside which one minute is enough
EXITS_OF_SUB = tuple(int(room) for room in EXTERIOR_ROOMS)

# Where each group of numbers begins.
CREW = 0  # how many are aboard, one-hot
CLOCK = CREW + SEATS + 1  # the slowest's minutes, as a share and one-hot, and all gnomes' together
EVENTS_LEFT = CLOCK + STAGES + 2
RULES = EVENTS_LEFT + 1
LEVEL = RULES + 6  # of each track, one-hot
SLACK = LEVEL + TRACKS * (TRACK_END + 1)  # minutes until each token on the Time Track, one-hot
FIRE = SLACK + TOKENS * SLACKS
LOW_WATER = FIRE + ROOMS
HIGH_WATER = LOW_WATER + ROOMS
GNOMES_IN = HIGH_WATER + ROOMS
BLOCKED = GNOMES_IN + ROOMS
HANDS = BLOCKED + len(HATCHES)  # what all hold together, and the grogs of the cabin
CARDS = HANDS + ITEMS + 1  # left of each event, and in all
DRUNK = CARDS + EVENTS + 1  # gnomes at each intoxication
FAINTED = DRUNK + MAX_INTOXICATION + 1
BETTER = FAINTED + 1  # the share of gnomes who are no worse than each skill but the lowest
NEXT = BETTER + SKILLS - 1  # of each of the next gnomes: room, how far ahead, how drunk, how skilled, their tools
A_GNOME = ROOMS + 3 + FIX_ITS
ACCESS = NEXT + SEEN_ALONE * A_GNOME  # of each critical room: who can be there first, with tools too, who is near
AN_ACCESS = 3
FEATURES = ACCESS + FIX_ITS * AN_ACCESS


@jit
def look(state: State, skills: Cells, seen: Numbers) -> None:
    """Write the numbers of a position, preferably one at the start of a turn, and of who sits at each seat."""
    for number in range(FEATURES):
        seen[number] = 0.0
    slowest = slowest_minute(state)
    _look_at_rules(state, seen)
    _look_at_dangers(state, seen, slowest)
    _look_at_rooms(state, seen)
    _look_at_crew(state, seen)
    _look_at_skills(state, skills, seen)
    _look_at_next(state, skills, seen, slowest)
    for fix_it in range(FIX_ITS):
        _look_at_access(state, seen, slowest, FIRST_FIX + fix_it, ACCESS + AN_ACCESS * fix_it)


@jit
def _look_at_rules(state: State, seen: Numbers) -> None:
    seen[RULES] = state.less_deadly_dying
    seen[RULES + 1] = state.crazed_gnomes
    seen[RULES + 2] = state.greater_challenge == Challenge.NO_RESPITE
    seen[RULES + 3] = state.greater_challenge == Challenge.STORM
    seen[RULES + 4] = state.edition
    seen[RULES + 5] = state.hidden_hands


@jit
def _look_at_dangers(state: State, seen: Numbers, slowest: int) -> None:
    """Write time, events, tracks and tokens."""
    seen[CLOCK] = slowest / 60
    seen[CLOCK + 1 + slowest // MINUTES_A_STAGE] = 1.0
    seen[EVENTS_LEFT] = events_to_come(state) / 20
    for track in range(TRACKS):
        seen[LEVEL + (TRACK_END + 1) * track + state.track[track]] = 1.0
    for token in range(TOKENS):
        if state.token[token] > 0:
            slack = max(0, slowest - state.token[token]) // MINUTES_A_SLACK
            seen[SLACK + SLACKS * token + min(SLACKS - 1, slack)] = 1.0
    left = 0
    for face in range(EVENT_FACES):
        seen[CARDS + FACE_EVENT[face]] += state.event_deck[face] / 4
        left += state.event_deck[face]
    seen[CARDS + EVENTS] = left / 30


@jit
def _look_at_rooms(state: State, seen: Numbers) -> None:
    for room in range(1, ROOMS):
        seen[FIRE + room] = state.fire[room]
        seen[LOW_WATER + room] = state.water[room] == Water.LOW
        seen[HIGH_WATER + room] = state.water[room] == Water.HIGH
    for hatch in range(len(HATCHES)):
        seen[BLOCKED + hatch] = state.blocked[hatch]


@jit
def _look_at_crew(state: State, seen: Numbers) -> None:
    """Write what all gnomes have together."""
    aboard, minutes = 0, 0
    for seat in range(state.gnomes):
        if is_aboard(state, seat):
            aboard += 1
            minutes += state.minutes[seat]
            seen[GNOMES_IN + state.room[seat]] += 1.0
            seen[DRUNK + state.intoxication[seat]] += 1.0
            seen[FAINTED] += state.condition[seat] == Condition.FAINTED
            for item in range(ITEMS):
                seen[HANDS + item] += state.hand[seat, item] / 2
    seen[HANDS + ITEMS] = state.captains_grog / 4
    seen[CREW + aboard] = 1.0
    seen[CLOCK + 1 + STAGES] = minutes / 240


@jit
def _look_at_skills(state: State, skills: Cells, seen: Numbers) -> None:
    aboard = 0
    for seat in range(state.gnomes):
        if is_aboard(state, seat):
            aboard += 1
            for skill in range(skills[seat]):
                seen[BETTER + skill] += 1.0
    for skill in range(SKILLS - 1):
        seen[BETTER + skill] /= max(1, aboard)


@jit
def _look_at_next(state: State, skills: Cells, seen: Numbers, slowest: int) -> None:
    """Write the gnomes whose turns come next, one by one."""
    seen_seats = 0  # a bit for each
    for place in range(SEEN_ALONE):
        due = -1
        for seat in range(state.gnomes):
            if is_aboard(state, seat) and (seen_seats >> seat) & 1 == 0 and (due < 0 or _is_before(state, seat, due)):
                due = seat
        if due < 0:
            return
        seen_seats |= 1 << due
        at = NEXT + A_GNOME * place
        seen[at + state.room[due]] = 1.0
        seen[at + ROOMS] = (slowest - state.minutes[due]) / 8
        seen[at + ROOMS + 1] = state.intoxication[due] / 2
        seen[at + ROOMS + 2] = skills[due] / Skill.ADMIRAL
        for fix_it in range(FIX_ITS):
            seen[at + ROOMS + 3 + fix_it] = _tools(state, due, FIRST_FIX + fix_it) / FULL_BONUS


@jit
def _is_before(state: State, seat: int, other: int) -> bool:
    """Return whether a seat's turn comes before another's, as its minutes or its place in the stack say."""
    if state.minutes[seat] != state.minutes[other]:
        return state.minutes[seat] > state.minutes[other]
    return state.stack[seat] > state.stack[other]


@jit
def _tools(state: State, seat: int, action: int) -> int:
    """Return the bonus of all tools for an action that a gnome holds, up to what makes it certain."""
    bonus = 0
    for item in range(ITEMS):
        if item != Item.GROG and BONUS[item, action] > 0:
            bonus += state.hand[seat, item] * BONUS[item, action]
    return min(FULL_BONUS, bonus)


@jit
def _look_at_access(state: State, seen: Numbers, slowest: int, action: int, at: int) -> None:
    """Write how soon somebody can be in the room of an action, regardless of blocks and water, how soon somebody with
    a tool for it, and how many are next to it."""
    soonest, equipped, near, room = FAR_AWAY, FAR_AWAY, 0, FIX_ROOM[action]
    for seat in range(state.gnomes):
        if is_aboard(state, seat):
            hops = _hops(state.room[seat], room)
            soonest = min(soonest, slowest - state.minutes[seat] + hops)
            if _tools(state, seat, action) > 0:
                equipped = min(equipped, slowest - state.minutes[seat] + hops)
            near += hops <= 1
    seen[at] = soonest / 6
    seen[at + 1] = near / 2
    seen[at + 2] = equipped / 6


@jit
def _hops(one: int, other: int) -> int:
    """Count the hatches on the way, where the sea is next to the rooms with exterior hatches."""
    if one == other:
        return 0
    if one != SEA and other != SEA:
        return HOPS[one, other]
    inside = one + other
    hops = FAR_AWAY
    for room in EXITS_OF_SUB:
        hops = min(hops, 1 + HOPS[inside, room])
    return hops
