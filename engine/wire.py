"""Turn the journal's rows into event objects, and hide the fields that only some seats may know.

An event with a secret has `"private": {"seats": […], "fields": […]}`; `redact` removes those fields for everybody else.
"""

from collections.abc import Callable
from typing import Any, TypeVar

from engine import enums, moves
from engine.cards import FACES
from engine.compiled.journal import NEWCOMER_DIE, ROOM_DIE
from engine.enums import FIX_ITS, Action, Cause, Death, Item, Lost, Source, Token, Track
from engine.moves import hatch_name, room_name
from engine.rows import Deck, Row
from engine.shapes import Event, Move

Decoder = Callable[[int], Any]


def _named(kind: Any) -> Decoder:
    names = {int(member): member.name.lower() for member in kind}
    return names.__getitem__


def number(value: int) -> int:
    """Decode a fact that is a number as it stands."""
    return value


def move(id_: int) -> Move:
    """Decode a fact that is a move's id."""
    return moves.WIRE[id_].copy()


def face(id_: int) -> str:
    """Decode a fact that is the face of an event card."""
    return FACES[id_].name


_item, _track, _token, _action = (_named(Item), _named(Track), _named(Token), _named(Action))
_SEAT = ("seat", number)
_ROOM = ("room", room_name)

# The facts of each kind of row, in their order.
FACTS: dict[int, tuple[tuple[str, Decoder], ...]] = {
    Row.CHOICE: (_SEAT, ("move", move), ("automatic", bool)),
    Row.TURN_BEGAN: (_SEAT, ("minutes", number), ("turn", number)),
    Row.GNOME_WOKE: (_SEAT,),
    Row.MINUTES_SPENT: (_SEAT, ("minutes", number), ("ghost", number)),
    Row.HATCH_OPENED: (_SEAT, ("from", room_name), ("to", room_name)),
    Row.WATER_REFLOWED: (_ROOM, ("to", room_name)),
    Row.FIRE_WENT_OUT: (_ROOM,),
    Row.GNOME_MOVED: (_SEAT, ("from", room_name), ("to", room_name)),
    Row.ITEM_USED: (_SEAT, ("item", _item), ("intoxication", number)),
    Row.ACTION_SUCCEEDED: (_SEAT, ("action", _action)),
    Row.ACTION_FAILED: (_SEAT, ("action", _action), ("too_late", bool)),
    Row.WATER_PUMPED: (_ROOM,),
    Row.HATCH_UNBLOCKED: (("hatch", hatch_name),),
    Row.TRACK_RESET: (("track", _track), ("from", number), ("to", number)),
    Row.TOKEN_REMOVED: (("token", _token), ("minute", number)),
    Row.ITEM_DRAWN: (_SEAT, ("item", _item), ("source", _named(Source))),
    Row.ITEM_GIVEN: (("from", number), ("to", number), ("item", _item)),
    Row.ATTACK_DECLARED: (_SEAT, ("target", number)),
    Row.ATTACK_ANSWERED: (_SEAT, ("attacker", number)),
    Row.GNOME_ABANDONED: (_SEAT,),
    Row.FAINT_CHECKED: (_SEAT, ("card", face), ("intoxication", number)),
    Row.GNOME_FAINTED: (_SEAT, ("ghost", number)),
    Row.ICON_IGNORED: (_SEAT, ("minute", number)),
    Row.EVENT_DRAWN: (("card", face), ("minute", number), _SEAT),
    Row.FIRE_STARTED: (_ROOM,),
    Row.TRACK_ADVANCED: (("track", _track), ("spaces", number), ("value", number)),
    Row.ROOM_FLOODED: (_ROOM,),
    Row.HATCH_BLOCKED: (("hatch", hatch_name),),
    Row.TOKEN_PLACED: (("token", _token), ("minute", number)),
    Row.GROG_DRUNK: (_SEAT, ("intoxication", number)),
    Row.NOTHING_HAPPENED: (("event", _named(enums.Event)),),
    Row.ITEMS_DISCARDED: (_SEAT, ("item", _item), ("count", number), ("reason", _named(Lost))),
    Row.CARD_REMOVED: (("card", face),),
    Row.DECK_RESHUFFLED: (("deck", _named(Deck)), ("kraken_joins", bool)),
    Row.GNOME_DIED: (_SEAT, ("cause", _named(Death)), _ROOM),
    Row.GNOME_REPLACED: (_SEAT, _ROOM),
    Row.TIME_KEEPER_MOVED: (_SEAT, ("minutes", number), ("stack", number)),
    Row.STORM_BEGAN: (("events", number),),
}


