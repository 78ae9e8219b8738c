"""Describe what players show each other: signals, and what these may point at."""

from engine.enums import Track
from service.api.json_schema import Schema, array, enum, extensible, integer, nullable, obj, ref, text
from service.api.signal_schemas import TARGETS
from service.contract.changes.schemas import OPT_IN
from service.contract.shapes.moves import union
from service.contract.shapes.words import SEAT, TIME, camel, names
from service.words.signals import SAYINGS

_FIELDS: dict[str, dict[str, Schema]] = {
    "room": {"room": ref("Room")},
    "gnome": {"seat": SEAT},
    "item": {"item": ref("Item")},
    "hatch": {"hatch": ref("Hatch")},
    "track": {"track": enum(names(Track))},
}
_MEANS = {
    "room": "A room, or the sea.",
    "gnome": "A gnome.",
    "item": "Items of a kind, whoever holds any.",
    "hatch": "A hatch between two rooms.",
    "track": "A disaster track.",
}


def signals() -> dict[str, Schema]:
    """Return the schemas of signals, by name."""
    signal = {
        "type": {"type": "string", "const": "signal"},
        "seat": SEAT,
        "version": integer(1, what="The version that the game had: a plan goes with it, and is of no use later."),
        "at": TIME,
        "seconds": integer(0, what="For how much longer to show it, in place of what the seat showed before."),
        "moves": nullable(array(ref("Move"), "A plan for the turn, each move with its cost and chance; or none.")),
        "points_at": {"description": "Something on the board; or nothing.", **nullable(ref("Target"))},
        "says": nullable(extensible(SAYINGS, "One of the words that there are; `getRules` tells them.")),
        "text": text("In words, where `lang` asks for them."),
    }
    what = "What a seat shows the others; nothing any more, if all of it is null. It is no event, and not kept."
    return {
        "Signal": obj(signal, ("text",), what) | {OPT_IN: "kinds"},
        "SignalList": obj({"signals": array(ref("Signal"), "By seat.")}, what="What is shown at the moment."),
        **{camel("target", type_): _target(type_) for type_ in TARGETS},
    }


def target() -> Schema:
    """Return the union of what one may point at."""
    return union("target", list(TARGETS), "Something on the board.")


def _target(type_: str) -> Schema:
    return obj({"type": {"type": "string", "const": type_}} | _FIELDS[type_], what=_MEANS[type_])
