"""Read a position, which is any situation as JSON, field by field; refuse it with the field and the reason.

A field that is left out has the value of the start of a game under the position's seed. Cards that are named nowhere
lie in the deck, or in the discards if the deck is given.
"""

import os

import numpy as np

from engine import shapes, wire
from engine.board import HATCHES
from engine.cards import FACE_COUNT, FACE_EVENT, FACES, ITEM_COUNT, KRAKEN_FACE
from engine.compiled import doors
from engine.compiled.dice import key_of_seed
from engine.compiled.journal import SILENT, new_journal, rows
from engine.compiled.state import SCRIPT_LENGTH, new_records
from engine.enums import (
    EVENT_CHOICES,
    LAST_ASKED,
    NOWHERE,
    ROOMS,
    SEA,
    SEATS,
    Challenge,
    Condition,
    Edition,
    Event,
    Item,
    Phase,
    Script,
)
from engine.errors import BadPosition, BadRules
from engine.fields import Fields
from engine.invariants import MAX_STACK, problems
from engine.moves import hatch_name, new_moves
from engine.rules import RULES_VERSION, Rules
from engine.view import (
    CAUSE_NAMES,
    CONDITION_NAMES,
    EVENT_NAMES,
    FACE_NAMES,
    ITEM_NAMES,
    PHASE_NAMES,
    PURPOSE_NAMES,
    TOKEN_NAMES,
    TRACK_NAMES,
    WATER_NAMES,
)

POSITION_FIELDS = {
    "rules", "version", "turn", "gnomes", "rooms", "blocked_hatches", "tracks", "destruction", "captains_grog",
    "item_deck", "item_discard", "event_deck", "event_discard", "active", "ghost", "phase", "used_items", "pending",
    "cause", "seed", "rolls", "script",
}  # fmt: skip
TURN_FIELDS = {"version", "turn", "active", "ghost", "phase", "used_items", "pending", "cause"}
# Fields that only a view has: a view that hides nothing may be sent back as it came.
VIEW_FIELDS = {"decision", "legal_moves", "result", "items_left"}
VIEW_GNOME_FIELDS = {"hand"}
GNOME_FIELDS = {"minutes", "stack", "room", "state", "intoxication", "items", "drew_items_in"}
PENDING_FIELDS = {
    "open_hatch_to", "partner", "room", "hand_limit", "storm_left", "icons_ignored", "began_at_sea", "abandoning",
}  # fmt: skip
BLOCKABLE = [hatch_name(hatch) for hatch in range(len(HATCHES))]
# More than any game reaches, and far below the numbers at which the record's counters wrap.
MOST_MOVES, MOST_TURNS = 50_000, 9_999


def lay_out(rules: Rules, key: tuple[int, int]) -> np.ndarray:
    """Return a game before its items are dealt."""
    record = new_records()
    state = record[0]
    state.key[:] = key
    state.rules_version = RULES_VERSION
    state.gnomes = rules.gnomes
    state.players = rules.players
    state.edition = Edition[rules.edition.upper()]
    state.less_deadly_dying = rules.less_deadly_dying
    state.hidden_hands = rules.hidden_hands
    state.crazed_gnomes = rules.crazed_gnomes
    state.greater_challenge = Challenge[rules.greater_challenge.upper()]
    doors.lay_out(record)
    return record


def begin(record: np.ndarray, rules: Rules) -> list[shapes.Event]:
    """Play the storm and begin the first turn; return what happened."""
    journal = new_journal()
    doors.begin(record, journal, new_moves())
    return wire.events(rows(journal), rules.hidden_hands, NOWHERE, NOWHERE)


def read(wanted: object) -> tuple[np.ndarray, Rules, list[shapes.Event]]:
    """Return the game of a position, its rules, and what happened until its first decision. Raise BadPosition."""
    fields = Fields("", wanted, POSITION_FIELDS | VIEW_FIELDS)
    rules = _rules(fields)
    record = lay_out(rules, _key(fields))
    state = record[0]
    _board(state, fields)
    _gnomes(record, fields, rules)
    _events(state, fields)
    _chance(state, fields)
    if _is_start(state, fields, rules):
        opening = begin(record, rules)
    else:
        opening = []
        _turn(state, fields, rules)
    for problem in problems(record):
        raise BadPosition(problem.field, problem.reason)
    return record, rules, opening


def _rules(fields: Fields) -> Rules:
    """Read the rules. If they are left out, they are the default ones for as many gnomes as are listed."""
    gnomes = fields.get("gnomes")
    counted = "rules" not in fields and isinstance(gnomes, list)
    try:
        return Rules(gnomes=len(gnomes)) if counted else Rules.from_dict(fields.get("rules", {}))
    except BadRules as error:
        path = "gnomes" if counted else f"rules/{error.field}".rstrip("/")
        raise BadPosition(path, error.reason, "length" if counted else error.fault) from error