# Facts that chance decides, by type of event: no preview tells them.
UNFORESEEN = {"item_drawn": ("item",), "gnome_replaced": ("room",), "die_rolled": ("value",)}
# Nor what somebody dies of who may faint outside: chance tells whether they do.
SOMETIMES_UNFORESEEN = ("cause",)

_ROOM_DICE = {ROOM_DIE: "event_room", NEWCOMER_DIE: "newcomer_room"}


def _die(facts: list[int]) -> Event:
    """Decode a roll. A die for a room serves no action, and only a fix-it action needs a number."""
    action, value, needed, seat = facts
    purpose = _ROOM_DICE[action] if action < 0 else _action(action)
    event: Event = {"type": "die_rolled", "seat": seat, "purpose": purpose, "value": value}
    if 0 <= action < FIX_ITS:
        event["needed"] = needed
    return event


def _game_over(facts: list[int]) -> Event:
    crew = "rescued" if facts[0] == Cause.RESCUED else "lost"
    return {"type": "game_over", "crew": crew, "cause": Cause(facts[0]).name.lower()}


_WHOLE: dict[int, Callable[[list[int]], Event]] = {Row.DIE_ROLLED: _die, Row.GAME_OVER: _game_over}
_TYPES = {int(row): row.name.lower() for row in Row}


def _event(row: list[int]) -> Event:
    kind, *facts = row
    if kind in _WHOLE:
        return _WHOLE[kind](facts)
    event: Any = {"type": _TYPES[kind]}
    for (name, decode), fact in zip(FACTS[kind], facts, strict=False):
        event[name] = decode(fact)
    decoded: Event = event
    return decoded


def _secret(row: list[int]) -> tuple[set[int], list[str]] | None:
    """Return the seats that may know a secret of the row, and the fields it is in, if hands are hidden."""
    kind, first, second, third, _ = row
    if kind == Row.ITEM_DRAWN and third != Source.CAPTAINS_CABIN:
        return {first}, ["item"]
    if kind == Row.ITEM_GIVEN:
        return {first, second}, ["item"]
    return None


def events(rows: list[list[int]], secret_hands: bool, partner: int, active: int) -> list[Event]:
    """Turn journal rows into events. Gifts in a trade are secrets of the active gnome and their partner."""
    decoded = []
    for row in rows:
        event = _event(row)
        secret = _secret(row) if secret_hands else None
        if secret_hands and row[0] == Row.CHOICE and event["move"]["type"] == "give_item":
            secret = {active, partner}, ["move"]
        if secret is not None:
            event["private"] = {"seats": sorted(secret[0]), "fields": secret[1]}
        decoded.append(event)
    return decoded


# An event of the engine, or one that was stored as JSON and read again.
EventObject = TypeVar("EventObject", Event, dict[str, Any])


def redact(event: EventObject, seats: list[int]) -> EventObject:
    """Return the event as a player of those seats may know it."""
    private = event.get("private")
    if private is None:
        return event
    hidden = set() if set(private["seats"]) & set(seats) else set(private["fields"])
    known: Any = {name: value for name, value in event.items() if name not in hidden and name != "private"}
    redacted: EventObject = known
    return redacted
