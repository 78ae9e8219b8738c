"""Draw event cards and carry out their events, with one handler for each kind (§6, §7).

A handler that needs a player's choice sets the phase of that choice. The others leave EVENT_DONE.
"""

from engine.board import EXIT_COUNT, EXITS, EXTERIOR, HATCH_ROOMS
from engine.cards import (
    EVENT_AHEAD,
    EVENT_FACES,
    EVENT_TOKEN,
    FACE_COUNT,
    FACE_EVENT,
    FACE_FAINT,
    HAND_LIMIT,
    KRAKEN_FACE,
    STUMBLE_LIMIT,
)
from engine.compiled.dice import next_scripted, roll_die
from engine.compiled.gnomes import end_game, is_aboard
from engine.compiled.items import drink_grog, hand_size, move_pile, pick, size
from engine.compiled.jit import jit
from engine.compiled.journal import ROOM_DIE, log
from engine.compiled.movement import put_out_fire
from engine.compiled.state import Journal, State
from engine.enums import (
    NOBODY,
    NOWHERE,
    ROOMS,
    SEA,
    TRACK_END,
    Cause,
    Challenge,
    Edition,
    Event,
    Item,
    Phase,
    Purpose,
    Script,
    Track,
    Water,
)
from engine.rows import Deck, Row

EVENTS = len(Event)


@jit
def reshuffle_events(state: State, journal: Journal) -> None:
    """The discards become the new deck, which the Kraken joins the first time (§6)."""
    move_pile(state.event_discard, state.event_deck)
    kraken_joins = state.event_deck[KRAKEN_FACE] == 0
    if kraken_joins:
        state.event_deck[KRAKEN_FACE] = 1
    log(journal, Row.DECK_RESHUFFLED, Deck.EVENTS, kraken_joins, 0, 0)


@jit
def first_face(wanted: int) -> int:
    """Return the face that a script names, or the first of an event's faces if it names EVENT_FACES + an event."""
    if wanted < EVENT_FACES:
        return wanted
    face = 0
    while FACE_EVENT[face] != wanted - EVENT_FACES:
        face += 1
    return face


@jit
def fetch_forced(state: State, purpose: int) -> int:
    """Take the card that the script names from the deck, or from wherever it lies."""
    wanted = next_scripted(state, state.script_events, Script.EVENTS)
    first = first_face(wanted)
    last = first + 1 if wanted < EVENT_FACES else first_face(wanted + 1)
    copies = state.event_deck[first:last]
    if size(copies) > 0:
        return first + pick(state, copies, size(copies), purpose)
    state.event_deck[first] += 1
    if state.event_discard[first] > 0:
        state.event_discard[first] -= 1
    return first


@jit
def draw_card(state: State, purpose: int, journal: Journal) -> int:
    """Draw a random card from those that remain; it is discarded at once, or leaves the game (§6, §9).

    The card of a Faint Check counts as drawn in the revised edition only (§4).
    """
    if purpose == Purpose.EVENT_CARD or state.edition == Edition.REVISED:
        state.event_drawn = 1
    left = size(state.event_deck)
    if left == 0:
        reshuffle_events(state, journal)
        left = size(state.event_deck)
    if state.script_left[Script.EVENTS] > 0:
        face = fetch_forced(state, purpose)
    else:
        face = pick(state, state.event_deck, left, purpose)
    state.event_deck[face] -= 1
    if FACE_EVENT[face] == Event.RESPITE and state.greater_challenge != Challenge.OFF:
        log(journal, Row.CARD_REMOVED, face, 0, 0, 0)
    else:
        state.event_discard[face] += 1
    return face


@jit
def advance_track(state: State, track: int, spaces: int, journal: Journal) -> None:
    """A track that reaches its tenth space destroys the submarine at once (§1)."""
    state.track[track] = min(TRACK_END, state.track[track] + spaces)
    log(journal, Row.TRACK_ADVANCED, track, spaces, state.track[track], 0)
    if state.track[track] == TRACK_END:
        end_game(state, Cause.ASPHYXIATION + track, journal)