def _key(fields: Fields) -> tuple[int, int]:
    """Read the key of chance: 64 hex digits are a seed, 32 are the key that a position has in its place."""
    given = fields.get("seed")
    if given is None:
        return key_of_seed(os.urandom(32))
    try:
        seed = bytes.fromhex(given)
    except (TypeError, ValueError):
        seed = b""
    if len(seed) == 32:
        return key_of_seed(seed)
    if len(seed) == 16:
        return int.from_bytes(seed[:8], "little"), int.from_bytes(seed[8:], "little")
    raise BadPosition("seed", "must be 64 hex digits, a seed, or 32, a key", "value")


def _board(state: np.record, fields: Fields) -> None:
    for name, room in fields.objects("rooms", [str(room) for room in range(1, ROOMS)], {"water", "fire"}):
        state.water[int(name)] = room.choice("water", WATER_NAMES, 0)
        state.fire[int(name)] = room.flag("fire", False)
    for number, hatch in enumerate(fields.strings("blocked_hatches", BLOCKABLE)):
        if state.blocked[hatch]:
            raise BadPosition(f"blocked_hatches/{number}", "is listed twice")
        state.blocked[hatch] = 1
    state.track[:] = fields.numbers("tracks", TRACK_NAMES, 1, 10, [1, 1, 1])
    state.token[:] = fields.numbers("destruction", TOKEN_NAMES, 0, 60, [NOWHERE] * 4)
    state.captains_grog = fields.number("captains_grog", 0, 6, int(state.captains_grog))


def _gnomes(record: np.ndarray, fields: Fields, rules: Rules) -> None:
    """Read the gnomes and their items, and deal to those whose items are left out."""
    state = record[0]
    gnomes = fields.each("gnomes", rules.gnomes, GNOME_FIELDS | VIEW_GNOME_FIELDS)
    wanting = set(range(rules.gnomes))
    for seat, gnome in enumerate(gnomes):
        state.minutes[seat] = gnome.number("minutes", 0, 60, int(state.minutes[seat]))
        state.room[seat] = gnome.room("room", int(state.room[seat]))
        state.condition[seat] = gnome.choice("state", CONDITION_NAMES, 0)
        state.intoxication[seat] = gnome.number("intoxication", 0, 4, 0)
        state.drew_items_in[seat] = gnome.nullable("drew_items_in", (8, 10)) or 0
        if "items" in gnome:
            state.hand[seat] = gnome.counts("items", ITEM_NAMES)
            wanting.remove(seat)
        elif gnome.get("state") in ("dead", "abandoned"):
            wanting.remove(seat)
    _stacks(state, gnomes, rules)
    _items(record, fields, wanting)


def _stacks(state: np.record, gnomes: list[Fields], rules: Rules) -> None:
    """Read the places in stacks. Those left out keep the order of the set-up, above or between the given ones."""
    given = {
        seat: gnome.number("stack", 0, MAX_STACK - SEATS, 0) for seat, gnome in enumerate(gnomes) if "stack" in gnome
    }
    taken = {(int(state.minutes[seat]), stack) for seat, stack in given.items()}
    for seat in sorted(range(rules.gnomes), key=lambda seat: int(state.stack[seat])):
        if seat in given:
            continue
        minutes, stack = int(state.minutes[seat]), int(state.stack[seat])
        while (minutes, stack) in taken:
            stack += 1
        state.stack[seat] = stack
        taken.add((minutes, stack))
    for seat, stack in given.items():
        state.stack[seat] = stack


def _items(record: np.ndarray, fields: Fields, wanting: set[int]) -> None:
    state = record[0]
    state.item_discard[:] = fields.counts("item_discard", ITEM_NAMES)
    left = ITEM_COUNT - state.hand.sum(axis=0) - state.item_discard
    left[Item.GROG] -= state.captains_grog
    deck = fields.counts("item_deck", ITEM_NAMES) if "item_deck" in fields else np.zeros_like(left)
    left -= deck
    for item in np.flatnonzero(left < 0):
        piles = {"item_discard": state.item_discard[item], "item_deck": deck[item]}
        too_big = [pile for pile, count in piles.items() if count > ITEM_COUNT[item]]
        raise BadPosition([*too_big, "gnomes"][0], f"there are only {ITEM_COUNT[item]} of {ITEM_NAMES[item]}")
    if left.sum() < 2 * len(wanting):
        raise BadPosition("gnomes", "too few items are left to deal two to each gnome without items")
    state.item_deck[:] = left
    doors.deal(record, sum(1 << seat for seat in wanting), SILENT)
    if "item_deck" in fields:
        _rest_to_discards(fields, "item", state.item_deck.copy(), state.item_discard)
        state.item_deck[:] = deck


def _rest_to_discards(fields: Fields, kind: str, rest: np.ndarray, discard: np.ndarray) -> None:
    if rest.any() and f"{kind}_discard" in fields:
        raise BadPosition(f"{kind}_discard", f"{rest.sum()} cards are missing")
    discard += rest


