"""What happened, row by row: the story of a move, written by the rules and told to clients.

A row is a kind and up to four facts. The rules write to a journal that does not listen for nothing.
"""

from enum import IntEnum
from typing import Any

import numba
import numpy as np

from engine.jit import jit
from engine.state import Journal

CAPACITY = 4096  # rows; far above what a longest turn can write
ROOM_DIE, NEWCOMER_DIE = -1, -2  # in the place of an action, when a die is rolled for a room
JOURNAL = np.dtype((np.record, [("listening", np.int8), ("count", np.int16), ("rows", np.int16, (CAPACITY, 5))]))
JOURNALS = numba.types.Array(numba.from_dtype(JOURNAL), 1, "C")  # how a door from Python takes a journal
SILENT: Journal = np.zeros(1, JOURNAL)


class Row(IntEnum):
    """The kinds of rows. A member's lower-case name is the event's type on the wire; its facts are in wire.py."""

    CHOICE = 0
    TURN_BEGAN = 1
    GNOME_WOKE = 2
    MINUTES_SPENT = 3
    HATCH_OPENED = 4
    WATER_REFLOWED = 5
    FIRE_WENT_OUT = 6
    GNOME_MOVED = 7
    ITEM_USED = 8
    DIE_ROLLED = 9
    ACTION_SUCCEEDED = 10
    ACTION_FAILED = 11
    WATER_PUMPED = 12
    HATCH_UNBLOCKED = 13
    TRACK_RESET = 14
    TOKEN_REMOVED = 15
    ITEM_DRAWN = 16
    ITEM_GIVEN = 17
    ATTACK_DECLARED = 18
    ATTACK_ANSWERED = 19
    GNOME_ABANDONED = 20
    FAINT_CHECKED = 21
    GNOME_FAINTED = 22
    ICON_IGNORED = 23
    EVENT_DRAWN = 24
    FIRE_STARTED = 25
    TRACK_ADVANCED = 26
    ROOM_FLOODED = 27
    HATCH_BLOCKED = 28
    TOKEN_PLACED = 29
    GROG_DRUNK = 30
    NOTHING_HAPPENED = 31
    ITEMS_DISCARDED = 32
    CARD_REMOVED = 33
    DECK_RESHUFFLED = 34
    GNOME_DIED = 35
    GNOME_REPLACED = 36
    TIME_KEEPER_MOVED = 37
    GAME_OVER = 38
    STORM_BEGAN = 39


class Deck(IntEnum):
    EVENTS = 0
    ITEMS = 1


def new_journal() -> Journal:
    journal = np.empty(1, JOURNAL)
    journal["listening"] = 1
    journal["count"] = 0
    return journal


def rows(journal: Journal) -> list[list[Any]]:
    return journal["rows"][0, : journal["count"][0]].tolist()


@jit
def log(journal: Journal, row: int, a: int, b: int, c: int, d: int) -> None:
    if journal.listening == 0 or journal.count == CAPACITY:
        return
    facts = journal.rows[journal.count]
    facts[0] = row
    facts[1] = a
    facts[2] = b
    facts[3] = c
    facts[4] = d
    journal.count += 1
