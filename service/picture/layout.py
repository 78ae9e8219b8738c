"""Place everything: the decks of the boat, its doors, and the spaces of the time track around them.

The rules only know which rooms share a hatch; how the rooms lie is our drawing. A door is put where the walls of its
two rooms meet, or half-way between rooms whose walls don't.
"""

from collections.abc import Iterator
from typing import NamedTuple

from engine.board import EXTERIOR_ROOMS, HATCHES
from engine.enums import MAX_MINUTES, Room
from engine.moves import hatch_name

WIDE = 1000
MARGIN = 10
HEADER = 64


class Rect(NamedTuple):
    x: float
    y: float
    wide: float
    high: float

    @property
    def right(self) -> float:
        return self.x + self.wide

    @property
    def bottom(self) -> float:
        return self.y + self.high

    @property
    def middle(self) -> tuple[float, float]:
        return self.x + self.wide / 2, self.y + self.high / 2


class Door(NamedTuple):
    """The place of a hatch, and whether it is in a wall (upright) or in a floor."""

    x: float
    y: float
    upright: bool


class Space(NamedTuple):
    """A space of the time track, and the way into the picture from it."""

    rect: Rect
    inward: tuple[int, int]


# The ring of the time track.
CELL, SIDE_CELL = 49, 46
COLUMNS, SIDES = 20, 11
RING = Rect(MARGIN, HEADER + 8, COLUMNS * CELL, 2 * CELL + SIDES * SIDE_CELL)
SEA_AREA = Rect(RING.x + CELL, RING.y + CELL, RING.wide - 2 * CELL, RING.high - 2 * CELL)

# The boat's inside: two decks, the engine, control and captain's rooms as high as both, and the tower above.
_STERN, _BOW = 128, 892
_AFT, _MID, _FORE, _NOSE = 254, 460, 562, 768  # bulkheads
_THREE, _NINE = 340, 682
_ASIDE = 0.7  # where along a floor its hatch is: clear of the name of the room below
_TOWER, DECK, FLOOR, KEEL = 191, 286, 418, 550
ROOMS = {
    1: Rect(_STERN, DECK, _AFT - _STERN, KEEL - DECK),
    2: Rect(_AFT, DECK, _MID - _AFT, FLOOR - DECK),
    3: Rect(_AFT, FLOOR, _THREE - _AFT, KEEL - FLOOR),
    4: Rect(_THREE, FLOOR, _MID - _THREE, KEEL - FLOOR),
    5: Rect(_MID, DECK, _FORE - _MID, KEEL - DECK),
    6: Rect(_MID - 4, _TOWER, _FORE - _MID + 8, DECK - _TOWER),
    7: Rect(_FORE, DECK, _NINE - _FORE, FLOOR - DECK),
    8: Rect(_FORE, FLOOR, _NOSE - _FORE, KEEL - FLOOR),
    9: Rect(_NINE, DECK, _NOSE - _NINE, FLOOR - DECK),
    10: Rect(_NOSE, DECK, _BOW - _NOSE, KEEL - DECK),
}
ROUND = (Room.ENGINE_ROOM, Room.CAPTAINS_CABIN)  # at one side
BILGE = 20  # below the floor of those
SEA_SPOT = Rect(590, 196, 220, 76)  # where gnomes swim

PANELS_Y = RING.bottom + 10
PANEL_HIGH = 98
CARD_HIGH = 68
GAP = 8
_MOST_CARDS = 4  # in a row
CREW_Y = PANELS_Y + PANEL_HIGH + GAP


def columns(count: int) -> float:
    """Return how wide each of so many is, side by side."""
    return (RING.wide - GAP * (count - 1)) / count


def crew(gnomes: int) -> list[Rect]:
    """Return a card for each gnome, in rows as even as they can be."""
    rows = -(-gnomes // _MOST_CARDS)
    a_row = -(-gnomes // rows)
    wide = columns(a_row)
    cards = []
    for seat in range(gnomes):
        row, column = divmod(seat, a_row)
        cards.append(Rect(MARGIN + column * (wide + GAP), CREW_Y + row * (CARD_HIGH + GAP), wide, CARD_HIGH))
    return cards


def height(gnomes: int) -> float:
    return crew(gnomes)[-1].bottom + MARGIN


def _meeting(one: Rect, other: Rect) -> Door:
    low, high = max(one.y, other.y), min(one.bottom, other.bottom)
    left, right = max(one.x, other.x), min(one.right, other.right)
    if left == right and low < high:
        return Door(left, (low + high) / 2, True)
    if low == high and left < right:
        return Door(left + (right - left) * _ASIDE, low, False)
    (x, y), (to_x, to_y) = one.middle, other.middle
    return Door((x + to_x) / 2, (y + to_y) / 2, abs(to_x - x) > abs(to_y - y))


def _to_sea(room: int) -> Door:
    """Place a way out to sea: up through the deck or, from rooms with another above them, down through the keel."""
    rect = ROOMS[room]
    covered = any(other.bottom == rect.y and other.x < rect.right and rect.x < other.right for other in ROOMS.values())
    return Door(rect.middle[0], rect.bottom if covered else rect.y, False)


DOORS = {hatch_name(hatch): _meeting(ROOMS[one], ROOMS[other]) for hatch, (one, other) in enumerate(HATCHES)}
EXTERIOR_DOORS = {f"{room}-sea": _to_sea(room) for room in EXTERIOR_ROOMS}


def _ring() -> Iterator[Space]:
    """Place the spaces clockwise from the upper left. Rescue is twice as wide; corners point into the picture."""
    x, y = RING.x, RING.y
    right, bottom = RING.right - CELL, RING.bottom - CELL
    yield Space(Rect(x, y, 2 * CELL, CELL), (0, 1))
    for column in range(2, COLUMNS):
        yield Space(Rect(x + column * CELL, y, CELL, CELL), (0, 1) if column < COLUMNS - 1 else (-1, 1))
    for row in range(SIDES):
        yield Space(Rect(right, y + CELL + row * SIDE_CELL, CELL, SIDE_CELL), (-1, 0))
    for column in range(COLUMNS - 1, -1, -1):
        inward = {COLUMNS - 1: (-1, -1), 0: (1, -1)}.get(column, (0, -1))
        yield Space(Rect(x + column * CELL, bottom, CELL, CELL), inward)
    for row in range(SIDES - 1, -1, -1):
        yield Space(Rect(x, y + CELL + row * SIDE_CELL, CELL, SIDE_CELL), (1, 0))


# By minute: rescue first, then from the start down.
SPACES = dict(zip((0, *range(MAX_MINUTES, 0, -1)), _ring(), strict=True))
