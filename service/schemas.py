"""The shapes that come in. Unknown fields are refused, and every message names its field."""

from typing import Any

from marshmallow import RAISE, Schema, ValidationError, fields, validate, validates_schema

from bots.roster import ROSTER
from engine.kinds import SEATS
from engine.rules import MIN_GNOMES
from service.tables import BOT, OPEN, PLAYER

MAX_NAME = 60
MAX_TURN_MOVES = 64
MAX_NUMBER = 2**31 - 1


def printable(name: str) -> None:
    """Control characters, and those that turn the direction of writing, have no place in a name."""
    if not name.isprintable() or any("\u202a" <= each <= "\u202e" or "\u2066" <= each <= "\u2069" for each in name):
        raise ValidationError("has characters that can't be printed")
    if name != name.strip():
        raise ValidationError("begins or ends with a space")


NAME = (validate.Length(1, MAX_NAME), printable)


def _one_of(component: str) -> dict[str, Any]:
    return {"allOf": [{"$ref": f"#/components/schemas/{component}"}]}


class Body(Schema):
    class Meta:
        unknown = RAISE


class RulesBody(Body):
    """The options of a game; each left out has its default. The engine checks what they may be together."""

    gnomes = fields.Integer(
        strict=True, metadata={"description": "3 to 8; as many as seats.", "minimum": 3, "maximum": 8}
    )
    players = fields.Integer(strict=True, metadata={"description": "1, 2 with four gnomes, or as many as gnomes."})
    edition = fields.String(metadata={"enum": ["revised", "original"]})
    less_deadly_dying = fields.Raw(metadata={"type": "boolean"})
    crazed_gnomes = fields.Raw(metadata={"type": "boolean"})
    greater_challenge = fields.String(metadata={"enum": ["off", "no_respite", "storm"]})


SEAT_KINDS = (OPEN, *ROSTER)
SEATS_FIELD: dict[str, Any] = {
    "validate": validate.Length(MIN_GNOMES, SEATS),
    "metadata": {"description": "A gnome each: `open` for a player, or a bot's name. Default: all open."},
}


def _seats() -> Any:
    return fields.List(fields.String(validate=validate.OneOf(SEAT_KINDS)), **SEATS_FIELD)


def _turn_seconds() -> fields.Integer:
    return fields.Integer(
        strict=True,
        validate=validate.Range(5, 30 * 86400),
        allow_none=True,
        metadata={"description": "Time for each decision; a bot stands in for who lets it run out."},
    )


class CreateBody(Body):
    seats = _seats()
    rules = fields.Nested(RulesBody)
    players = fields.Integer(strict=True, metadata={"description": "How many players share the gnomes; see the rules."})
    name = fields.String(validate=NAME)
    private = fields.Boolean(
        truthy={True}, falsy={False}, metadata={"description": "Hidden from whoever has no token."}
    )
    turn_seconds = _turn_seconds()
    position = fields.Dict(metadata=_one_of("Position"))
    seed = fields.String(
        validate=validate.Regexp(r"\A[0-9a-fA-F]{64}\Z", error="must be 64 hex digits"),
        metadata={"description": "Makes the same game again. Marks it as a sandbox."},
    )


class JoinBody(Body):
    name = fields.String(required=True, validate=NAME)
    seat = fields.Integer(
        strict=True, validate=validate.Range(0, SEATS - 1), metadata={"description": "Default: the first open one."}
    )


class StartBody(Body):
    fill_with = fields.String(
        validate=validate.OneOf(list(ROSTER)), metadata={"description": "A bot for every open seat."}
    )


class ControllerBody(Body):
    kind = fields.String(required=True, validate=validate.OneOf([PLAYER, BOT]))
    bot = fields.String(validate=validate.OneOf(list(ROSTER)), metadata={"description": "Which one, for kind `bot`."})

    @validates_schema
    def _bot_goes_with_its_kind(self, data: dict[str, Any], **_: Any) -> None:
        if data["kind"] == BOT and "bot" not in data:
            raise ValidationError({"bot": ["is needed for kind `bot`"]})
        if data["kind"] == PLAYER and "bot" in data:
            raise ValidationError({"bot": ["is only for kind `bot`"]})


class ForkBody(Body):
    at = fields.Integer(
        strict=True, validate=validate.Range(1, MAX_NUMBER), metadata={"description": "Version; default: the latest."}
    )
    dice = fields.String(
        validate=validate.OneOf(["fresh", "same"]), metadata={"description": "`same` only when the game is over."}
    )
    seats = _seats()
    name = fields.String(validate=NAME)
    private = fields.Boolean(truthy={True}, falsy={False})
    turn_seconds = _turn_seconds()


class TurnBody(Body):
    """A whole turn, or part of it. The engine checks the moves."""

    moves = fields.List(
        fields.Raw(metadata=_one_of("Move")), required=True, validate=validate.Length(1, MAX_TURN_MOVES)
    )
    version = fields.Integer(strict=True, metadata={"description": "What you saw; 409 if the game has moved on."})
    dry_run = fields.Boolean(
        truthy={True}, falsy={False}, metadata={"description": "Tell what it would do, and do nothing."}
    )


class Query(Schema):
    class Meta:
        unknown = RAISE


def _wait() -> fields.Integer:
    return fields.Integer(
        validate=validate.Range(0, 60), load_default=0, metadata={"description": "Seconds to wait for something newer."}
    )


class StateQuery(Query):
    after = fields.Integer(
        validate=validate.Range(0, MAX_NUMBER),
        load_default=None,
        metadata={"description": "The version that you have: wait for a later one."},
    )
    wait = _wait()


class EventsQuery(Query):
    after = fields.Integer(
        validate=validate.Range(0, MAX_NUMBER),
        load_default=None,
        metadata={"description": "The last `seq` that you have."},
    )
    limit = fields.Integer(
        validate=validate.Range(1, 1000), load_default=200, metadata={"description": "Events a page."}
    )
    wait = _wait()


class ListQuery(Query):
    status = fields.String(validate=validate.OneOf(["waiting", "playing", "finished"]), load_default="waiting")
    limit = fields.Integer(validate=validate.Range(1, 100), load_default=20)
    cursor = fields.String(load_default=None, metadata={"description": "`next` of the page before."})


class NoQuery(Query):
    """For operations without parameters: any is refused."""
