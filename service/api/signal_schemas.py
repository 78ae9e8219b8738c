"""Schemas of what players show each other."""

from typing import Any

from marshmallow import ValidationError, validates_schema

from engine.board import HATCHES
from engine.enums import ROOMS, SEATS, Item, Track
from service.api.fields import Few, MoveField, Nested, Shape, extensible, one_of, whole, wrong
from service.api.json_schema import ref
from service.api.query_schemas import WaitQuery, lang_field
from service.api.schemas import MAX_TURN_MOVES, Body
from service.refusals import Reason
from service.wire import Wire
from service.words.signals import SAYINGS

SEA = "sea"
# What one may point at: type → what its field may hold.
TARGETS = ("room", "gnome", "item", "hatch", "track")


class RoomField(Shape):
    """A room, as a number, or the sea."""

    def __init__(self) -> None:
        super().__init__(ref("Room"))

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> Any:
        if value == SEA or (type(value) is int and 0 < value < ROOMS):
            return value
        raise wrong("value", f"must be 1 to {ROOMS - 1}, or `{SEA}`")


class Target(Body):
    """Something on the board to point at. The contract tells its types apart."""

    type = one_of(TARGETS, "What it is.", required=True)
    room = RoomField()
    seat = whole(0, SEATS - 1, "A gnome.")
    item = one_of([item.name.lower() for item in Item], "Any of its kind.")
    hatch = one_of(["-".join(map(str, hatch)) for hatch in HATCHES], "Between two rooms.")
    track = one_of([track.name.lower() for track in Track], "A disaster track.")

    @validates_schema
    def _one_thing(self, data: Wire, **_: Any) -> None:
        field = "seat" if data["type"] == "gnome" else data["type"]
        if field not in data:
            raise ValidationError({field: [Reason("required", f"is needed for type `{data['type']}`")]})
        if others := data.keys() - {"type", field}:
            told = Reason("conflict", f"does not go with type `{data['type']}`")
            raise ValidationError({name: [told] for name in others})


class Signalled(Body):
    """What a seat shows: at least one of a plan, something to point at, and a word."""

    moves = Few(MoveField(), 1, MAX_TURN_MOVES, metadata={"description": "A plan, up to where chance comes in."})
    points_at = Nested(Target)
    says = extensible(SAYINGS, "One of the words that there are.")
    version = whole(None, None, "The version that the plan is made for: 409 if the game has moved on.")

    @validates_schema
    def _something(self, data: Wire, **_: Any) -> None:
        if not data.keys() & {"moves", "points_at", "says"}:
            raise ValidationError([Reason("required", "must have `moves`, `points_at` or `says`")])
        if "version" in data and "moves" not in data:
            raise ValidationError({"version": [Reason("conflict", "goes with `moves`")]})


class SignalsQuery(WaitQuery):
    lang = lang_field("tells each signal in words, too, as its `text`. Default: no words.")
