"""End a turn with Faint Check and Updates, which bring what the spent minutes lead to (§6)."""

from engine.board import HAS_EVENT_ICON, HAS_ITEM_ICON
from engine.compiled.events import draw_card, draw_event, faint_number
from engine.compiled.gnomes import check_tokens, die, die_before_updates, is_aboard, is_at_sea, is_deadly, swim_away
from engine.compiled.items import charms_left, draw_item
from engine.compiled.jit import jit
from engine.compiled.journal import log
from engine.compiled.state import Journal, State
from engine.enums import FAINT_MINUTES, Condition, Death, Edition, Item, Phase, Purpose, Source
from engine.rows import Row


@jit
def check_faint(state: State, journal: Journal) -> None:
    """After grog a card decides whether the gnome faints for ten minutes, which is death at sea (§6)."""
    state.phase = Phase.UPDATES
    if state.used[Item.GROG] == 0 or state.abandoning > 0:
        return
    seat = state.active
    face = draw_card(state, Purpose.FAINT_CARD, journal)
    log(journal, Row.FAINT_CHECKED, seat, face, state.intoxication[seat], 0)
    if faint_number(face) > state.intoxication[seat]:
        return
    state.condition[seat] = Condition.FAINTED
    state.ghost = max(0, state.ghost - FAINT_MINUTES)
    log(journal, Row.GNOME_FAINTED, seat, state.ghost, 0, 0)
    if is_at_sea(state, seat):
        die_before_updates(state, Death.FAINTED_OUTSIDE, journal)


@jit
def begin_updates(state: State, journal: Journal) -> None:
    """The active gnome dies in fire or high water, or at sea if the turn began there (§6).

    In the original edition a gnome who has fainted may still use a charm, as nobody asked them since (§4).
    """
    state.phase = Phase.WALK
    seat = state.active
    room = state.room[seat]
    if is_deadly(state, room):
        die(state, seat, Death.FIRE if state.fire[room] > 0 else Death.HIGH_WATER, journal)
    elif is_at_sea(state, seat) and state.began_at_sea > 0 and state.abandoning == 0:
        die(state, seat, Death.NO_AIR, journal)
    elif state.condition[seat] == Condition.FAINTED and state.edition == Edition.ORIGINAL:
        offer_luck(state)


@jit
def offer_luck(state: State) -> None:
    """A charm in hand may be used as long as an event icon lies ahead, down to the Ghost's space (§4)."""
    seat = state.active
    if state.hand[seat, Item.LUCKY_CHARM] > 0:
        for minute in range(state.ghost, state.minutes[seat]):
            if HAS_EVENT_ICON[minute]:
                state.phase = Phase.LUCK


@jit
def walk(state: State, journal: Journal) -> None:
    """The Time Keeper follows the Ghost, space by space, up to the next event or the end of the turn (§6)."""
    seat = state.active
    if not is_aboard(state, seat):
        state.phase = Phase.NEXT_TURN
        return
    while state.minutes[seat] > state.ghost:
        state.minutes[seat] -= 1
        check_tokens(state, journal)
        if state.phase == Phase.OVER:
            return
        if HAS_EVENT_ICON[state.minutes[seat]]:
            if charms_left(state) == 0:
                draw_event(state, journal)
                return
            state.icons_ignored += 1
            log(journal, Row.ICON_IGNORED, seat, state.minutes[seat], 0, 0)
        take_item_of_icon(state, journal)
        if state.phase == Phase.LUCK:
            return
    arrive(state, journal)
    state.phase = Phase.NEXT_TURN
    if state.abandoning > 0:
        swim_away(state, journal)


@jit
def take_item_of_icon(state: State, journal: Journal) -> None:
    """A lucky charm that comes before any Event Card was drawn may be used at once (§4)."""
    seat = state.active
    if HAS_ITEM_ICON[state.minutes[seat]]:
        charms = state.hand[seat, Item.LUCKY_CHARM]
        draw_item(state, seat, Source.ICON, journal)
        if state.event_drawn == 0 and state.hand[seat, Item.LUCKY_CHARM] > charms:
            offer_luck(state)


@jit
def arrive(state: State, journal: Journal) -> None:
    """The last to arrive on a space lies on top of its stack (§3)."""
    seat = state.active
    top = -1
    for other in range(state.gnomes):
        if other != seat and is_aboard(state, other) and state.minutes[other] == state.minutes[seat]:
            top = max(top, state.stack[other])
    state.stack[seat] = top + 1
    log(journal, Row.TIME_KEEPER_MOVED, seat, state.minutes[seat], top + 1, 0)


@jit
def kill_the_fainted(state: State, journal: Journal) -> None:
    """After each event fainted gnomes in fire or high water die, whether it is their turn or not (§6)."""
    for seat in range(state.gnomes):
        room = state.room[seat]
        if state.condition[seat] == Condition.FAINTED and is_deadly(state, room):
            die(state, seat, Death.FIRE if state.fire[room] > 0 else Death.HIGH_WATER, journal)
            if state.phase == Phase.OVER:
                return


@jit
def finish_event(state: State, journal: Journal) -> None:
    """After an event come deaths, then the item icon of the space, then the walk or the storm goes on (§6, §9)."""
    state.phase = Phase.WALK if state.turn > 0 else Phase.STORM
    kill_the_fainted(state, journal)
    if state.phase == Phase.WALK and is_aboard(state, state.active):
        take_item_of_icon(state, journal)


@jit
def continue_storm(state: State, journal: Journal) -> None:
    """A storm brings as many events as there are players before the first turn (§9)."""
    if state.storm_left == 0:
        state.phase = Phase.NEXT_TURN
        return
    state.storm_left -= 1
    draw_event(state, journal)
