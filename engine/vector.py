"""A game in numbers, for programs that learn: what a seat may know as a row of bytes, and its moves as ids.

A row is one signed byte for each number: first the record's public part as it stands, then what depends on who looks.
`layout.json` says where each field is, from where to where its numbers go, what they mean, and which move an id stands
for. Trained nets rely on it, so another layout has another version. `python -m engine.vector` prints the file.

The environments of `engine.learn` write the same rows in compiled code. This module compiles nothing.
"""

import json
from functools import cache
from math import prod
from typing import Any

from engine.board import HATCHES
from engine.cards import FACE_COUNT, ITEM_COUNT, ITEMS, STASH
from engine.compiled import doors
from engine.compiled.state import STATE
from engine.enums import (
    CHARM_ICONS,
    LAST_ASKED,
    MAX_INTOXICATION,
    MAX_MINUTES,
    NOBODY,
    NOWHERE,
    ROOMS,
    SEATS,
    TRACK_END,
    Cause,
    Challenge,
    Condition,
    Edition,
    Item,
    Water,
)
from engine.game import Game
from engine.invariants import MAX_STACK
from engine.moves import COUNT, WIRE, hatch_name, move_id, new_moves, room_name
from engine.rules import CHALLENGES, EDITIONS, MIN_GNOMES
from engine.shapes import Move, MoveObject
from engine.view import (
    CAUSE_NAMES,
    CONDITION_NAMES,
    FACE_NAMES,
    ITEM_NAMES,
    PHASE_NAMES,
    TOKEN_NAMES,
    TRACK_NAMES,
    WATER_NAMES,
)

VERSION = 1  # raise it with every change of the layout
MOVE_IDS = COUNT  # ids are 0 to one less

_FIRST, _LAST = "gnomes", "cause"  # the record's public part
_ITEMS_HIGH = int(ITEM_COUNT.max())
_FACES_HIGH = int(FACE_COUNT.max())

# From where to where the numbers of a field go. Seats without a gnome are 0.
_BOUNDS: dict[str, tuple[int, int]] = {
    "gnomes": (MIN_GNOMES, SEATS),
    "players": (1, SEATS),
    "edition": (0, len(Edition) - 1),
    "less_deadly_dying": (0, 1),
    "hidden_hands": (0, 1),
    "crazed_gnomes": (0, 1),
    "greater_challenge": (0, len(Challenge) - 1),
    "minutes": (0, MAX_MINUTES),
    "stack": (0, MAX_STACK),
    "room": (0, ROOMS - 1),
    "condition": (0, len(Condition) - 1),
    "intoxication": (0, MAX_INTOXICATION),
    "drew_items_in": (0, ROOMS - 1),
    "hand": (0, _ITEMS_HIGH),
    "water": (0, Water.HIGH),
    "fire": (0, 1),
    "blocked": (0, 1),
    "track": (1, TRACK_END),
    "token": (NOWHERE, MAX_MINUTES),
    "captains_grog": (0, STASH),
    "item_deck": (0, _ITEMS_HIGH),
    "item_discard": (0, _ITEMS_HIGH),
    "event_deck": (0, _FACES_HIGH),
    "event_discard": (0, _FACES_HIGH),
    "phase": (0, LAST_ASKED),
    "active": (0, SEATS - 1),
    "ghost": (0, MAX_MINUTES),
    "used": (0, _ITEMS_HIGH),
    "icons_ignored": (0, CHARM_ICONS * int(ITEM_COUNT[Item.LUCKY_CHARM])),
    "began_at_sea": (0, 1),
    "event_drawn": (0, 1),
    "abandoning": (0, 1),
    "beyond": (0, ROOMS - 1),
    "partner": (NOBODY, SEATS - 1),
    "event_room": (0, ROOMS - 1),
    "hand_limit": (0, 4),
    "storm_left": (0, SEATS),
    "cause": (0, len(Cause) - 1),
}

# What follows the record's part: its shape, and from where to where its numbers go.
_BESIDE: dict[str, tuple[tuple[int, ...], int, int]] = {
    "hidden": ((SEATS,), 0, int(ITEM_COUNT.sum())),  # cards in a hand that this seat can't see; its `hand` is 0
    "turn_begun": ((), 0, 1),  # 0 only while a storm rages before the first turn
    "decider": ((), NOBODY, SEATS - 1),
    "seat": ((), NOBODY, SEATS - 1),  # who looks
}

# What the places of a field stand for, and what its numbers do where they don't count.
_PLACES = {
    "minutes": ("seat",),
    "stack": ("seat",),
    "room": ("seat",),
    "condition": ("seat",),
    "intoxication": ("seat",),
    "drew_items_in": ("seat",),
    "hand": ("seat", "item"),
    "water": ("room",),
    "fire": ("room",),
    "blocked": ("hatch",),
    "track": ("track",),
    "token": ("token",),
    "item_deck": ("item",),
    "item_discard": ("item",),
    "event_deck": ("event",),
    "event_discard": ("event",),
    "used": ("item",),
    "hidden": ("seat",),
}
_MEANINGS = {
    **{name: name for name in ("edition", "greater_challenge", "condition", "water", "phase", "cause", "room")},
    **dict.fromkeys(("drew_items_in", "beyond", "event_room"), "room"),
    **dict.fromkeys(("active", "partner", "decider", "seat"), "seat"),
}
_MEMBERS: dict[str, list[Any]] = {
    "edition": EDITIONS,
    "greater_challenge": CHALLENGES,
    "condition": CONDITION_NAMES,
    "room": [room_name(room) for room in range(ROOMS)],
    "water": WATER_NAMES,
    "hatch": [hatch_name(hatch) for hatch in range(len(HATCHES))],
    "track": TRACK_NAMES,
    "token": TOKEN_NAMES,
    "item": ITEM_NAMES,
    "event": FACE_NAMES,
    "phase": PHASE_NAMES[: LAST_ASKED + 1],
    "cause": CAUSE_NAMES,
}

