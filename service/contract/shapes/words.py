"""Describe the words that other schemas use, by the names in the engine's tables."""

from typing import Any

from bots.roster import ROSTER
from engine.board import HATCHES
from engine.cards import FACES
from engine.enums import LAST_ASKED, ROOMS, SEATS, Action, Cause, Event, Item, Phase
from engine.rules import CHALLENGES, EDITIONS, MIN_GNOMES
from service.api.json_schema import Schema, counts, enum, extensible, integer, number, obj, ref, text, truth
from service.games.model import VISIBILITIES


def names(kind: Any) -> list[str]:
    return [member.name.lower() for member in kind]


def camel(*parts: str) -> str:
    """Return the parts as one name: `Move`, `open_hatch` → `MoveOpenHatch`."""
    return "".join(word.capitalize() for part in parts for word in part.split("_"))


SEAT = ref("Seat")
TIME = text("In UTC.", format="date-time")


def named() -> dict[str, Schema]:
    """Return the schemas that all others use."""
    return {
        "Seat": integer(0, SEATS - 1, "A gnome's number, from 0."),
        "Room": {
            "description": "A room, 1 to 10, or `sea`: outside.",
            "oneOf": [ref("RoomNumber"), enum(["sea"])],
        },
        "RoomNumber": integer(1, ROOMS - 1, "A room on board."),
        "GnomeCount": integer(MIN_GNOMES, SEATS, "How many gnomes play."),
        "Hatch": enum(["-".join(map(str, hatch)) for hatch in HATCHES], "The hatch between two rooms."),
        "Item": enum(names(Item), "What a gnome may carry."),
        "ActionName": enum(names(Action), "What a gnome may do once a turn."),
        "Cause": enum(names(Cause)[1:], "Why the game ended."),
        "BotName": extensible(ROSTER, "An AI gnome; `listBots` tells how strong each is."),
        "Phase": enum(names(Phase)[: LAST_ASKED + 1], "What is being decided."),
        "EventName": enum(names(Event), "What an event card brings."),
        "EventCard": enum([face.name for face in FACES], "An event and its faint number, `-` for a dash."),
        "Rules": obj(
            {
                "gnomes": integer(MIN_GNOMES, SEATS),
                "players": integer(1, SEATS, "How many players share the gnomes."),
                "edition": enum(EDITIONS),
                "less_deadly_dying": truth(),
                "hidden_hands": truth(),
                "crazed_gnomes": truth(),
                "greater_challenge": enum(CHALLENGES),
            },
            what="The options that the game is played with.",
        ),
        "RulesVersion": integer(
            1,
            what="Raised with every correction of the rules: a game goes on under the latest, its replay names the one "
            "that it was begun under.",
        ),
        "Interval": obj(
            {"low": number(0, 1, "Where it begins."), "high": number(0, 1, "Where it ends.")},
            what="Where the true value lies: Wilson's, of 95 %.",
        ),
        "Visibility": extensible(list(VISIBILITIES), "`private`: not there for whoever has no token of it."),
        "ItemCounts": counts(names(Item), "Items by name, and how many of each."),
        "EventCardCounts": counts([face.name for face in FACES], "Event cards, and how many of each."),
    }
