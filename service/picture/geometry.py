"""Tell where everything lies in the drawn board, as data: whoever draws it otherwise draws it in the same places."""

from functools import cache

from engine.board import HATCHES
from engine.enums import ROOMS, SEA
from engine.moves import hatch_name, room_name
from service.picture import hatches, hull, layout
from service.picture.gnomes import floor
from service.picture.layout import Rect
from service.picture.rooms import outline
from service.wire import Wire

WIDE = "wide"  # the boat with the time track around it, in landscape


@cache
def layouts() -> list[Wire]:
    """Return the layouts that there are, in their own units from the upper left."""
    return [
        {
            "layout": WIDE,
            "board": _rect(layout.RING),
            "boat": _rect(layout.SEA_AREA),
            "hull": hull.outline(),
            "rooms": [_room(number) for number in range(ROOMS)],
            "hatches": [_hatch(hatch_name(number)) for number in range(len(HATCHES))],
            "exterior_hatches": [_hatch(name) for name in layout.EXTERIOR_DOORS],
            "time_track": [_space(minute) for minute in sorted(layout.SPACES)],
        }
    ]


def _rect(rect: Rect) -> Wire:
    return {"x": rect.x, "y": rect.y, "width": rect.wide, "height": rect.high}


def _room(number: int) -> Wire:
    """Return a room, or the place outside where gnomes swim, which has no walls."""
    where = layout.SEA_SPOT if number == SEA else layout.ROOMS[number]
    walls = None if number == SEA else outline(number)
    return {"room": room_name(number), "rect": _rect(where), "outline": walls, "floor": _rect(floor(number))}


def _hatch(name: str) -> Wire:
    x, y = hatches.place(name)
    return {"hatch": name, "x": x, "y": y, "upright": hatches.door(name).upright}


def _space(minute: int) -> Wire:
    rect, (x, y) = layout.SPACES[minute]
    return {"minute": minute, "rect": _rect(rect), "inward": {"x": x, "y": y}}