_NAMES: tuple[str, ...] = STATE.names or ()
_PUBLIC = _NAMES[_NAMES.index(_FIRST) : _NAMES.index(_LAST) + 1]


def _at(field: str) -> int:
    return int(STATE.fields[field][1])  # type: ignore[index]


RECORD_START = _at(_FIRST)  # where the public part is in a record
RECORD_BYTES = _at(_LAST) + 1 - RECORD_START
HAND_AT, DECK_AT = _at("hand") - RECORD_START, _at("item_deck") - RECORD_START  # in a row
HIDDEN_AT = RECORD_BYTES
TURN_BEGUN_AT = HIDDEN_AT + SEATS
DECIDER_AT, SEAT_AT = TURN_BEGUN_AT + 1, TURN_BEGUN_AT + 2
SIZE = SEAT_AT + 1  # of a row


def observation(game: Game, seat: int | None) -> bytes:
    """Return what a seat, or a spectator (None), may know of a game, as one row.

    Where hands are hidden, `item_deck` counts all cards that the seat can't see: those of the deck and of these hands.
    """
    game.check_seat(seat)
    record = game.record
    row = bytearray(record.tobytes()[RECORD_START : RECORD_START + RECORD_BYTES]) + bytes(SIZE - RECORD_BYTES)
    for other in game.rules.hidden_seats(seat):
        at = HAND_AT + other * ITEMS
        hand = row[at : at + ITEMS]
        row[HIDDEN_AT + other] = sum(hand)
        row[at : at + ITEMS] = bytes(ITEMS)
        for item in range(ITEMS):
            row[DECK_AT + item] += hand[item]
    row[TURN_BEGUN_AT] = int(record["turn"][0]) > 0
    row[DECIDER_AT] = int(doors.decider(record)) & 0xFF
    row[SEAT_AT] = (NOBODY if seat is None else seat) & 0xFF
    return bytes(row)


def actions(game: Game) -> list[int]:
    """Return the ids of the decider's legal moves, in the order of `Game.legal_moves`; none at the end."""
    legal = new_moves()
    count = doors.legal_moves(game.record, legal)
    ids: list[int] = legal["ids"][0, :count].tolist()
    return ids


def id_of(move: MoveObject) -> int:
    """Return the id of a move. Raise IllegalMove, naming the field at fault, if there is no such move at all."""
    return move_id(move)


def move_of(number: int) -> Move:
    """Return the move that an id stands for, as `Game.play` takes it."""
    return WIRE[number].copy()


@cache
def fields() -> dict[str, dict[str, Any]]:
    """Return where each field of a row is: its offset, its shape, and from where to where its numbers go."""
    told: dict[str, dict[str, Any]] = {}
    for name in _PUBLIC:
        low, high = _BOUNDS[name]
        told[name] = _field(name, _at(name) - RECORD_START, STATE[name].shape, low, high)
    offset = RECORD_BYTES
    for name, (shape, low, high) in _BESIDE.items():
        told[name] = _field(name, offset, shape, low, high)
        offset += prod(shape)
    return told


def _field(name: str, offset: int, shape: tuple[int, ...], low: int, high: int) -> dict[str, Any]:
    field: dict[str, Any] = {"offset": offset, "shape": list(shape), "low": int(low), "high": int(high)}
    if name in _PLACES:
        field["places"] = list(_PLACES[name])
    if name in _MEANINGS:
        field["numbers"] = _MEANINGS[name]
    return field


def layout() -> dict[str, Any]:
    """Return the layout as `layout.json` has it."""
    return {
        "version": VERSION,
        "type": "int8",
        "size": SIZE,
        "names": _MEMBERS,
        "fields": [{"name": name, **place} for name, place in fields().items()],
        "actions": WIRE,
    }


def written() -> str:
    """Return the text of `layout.json`, a line for each field and each action."""
    whole = layout()
    names = ",\n".join(f'    "{name}": {json.dumps(members)}' for name, members in whole.pop("names").items())
    lists = [f'  "names": {{\n{names}\n  }}'] + [
        f'  "{name}": [\n' + ",\n".join(f"    {json.dumps(each)}" for each in whole.pop(name)) + "\n  ]"
        for name in ("fields", "actions")
    ]
    heads = [f'  "{name}": {json.dumps(value)}' for name, value in whole.items()]
    return "{\n" + ",\n".join(heads + lists) + "\n}\n"


if __name__ == "__main__":
    print(written(), end="")
