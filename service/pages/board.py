"""Tell the playing client how the board is drawn: where rooms and hatches are, and the signs on tracks and items."""

from service.picture import layout, pictograms
from service.picture.layout import Door, Rect
from service.wire import Wire


def geometry() -> Wire:
    """Return the places of rooms and hatches in the picture's own units."""
    rooms = {str(room): _rect(rect) for room, rect in layout.ROOMS.items()}
    doors = layout.DOORS | layout.EXTERIOR_DOORS
    return {
        "rooms": {**rooms, "sea": _rect(layout.SEA_SPOT)},
        "hatches": {name: _point(door) for name, door in doors.items()},
    }


def signs() -> Wire:
    """Return outlines, about 20 wide around their middle, and the small pictures of items as SVG."""
    return {
        "event": pictograms.BURST,
        "item": pictograms.PARCEL,
        "tracks": pictograms.TRACK_SIGNS,
        "tokens": pictograms.TOKEN_SIGNS,
        "rooms": {str(room): sign for room, sign in pictograms.ROOM_SIGNS.items()},
        "items": pictograms.ITEM_SIGNS,
    }


def _rect(rect: Rect) -> list[float]:
    return [rect.x, rect.y, rect.wide, rect.high]


def _point(door: Door) -> list[float]:
    return [door.x, door.y]
