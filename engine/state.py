"""The record that is a game: a fixed number of bytes, copied by a memcpy, stored as they are.

Who may see a field: everyone, unless its comment says otherwise.
"""

from typing import Any, TypeAlias

import numba
import numpy as np

from engine.board import HATCHES
from engine.cards import EVENT_FACES, ITEMS
from engine.kinds import ROOMS, SEATS, Purpose, Script, Token, Track

LAYOUT = 1  # raise it with every change of STATE: bytes of another layout are refused, never misread
SCRIPT_LENGTH = 32

byte = np.int8

STATE = np.dtype(
    (
        np.record,
        [
            # Chance. The key is the game's secret: nobody sees it before the end.
            ("key", np.uint64, (2,)),
            ("rolls", np.uint16, (len(Purpose),)),  # how often each purpose was asked; nobody
            ("version", np.uint16),  # moves played so far
            ("turn", np.int16),  # turns begun so far; 0 only while a storm rages before the first one
            # The rules of this game.
            ("gnomes", byte),  # 3..8
            ("players", byte),  # 1..8
            ("edition", byte),  # Edition
            ("less_deadly_dying", byte),  # 0 1
            ("crazed_gnomes", byte),  # 0 1
            ("greater_challenge", byte),  # Challenge
            # The gnomes, by seat. Seats that nobody has stay 0.
            ("minutes", byte, (SEATS,)),  # 60..0, where the Time Keeper stands
            ("stack", byte, (SEATS,)),  # 0..15, the higher of one space is on top
            ("room", byte, (SEATS,)),  # 0..10, SEA is 0
            ("condition", byte, (SEATS,)),  # Condition
            ("intoxication", byte, (SEATS,)),  # 0..4
            ("drew_items_in", byte, (SEATS,)),  # 8, 10, or 0: where he may not draw again yet
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
            ("icons_ignored", byte),  # event icons that charms have swallowed this turn
            ("began_at_sea", byte),  # 0 1
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

State: TypeAlias = Any  # one record of STATE; Numba and NumPy both give attribute access to its fields
Journal: TypeAlias = Any  # one record of JOURNAL
Moves: TypeAlias = Any  # one record of MOVES, which legal moves are written to

RECORD = numba.from_dtype(STATE)
RECORDS = numba.types.Array(RECORD, 1, "C")  # how a door from Python takes a game: an array of one record


def new_records(count: int = 1) -> np.ndarray:
    return np.zeros(count, STATE)
