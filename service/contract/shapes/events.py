"""Describe events: a schema for each type, made from the engine's journal and from what happens around a game."""

from collections.abc import Callable
from typing import Any

from engine import wire
from engine.enums import DIE_SIDES, Action
from engine.moves import hatch_name, room_name
from engine.rows import Row
from service.api.json_schema import Schema, array, enum, extensible, integer, nullable, obj, ref, text, truth
from service.contract.shapes.moves import union
from service.contract.shapes.words import SEAT, TIME, camel, names

_MEANS = {
    "action_failed": "The die was above what was needed, or it was too late for it to help.",
    "action_succeeded": "An action did what it was meant to do.",
    "attack_answered": "Whoever was attacked strikes back.",
    "attack_declared": "A gnome attacks another.",
    "card_removed": "An event card left the game for good.",
    "choice": "Somebody decided. `automatic`: there was nothing to choose. A secret `move` is left out.",
    "client_data_changed": "What clients keep with the game changed, or with a player.",
    "controller_changed": "A seat was handed to a bot, or back to its player.",
    "deck_reshuffled": "A deck was empty, and its discards became the deck.",
    "die_rolled": "What a die showed, and what for.",
    "event_drawn": "An event card came, for the icon at that minute.",
    "faint_checked": "A card was turned to see whether a gnome who drank keeps standing.",
    "fire_started": "A room caught fire.",
    "fire_went_out": "A room burns no more.",
    "game_created": "The game's first event.",
    "game_over": "The game's last event.",
    "game_started": "The host started the game; from now on there is something to decide.",
    "bot_thinks": "A bot is at it: his moves follow.",
    "gnome_abandoned": "A gnome left the boat and his comrades for good.",
    "gnome_died": "A gnome died, of what and where.",
    "gnome_fainted": "A gnome fainted, which costs him minutes.",
    "gnome_moved": "A gnome went through a hatch.",
    "gnome_replaced": "A newcomer took a dead gnome's place.",
    "gnome_woke": "A gnome who had fainted is himself again.",
    "grog_drunk": "An event made a gnome drink.",
    "hatch_blocked": "A hatch can't be opened until somebody frees it.",
    "hatch_opened": "A hatch was opened.",
    "hatch_unblocked": "A hatch can be opened again.",
    "icon_ignored": "A lucky charm kept an event away.",
    "item_drawn": "A gnome got an item. Where hands are secret, `item` is left out for others.",
    "item_given": "An item went from one gnome to another. Where hands are secret, `item` is left out for others.",
    "item_used": "A gnome used an item.",
    "items_discarded": "Items were lost without being used.",
    "minutes_spent": "The active gnome spent minutes; `ghost` is how many he has left if he stops here.",
    "nothing_happened": "An event found nothing to do.",
    "player_away": "A player's time was up: a bot decides for him until he moves again.",
    "player_back": "A player who was away moves again.",
    "player_joined": "A player took seats.",
    "player_left": "A player gave his seats up.",
    "room_flooded": "A room filled with high water.",
    "storm_began": "So many events come before the first turn.",
    "time_keeper_moved": "A turn ended: that is where its gnome's time stands now.",
    "time_is_short": "A reminder: a player's time is running out.",
    "token_placed": "A destruction token lies at a minute: whoever gets there first ends the game.",
    "token_removed": "A destruction token was taken away.",
    "track_advanced": "A disaster track went on.",
    "track_reset": "A disaster track went back.",
    "turn_began": "A gnome's turn began.",
    "water_pumped": "There is less water in a room.",
    "water_reflowed": "Water flowed through an opened hatch.",
}
_DECODED: dict[Callable[[int], Any], Schema] = {
    room_name: ref("Room"),
    hatch_name: ref("Hatch"),
    bool: truth(),
    wire.number: integer(),
    wire.move: ref("Move"),
    wire.face: ref("EventCard"),
}
_IN_WORDS = {"text": text("In words, where `lang` asks for them.")}
_SEATS = ("seat", "target", "attacker")
_MAY_BE_MISSING = {"item_drawn": ("item",), "item_given": ("item",), "choice": ("move",), "die_rolled": ("needed",)}


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
        "player_joined": {"player_id": text("His id."), "name": text("His name."), "seats": array(SEAT)},
        "player_left": {"player_id": text("His id."), "seats": array(SEAT)},
        "game_started": {"seats": array(ref("SeatState"))},
        "bot_thinks": {"seat": SEAT, "bot": ref("BotName")},
        "client_data_changed": {
            "player_id": nullable(text("Whose it is; null for the host's, of the whole game.")),
            "client_data": ref("ClientData"),
        },
        "time_is_short": {"seat": SEAT, "seconds": integer(0, what="Left until a bot decides for him.")},
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
        shapes[camel("event", type_)] = obj(head | properties | _IN_WORDS, optional, _MEANS[type_])
    return (
        shapes
        | _foreseen()
        | {
            "Event": union("event", sorted(facts), "Something that happened."),
            "StreamLine": {
                "description": "A line of a stream.",
                "anyOf": [
                    ref("Event"),
                    ref("StreamState"),
                    ref("StreamDeleted"),
                    ref("StreamRevoked"),
                    ref("StreamReconnect"),
                ],
            },
            "StreamState": obj(
                {"type": {"type": "string", "const": "state"}, "seq": integer(0), "state": ref("Game")},
                what="The first line: the state, with the number of its latest event. It comes again, with another "
                "`epoch`, when the store may have lost what was told since.",
            ),
            "StreamDeleted": obj(
                {"type": {"type": "string", "const": "game_deleted"}},
                what="The last line, when the host deletes the game.",
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
    )
