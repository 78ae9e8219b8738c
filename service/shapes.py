"""The shapes that go out, as JSON Schemas made from the engine's own tables: moves, events, the state.

Answers on hot paths go from dicts straight to bytes; the contract tests hold them against these.
"""

from collections.abc import Callable, Mapping
from typing import Any

from bots.roster import ROSTER
from engine import wire
from engine.board import HATCHES
from engine.cards import FACES, SCRIPT_FACES
from engine.journal import Row
from engine.kinds import (
    MAX_INTOXICATION,
    MAX_MINUTES,
    ROOMS,
    SEATS,
    TRACK_END,
    Action,
    Cause,
    Condition,
    Item,
    Phase,
    Purpose,
    Token,
    Track,
    Water,
)
from engine.moves import WIRE, hatch_name, room_name
from engine.rules import CHALLENGES, EDITIONS, MIN_GNOMES
from service.errors import CODES

Schema = dict[str, Any]


def ref(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}


def names(kind: Any) -> list[str]:
    return [member.name.lower() for member in kind]


def obj(properties: Mapping[str, Schema], optional: tuple[str, ...] = (), **more: Any) -> Schema:
    """An object with all of these properties, but for the optional ones, and no others."""
    required = [name for name in properties if name not in optional]
    closed: Schema = {"type": "object", "properties": dict(properties), "additionalProperties": False}
    return closed | ({"required": required} if required else {}) | more


def array(items: Schema, **more: Any) -> Schema:
    return {"type": "array", "items": items, **more}


def nullable(schema: Schema) -> Schema:
    if "$ref" in schema:
        return {"oneOf": [schema, {"type": "null"}]}
    return schema | {"type": [schema["type"], "null"]}


def integer(low: int | None = None, high: int | None = None, what: str = "") -> Schema:
    schema: Schema = {"type": "integer"}
    if low is not None:
        schema["minimum"] = low
    if high is not None:
        schema["maximum"] = high
    return schema | ({"description": what} if what else {})


def enum(values: list[str], what: str = "") -> Schema:
    return {"type": "string", "enum": values} | ({"description": what} if what else {})


def counts(keys: list[str], what: str) -> Schema:
    """Copies by name; those without any are left out."""
    return {
        "type": "object",
        "propertyNames": {"enum": keys},
        "additionalProperties": integer(1),
        "description": what,
    }


def text(what: str, **more: Any) -> Schema:
    return {"type": "string", "description": what, **more}


TRUTH: Schema = {"type": "boolean"}
SEAT = ref("Seat")
TIME = {"type": "string", "format": "date-time"}
HIDDEN = obj({"hidden": integer(0, what="how many there are; which is a secret")})

_NAMED: dict[str, Schema] = {
    "Seat": integer(0, SEATS - 1, "A gnome's number, from 0."),
    "Room": {
        "description": "A room, 1 to 10, or `sea`: outside.",
        "oneOf": [integer(1, ROOMS - 1), {"type": "string", "const": "sea"}],
    },
    "Hatch": enum(["-".join(map(str, hatch)) for hatch in HATCHES], "The hatch between two rooms."),
    "Item": enum(names(Item)),
    "ActionName": enum(names(Action)),
    "Cause": enum(names(Cause)[1:], "Why the game ended."),
    "BotName": enum(list(ROSTER)),
    "Phase": enum(names(Phase)[: Phase.OVER + 1], "What is being decided."),
    "EventCard": enum([face.name for face in FACES], "An event and its faint number, `-` for a dash."),
    "Rules": obj(
        {
            "gnomes": integer(MIN_GNOMES, SEATS),
            "players": integer(1, SEATS),
            "edition": enum(EDITIONS),
            "less_deadly_dying": TRUTH,
            "crazed_gnomes": TRUTH,
            "greater_challenge": enum(CHALLENGES),
        }
    ),
}


