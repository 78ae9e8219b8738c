"""Moves have an id inside and are an object outside. Ids are made and read here and nowhere else.

The ids are laid out in blocks, one a type of move, in the order of `_TYPES`; `KIND` and `ARGUMENT` take an id apart.
"""

from enum import IntEnum
from typing import Any

import numba
import numpy as np

from engine.board import HATCHES
from engine.cards import STORES_DRAW
from engine.errors import IllegalMove, shown
from engine.kinds import ROOMS, SEA, SEATS, Action, Item

MAX_FIX_MINUTES = 10


class Move(IntEnum):
    """Types of moves outside the fix-it actions, which have an Action."""

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


Wire = dict[str, Any]


def room_name(room: int) -> int | str:
    return "sea" if room == SEA else room


def hatch_name(hatch: int) -> str:
    return "-".join(map(str, HATCHES[hatch]))


def _items(type_: str) -> list[Wire]:
    return [{"type": type_, "item": item.name.lower()} for item in Item]


def _fix_its() -> list[Wire]:
    minutes = range(1, MAX_FIX_MINUTES + 1)
    plain = [{"type": Action(a).name.lower(), "minutes": m} for a in range(Action.UNBLOCK_HATCH) for m in minutes]
    hatches = [
        {"type": "unblock_hatch", "hatch": hatch_name(h), "minutes": m} for h in range(len(HATCHES)) for m in minutes
    ]
    return plain + hatches


_BLOCKS: dict[Move, list[Wire]] = {
    Move.OPEN_HATCH: [{"type": "open_hatch", "to": room_name(room)} for room in range(ROOMS)],
    Move.ENTER: [{"type": "enter"}],
    Move.STAY: [{"type": "stay"}],
    Move.USE_ITEM: _items("use_item"),
    Move.DRAW_ITEMS: [{"type": "draw_items", "cards": cards} for cards in range(STORES_DRAW + 1)],
    Move.TRADE_ITEMS: [{"type": "trade_items", "with": seat} for seat in range(SEATS)],
    Move.GIVE_ITEM: _items("give_item"),
    Move.NO_ACTION: [{"type": "no_action"}],
    Move.ABANDON_COMRADES: [{"type": "abandon_comrades"}],
    Move.ATTACK_GNOME: [{"type": "attack_gnome", "seat": seat} for seat in range(SEATS)],
    Move.DEFEND: [{"type": "defend"}],
    Move.SPREAD_FIRE: [{"type": "spread_fire", "room": room} for room in range(ROOMS)],
    Move.BLOCK_HATCH: [{"type": "block_hatch", "hatch": hatch_name(hatch)} for hatch in range(len(HATCHES))],
    Move.DISCARD_ITEM: _items("discard_item"),
    Move.DONE: [{"type": "done"}],
    Move.FIX: _fix_its(),
}

WIRE: list[Wire] = [move for kind in Move for move in _BLOCKS[kind]]  # id → object
COUNT = len(WIRE)
MOVES = np.dtype(
    (np.record, [("ids", np.int16, (COUNT,)), ("costs", np.int16, (COUNT,)), ("chances", np.int16, (COUNT,))])
)
MOVE_LISTS = numba.types.Array(numba.from_dtype(MOVES), 1, "C")  # how a door from Python takes a list of moves
KIND = np.array([kind for kind in Move for _ in _BLOCKS[kind]], np.int64)
ARGUMENT = np.array([argument for kind in Move for argument in range(len(_BLOCKS[kind]))], np.int64)
FIRST = np.array([int((kind > KIND).sum()) for kind in Move], np.int64)  # type → its first id

# Plain numbers, for compiled code: the first id of each type of move.
OPEN_HATCH = int(FIRST[Move.OPEN_HATCH])
ENTER = int(FIRST[Move.ENTER])
STAY = int(FIRST[Move.STAY])
USE_ITEM = int(FIRST[Move.USE_ITEM])
DRAW_ITEMS = int(FIRST[Move.DRAW_ITEMS])
TRADE_ITEMS = int(FIRST[Move.TRADE_ITEMS])
GIVE_ITEM = int(FIRST[Move.GIVE_ITEM])
NO_ACTION = int(FIRST[Move.NO_ACTION])
ABANDON_COMRADES = int(FIRST[Move.ABANDON_COMRADES])
ATTACK_GNOME = int(FIRST[Move.ATTACK_GNOME])
DEFEND = int(FIRST[Move.DEFEND])
SPREAD_FIRE = int(FIRST[Move.SPREAD_FIRE])
BLOCK_HATCH = int(FIRST[Move.BLOCK_HATCH])
DISCARD_ITEM = int(FIRST[Move.DISCARD_ITEM])
DONE = int(FIRST[Move.DONE])
FIX = int(FIRST[Move.FIX])
NO_MOVE = -1


def new_moves() -> np.ndarray:
    return np.zeros(1, MOVES)


_FIELDS = {move["type"]: [field for field in move if field != "type"] for move in WIRE}
_VALUES = {
    (kind, field): {other[field] for other in WIRE if other["type"] == kind}
    for kind, fields in _FIELDS.items()
    for field in fields
}


def _key(move: Wire) -> tuple[Any, ...]:
    return tuple(move.values())


_ID_OF_KEY = {_key(move): number for number, move in enumerate(WIRE)}
_COMMENTS = {"cost", "chance"}  # what legal_moves adds to a move, so that it can be sent back as it came


def move_id(move: Any) -> int:
    """Reads a move object, or raises IllegalMove naming the field at fault. Says nothing of legality."""
    if not isinstance(move, dict):
        raise IllegalMove("", "a move is an object with a type")
    type_ = move.get("type")
    if not isinstance(type_, str) or type_ not in _FIELDS:
        raise IllegalMove("type", f"unknown type of move: {shown(type_)}")
    fields = _FIELDS[type_]
    for field in move.keys() - {"type", *fields, *_COMMENTS}:
        raise IllegalMove(field if isinstance(field, str) else shown(field), f"{type_} has no such field")
    key: list[Any] = [type_]
    for field in fields:
        if field not in move:
            raise IllegalMove(field, f"{type_} needs this field")
        value = move[field]
        if type(value) not in (int, str) or value not in _VALUES[type_, field]:
            raise IllegalMove(field, f"{shown(value)} is not a value that {type_} takes")
        key.append(value)
    return _ID_OF_KEY[tuple(key)]


def odd_field(number: int, legal: list[int]) -> str:
    """The first field of a move that no legal move agrees with, all earlier ones being equal."""
    move = WIRE[number]
    alike = [WIRE[other] for other in legal]
    for field in move:
        alike = [other for other in alike if other.get(field) == move[field]]
        if not alike:
            return field
    return "type"
