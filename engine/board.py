"""The board: hatches, icons, start spaces, critical rooms. The one place to correct what the rulebooks only show.

The marks are those of RULES.md: [text] is printed, [reconstructed] is ours.
"""

from collections.abc import Mapping

import numpy as np

from engine.enums import NOWHERE, ROOMS, SEA, Action, Room, Token, Track

# Fifteen interior hatches, each between two rooms [reconstructed; 1-2 1-3 2-5 4-5 5-7 text].
HATCHES = (
    (1, 2), (1, 3), (2, 3), (2, 4), (3, 4),
    (2, 5), (4, 5), (5, 6), (5, 7), (5, 8),
    (7, 8), (7, 9), (8, 9), (8, 10), (9, 10),
)  # fmt: skip
EXTERIOR_ROOMS = (3, 6, 9)  # [text]
EXTERIOR = len(HATCHES)  # the id of every exterior hatch: they are never blocked, so they need no id of their own

# Where a room is drawn: x to the bow, y down [reconstructed].
POSITIONS = {
    1: (0, 1), 2: (1, 0), 3: (1, 2), 4: (2, 2), 5: (3, 1),
    6: (3, -1), 7: (4, 0), 8: (4, 2), 9: (5, 0), 10: (6, 1),
}  # fmt: skip

START_MINUTES = {3: 60, 4: 60, 5: 60, 6: 54, 7: 48, 8: 42}  # by gnomes [60 text, others reconstructed]
EVENT_MINUTES = (*range(57, 20, -3), *range(18, 0, -2))  # [reconstructed]
ITEM_MINUTES = (50, 40, 30, 20, 10)  # [reconstructed]

# Where an action can be taken; the other actions have no room of their own [text].
ACTION_ROOM = {
    Action.FIX_ENGINE: Room.ENGINE_ROOM,
    Action.FIX_OXYGEN_PUMPS: Room.OXYGEN_PUMPS,
    Action.FIX_REACTOR: Room.REACTOR_ROOM,
    Action.STOP_MISSILE_LAUNCH: Room.MISSILE_CONTROL,
    Action.KILL_KRAKEN: SEA,
}
ACTION_TRACK = {
    Action.FIX_ENGINE: Track.PRESSURE,
    Action.FIX_OXYGEN_PUMPS: Track.ASPHYXIATION,
    Action.FIX_REACTOR: Track.HEAT,
}
ACTION_TOKEN = {
    Action.FIX_ENGINE: Token.CRUSHED,
    Action.FIX_OXYGEN_PUMPS: Token.ASPHYXIATED,
    Action.STOP_MISSILE_LAUNCH: Token.MISSILES_LAUNCHED,
    Action.KILL_KRAKEN: Token.DEVOURED_BY_KRAKEN,
}


def _by_action(table: Mapping[Action, int]) -> np.ndarray:
    return np.array([int(table.get(action, NOWHERE)) for action in Action])


def _hatch_ids() -> np.ndarray:
    ids = np.full((ROOMS, ROOMS), NOWHERE, np.int64)
    for number, (one, other) in enumerate(HATCHES):
        ids[one, other] = ids[other, one] = number
    for room in EXTERIOR_ROOMS:
        ids[room, SEA] = ids[SEA, room] = EXTERIOR
    return ids


def _hops() -> np.ndarray:
    """Count the hatches on the shortest way between two rooms inside the submarine, by Floyd and Warshall."""
    hops = np.where(HATCH_BETWEEN == NOWHERE, 99, 1)
    hops[SEA, :] = hops[:, SEA] = 99
    np.fill_diagonal(hops, 0)
    for room in range(1, ROOMS):
        hops = np.minimum(hops, hops[:, [room]] + hops[[room], :])
    return hops


# The same data in the shape that compiled code reads.
HATCH_BETWEEN = _hatch_ids()  # [room, room] → hatch, EXTERIOR or NOWHERE
EXIT_COUNT = (HATCH_BETWEEN != NOWHERE).sum(axis=1)
EXITS = np.array([np.argsort(row == NOWHERE, kind="stable") for row in HATCH_BETWEEN])  # [room, k] → the k-th neighbour
HATCH_ROOMS = np.array(HATCHES)
HOPS = _hops()
FIX_ROOM = _by_action(ACTION_ROOM)
FIX_TRACK = _by_action(ACTION_TRACK)
FIX_TOKEN = _by_action(ACTION_TOKEN)
HAS_EVENT_ICON = np.isin(np.arange(61), EVENT_MINUTES)
HAS_ITEM_ICON = np.isin(np.arange(61), ITEM_MINUTES)
START = np.array([START_MINUTES.get(gnomes, 0) for gnomes in range(9)])