def moves() -> dict[str, Schema]:
    """A schema for each type of move, and the move that is one of them."""
    shapes: dict[str, Schema] = {}
    fields: dict[str, dict[str, list[Any]]] = {}
    for move in WIRE:
        values = fields.setdefault(move["type"], {})
        for name, value in move.items():
            if value not in values.setdefault(name, []):
                values[name].append(value)
    for type_, values in fields.items():
        properties: dict[str, Schema] = {"type": {"type": "string", "const": type_}}
        properties |= {name: _move_field(name, found) for name, found in values.items() if name != "type"}
        properties["cost"] = integer(0, MAX_MINUTES, "Minutes it takes. Told by us; may be sent back, and is ignored.")
        properties["chance"] = {"type": "number", "minimum": 0, "maximum": 1, "description": "Of success. Likewise."}
        shapes[f"Move_{type_}"] = obj(properties, ("cost", "chance"), title=f"Move_{type_}")
    return shapes | {"Move": union("Move_", fields)}


def union(prefix: str, types: Any) -> Schema:
    return {
        "oneOf": [ref(prefix + type_) for type_ in types],
        "discriminator": {
            "propertyName": "type",
            "mapping": {type_: f"#/components/schemas/{prefix}{type_}" for type_ in types},
        },
    }


def _move_field(name: str, values: list[Any]) -> Schema:
    shapes = {
        "to": ref("Room"),
        "hatch": ref("Hatch"),
        "item": ref("Item"),
        "with": SEAT,
        "seat": SEAT,
        "room": ref("Room"),
    }
    return shapes.get(name) or integer(min(values), max(values))


_DECODED: dict[Callable[[int], Any], Schema] = {
    room_name: ref("Room"),
    hatch_name: ref("Hatch"),
    bool: TRUTH,
    wire.number: {"type": "integer"},
    wire.move: ref("Move"),
    wire.face: ref("EventCard"),
}
_MAY_BE_HIDDEN = {"item_drawn": ("item",), "item_given": ("item",), "choice": ("move",)}


def _decoded(name: str, decode: Callable[[int], Any]) -> Schema:
    if decode in _DECODED:
        return SEAT if name in ("seat", "target", "attacker") else _DECODED[decode]
    return enum(sorted(set(decode.__self__.values())))  # type: ignore[attr-defined]


def events() -> dict[str, Schema]:
    """A schema for each type of event, and the event that is one of them."""
    facts: dict[str, dict[str, Schema]] = {
        Row(row).name.lower(): {name: _decoded(name, decode) for name, decode in decoders}
        for row, decoders in wire.FACTS.items()
    }
    facts["item_given"] |= {"from": SEAT, "to": SEAT}
    facts["die_rolled"] = {
        "seat": SEAT,
        "purpose": enum([*names(Action), "event_room", "newcomer_room"]),
        "value": integer(1, 10),
        "needed": integer(1, what="The roll succeeds at this number or below."),
    }
    facts["game_over"] = {"crew": enum(["rescued", "lost"]), "cause": ref("Cause")}
    facts |= {
        "game_created": {},
        "player_joined": {"player": text("his id"), "name": text("his name"), "seats": array(SEAT)},
        "player_left": {"player": text("his id"), "seats": array(SEAT)},
        "game_started": {"seats": array(ref("SeatState"))},
        "controller_changed": {
            "seat": SEAT,
            "kind": enum(["player", "bot"]),
            "bot": nullable(ref("BotName")),
        },
    }
    shapes = {}
    for type_, properties in sorted(facts.items()):
        head = {"seq": integer(1), "version": integer(1), "at": TIME, "type": {"type": "string", "const": type_}}
        optional = _MAY_BE_HIDDEN.get(type_, ()) + (("needed",) if type_ == "die_rolled" else ())
        shapes[f"Event_{type_}"] = obj(head | properties, optional, title=f"Event_{type_}")
    return shapes | {"Event": union("Event_", sorted(facts))}


