"""What shapes are made of: small JSON Schemas, and the names that the engine's tables give."""

from collections.abc import Mapping
from typing import Any

from bots.roster import ROSTER
from engine.board import HATCHES
from engine.cards import FACES
from engine.kinds import ROOMS, SEATS, Action, Cause, Event, Item, Phase
from engine.rules import CHALLENGES, EDITIONS, MIN_GNOMES

Schema = dict[str, Any]


def ref(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}


def names(kind: Any) -> list[str]:
    return [member.name.lower() for member in kind]


def camel(*parts: str) -> str:
    """`Move`, `open_hatch` → `MoveOpenHatch`."""
    return "".join(word.capitalize() for part in parts for word in part.split("_"))


def obj(properties: Mapping[str, Schema], optional: tuple[str, ...] = (), what: str = "") -> Schema:
    """An object with all of these properties, but for the optional ones, and no others."""
    required = [name for name in properties if name not in optional]
    schema: Schema = {"type": "object", "description": what} if what else {"type": "object"}
    schema |= {"properties": dict(properties), "additionalProperties": False}
    return schema | ({"required": required} if required else {})


def array(items: Schema, what: str = "") -> Schema:
    return {"type": "array", "items": items} | ({"description": what} if what else {})


def nullable(schema: Schema) -> Schema:
    if "$ref" in schema or "enum" in schema:
        return {"oneOf": [schema, {"type": "null"}]}
    return schema | {"type": [schema["type"], "null"]}


def integer(low: int | None = None, high: int | None = None, what: str = "") -> Schema:
    schema: Schema = {"type": "integer"}
    if low is not None:
        schema["minimum"] = low
    if high is not None:
        schema["maximum"] = high
    return schema | ({"description": what} if what else {})


def number(low: float, high: float, what: str) -> Schema:
    return {"type": "number", "minimum": low, "maximum": high, "description": what}


def enum(values: list[str], what: str = "") -> Schema:
    return {"type": "string", "enum": values} | ({"description": what} if what else {})


def counts(keys: list[str], what: str) -> Schema:
    """Copies by name; those without any are left out."""
    return {
        "type": "object",
        "description": what,
        "propertyNames": {"enum": keys},
        "additionalProperties": integer(1),
    }


def text(what: str, **more: Any) -> Schema:
    return {"type": "string", "description": what, **more}


def truth(what: str = "") -> Schema:
    return {"type": "boolean"} | ({"description": what} if what else {})


def digits(how_many: int, what: str) -> Schema:
    return text(what, pattern=f"^[0-9a-fA-F]{{{how_many}}}$")


SEAT = ref("Seat")
TIME = text("In UTC.", format="date-time")


def named() -> dict[str, Schema]:
    """The words that all other shapes use."""
    return {
        "Seat": integer(0, SEATS - 1, "A gnome's number, from 0."),
        "Room": {
            "description": "A room, 1 to 10, or `sea`: outside.",
            "oneOf": [integer(1, ROOMS - 1), enum(["sea"])],
        },
        "Hatch": enum(["-".join(map(str, hatch)) for hatch in HATCHES], "The hatch between two rooms."),
        "Item": enum(names(Item), "What a gnome may carry."),
        "ActionName": enum(names(Action), "What a gnome may do once a turn."),
        "Cause": enum(names(Cause)[1:], "Why the game ended."),
        "BotName": enum(list(ROSTER), "An AI gnome; `listBots` tells how strong each is."),
        "Phase": enum(names(Phase)[: Phase.OVER + 1], "What is being decided."),
        "EventName": enum(names(Event), "What an event card brings."),
        "EventCard": enum([face.name for face in FACES], "An event and its faint number, `-` for a dash."),
        "Rules": obj(
            {
                "gnomes": integer(MIN_GNOMES, SEATS),
                "players": integer(1, SEATS, "How many players share the gnomes."),
                "edition": enum(EDITIONS),
                "less_deadly_dying": truth(),
                "crazed_gnomes": truth(),
                "greater_challenge": enum(CHALLENGES),
            },
            what="The options that the game is played with.",
        ),
        "ItemCounts": counts(names(Item), "Items by name, and how many of each."),
        "EventCardCounts": counts([face.name for face in FACES], "Event cards, and how many of each."),
        "HiddenCards": obj(
            {"hidden": integer(0, what="How many there are; which is a secret.")}, what="Cards that you may not see."
        ),
    }
