"""Describe where everything lies in the drawn board."""

from engine.enums import MAX_MINUTES
from service.api.json_schema import Schema, array, extensible, integer, nullable, obj, ref, text, truth
from service.picture.geometry import WIDE

_NUMBER: Schema = {"type": "number"}


def geometry() -> dict[str, Schema]:
    """Return the schemas of the board's geometry, by name."""
    room = {
        "room": ref("Room"),
        "rect": ref("Rect"),
        "outline": nullable(text("Its walls, as the `d` of an SVG path; null outside.")),
        "floor": ref("Rect"),
    }
    hatch = {
        "hatch": text("Its two rooms, as in `5-7` or `3-sea`."),
        "x": _NUMBER | {"description": "Of its middle."},
        "y": _NUMBER | {"description": "Of its middle."},
        "upright": truth("It is in a wall, not in a floor."),
    }
    space = {
        "minute": integer(0, MAX_MINUTES, "0 is rescue."),
        "rect": ref("Rect"),
        "inward": obj({"x": integer(-1, 1), "y": integer(-1, 1)}, what="The way into the picture from it."),
    }
    layout = {
        "layout": extensible([WIDE], "Which one."),
        "board": ref("Rect"),
        "boat": ref("Rect"),
        "hull": text("The outline of the boat, as the `d` of an SVG path."),
        "rooms": array(ref("RoomPlace"), "By number, the sea first."),
        "hatches": array(ref("HatchPlace")),
        "exterior_hatches": array(ref("HatchPlace")),
        "time_track": array(ref("SpacePlace"), "By minute."),
    }
    return {
        "BoardGeometry": obj({"layouts": array(ref("Layout"))}, what="Where everything lies in the drawn board."),
        "Layout": obj(layout, what="A way to lay the board out. Its units are its own; x goes right, and y down."),
        "Rect": obj(dict.fromkeys(("x", "y", "width", "height"), _NUMBER), what="A place, by its upper left."),
        "RoomPlace": obj(room, what="Where a room is, and the `floor` that gnomes stand on."),
        "HatchPlace": obj(hatch, what="Where a hatch is drawn."),
        "SpacePlace": obj(space, what="Where a space of the time track is."),
    }