def state() -> dict[str, Schema]:
    hand = {"oneOf": [counts(names(Item), "Items held, by name."), HIDDEN]}
    gnome = obj(
        {
            "minutes": integer(0, MAX_MINUTES, "Where the Time Keeper stands."),
            "stack": integer(0, what="The higher of one space is on top, and goes first."),
            "room": ref("Room"),
            "state": enum(names(Condition)),
            "intoxication": integer(0, MAX_INTOXICATION),
            "items": hand,
            "drew_items_in": nullable(integer(what="Where he may not draw items again yet.")),
        }
    )
    room = obj({"water": enum(names(Water)), "fire": TRUTH})
    pending = obj(
        {
            "open_hatch_to": ref("Room"),
            "partner": SEAT,
            "room": ref("Room"),
            "hand_limit": integer(),
            "storm_left": integer(),
            "icons_ignored": integer(),
            "began_at_sea": TRUTH,
        },
        ("open_hatch_to", "partner", "room", "hand_limit", "storm_left", "icons_ignored", "began_at_sea"),
        description="What belongs to the middle of a turn.",
    )
    result = obj({"crew": enum(["rescued", "lost"]), "cause": ref("Cause"), "seats": array(enum(["won", "lost"]))})
    seat = obj(
        {
            "seat": SEAT,
            "kind": enum(["open", "player", "bot"], "Who decides for it."),
            "bot": nullable(ref("BotName")),
            "player": nullable(text("Whose seat it is, also while a bot plays it.")),
        }
    )
    player = obj({"id": text("his id in this game"), "name": text("his name"), "seats": array(SEAT)})
    dice = obj(
        {
            "salt": text("hex"),
            "hash": text("The SHA-256 of salt and seed, as bytes, in hex: what binds us to the seed from the start."),
            "seed": nullable(text("hex; told when the game is over")),
        }
    )
    you = obj({"host": TRUTH, "player": nullable(text("your id")), "seats": array(SEAT)})
    decision = obj({"seat": SEAT, "kind": ref("Phase")})
    fork = obj({"game": text("id"), "version": integer(1)})
    deck = {"oneOf": [counts(names(Item), "What is left."), HIDDEN]}
    whole = obj(
        {
            "id": text("The game's id."),
            "version": integer(1, what="Counts every change, moves and others."),
            "seq": integer(0, what="The number of the latest event: follow the game from here."),
            "name": text("Chosen by the host."),
            "status": enum(["waiting", "playing", "finished"]),
            "private": TRUTH,
            "sandbox": TRUTH | {"description": "Made with a seed, a position or as a fork: its dice prove nothing."},
            "turn_seconds": nullable(integer(1)),
            "created_at": TIME,
            "changed_at": TIME,
            "seats": array(ref("SeatState")),
            "players": array(ref("Player")),
            "forked_from": nullable(ref("ForkedFrom")),
            "dice": ref("Dice"),
            "you": ref("You"),
            "rules": ref("Rules"),
            "turn": integer(0, what="Turns begun so far."),
            "gnomes": array(ref("Gnome"), description="By seat."),
            "rooms": {
                "type": "object",
                "propertyNames": {"enum": [str(number) for number in range(1, ROOMS)]},
                "additionalProperties": ref("RoomState"),
            },
            "blocked_hatches": array(ref("Hatch")),
            "tracks": obj({name: integer(1, TRACK_END) for name in names(Track)}),
            "destruction": {
                "type": "object",
                "propertyNames": {"enum": names(Token)},
                "additionalProperties": integer(0, MAX_MINUTES),
                "description": "Destruction tokens by the minute at which they end the game.",
            },
            "captains_grog": integer(0),
            "item_deck": deck,
            "item_discard": counts(names(Item), "Items out of the game until the deck is empty."),
            "event_deck": counts([face.name for face in FACES], "Cards that may yet come, in no order."),
            "event_discard": counts([face.name for face in FACES], "Cards that came."),
            "active": SEAT | {},
            "ghost": integer(0, MAX_MINUTES, "Minutes left if the turn ended now."),
            "phase": ref("Phase"),
            "used_items": counts(names(Item), "Used this turn."),
            "pending": ref("Pending"),
            "moves_played": integer(0),
            "decision": nullable(ref("Decision")),
            "legal_moves": array(
                ref("Move"), description="Yours to choose from, if you must decide; send one back as it is."
            ),
            "result": nullable(ref("Result")),
        }
    )
    return {
        "State": whole, "Gnome": gnome, "RoomState": room, "Pending": pending, "Result": result, "SeatState": seat,
        "Player": player, "Dice": dice, "You": you, "Decision": decision, "ForkedFrom": fork,
    }  # fmt: skip


