"""Show a game as JSON: whole, or as one seat may see it."""

from collections import namedtuple
from collections.abc import Sequence
from itertools import accumulate
from math import prod
from struct import Struct
from typing import Any, TypeAlias

import numpy as np

from engine.board import HATCHES
from engine.cards import EVENT_FACES, FACES
from engine.compiled.state import STATE
from engine.enums import (
    NOBODY,
    NOWHERE,
    ROOMS,
    Cause,
    Condition,
    Event,
    Item,
    Phase,
    Purpose,
    Script,
    Token,
    Track,
    Water,
)
from engine.moves import hatch_name, room_name
from engine.rules import Rules
from engine.shapes import Board, Body, Chance, Gnome, Pending, Result, RoomState, Seen, SeenGnome, Table

ITEM_NAMES = [item.name.lower() for item in Item]
FACE_NAMES = [face.name for face in FACES]
EVENT_NAMES = [event.name.lower() for event in Event]
TRACK_NAMES = [track.name.lower() for track in Track]
TOKEN_NAMES = [token.name.lower() for token in Token]
WATER_NAMES = [water.name.lower() for water in Water]
CONDITION_NAMES = [condition.name.lower() for condition in Condition]
PHASE_NAMES = [phase.name.lower() for phase in Phase]
CAUSE_NAMES = [cause.name.lower() for cause in Cause]
PURPOSE_NAMES = [purpose.name.lower() for purpose in Purpose]
_HATCH_NAMES = [hatch_name(hatch) for hatch in range(len(HATCHES))]
_ROOM_NUMBERS = [(room, str(room)) for room in range(1, ROOMS)]


Plain: TypeAlias = Any  # a record as plain numbers and tuples, under the names of its fields
_PLAIN = namedtuple("_PLAIN", STATE.names or ())  # type: ignore[misc]
_CODES = {"int8": "b", "int16": "h", "uint16": "H", "uint64": "Q"}  # of the kinds of numbers, in `struct`
_SHAPES = [(kind.base.name, kind.shape) for kind in (STATE[name] for name in STATE.names or ())]
_NUMBERS = Struct("=" + "".join(f"{prod(shape)}{_CODES[kind]}" for kind, shape in _SHAPES))
_STARTS = list(accumulate((prod(shape) for _, shape in _SHAPES), initial=0))


def _place(start: int, shape: tuple[int, ...]) -> Any:
    """Return where a field is among the numbers of a record: an index, a slice, or a slice for each of its rows."""
    if len(shape) < 2:
        return slice(start, start + shape[0]) if shape else start
    rows, columns = shape
    return [slice(row, row + columns) for row in range(start, start + rows * columns, columns)]


_PLACES = [_place(start, shape) for start, (_, shape) in zip(_STARTS, _SHAPES, strict=False)]


def plain(record: np.ndarray) -> Plain:
    """Copy a record into plain numbers and tuples, which are much quicker to read one by one."""
    numbers = _NUMBERS.unpack(record.tobytes())
    return _PLAIN._make([numbers[row] for row in place] if type(place) is list else numbers[place] for place in _PLACES)


def counts(copies: Sequence[int], names: list[str]) -> dict[str, int]:
    """Return how many copies there are by name, without those of which there is none."""
    return {name: count for name, count in zip(names, copies, strict=True) if count}


def whole(record: np.ndarray, rules: Rules) -> Table:
    """Return everything but chance, as the owner of the game sees it."""
    state = plain(record)
    gnomes: list[Gnome] = [
        {**body, "items": counts(hand, ITEM_NAMES)} for body, hand in zip(_bodies(state, rules), state.hand)
    ]
    return {**_board(state, rules), "gnomes": gnomes, "item_deck": counts(state.item_deck, ITEM_NAMES)}


def visible(record: np.ndarray, rules: Rules, seat: int | None) -> Seen:
    """Return everything but chance as a seat, or a spectator (None), sees it."""
    state = plain(record)
    hidden = rules.hidden_seats(seat)
    gnomes: list[SeenGnome] = [
        {**body, "hand": sum(hand), "items": None if seat in hidden else counts(hand, ITEM_NAMES)}
        for seat, (body, hand) in enumerate(zip(_bodies(state, rules), state.hand))
    ]
    return {
        **_board(state, rules),
        "gnomes": gnomes,
        "items_left": sum(state.item_deck),
        "item_deck": None if hidden else counts(state.item_deck, ITEM_NAMES),
    }


