"""The kinds of rows in a journal. `engine/wire.py` lists their facts, and turns them into events."""

from enum import IntEnum


class Row(IntEnum):
    """The kinds of rows. A member's lower-case name is the type of its event."""

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
    """The decks that are reshuffled."""

    EVENTS = 0
    ITEMS = 1
