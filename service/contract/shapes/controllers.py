"""Describe who may decide for a seat: a schema for each kind of controller."""

from service.api.json_schema import Schema, obj, ref
from service.contract.shapes.moves import union
from service.games.model import BOT, PLAYER


def controllers() -> dict[str, Schema]:
    """Return the schemas of all kinds, by name."""
    return {
        "ControllerBot": obj(_of_kind(BOT) | {"bot": ref("BotName")}, what="A bot, from now on."),
        "ControllerPlayer": obj(_of_kind(PLAYER), what="The seat's own player again."),
    }


def controller() -> Schema:
    """Return the union of them."""
    return union("controller", [BOT, PLAYER], "Who decides for the seat.", by="kind")


def _of_kind(kind: str) -> dict[str, Schema]:
    return {"kind": {"type": "string", "const": kind}}