def position() -> Schema:
    """What may be forced. The engine checks it, field by field."""
    hand = {"type": "object", "propertyNames": {"enum": names(Item)}, "additionalProperties": integer(0)}
    gnome = {
        "type": "object",
        "properties": {
            "minutes": integer(0, MAX_MINUTES),
            "stack": integer(0),
            "room": ref("Room"),
            "state": enum(names(Condition)),
            "intoxication": integer(0, MAX_INTOXICATION),
            "items": hand,
            "drew_items_in": nullable(integer()),
        },
    }
    cards = {"type": "object", "additionalProperties": integer(0)}
    return {
        "type": "object",
        "description": "Any situation. What is left out takes the value it has at the start of a game.",
        "properties": {
            "rules": {"type": "object"},
            "gnomes": array(gnome),
            "rooms": {"type": "object"},
            "blocked_hatches": array(ref("Hatch")),
            "tracks": {"type": "object", "additionalProperties": integer(1, TRACK_END)},
            "destruction": {"type": "object", "additionalProperties": integer(0, MAX_MINUTES)},
            "captains_grog": integer(0),
            "item_deck": cards, "item_discard": cards, "event_deck": cards, "event_discard": cards,
            "active": SEAT, "ghost": integer(0, MAX_MINUTES), "phase": ref("Phase"),
            "used_items": hand, "pending": {"type": "object"}, "seed": text("64 hex digits"),
            "rolls": {"type": "object", "propertyNames": {"enum": names(Purpose)}, "additionalProperties": integer(0)},
            "script": {
                "type": "object",
                "properties": {
                    "dice": array(integer(1, 10)),
                    "events": array(enum(SCRIPT_FACES)),
                    "items": array(ref("Item")),
                },
                "description": "The next outcomes, in order, whatever they are for.",
            },
        },
    }  # fmt: skip


def problem() -> Schema:
    return obj(
        {
            "type": text("A page about this kind of problem.", format="uri-reference"),
            "title": text("The kind, in words."),
            "status": integer(400, 599),
            "detail": text("What it was this time."),
            "instance": text("The path that was asked for."),
            "code": enum(list(CODES), "The kind, to branch on."),
            "errors": array(
                obj(
                    {
                        "pointer": text("JSON Pointer to a field of the body."),
                        "parameter": text("Name of a query parameter."),
                        "detail": text("The reason."),
                    },
                    ("pointer", "parameter"),
                )
            ),
            "version": integer(what="The game's version, where it matters."),
            "legal_moves": array(ref("Move"), description="After an illegal move: what was legal."),
            "decision": obj({"seat": SEAT}),
            "open_seats": array(SEAT),
        },
        ("version", "legal_moves", "decision", "open_seats"),
    )


