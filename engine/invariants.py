"""Check what must hold of every game between two moves. Each problem names the field of the position that is wrong."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from engine.board import EVENT_MINUTES, EXTERIOR, HATCH_BETWEEN, HATCHES, ITEM_MINUTES
from engine.cards import (
    EVENT_FACES,
    FACE_COUNT,
    FACE_EVENT,
    HAND_LIMIT,
    ITEM_COUNT,
    ITEMS,
    KRAKEN_FACE,
    STASH,
    STUMBLE_LIMIT,
)
from engine.compiled.doors import can_escape, decider, legal_moves
from engine.compiled.state import SCRIPT_LENGTH
from engine.enums import (
    ABANDON_BELOW,
    BEHIND_HATCH,
    CHARM_ICONS,
    EVENT_CHOICES,
    IN_UPDATES,
    LAST_ASKED,
    MAX_INTOXICATION,
    MAX_MINUTES,
    NOBODY,
    NOWHERE,
    ROOMS,
    SEA,
    SEATS,
    TRACK_END,
    WITH_PARTNER,
    Cause,
    Condition,
    Edition,
    Event,
    Item,
    Phase,
    Room,
    Script,
    Water,
)
from engine.errors import BadRules
from engine.moves import ENTER, new_moves
from engine.rules import RULES_VERSION, Rules, rules_of
from engine.view import FACE_NAMES, ITEM_NAMES, TOKEN_NAMES, TRACK_NAMES

MAX_STACK = 120  # natural stacks are no higher than the crew; a position's may start higher


class Problem(NamedTuple):
    """A field of a position that is wrong, and the reason."""

    field: str
    reason: str


Problems = Iterator[Problem]


def outside(field: str, value: int, low: int, high: int) -> Problems:
    if not low <= value <= high:
        yield Problem(field, f"must be {low} to {high}, not {value}")


def problems(record: np.ndarray) -> list[Problem]:
    """Return everything that is wrong with a game. Later checks assume that the earlier ones passed."""
    state = record[0]
    try:
        rules = rules_of(record)
    except BadRules as error:
        return [Problem(f"rules/{error.field}", error.reason)]
    for check in (_ranges, _gnomes, _rooms, _cards, _script, _turn, _pending, _outcome):
        found = list(check(state, rules))
        if found:
            return found
    return list(_choice(record))


def _ranges(state: np.record, rules: Rules) -> Problems:
    yield from outside("rules_version", state.rules_version, 1, RULES_VERSION)
    yield from outside("phase", state.phase, 0, LAST_ASKED)
    yield from outside("cause", state.cause, 0, Cause.RESCUED)
    yield from outside("active", state.active, 0, rules.gnomes - 1)
    yield from outside("turn", state.turn, 0, np.iinfo(np.int16).max)
    yield from outside("captains_grog", state.captains_grog, 0, STASH)
    for name, value in zip(TRACK_NAMES, state.track, strict=True):
        yield from outside(f"tracks/{name}", value, 1, TRACK_END)
    for name, value in zip(TOKEN_NAMES, state.token, strict=True):
        yield from outside(f"destruction/{name}", value, NOWHERE, MAX_MINUTES)
    yield from outside("pending/began_at_sea", state.began_at_sea, 0, 1)
    yield from outside("pending/abandoning", state.abandoning, 0, 1)


def _gnomes(state: np.record, rules: Rules) -> Problems:
    for seat in range(rules.gnomes):
        at = f"gnomes/{seat}"
        yield from outside(f"{at}/minutes", state.minutes[seat], 0, MAX_MINUTES)
        yield from outside(f"{at}/stack", state.stack[seat], 0, MAX_STACK)
        yield from outside(f"{at}/room", state.room[seat], SEA, ROOMS - 1)
        yield from outside(f"{at}/state", state.condition[seat], 0, Condition.ABANDONED)
        yield from outside(f"{at}/intoxication", state.intoxication[seat], 0, MAX_INTOXICATION)
        if state.drew_items_in[seat] not in (0, Room.EQUIPMENT_STORES, Room.CAPTAINS_CABIN):
            yield Problem(f"{at}/drew_items_in", "must be null, 8 or 10")
        if state.condition[seat] == Condition.DEAD and state.hand[seat].any():
            yield Problem(f"{at}/items", "a dead gnome holds nothing")
    for seat in range(rules.gnomes, SEATS):
        for name in ("minutes", "stack", "room", "condition", "intoxication", "drew_items_in", "hand"):
            if state[name][seat].any():
                yield Problem(f"gnomes/{seat}", "there is no such seat")
    yield from _stacks(state, rules)


def _stacks(state: np.record, rules: Rules) -> Problems:
    """No two Time Keepers share a place in a stack; one that walks is in none until it arrives."""
    places: dict[tuple[int, int], int] = {}
    for seat in range(rules.gnomes):
        walking = seat == state.active and state.phase in (*IN_UPDATES, Phase.OVER)
        if state.condition[seat] > Condition.FAINTED or walking:
            continue
        place = (int(state.minutes[seat]), int(state.stack[seat]))
        if place in places:
            yield Problem(f"gnomes/{seat}/stack", f"gnome {places[place]} has this place on space {place[0]}")
        places[place] = seat


def _rooms(state: np.record, rules: Rules) -> Problems:
    for room in range(ROOMS):
        yield from outside(f"rooms/{room}/water", state.water[room], 0, Water.HIGH)
        yield from outside(f"rooms/{room}/fire", state.fire[room], 0, 1)
        if state.fire[room] and state.water[room]:
            yield Problem(f"rooms/{room}", "a flooded room can't burn")
    if state.fire[SEA] or state.water[SEA]:
        yield Problem("rooms/0", "the sea has neither fire nor water level")
    for hatch in range(len(HATCHES)):
        yield from outside("blocked_hatches", state.blocked[hatch], 0, 1)


def _cards(state: np.record, rules: Rules) -> Problems:
    for item in range(ITEMS):
        piles = [*state.hand[: rules.gnomes, item], state.item_deck[item], state.item_discard[item]]
        total = sum(map(int, piles)) + (int(state.captains_grog) if item == Item.GROG else 0)
        if min(piles) < 0 or total != ITEM_COUNT[item]:
            yield Problem("item_deck", f"there are {ITEM_COUNT[item]} of {ITEM_NAMES[item]}, not {total}")
        yield from outside(f"used_items/{ITEM_NAMES[item]}", state.used[item], 0, ITEM_COUNT[item])
    for face in range(EVENT_FACES):
        deck, discard = int(state.event_deck[face]), int(state.event_discard[face])
        removable = FACE_EVENT[face] == Event.RESPITE and rules.greater_challenge != "off"
        fewest = 0 if removable or face == KRAKEN_FACE else FACE_COUNT[face]
        if min(deck, discard) < 0 or not fewest <= deck + discard <= FACE_COUNT[face]:
            yield Problem("event_deck", f"there are {FACE_COUNT[face]} of {FACE_NAMES[face]}, not {deck + discard}")


def _script(state: np.record, rules: Rules) -> Problems:
    limits = {Script.DICE: (1, 10), Script.EVENTS: (0, EVENT_FACES + len(Event) - 1), Script.ITEMS: (0, ITEMS - 1)}
    for kind, (low, high) in limits.items():
        name = kind.name.lower()
        left = int(state.script_left[kind])
        if not 0 <= left <= SCRIPT_LENGTH:
            yield Problem(f"script/{name}", f"holds {SCRIPT_LENGTH} outcomes at the most")
            continue
        outcomes = state[f"script_{name}"]
        for outcome in outcomes[:left]:
            yield from outside(f"script/{name}", outcome, low, high)
        if outcomes[left:].any():
            yield Problem(f"script/{name}", "goes on behind its end")


def _turn(state: np.record, rules: Rules) -> Problems:
    seat, phase = int(state.active), state.phase
    yield from outside("ghost", state.ghost, 0, state.minutes[seat])
    yield from outside("pending/icons_ignored", state.icons_ignored, 0, CHARM_ICONS * state.used[Item.LUCKY_CHARM])
    if phase == Phase.OVER:
        return
    if state.condition[seat] > Condition.FAINTED:
        yield Problem("active", "the active gnome must be on the board")
    if phase not in IN_UPDATES and state.condition[seat] == Condition.FAINTED:
        yield Problem(f"gnomes/{seat}/state", "a fainted gnome stands up when their turn begins")
    if phase in (Phase.MOVEMENT, Phase.ESCAPE) and state.ghost < 1:
        yield Problem("ghost", "no minute is left to go on with")
    if phase in (Phase.ESCAPE, Phase.ESCAPE_HATCH) and not _flees(state):
        yield Problem("phase", "only a fire makes a gnome escape")
    if phase in WITH_PARTNER and (state.fire[state.room[seat]] or state.water[state.room[seat]] == Water.HIGH):
        yield Problem("phase", "no gnome trades or fights in fire or high water")
    if phase == Phase.WRAP_UP and not (state.hand[seat, Item.COFFEE] or state.hand[seat, Item.LUCKY_CHARM]):
        yield Problem("phase", "a wrap-up needs coffee or a lucky charm in hand")
    if phase == Phase.LUCK:
        yield from _luck(state)
    if state.turn == 0 and phase not in EVENT_CHOICES:
        yield Problem("turn", "only a storm comes before the first turn")


def _flees(state: np.record) -> bool:
    """A gnome flees from a fire, which the water of the next room may just have put out."""
    here, beyond = state.room[state.active], state.beyond
    drowned = state.water[here] == Water.LOW and 0 < beyond < ROOMS and state.water[beyond] == Water.LOW
    return bool(state.fire[here]) or (state.phase == Phase.ESCAPE_HATCH and drowned)


def _luck(state: np.record) -> Problems:
    """An item icon brought a charm before any card was drawn; or, in the original edition, the gnome has fainted."""
    seat = int(state.active)
    here = int(state.minutes[seat])
    asleep = state.condition[seat] == Condition.FAINTED
    drunk = state.used[Item.GROG] and not state.less_deadly_dying  # a newcomer makes no Faint Check
    if not state.hand[seat, Item.LUCKY_CHARM]:
        yield Problem("phase", "luck needs a lucky charm in hand")
    if not any(minute in EVENT_MINUTES for minute in range(int(state.ghost), here)):
        yield Problem("phase", "luck needs an event icon ahead")
    if state.edition == Edition.REVISED and (asleep or drunk):
        yield Problem("phase", "a Faint Check has drawn a card: the charm comes too late")
    elif here not in ITEM_MINUTES and not asleep:
        yield Problem("phase", "luck comes on an item icon, or in the original edition to a gnome who has fainted")


def _pending(state: np.record, rules: Rules) -> Problems:
    phase = state.phase
    if phase in BEHIND_HATCH:
        yield from _open_hatch(state)
    elif state.beyond:
        yield Problem("pending/open_hatch_to", "no hatch is open in this phase")
    if phase in WITH_PARTNER:
        yield from _partner(state, rules)
    elif state.partner != NOBODY:
        yield Problem("pending/partner", "this phase has no partner")
    if phase == Phase.BLOCK_HATCH:
        yield from outside("pending/room", state.event_room, 1, ROOMS - 1)
    elif state.event_room:
        yield Problem("pending/room", "this phase has no room")
    if phase == Phase.DISCARD and state.hand_limit not in (STUMBLE_LIMIT, HAND_LIMIT):
        yield Problem("pending/hand_limit", f"must be {STUMBLE_LIMIT} or {HAND_LIMIT}")
    if phase != Phase.DISCARD and state.hand_limit:
        yield Problem("pending/hand_limit", "this phase has no limit")
    yield from outside("pending/storm_left", state.storm_left, 0, rules.players if state.turn == 0 else 0)
    if state.event_drawn != (phase in EVENT_CHOICES):
        yield Problem("event_drawn", "an Event Card is drawn exactly while one is resolved")
    if state.abandoning:
        yield from _abandoning(state, rules)


def _abandoning(state: np.record, rules: Rules) -> Problems:
    field, seat = "pending/abandoning", int(state.active)
    if rules.edition != "original":
        yield Problem(field, "only in the original edition comrades are abandoned at the end of the turn")
    elif rules.players <= 2:
        yield Problem(field, "nobody is abandoned in games of one or two players")
    elif state.phase not in (Phase.WRAP_UP, *IN_UPDATES) or state.turn == 0:
        yield Problem(field, "it is the action of a turn: nothing but its end comes after it")
    elif state.room[seat] != SEA or state.condition[seat] != Condition.ALIVE:
        yield Problem(field, "only who is awake at sea abandons the others")
    elif state.ghost or state.minutes[seat] >= ABANDON_BELOW:
        yield Problem(field, f"takes all of fewer than {ABANDON_BELOW} minutes")


def _open_hatch(state: np.record) -> Problems:
    room, to = state.room[state.active], state.beyond
    hatch = HATCH_BETWEEN[room, to] if SEA <= to < ROOMS else NOWHERE
    if hatch == NOWHERE:
        yield Problem("pending/open_hatch_to", "no hatch leads there")
    elif hatch != EXTERIOR and state.blocked[hatch]:
        yield Problem("pending/open_hatch_to", "that hatch is blocked")


def _partner(state: np.record, rules: Rules) -> Problems:
    partner, seat = int(state.partner), int(state.active)
    if not 0 <= partner < rules.gnomes or partner == seat:
        yield Problem("pending/partner", "must be another gnome's seat")
    elif state.condition[partner] > Condition.FAINTED or state.room[partner] != state.room[seat]:
        yield Problem("pending/partner", "must be in the same room")
    elif state.room[seat] == SEA:
        yield Problem("pending/partner", "nobody trades or fights at sea")
    elif state.phase == Phase.DEFEND and not (rules.crazed_gnomes and state.hand[partner, Item.CROWBAR]):
        yield Problem("pending/partner", "only a crazed gnome with a crowbar is asked to defend")


def _outcome(state: np.record, rules: Rules) -> Problems:
    """A game is over exactly when it has a cause, and goes on only while nothing has ended it."""
    over = state.phase == Phase.OVER
    if over != (state.cause != Cause.NONE):
        yield Problem("cause", "a game that is over has a cause, another has none")
    if over:
        return
    aboard = [seat for seat in range(rules.gnomes) if state.condition[seat] <= Condition.FAINTED]
    slowest = max(state.minutes[seat] for seat in aboard)
    for name, value in zip(TRACK_NAMES, state.track, strict=True):
        if value == TRACK_END:
            yield Problem(f"tracks/{name}", "the submarine is destroyed")
    for name, value in zip(TOKEN_NAMES, state.token, strict=True):
        if slowest < value:
            yield Problem(f"destruction/{name}", "every Time Keeper has passed it")


def _choice(record: np.ndarray) -> Problems:
    """Somebody has something to decide."""
    if record[0].phase == Phase.OVER:
        return
    legal = new_moves()
    count = legal_moves(record, legal)
    stuck = record["phase"][0] == Phase.ESCAPE and not can_escape(record)
    if record["phase"][0] == Phase.ESCAPE_HATCH:
        stuck = ENTER not in legal["ids"][0, :count]
    if decider(record) == NOBODY or count == 0 or stuck:
        yield Problem("phase", "there is nothing to decide in this phase")
