"""The cards: how many, what they add, their faint numbers. The one place to correct them.

The marks are those of RULES.md: [text] is printed, [ruling] is our decision, [reconstructed] is ours.
"""

from typing import NamedTuple

import numpy as np

from engine.enums import DASH, FIX_ITS, Action, Event, Item, Token

# [text, from the reference manual]
ITEM_COPIES = {
    Item.COFFEE: 1,
    Item.GROG: 12,
    Item.TOOLBOX: 3,
    Item.ENGINE_MANUAL: 4,
    Item.PUMP_MANUAL: 4,
    Item.REACTOR_MANUAL: 4,
    Item.DEACTIVATION_CODE: 3,
    Item.CROWBAR: 6,
    Item.FIRE_EXTINGUISHER: 5,
    Item.WATER_PUMP: 6,
    Item.AQUALUNG: 2,
    Item.HARPOON: 2,
    Item.LUCKY_CHARM: 2,
}

STASH = 6  # grogs in the Captain's Cabin [text]
STASH_DRAW = 2  # cards an action there may draw [text]
STORES_DRAW = 4  # cards an action in the Equipment Stores may draw [text]
DEALT = 2  # items a gnome starts with [text]

# What an item adds to the minutes of a fix-it action [text].
BONUSES: dict[Item, dict[Action, int]] = {
    Item.GROG: dict.fromkeys(list(Action)[:FIX_ITS], 3),
    Item.TOOLBOX: {Action.FIX_ENGINE: 3, Action.FIX_OXYGEN_PUMPS: 3, Action.FIX_REACTOR: 3},
    Item.ENGINE_MANUAL: {Action.FIX_ENGINE: 4},
    Item.PUMP_MANUAL: {Action.FIX_OXYGEN_PUMPS: 4},
    Item.REACTOR_MANUAL: {Action.FIX_REACTOR: 4},
    Item.DEACTIVATION_CODE: {Action.STOP_MISSILE_LAUNCH: 4},
    Item.CROWBAR: {Action.UNBLOCK_HATCH: 3},
    Item.FIRE_EXTINGUISHER: {Action.EXTINGUISH_FIRE: 3},
    Item.WATER_PUMP: {Action.PUMP_WATER: 3},
    Item.HARPOON: {Action.KILL_KRAKEN: 4},
}

# A number a copy: its faint number, "-" for a dash. Kinds and counts [text], numbers [reconstructed].
EVENT_COPIES = {
    Event.FIRE: "- - 4 4 3 3 2 1",
    Event.FIRE_SPREADS: "- 4 3",
    Event.STUMBLE: "3 2",
    Event.FRIENDLY_FIRE: "-",
    Event.BLOCKED_HATCH: "- - 4 4 3 3 2 1",
    Event.LEAK: "- 4",
    Event.RESPITE: "4 3 3 2 2 2 1 1",
    Event.REACTOR_WARMUP: "- - 4 3 2 1",
    Event.REACTOR_MALFUNCTION: "- 4",
    Event.KRAKEN: "-",
    Event.DESCENT: "- 4 4 3 2 1",
    Event.FAST_DESCENT: "-",
    Event.MISSILE_COUNTDOWN: "- 4",
    Event.UNDERWATER_CURRENT: "4",
    Event.OXYGEN_PUMPS_DOWN: "-",
    Event.OVERHEATED: "1",
    Event.ENGINE_DOWN: "-",
    Event.TURBULENCE: "3 2",
}

# The token an event places, and how many minutes ahead of the icon [10 of the pumps text, others reconstructed].
EVENT_TOKENS = {
    Event.KRAKEN: (Token.DEVOURED_BY_KRAKEN, 15),
    Event.MISSILE_COUNTDOWN: (Token.MISSILES_LAUNCHED, 10),
    Event.OXYGEN_PUMPS_DOWN: (Token.ASPHYXIATED, 10),
    Event.ENGINE_DOWN: (Token.CRUSHED, 15),
}

HAND_LIMIT = 4  # after turbulence [text] and friendly fire [ruling]
STUMBLE_LIMIT = 1  # [text]


class Face(NamedTuple):
    """Cards that read the same are one face: the decks count faces."""

    event: Event
    faint: int  # 1 to 4, or DASH

    @property
    def name(self) -> str:
        """The face as JSON has it: "fire/4", or "fire/-" for a dash."""
        return f"{self.event.name.lower()}/{'-' if self.faint == DASH else self.faint}"


def _faces() -> dict[Face, int]:
    counts: dict[Face, int] = {}
    for event, numbers in EVENT_COPIES.items():
        for number in numbers.split():
            face = Face(event, DASH if number == "-" else int(number))
            counts[face] = counts.get(face, 0) + 1
    return counts


_COUNTS = _faces()
FACES = tuple(_COUNTS)
FACE_OF_NAME = {face.name: number for number, face in enumerate(FACES)}
ITEMS = len(Item)
EVENT_FACES = len(FACES)
KRAKEN_FACE = FACE_OF_NAME["kraken/-"]

# The same data in the shape that compiled code reads.
ITEM_COUNT = np.array([ITEM_COPIES[item] for item in Item])
FACE_COUNT = np.array([_COUNTS[face] for face in FACES])
FACE_EVENT = np.array([*(face.event for face in FACES), len(Event)], np.int64)  # and an end
FACE_FAINT = np.array([face.faint for face in FACES], np.int64)
BONUS = np.array([[BONUSES.get(item, {}).get(Action(fix_it), 0) for fix_it in range(FIX_ITS)] for item in Item])
EVENT_TOKEN = np.array([EVENT_TOKENS.get(event, (-1, 0))[0] for event in Event], np.int64)
EVENT_AHEAD = np.array([EVENT_TOKENS.get(event, (-1, 0))[1] for event in Event], np.int64)