def answers() -> dict[str, Schema]:
    """What operations answer with, other than a state."""
    token = text("Shown once: `Authorization: Bearer` it.")
    strength = obj(
        {
            "gnomes": integer(MIN_GNOMES, SEATS),
            "games": integer(1),
            "rescued": {"type": "number"},
            "low": {"type": "number"},
            "high": {"type": "number"},
            "deaths": {"type": "number", "description": "A game."},
        },
        description="Of a crew of nobody else; the interval is Wilson's, of 95 %.",
    )
    preview = {
        "type": "object",
        "required": ["move", "cost", "certain", "ghost", "triggers"],
        "properties": {
            "move": ref("Move"),
            "cost": integer(0),
            "chance": {"type": "number"},
            "certain": array({"type": "object"}, description="Events that follow for certain."),
            "if_success": array({"type": "object"}),
            "if_failure": array({"type": "object"}),
            "ghost": integer(what="Minutes left after it."),
            "triggers": obj({name: array(integer()) for name in ("events", "items", "ignored")}),
        },
    }
    card = obj(
        {
            "id": text("The game's id."),
            "name": text("Chosen by the host."),
            "status": enum(["waiting", "playing", "finished"]),
            "created_at": TIME,
            "sandbox": TRUTH,
            "turn_seconds": nullable(integer(1)),
            "rules": ref("Rules"),
            "seats": array(ref("SeatState")),
            "players": array(ref("Player")),
            "open_seats": integer(0),
            "result": nullable(ref("Result")),
        }
    )
    return {
        "CreatedGame": obj({"token": token, "id": text("The game's id."), "state": ref("State")}),
        "JoinedGame": obj(
            {"token": token, "player": text("Your id."), "seats": array(SEAT), "state": ref("State")}
        ),
        "GameCard": card,
        "GameList": obj({"games": array(ref("GameCard")), "next": nullable(text("The next page's `cursor`."))}),
        "LegalMoves": obj(
            {"version": integer(1), "decision": nullable(ref("Decision")), "legal_moves": array(ref("Move"))}
        ),
        "PlayedMoves": obj(
            {"version": integer(1), "seq": integer(0), "events": array(ref("Event")), "state": ref("State")}, ("state",)
        ),
        "Previews": obj({"version": integer(1), "previews": array(ref("Preview")), "complete": TRUTH}),
        "Preview": preview,
        "Events": obj(
            {"events": array(ref("Event")), "next": integer(0, what="`after` for what follows."), "more": TRUTH}
        ),
        "Replay": obj(
            {
                "game": text("id"),
                "engine": obj({"version": text("release"), "layout": integer()}),
                "rules": ref("Rules"),
                "seed": text("hex"),
                "salt": text("hex"),
                "hash": text("hex"),
                "sandbox": TRUTH,
                "position": nullable({"type": "object", "description": "Where it began, unless its seed tells."}),
                "moves": array(ref("Move")),
                "result": ref("Result"),
            }
        ),
        "Bot": obj(
            {
                "name": ref("BotName"),
                "level": integer(0),
                "description": text("How he plays."),
                "playouts": integer(0, what="A decision."),
                "strength": array(ref("Strength")),
            }
        ),
        "Strength": strength,
        "BotList": obj({"bots": array(ref("Bot"))}),
        "Catalogue": catalogue(),
        "StreamLine": {"anyOf": [ref("Event"), ref("StreamState"), ref("StreamDeleted")]},
        "StreamState": obj({"type": {"type": "string", "const": "state"}, "seq": integer(0), "state": ref("State")}),
        "StreamDeleted": obj({"type": {"type": "string", "const": "game_deleted"}}),
    }  # fmt: skip


def catalogue() -> Schema:
    room = obj(
        {
            "room": integer(1, ROOMS - 1),
            "name": nullable(text("Some rooms have none.")),
            "x": integer(what="Where to draw it: towards the bow."),
            "y": integer(what="Likewise, downwards."),
            "exterior_hatch": TRUTH,
            "neighbours": array(integer(1, ROOMS - 1)),
        }
    )
    token_ahead = obj({"token": enum(names(Token)), "minutes_ahead": integer(0)})
    card = obj(
        {
            "card": ref("EventCard"),
            "event": text("Its name."),
            "faint": nullable(integer(1)),
            "copies": integer(1),
            "token": nullable(token_ahead),
        }
    )
    bonuses = {"type": "object", "propertyNames": {"enum": names(Action)}, "additionalProperties": integer(1)}
    action = obj(
        {
            "action": ref("ActionName"),
            "fix_it": TRUTH | {"description": "A die decides: it succeeds at minutes and bonuses or below."},
            "room": nullable(ref("Room")),
            "track": nullable(enum(names(Track))),
            "token": nullable(enum(names(Token))),
        }
    )
    time_track = obj(
        {
            "start": {"type": "object", "additionalProperties": integer(1), "description": "Minutes by gnomes."},
            "longest": integer(),
            "events": array(integer(), description="Minutes with an event icon."),
            "items": array(integer(), description="Minutes with an item icon."),
        }
    )
    return obj(
        {
            "rooms": array(room),
            "hatches": array(obj({"hatch": ref("Hatch"), "rooms": array(integer(1, ROOMS - 1))})),
            "tracks": array(obj({"track": enum(names(Track)), "end": integer(), "reset": integer()})),
            "tokens": array(enum(names(Token))),
            "time_track": time_track,
            "items": array(obj({"item": ref("Item"), "copies": integer(1), "bonus": bonuses})),
            "events": array(card),
            "actions": array(action),
            "numbers": {"type": "object", "additionalProperties": integer()},
            "causes": array(ref("Cause")),
            "options": {"type": "object"},
        }
    )


def components() -> dict[str, Schema]:
    return _NAMED | moves() | events() | state() | {"Position": position(), "Problem": problem()} | answers()
