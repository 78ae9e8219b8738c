"""Turn moves, which are ids inside the engine, into objects and back. No other module makes or reads ids.

The ids are laid out in blocks, one a type of move, in the order of `_TYPES`; `KIND` and `ARGUMENT` take an id apart.
"""

from enum import IntEnum
from typing import Any

import numba
import numpy as np

from engine.board import HATCHES
from engine.cards import STORES_DRAW
from engine.enums import NOBODY, ROOMS, SEA, SEATS, Action, Item
from engine.errors import Fault, IllegalMove, shown, step
from engine.shapes import Move

MAX_FIX_MINUTES = 10


class MoveKind(IntEnum):
    """The types of moves; all fix-it actions are one type here, as each of them has an Action."""

    OPEN_HATCH = 0
    ENTER = 1
    STAY = 2
    USE_ITEM = 3
    DRAW_ITEMS = 4
    TRADE_ITEMS = 5
    GIVE_ITEM = 6
    NO_ACTION = 7
    ABANDON_COMRADES = 8
    ATTACK_GNOME = 9
    DEFEND = 10
    SPREAD_FIRE = 11
    BLOCK_HATCH = 12
    DISCARD_ITEM = 13
    DONE = 14
    FIX = 15


def room_name(room: int) -> int | str:
    """Return a room as JSON has it: its number, or "sea"."""
    return "sea" if room == SEA else room


def hatch_name(hatch: int) -> str:
    """Return an interior hatch as JSON has it: the two rooms, as in "1-3"."""
    return "-".join(map(str, HATCHES[hatch]))


def _items(type_: str) -> list[Move]:
    return [{"type": type_, "item": item.name.lower()} for item in Item]


def _fix_its() -> list[Move]:
    minutes = range(1, MAX_FIX_MINUTES + 1)
    plain: list[Move] = [
        {"type": Action(a).name.lower(), "minutes": m} for a in range(Action.UNBLOCK_HATCH) for m in minutes
    ]
    hatches: list[Move] = [
        {"type": "unblock_hatch", "hatch": hatch_name(h), "minutes": m} for h in range(len(HATCHES)) for m in minutes
    ]
    return plain + hatches


_BLOCKS: dict[MoveKind, list[Move]] = {
    MoveKind.OPEN_HATCH: [{"type": "open_hatch", "to": room_name(room)} for room in range(ROOMS)],
    MoveKind.ENTER: [{"type": "enter"}],
    MoveKind.STAY: [{"type": "stay"}],
    MoveKind.USE_ITEM: _items("use_item"),
    MoveKind.DRAW_ITEMS: [{"type": "draw_items", "cards": cards} for cards in range(STORES_DRAW + 1)],
    MoveKind.TRADE_ITEMS: [{"type": "trade_items", "with": seat} for seat in range(SEATS)],
    MoveKind.GIVE_ITEM: _items("give_item"),
    MoveKind.NO_ACTION: [{"type": "no_action"}],
    MoveKind.ABANDON_COMRADES: [{"type": "abandon_comrades"}],
    MoveKind.ATTACK_GNOME: [{"type": "attack_gnome", "seat": seat} for seat in range(SEATS)],
    MoveKind.DEFEND: [{"type": "defend"}],
    MoveKind.SPREAD_FIRE: [{"type": "spread_fire", "room": room} for room in range(ROOMS)],
    MoveKind.BLOCK_HATCH: [{"type": "block_hatch", "hatch": hatch_name(hatch)} for hatch in range(len(HATCHES))],
    MoveKind.DISCARD_ITEM: _items("discard_item"),
    MoveKind.DONE: [{"type": "done"}],
    MoveKind.FIX: _fix_its(),
}

WIRE: list[Move] = [move for kind in MoveKind for move in _BLOCKS[kind]]  # id → object
COUNT = len(WIRE)
MOVES = np.dtype(
    (np.record, [("ids", np.int16, (COUNT,)), ("costs", np.int16, (COUNT,)), ("chances", np.int16, (COUNT,))])
)
MOVE_LISTS = numba.types.Array(numba.from_dtype(MOVES), 1, "C")  # the type of a list of moves in signatures
KIND = np.array([kind for kind in MoveKind for _ in _BLOCKS[kind]], np.int64)
ARGUMENT = np.array([argument for kind in MoveKind for argument in range(len(_BLOCKS[kind]))], np.int64)
FIRST = np.array([int((kind > KIND).sum()) for kind in MoveKind], np.int64)  # type → its first id