@jit
def start_fire(state: State, room: int, journal: Journal) -> None:
    """Start a fire, with smoke even if the room burns already (§7). Caller guarantees a dry room."""
    if state.fire[room] == 0:
        state.fire[room] = 1
        log(journal, Row.FIRE_STARTED, room, 0, 0, 0)
    advance_track(state, Track.ASPHYXIATION, 1, journal)


@jit
def fire(state: State, journal: Journal) -> None:
    """A random room burns, unless it is flooded (§7)."""
    room = roll_die(state, Purpose.EVENT_ROOM)
    log(journal, Row.DIE_ROLLED, ROOM_DIE, room, 0, state.active)
    if state.water[room] == Water.NONE:
        start_fire(state, room, journal)
    else:
        log(journal, Row.NOTHING_HAPPENED, Event.FIRE, 0, 0, 0)


@jit
def can_spread_to(state: State, room: int) -> bool:
    """A fire spreads also through blocked hatches, to a room that neither burns nor is flooded (§7)."""
    if state.fire[room] > 0 or state.water[room] != Water.NONE:
        return False
    for exit_ in range(EXIT_COUNT[room]):
        if state.fire[EXITS[room, exit_]] > 0:
            return True
    return False


@jit
def fire_spreads(state: State, journal: Journal) -> None:
    for room in range(1, ROOMS):
        if can_spread_to(state, room):
            state.phase = Phase.SPREAD_FIRE
            return
    log(journal, Row.NOTHING_HAPPENED, Event.FIRE_SPREADS, 0, 0, 0)


@jit
def leak(state: State, journal: Journal) -> None:
    """A random room goes to high water (§7)."""
    room = roll_die(state, Purpose.EVENT_ROOM)
    log(journal, Row.DIE_ROLLED, ROOM_DIE, room, 0, state.active)
    state.water[room] = Water.HIGH
    log(journal, Row.ROOM_FLOODED, room, 0, 0, 0)
    put_out_fire(state, room, journal)


@jit
def can_block(state: State, room: int, hatch: int) -> bool:
    """Return whether the hatch is one of the room's and not blocked yet (§7)."""
    return state.blocked[hatch] == 0 and (HATCH_ROOMS[hatch, 0] == room or HATCH_ROOMS[hatch, 1] == room)


@jit
def blocked_hatch(state: State, journal: Journal) -> None:
    """The active player picks a hatch of a random room (§7)."""
    room = roll_die(state, Purpose.EVENT_ROOM)
    log(journal, Row.DIE_ROLLED, ROOM_DIE, room, 0, state.active)
    for hatch in range(EXTERIOR):
        if can_block(state, room, hatch):
            state.event_room = room
            state.phase = Phase.BLOCK_HATCH
            return
    log(journal, Row.NOTHING_HAPPENED, Event.BLOCKED_HATCH, 0, 0, 0)


@jit
def block(state: State, hatch: int, journal: Journal) -> None:
    state.blocked[hatch] = 1
    state.event_room = SEA
    log(journal, Row.HATCH_BLOCKED, hatch, 0, 0, 0)


@jit
def underwater_current(state: State, journal: Journal) -> None:
    """All low water becomes high water (§7)."""
    for room in range(1, ROOMS):
        if state.water[room] == Water.LOW:
            state.water[room] = Water.HIGH
            log(journal, Row.ROOM_FLOODED, room, 0, 0, 0)


@jit
def overheated(state: State, journal: Journal) -> None:
    """Each gnome who holds grog drinks one without a benefit (§1)."""
    for seat in range(state.gnomes):
        if is_aboard(state, seat) and state.hand[seat, Item.GROG] > 0:
            state.hand[seat, Item.GROG] -= 1
            state.item_discard[Item.GROG] += 1
            drink_grog(state, seat)
            log(journal, Row.GROG_DRUNK, seat, state.intoxication[seat], 0, 0)


