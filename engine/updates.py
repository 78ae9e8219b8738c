"""Faint Check and Updates (§6): how a turn ends, and what the minutes spent bring about."""

from engine.board import HAS_EVENT_ICON, HAS_ITEM_ICON
from engine.events import draw_card, draw_event, faint_number
from engine.gnomes import check_tokens, die, die_before_updates, is_aboard, is_at_sea, is_deadly
from engine.items import charms_left, draw_item
from engine.jit import jit
from engine.journal import Row, log
from engine.kinds import FAINT_MINUTES, Condition, Death, Item, Phase, Purpose, Source
from engine.state import Journal, State


@jit
def check_faint(state: State, journal: Journal) -> None:
    """After grog a card is turned: a number up to his intoxication fells him for ten minutes; outside he dies (§6)."""
    state.phase = Phase.UPDATES
    if state.used[Item.GROG] == 0:
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
    """The active gnome dies in fire or high water, or on his second turn's end outside (§6)."""
    state.phase = Phase.WALK
    seat = state.active
    room = state.room[seat]
    if is_deadly(state, room):
        die(state, seat, Death.FIRE if state.fire[room] > 0 else Death.HIGH_WATER, journal)
    elif is_at_sea(state, seat) and state.began_at_sea > 0:
        die(state, seat, Death.NO_AIR, journal)


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
    arrive(state, journal)
    state.phase = Phase.NEXT_TURN


@jit
def take_item_of_icon(state: State, journal: Journal) -> None:
    if HAS_ITEM_ICON[state.minutes[state.active]]:
        draw_item(state, state.active, Source.ICON, journal)


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
    """After every event each fainted gnome in fire or high water dies, whoever's turn it is (§6)."""
    for seat in range(state.gnomes):
        room = state.room[seat]
        if state.condition[seat] == Condition.FAINTED and is_deadly(state, room):
            die(state, seat, Death.FIRE if state.fire[room] > 0 else Death.HIGH_WATER, journal)
            if state.phase == Phase.OVER:
                return


@jit
def finish_event(state: State, journal: Journal) -> None:
    """Deaths, then the item icon of the same space, then on; before the first turn, the rest of the storm (§6, §9)."""
    state.phase = Phase.WALK if state.turn > 0 else Phase.STORM
    kill_the_fainted(state, journal)
    if state.phase == Phase.WALK and is_aboard(state, state.active):
        take_item_of_icon(state, journal)


@jit
def continue_storm(state: State, journal: Journal) -> None:
    """As many events as players before the first turn (§9)."""
    if state.storm_left == 0:
        state.phase = Phase.NEXT_TURN
        return
    state.storm_left -= 1
    draw_event(state, journal)