# Plain numbers, for compiled code: the first id of each type of move.
OPEN_HATCH = int(FIRST[MoveKind.OPEN_HATCH])
ENTER = int(FIRST[MoveKind.ENTER])
STAY = int(FIRST[MoveKind.STAY])
USE_ITEM = int(FIRST[MoveKind.USE_ITEM])
DRAW_ITEMS = int(FIRST[MoveKind.DRAW_ITEMS])
TRADE_ITEMS = int(FIRST[MoveKind.TRADE_ITEMS])
GIVE_ITEM = int(FIRST[MoveKind.GIVE_ITEM])
NO_ACTION = int(FIRST[MoveKind.NO_ACTION])
ABANDON_COMRADES = int(FIRST[MoveKind.ABANDON_COMRADES])
ATTACK_GNOME = int(FIRST[MoveKind.ATTACK_GNOME])
DEFEND = int(FIRST[MoveKind.DEFEND])
SPREAD_FIRE = int(FIRST[MoveKind.SPREAD_FIRE])
BLOCK_HATCH = int(FIRST[MoveKind.BLOCK_HATCH])
DISCARD_ITEM = int(FIRST[MoveKind.DISCARD_ITEM])
DONE = int(FIRST[MoveKind.DONE])
FIX = int(FIRST[MoveKind.FIX])
NO_MOVE = -1


def new_moves() -> np.ndarray:
    """Return an empty list that compiled code writes legal moves to."""
    return np.zeros(1, MOVES)


def told(number: int, cost: int, chance: int) -> Move:
    """Return a legal move with its cost, and with its chance, given in percent, if a die decides."""
    move = WIRE[number].copy()
    move["cost"] = cost
    if chance != NOBODY:
        move["chance"] = chance / 100
    return move


_OBJECTS: list[dict[str, Any]] = [{**move} for move in WIRE]  # the same, read by names that are not literals
_FIELDS = {move["type"]: [field for field in move if field != "type"] for move in _OBJECTS}
_VALUES = {
    (kind, field): {other[field] for other in _OBJECTS if other["type"] == kind}
    for kind, fields in _FIELDS.items()
    for field in fields
}


_ID_OF_KEY = {tuple(move.values()): number for number, move in enumerate(WIRE)}
_COMMENTS = {"cost", "chance", "text"}  # what is told of a legal move, so that it can be sent back as it came


def move_id(move: object) -> int:
    """Return the id of a move object. Raise IllegalMove, naming the field at fault, if there is no such move at all."""
    if not isinstance(move, dict):
        raise IllegalMove("", "a move is an object with a type", "type")
    if "type" not in move:
        raise IllegalMove("type", "a move needs a type", "required")
    type_ = move["type"]
    if not isinstance(type_, str):
        raise IllegalMove("type", "must be the name of a type of move", "type")
    if type_ not in _FIELDS:
        raise IllegalMove("type", f"unknown type of move: {shown(type_)}", "value")
    fields = _FIELDS[type_]
    for field in move.keys() - {"type", *fields, *_COMMENTS}:
        raise IllegalMove(step(field), f"{type_} has no such field", "unknown")
    key: list[Any] = [type_]
    for field in fields:
        if field not in move:
            raise IllegalMove(field, f"{type_} needs this field", "required")
        value = move[field]
        if type(value) not in (int, str) or value not in _VALUES[type_, field]:
            fault: Fault = "value" if type(value) in (int, str) else "type"
            raise IllegalMove(field, f"{shown(value)} is not a value that {type_} takes", fault)
        key.append(value)
    return _ID_OF_KEY[tuple(key)]


def odd_field(number: int, legal: list[int]) -> str:
    """Return the first field of a move that sets it apart from every legal move that agrees on the fields before."""
    move = _OBJECTS[number]
    alike = [_OBJECTS[other] for other in legal]
    for field in move:
        alike = [other for other in alike if other.get(field) == move[field]]
        if not alike:
            return field
    return "type"
