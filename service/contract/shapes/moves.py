"""Describe moves: a schema for each type, made from the engine's list of all moves."""

from typing import Any

from engine.enums import MAX_MINUTES
from engine.moves import WIRE
from service.api.json_schema import Schema, integer, number, obj, one_of, ref, text
from service.contract.shapes.words import SEAT, camel

_MEANS = {
    "open_hatch": "Open the hatch to a room next door, or to the sea; what is behind it is then known.",
    "enter": "Go through the hatch that was opened.",
    "stay": "Don't go through the hatch that was opened.",
    "use_item": "Use an item from the hand.",
    "draw_items": "Take the action of drawing items, so many cards.",
    "trade_items": "Take the action of trading items with a gnome in the room.",
    "give_item": "In a trade, hand over an item.",
    "no_action": "Do without an action.",
    "abandon_comrades": "Leave the boat and the others for good.",
    "attack_gnome": "Attack a gnome in the room, to take his life.",
    "defend": "Answer an attack with a crowbar.",
    "spread_fire": "Choose the room that the fire spreads to.",
    "block_hatch": "Choose the hatch that gets blocked.",
    "discard_item": "Put an item away, with more of them in the hand than may be.",
    "done": "Nothing more of what is being decided: the trade, the defence, or the turn.",
    "extinguish_fire": "Try to put out the fire in the room.",
    "pump_water": "Try to pump water out of the room.",
    "fix_engine": "Try to repair the engine.",
    "fix_oxygen_pumps": "Try to repair the oxygen pumps.",
    "fix_reactor": "Try to repair the reactor.",
    "stop_missile_launch": "Try to stop the missiles.",
    "kill_kraken": "Try to kill the kraken.",
    "unblock_hatch": "Try to free a blocked hatch of the room.",
}
_FIELDS = {
    "to": ref("Room"),
    "hatch": ref("Hatch"),
    "item": ref("Item"),
    "with": SEAT,
    "seat": SEAT,
    "room": ref("Room"),
}
_TOLD = {
    "cost": integer(0, MAX_MINUTES, "Minutes that it takes. Told by us; may be sent back, and is ignored."),
    "chance": number(0, 1, "Of success, where a die decides. Likewise."),
    "text": text("In words, where `lang` asks for them. Likewise.", maxLength=500),
}


def moves() -> dict[str, Schema]:
    """Return a schema for each type of move, and the union of them."""
    fields: dict[str, dict[str, list[Any]]] = {}
    for move in WIRE:
        values = fields.setdefault(move["type"], {})
        for name, value in move.items():
            if value not in values.setdefault(name, []):
                values[name].append(value)
    shapes: dict[str, Schema] = {}
    for type_, values in fields.items():
        own = {name: _field(name, found) for name, found in values.items() if name != "type"}
        head = {"type": {"type": "string", "const": type_}}
        shapes[camel("move", type_)] = obj(head | own | _TOLD, tuple(_TOLD), _MEANS[type_])
    return shapes | {"Move": union("move", list(fields), "One thing that a gnome decides.")}


def union(prefix: str, types: list[str], what: str, by: str = "type") -> Schema:
    """Return the union of schemas that one field tells apart."""
    return one_of({type_: camel(prefix, type_) for type_ in types}, what, by)


def _field(name: str, values: list[Any]) -> Schema:
    return _FIELDS.get(name) or integer(min(values), max(values))
