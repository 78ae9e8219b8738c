"""Describe where a gnome can get to, and what can be done there."""

from engine.enums import MAX_MINUTES
from service.api.json_schema import Schema, array, integer, obj, ref, truth
from service.contract.shapes.answers import triggers
from service.contract.shapes.words import SEAT

_GHOST = integer(0, MAX_MINUTES, "Minutes left then.")


def reach() -> dict[str, Schema]:
    """Return the schemas of a seat's reach, by name."""
    whole = {
        "version": integer(1, what="The game's version."),
        "seat": SEAT,
        "rooms": array(ref("ReachedRoom"), "In the order of their numbers, the sea first; the gnome's own among them."),
    }
    way = {
        "items": array(ref("Item"), "The items that it spends; each is among the moves."),
        "moves": array(ref("Move"), "What leads there, to be sent as it is; none where the gnome is already."),
        "minutes": integer(0, MAX_MINUTES, "What it takes."),
        "ghost": _GHOST,
        "ends_turn": truth("It takes the last minute, or is an escape: there is no action after it."),
        "certain": array(ref("ForeseenEvent"), "What happens on the way: water pours, fires go out, minutes pass."),
        "triggers": triggers(),
        "actions": array(ref("ReachedAction"), "What may be done there then."),
    }
    action = {
        "action": ref("ActionName"),
        "options": array(ref("ActionOption"), "Its legal moves: by minutes or cards."),
        "helps": array(ref("ActionHelp"), "Items in hand that would help. Use them before it."),
    }
    help_ = {
        "item": ref("Item"),
        "held": integer(1, what="How many copies are in hand."),
        "bonus": integer(
            1, what="Minutes that each copy is worth: it adds a tenth for each to a chance that is not 0, up to 1."
        ),
    }
    return {
        "Reach": obj(whole, what="Where a seat can get to in this turn."),
        "ReachedRoom": obj(
            {
                "room": ref("Room"),
                "ways": array(
                    ref("Way"),
                    "Quickest first: one that spends nothing, and each that an item makes quicker, or possible.",
                ),
            },
            what="A room within reach.",
        ),
        "Way": obj(way, what="Moves that lead into a room for certain."),
        "ReachedAction": obj(action, what="An action that may be taken there."),
        "ActionOption": obj(
            {"move": ref("Move"), "ghost": _GHOST, "triggers": triggers()},
            what="One of its moves, with its cost and chance, and what the turn meets that ends with it.",
        ),
        "ActionHelp": obj(help_, what="An item that makes an action more likely to succeed."),
    }
