"""The record that is a game: a fixed number of bytes, which a memcpy copies, and which are stored as they are.

Who may see a field: everyone, unless its comment says otherwise.
"""

from typing import Any, Protocol, SupportsIndex, TypeAlias, TypeVar, overload

import numba
import numpy as np

from engine.board import HATCHES
from engine.cards import EVENT_FACES, ITEMS
from engine.enums import ROOMS, SEATS, Purpose, Script, Token, Track

LAYOUT = 2  # raise it with every change of STATE: bytes of another layout are refused, never misread
SCRIPT_LENGTH = 32

byte = np.int8

STATE = np.dtype(
    (
        np.record,
        [
            # Chance. The key is the game's secret: nobody sees it before the end.
            ("key", np.uint64, (2,)),
            ("rolls", np.uint16, (len(Purpose),)),  # rolls so far, by purpose; nobody
            ("version", np.uint16),  # moves played so far
            ("turn", np.int16),  # turns begun so far; 0 only while a storm rages before the first one
            # The rules of this game, and which version of them it began under.
            ("rules_version", byte),  # 1..RULES_VERSION
            ("gnomes", byte),  # 3..8
            ("players", byte),  # 1..8
            ("edition", byte),  # Edition
            ("less_deadly_dying", byte),  # 0 1
            ("hidden_hands", byte),  # 0 1
            ("crazed_gnomes", byte),  # 0 1
            ("greater_challenge", byte),  # Challenge
            # The gnomes, by seat. Seats without a gnome stay 0.
            ("minutes", byte, (SEATS,)),  # 60..0, where the Time Keeper stands
            ("stack", byte, (SEATS,)),  # 0..15, the higher of one space is on top
            ("room", byte, (SEATS,)),  # 0..10, SEA is 0
            ("condition", byte, (SEATS,)),  # Condition
            ("intoxication", byte, (SEATS,)),  # 0..4
            ("drew_items_in", byte, (SEATS,)),  # 8, 10, or 0: the room in which they may not draw again yet
            ("hand", byte, (SEATS, ITEMS)),  # copies held; with secret hands only the holder's player
            # The submarine, by room and by hatch.
            ("water", byte, (ROOMS,)),  # Water
            ("fire", byte, (ROOMS,)),  # 0 1
            ("blocked", byte, (len(HATCHES),)),  # 0 1
            ("track", byte, (len(Track),)),  # 1..10
            ("token", byte, (len(Token),)),  # 0..60, or NOWHERE
            # The cards.
            ("captains_grog", byte),  # 0..6
            ("item_deck", byte, (ITEMS,)),  # copies left; nobody while hands are secret
            ("item_discard", byte, (ITEMS,)),
            ("event_deck", byte, (EVENT_FACES,)),
            ("event_discard", byte, (EVENT_FACES,)),
            # The turn.
            ("phase", byte),  # Phase
            ("active", byte),  # seat
            ("ghost", byte),  # 60..0
            ("used", byte, (ITEMS,)),  # copies used this turn
            ("icons_ignored", byte),  # event icons that charms have cancelled this turn
            ("began_at_sea", byte),  # 0 1
            ("event_drawn", byte),  # 0 1: a card was drawn this turn; at a decision 1 only while one is resolved
            ("abandoning", byte),  # 0 1, original edition: the active gnome leaves the board when this turn ends
            ("beyond", byte),  # HATCH, ESCAPE_HATCH: the room behind the open hatch, else 0
            ("partner", byte),  # TRADE_GIVE, TRADE_RETURN, DEFEND: the other gnome's seat, else NOBODY
            ("event_room", byte),  # BLOCK_HATCH: the room of the die, else 0
            ("hand_limit", byte),  # DISCARD: items a hand may keep, else 0
            ("storm_left", byte),  # STORM and its decisions: events still to come, else 0
            ("cause", byte),  # Cause, NONE until the game is over
            # What a position forces, the next outcome last; nobody sees it.
            ("script_dice", byte, (SCRIPT_LENGTH,)),
            ("script_events", byte, (SCRIPT_LENGTH,)),  # a face, or EVENT_FACES + an event of any faint number
            ("script_items", byte, (SCRIPT_LENGTH,)),
            ("script_left", byte, (len(Script),)),
        ],
    )
)


Word: TypeAlias = Any  # an unsigned integer of 64 bits: NumPy's, or Numba's, which Python has no type for


class Cells(Protocol):
    """A field of a record that holds one number for each seat, room, card or the like."""

    def __len__(self) -> int: ...

    @overload
    def __getitem__(self, at: SupportsIndex, /) -> int: ...

    @overload
    def __getitem__(self, at: slice, /) -> "Cells": ...

    def __setitem__(self, at: SupportsIndex, value: SupportsIndex, /) -> None: ...


class Table(Protocol):
    """A field of a record that holds a row of numbers for each seat or the like."""

    @overload
    def __getitem__(self, at: SupportsIndex, /) -> Cells: ...

    @overload
    def __getitem__(self, at: tuple[SupportsIndex, SupportsIndex], /) -> int: ...

    def __setitem__(self, at: tuple[SupportsIndex, SupportsIndex], value: SupportsIndex, /) -> None: ...


class Words(Protocol):
    """A field of a record that holds 64-bit words."""

    def __getitem__(self, at: int, /) -> Word: ...

    def __setitem__(self, at: int, value: Word, /) -> None: ...


RecordType = TypeVar("RecordType")


class Records(Protocol[RecordType]):
    """An array of records, as the doors from Python take it."""

    def __len__(self) -> int: ...

    def __getitem__(self, at: SupportsIndex, /) -> RecordType: ...

    def __setitem__(self, at: SupportsIndex, value: RecordType, /) -> None: ...


class State(Protocol):
    """One record of STATE as the rules see it: Numba and NumPy both give attribute access to its fields."""

    key: Words
    rolls: Cells
    version: int
    turn: int
    rules_version: int
    gnomes: int
    players: int
    edition: int
    less_deadly_dying: int
    hidden_hands: int
    crazed_gnomes: int
    greater_challenge: int
    minutes: Cells
    stack: Cells
    room: Cells
    condition: Cells
    intoxication: Cells
    drew_items_in: Cells
    hand: Table
    water: Cells
    fire: Cells
    blocked: Cells
    track: Cells
    token: Cells
    captains_grog: int
    item_deck: Cells
    item_discard: Cells
    event_deck: Cells
    event_discard: Cells
    phase: int
    active: int
    ghost: int
    used: Cells
    icons_ignored: int
    began_at_sea: int
    event_drawn: int
    abandoning: int
    beyond: int
    partner: int
    event_room: int
    hand_limit: int
    storm_left: int
    cause: int
    script_dice: Cells
    script_events: Cells
    script_items: Cells
    script_left: Cells


class Moves(Protocol):
    """One record of MOVES, which legal moves are written to."""

    ids: Cells
    costs: Cells
    chances: Cells


class Journal(Protocol):
    """One record of JOURNAL, which the rules write to."""

    listening: int
    count: int
    rows: Table


Games: TypeAlias = Records[State]
Journals: TypeAlias = Records[Journal]
MoveLists: TypeAlias = Records[Moves]

RECORD = numba.from_dtype(STATE)
RECORDS = numba.types.Array(RECORD, 1, "C")  # the type of an array of games in signatures


def new_records(count: int = 1) -> np.ndarray:
    """Return an array of empty records."""
    return np.zeros(count, STATE)