@jit
def place_token(state: State, event: int, journal: Journal) -> None:
    """A token is placed ahead of the icon, unless that is beyond 0 or the token is on the track (§7)."""
    token = EVENT_TOKEN[event]
    minute = state.minutes[state.active] - EVENT_AHEAD[event]
    if minute < 0 or state.token[token] != NOWHERE:
        log(journal, Row.NOTHING_HAPPENED, event, 0, 0, 0)
    else:
        state.token[token] = minute
        log(journal, Row.TOKEN_PLACED, token, minute, 0, 0)


@jit
def is_over_limit(state: State, seat: int) -> bool:
    """Turbulence limits every hand on board, a stumble that of the active gnome; the limit tells which (§7)."""
    if state.hand_limit == STUMBLE_LIMIT and seat != state.active:
        return False
    return is_aboard(state, seat) and hand_size(state, seat) > state.hand_limit


@jit
def next_discarder(state: State) -> int:
    """Return the first seat that must still discard, or NOBODY: seats discard in ascending order (§7)."""
    for seat in range(state.gnomes):
        if is_over_limit(state, seat):
            return seat
    return NOBODY


@jit
def limit_hands(state: State, limit: int) -> None:
    state.hand_limit = limit
    state.phase = Phase.DISCARD
    end_discards(state)


@jit
def end_discards(state: State) -> None:
    if next_discarder(state) == NOBODY:
        state.hand_limit = 0
        state.phase = Phase.EVENT_DONE


@jit
def friendly_fire(state: State, journal: Journal) -> None:
    """A fire, then a leak, then turbulence happen, each of them whole (§1)."""
    fire(state, journal)
    if state.phase != Phase.OVER:
        leak(state, journal)
        limit_hands(state, HAND_LIMIT)


@jit
def resolve(state: State, face: int, journal: Journal) -> None:
    """Carry out the event of a card (§7)."""
    event = FACE_EVENT[face]
    log(journal, Row.EVENT_DRAWN, face, state.minutes[state.active], state.active, 0)
    state.phase = Phase.EVENT_DONE
    if event == Event.FIRE:
        fire(state, journal)
    elif event == Event.FIRE_SPREADS:
        fire_spreads(state, journal)
    elif event == Event.STUMBLE:
        limit_hands(state, STUMBLE_LIMIT)
    elif event == Event.FRIENDLY_FIRE:
        friendly_fire(state, journal)
    elif event == Event.BLOCKED_HATCH:
        blocked_hatch(state, journal)
    elif event == Event.LEAK:
        leak(state, journal)
    elif event == Event.RESPITE:
        log(journal, Row.NOTHING_HAPPENED, Event.RESPITE, 0, 0, 0)
    elif event == Event.REACTOR_WARMUP:
        advance_track(state, Track.HEAT, 1, journal)
    elif event == Event.REACTOR_MALFUNCTION:
        advance_track(state, Track.HEAT, 2, journal)
    elif event == Event.DESCENT:
        advance_track(state, Track.PRESSURE, 1, journal)
    elif event == Event.FAST_DESCENT:
        advance_track(state, Track.PRESSURE, 2, journal)
    elif event == Event.UNDERWATER_CURRENT:
        underwater_current(state, journal)
    elif event == Event.OVERHEATED:
        overheated(state, journal)
    elif event == Event.TURBULENCE:
        limit_hands(state, HAND_LIMIT)
    else:
        place_token(state, event, journal)


@jit
def draw_event(state: State, journal: Journal) -> None:
    resolve(state, draw_card(state, Purpose.EVENT_CARD, journal), journal)


@jit
def faint_number(face: int) -> int:
    return FACE_FAINT[face]


@jit
def fill_event_deck(state: State) -> None:
    """The deck begins with all events except the Kraken (§2)."""
    for face in range(EVENT_FACES):
        state.event_deck[face] = FACE_COUNT[face]
    state.event_deck[KRAKEN_FACE] = 0