def _events(state: np.record, fields: Fields) -> None:
    """Read the event cards. The Kraken joins with the first reshuffle, and respites may have left the game (§6, §9)."""
    names = {face.name: number for number, face in enumerate(FACES)}
    for event in Event:
        faces = np.flatnonzero(event == FACE_EVENT)
        if len(faces) == 1:
            names[EVENT_NAMES[event]] = int(faces[0])
    state.event_discard[:] = fields.counts("event_discard", FACE_NAMES, names)
    for face in np.flatnonzero(state.event_discard > FACE_COUNT):
        raise BadPosition("event_discard", f"there are only {FACE_COUNT[face]} of {FACE_NAMES[face]}")
    if "event_deck" in fields:
        state.event_deck[:] = fields.counts("event_deck", FACE_NAMES, names)
        rest = FACE_COUNT - state.event_deck - state.event_discard
        rest[KRAKEN_FACE] = 0
        if "event_discard" in fields and state.greater_challenge != Challenge.OFF:
            rest[FACE_EVENT[:-1] == Event.RESPITE] = 0
        _rest_to_discards(fields, "event", np.maximum(rest, 0), state.event_discard)
    else:
        deck = state.event_deck - state.event_discard
        deck[KRAKEN_FACE] = 0
        state.event_deck[:] = deck


def _chance(state: np.record, fields: Fields) -> None:
    rolls = fields.numbers("rolls", PURPOSE_NAMES, 0, MOST_MOVES, [0] * len(PURPOSE_NAMES))
    if "rolls" in fields:
        state.rolls[:] = rolls
    script = fields.object("script", {"dice", "events", "items"})
    events = {name: number for number, name in enumerate([*FACE_NAMES, *EVENT_NAMES])}
    outcomes = {
        Script.DICE: script.script("dice", {value: value for value in range(1, 11)}),
        Script.EVENTS: script.script("events", events),
        Script.ITEMS: script.script("items", {name: number for number, name in enumerate(ITEM_NAMES)}),
    }
    for kind, values in outcomes.items():
        if len(values) > SCRIPT_LENGTH:
            raise BadPosition(f"script/{kind.name.lower()}", f"holds {SCRIPT_LENGTH} outcomes at the most", "length")
        state[f"script_{kind.name.lower()}"][: len(values)] = values[::-1]
        state.script_left[kind] = len(values)


def _is_start(state: np.record, fields: Fields, rules: Rules) -> bool:
    """Return whether a position is the start of a game: it names no turn, and everybody is on the start space."""
    begun = any(name in fields for name in TURN_FIELDS)
    on_start = state.minutes[: rules.gnomes] == lay_out(rules, (0, 0))[0].minutes[: rules.gnomes]
    return not begun and bool(on_start.all()) and not state.condition.any()


def _cause_of_view(fields: Fields) -> int:
    """Read the cause of the end from the result that a view has."""
    result = fields.get("result")
    cause = result.get("cause") if isinstance(result, dict) else None
    return CAUSE_NAMES.index(cause) if cause in CAUSE_NAMES else 0


def _turn(state: np.record, fields: Fields, rules: Rules) -> None:
    state.version = fields.number("version", 0, MOST_MOVES, 0)
    state.turn = fields.number("turn", 0, MOST_TURNS, 1)
    state.phase = fields.choice("phase", PHASE_NAMES[: LAST_ASKED + 1], Phase.MOVEMENT)
    state.cause = fields.choice("cause", CAUSE_NAMES, _cause_of_view(fields))
    aboard = [seat for seat in range(rules.gnomes) if state.condition[seat] <= Condition.FAINTED]
    if not aboard and state.phase != Phase.OVER:
        raise BadPosition("gnomes", "nobody is left aboard")
    order = sorted(aboard, key=lambda seat: (state.minutes[seat], state.stack[seat]))
    seat = fields.number("active", 0, rules.gnomes - 1, order[-1] if order else 0)
    state.active = seat
    if "phase" not in fields and state.condition[seat] == Condition.FAINTED:
        state.condition[seat] = Condition.ALIVE
    state.ghost = fields.number("ghost", 0, 60, int(state.minutes[seat]))
    state.used[:] = fields.counts("used_items", ITEM_NAMES)
    pending = fields.object("pending", PENDING_FIELDS)
    state.beyond = pending.room("open_hatch_to", SEA)
    state.partner = pending.number("partner", 0, SEATS - 1, NOWHERE)
    state.event_room = pending.number("room", 1, 10, 0)
    state.hand_limit = pending.number("hand_limit", 1, 4, 0)
    state.storm_left = pending.number("storm_left", 0, SEATS, 0)
    state.icons_ignored = pending.number("icons_ignored", 0, 127, 0)
    outside = state.room[seat] == SEA and state.used[Item.AQUALUNG] == 0
    state.began_at_sea = pending.flag("began_at_sea", bool(outside) and "pending" not in fields)
    state.abandoning = pending.flag("abandoning", False)
    state.event_drawn = state.phase in EVENT_CHOICES