def _board(state: Plain, rules: Rules) -> Board:
    return {
        "rules": rules.to_dict(),
        "version": state.version,
        "turn": state.turn,
        "rooms": _rooms(state),
        "blocked_hatches": [name for name, blocked in zip(_HATCH_NAMES, state.blocked, strict=True) if blocked],
        "tracks": dict(zip(TRACK_NAMES, state.track, strict=True)),
        "destruction": {
            name: minute for name, minute in zip(TOKEN_NAMES, state.token, strict=True) if minute != NOWHERE
        },
        "captains_grog": state.captains_grog,
        "item_discard": counts(state.item_discard, ITEM_NAMES),
        "event_deck": counts(state.event_deck, FACE_NAMES),
        "event_discard": counts(state.event_discard, FACE_NAMES),
        "active": state.active,
        "ghost": state.ghost,
        "phase": PHASE_NAMES[state.phase],
        "used_items": counts(state.used, ITEM_NAMES),
        "pending": pending(state),
    }


def _bodies(state: Plain, rules: Rules) -> list[Body]:
    columns = zip(
        range(rules.gnomes),
        state.minutes,
        state.stack,
        state.room,
        state.condition,
        state.intoxication,
        state.drew_items_in,
        strict=False,
    )
    return [
        {
            "minutes": minutes,
            "stack": stack,
            "room": room_name(room),
            "state": CONDITION_NAMES[condition],
            "intoxication": intoxication,
            "drew_items_in": drew or None,
        }
        for _, minutes, stack, room, condition, intoxication, drew in columns
    ]


def _rooms(state: Plain) -> dict[str, RoomState]:
    water, fire = state.water, state.fire
    return {name: {"water": WATER_NAMES[water[room]], "fire": fire[room] > 0} for room, name in _ROOM_NUMBERS}


def pending(state: Plain) -> Pending:
    """Return what belongs to the middle of a turn: at its start at most that the gnome began it outside."""
    facts: Pending = {}
    if state.phase in (Phase.HATCH, Phase.ESCAPE_HATCH):
        facts["open_hatch_to"] = room_name(state.beyond)
    if state.partner != NOBODY:
        facts["partner"] = state.partner
    if state.phase == Phase.BLOCK_HATCH:
        facts["room"] = state.event_room
    if state.hand_limit:
        facts["hand_limit"] = state.hand_limit
    if state.storm_left:
        facts["storm_left"] = state.storm_left
    if state.icons_ignored:
        facts["icons_ignored"] = state.icons_ignored
    if state.began_at_sea:
        facts["began_at_sea"] = True
    if state.abandoning:
        facts["abandoning"] = True
    return facts


def chance(state: Plain) -> Chance:
    """Return the part of a position that nobody may see: key, rolls made, forced outcomes."""
    left = state.script_left
    events = state.script_events
    return {
        "seed": b"".join(word.to_bytes(8, "little") for word in state.key).hex(),
        "rolls": counts(state.rolls, PURPOSE_NAMES),
        "script": {
            "dice": list(state.script_dice[: left[Script.DICE]][::-1]),
            "events": [
                FACE_NAMES[event] if event < EVENT_FACES else EVENT_NAMES[event - EVENT_FACES]
                for event in events[: left[Script.EVENTS]][::-1]
            ],
            "items": [ITEM_NAMES[item] for item in state.script_items[: left[Script.ITEMS]][::-1]],
        },
    }


def result(state: Plain, rules: Rules) -> Result:
    """Return who has won: the crew together with its dead, or those who abandoned it (§5, §8)."""
    rescued = state.cause == Cause.RESCUED
    gone = [state.condition[seat] == Condition.ABANDONED for seat in range(rules.gnomes)]
    return {
        "crew": "rescued" if rescued else "lost",
        "cause": CAUSE_NAMES[state.cause],
        "seats": ["won" if rescued != left else "lost" for left in gone],
    }
