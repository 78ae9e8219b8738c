"""Describe events: a schema for each type, made from the engine's journal and from what happens around a game."""

from collections.abc import Callable
from typing import Any

from engine import wire
from engine.enums import DIE_SIDES, SEATS, Action
from engine.moves import hatch_name, room_name
from engine.rows import Row
from service.api.json_schema import Schema, array, enum, extensible, integer, nullable, obj, one_of, ref, text, truth
from service.contract.changes.schemas import OPT_IN
from service.contract.shapes.moves import union
from service.contract.shapes.words import SEAT, TIME, camel, names
from service.games.events import LATER
from service.words.meanings import MEANINGS

_MEANS = MEANINGS["en"]["event_type"]
_DETAILS = {  # what only a client's maker must know
    "choice": "`automatic`: there was nothing to choose. A secret `move` is left out.",
    "item_drawn": "Where hands are secret, `item` is left out for others.",
    "item_given": "Where hands are secret, `item` is left out for others.",
    "minutes_spent": "`ghost` is how many are left if the gnome stops here.",
}
_DECODED: dict[Callable[[int], Any], Schema] = {
    room_name: ref("Room"),
    hatch_name: ref("Hatch"),
    bool: truth(),
    wire.number: integer(),
    wire.move: ref("Move"),
    wire.face: ref("EventCard"),
}
_AROUND_EVENTS = {
    "state": "StreamState",
    "game_deleted": "StreamDeleted",
    "token_revoked": "StreamRevoked",
    "reconnect": "StreamReconnect",
    "signal": "Signal",
}
_IN_WORDS = {"text": text("In words, where `lang` asks for them.")}
_SEATS = ("seat", "target", "attacker")
_MAY_BE_MISSING = {
    "item_drawn": ("item",),
    "item_given": ("item",),
    "choice": ("move",),
    "die_rolled": ("needed",),
    "player_joined": ("invitation_id", "bots"),
}


def _meaning(type_: str) -> str:
    return " ".join(filter(None, (_MEANS[type_], _DETAILS.get(type_))))


def _decoded(name: str, decode: Callable[[int], Any]) -> Schema:
    if decode in _DECODED:
        return SEAT if name in _SEATS else _DECODED[decode]
    return enum(sorted(set(decode.__self__.values())))  # type: ignore[attr-defined]


def _of_the_engine() -> dict[str, dict[str, Schema]]:
    facts: dict[str, dict[str, Schema]] = {
        Row(row).name.lower(): {name: _decoded(name, decode) for name, decode in decoders}
        for row, decoders in wire.FACTS.items()
    }
    facts["item_given"] |= {"from": SEAT, "to": SEAT}
    facts["die_rolled"] = {
        "seat": SEAT,
        "purpose": enum([*names(Action), "event_room", "newcomer_room"]),
        "value": integer(1, DIE_SIDES),
        "needed": integer(0, what="The roll succeeds at this number or below."),
    }
    facts["game_over"] = {"crew": enum(["rescued", "lost"]), "cause": ref("Cause")}
    return facts


def _around_the_game() -> dict[str, dict[str, Schema]]:
    return {
        "game_created": {},
        "player_joined": {
            "player_id": text("Their id."),
            "name": text("Their name."),
            "seats": array(SEAT),
            "invitation_id": text("The invitation that they joined by."),
            "bots": array(nullable(ref("BotName")), "The bots whose places they took, by seat: null for an open one."),
        },
        "invitation_made": {
            "invitation_id": text("Its id."),
            "seat": nullable(SEAT),
            "uses": integer(1, SEATS, "How many may join by it."),
        },
        "advice_changed": {"allowed": truth("Advice and odds are given from now on.")},
        "invitation_revoked": {"invitation_id": text("Its id.")},
        "player_left": {"player_id": text("Their id."), "seats": array(SEAT)},
        "game_started": {"seats": array(ref("SeatState"))},
        "bot_thinks": {"seat": SEAT, "bot": ref("BotName")},
        "client_data_changed": {
            "player_id": nullable(text("Whose it is; null for the host's, of the whole game.")),
            "client_data": ref("ClientData"),
        },
        "time_is_short": {"seat": SEAT, "seconds": integer(0, what="Left until a bot decides for them.")},
        "player_away": {"seat": SEAT},
        "player_back": {"seat": SEAT},
        "controller_changed": {"seat": SEAT, "kind": extensible(["player", "bot"]), "bot": nullable(ref("BotName"))},
    }


def _foreseen() -> dict[str, Schema]:
    """Return a schema for each type of event that a preview may tell of, and the union of them."""
    facts = _of_the_engine()
    shapes = {}
    for type_, properties in sorted(facts.items()):
        known = {name: shape for name, shape in properties.items() if name not in wire.UNFORESEEN.get(type_, ())}
        head = {"type": {"type": "string", "const": type_}}
        optional = (*_MAY_BE_MISSING.get(type_, ()), *wire.SOMETIMES_UNFORESEEN)
        shapes[camel("foreseen", type_)] = obj(head | known, tuple(name for name in optional if name in known))
    what = "An event as in the history, without number, version and time; what chance decides is left out."
    return shapes | {"ForeseenEvent": union("foreseen", sorted(facts), what)}


def events() -> dict[str, Schema]:
    """Return a schema for each type of event, the union of them, and the lines of a stream."""
    facts = _of_the_engine() | _around_the_game()
    shapes = {}
    for type_, properties in sorted(facts.items()):
        head = {
            "seq": integer(1, what="Its number in the game's history."),
            "version": integer(1, what="The version that it belongs to."),
            "at": TIME,
            "type": {"type": "string", "const": type_},
        }
        optional = (*_MAY_BE_MISSING.get(type_, ()), "text")
        shape = obj(head | properties | _IN_WORDS, optional, _meaning(type_))
        shapes[camel("event", type_)] = shape | ({OPT_IN: "kinds"} if type_.encode() in LATER else {})
    types = {type_: camel("event", type_) for type_ in sorted(facts)}
    return (
        shapes
        | _foreseen()
        | {"Event": union("event", list(types), "Something that happened.")}
        | {"StreamLine": one_of(types | _AROUND_EVENTS, "A line of a game's stream.")}
        | _lines()
    )


def _lines() -> dict[str, Schema]:
    """Return a schema for each type of line in a stream that is no event."""
    of_many = {
        "game_id": text("The game that it is about."),
        "seq": integer(0, what="To be sent as the game's `after` by whoever goes on behind this line."),
        "line": ref("StreamLine"),
    }
    return {
        "GamesLine": obj(of_many, what="A line of a stream of many games."),
        "StreamState": obj(
            {"type": {"type": "string", "const": "state"}, "seq": integer(0), "state": ref("Game")},
            what="The first line: the state, with the number of its latest event. It comes again, with another "
            "`epoch`, when the store may have lost what was told since.",
        ),
        "StreamDeleted": obj(
            {"type": {"type": "string", "const": "game_deleted"}}, what="The last line, when the host deletes the game."
        ),
        "StreamRevoked": obj(
            {"type": {"type": "string", "const": "token_revoked"}},
            what="The last line, when the token that opened the stream is renewed or revoked.",
        ),
        "StreamReconnect": obj(
            {"type": {"type": "string", "const": "reconnect"}, "after": integer(0)},
            what="The last line, when the service is to stop: open the stream again, with this `after`.",
        ),
    }
