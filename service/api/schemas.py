"""Schemas of what comes in. Unknown fields are refused, and every message names its field."""

from collections.abc import Mapping, Sequence
from string import hexdigits
from typing import Any, ClassVar

from marshmallow import RAISE, Schema, ValidationError, fields, validate, validates_schema

from bots.roster import ROSTER
from engine import SEED_BYTES
from engine.enums import MAX_MINUTES, SEATS
from engine.rules import CHALLENGES, EDITIONS, MIN_GNOMES
from service.api.json_schema import enum, integer, ref, truth
from service.games.model import BOT, OPEN, PLAYER
from service.games.pictures import WIDTH, WIDTHS
from service.picture import THEMES
from service.words import LANGUAGES

MAX_NAME = 60
MAX_TURN_MOVES = 64
MAX_NUMBER = 2**31 - 1
MAX_SEED = 2**53 - 1  # beyond, JSON's numbers are no longer exact everywhere


# Written down without the characters that `printable` refuses besides: there are too many of them.
_NAME = r"^[^\s\u0000-\u001f\u007f]([^\u0000-\u001f\u007f]*[^\s\u0000-\u001f\u007f])?$"
_SEED = r"^[0-9a-fA-F]{64}$"
_LANG = rf"^({'|'.join(LANGUAGES)})([-_][a-zA-Z0-9]{{1,8}})*$"  # a region changes nothing


def printable(name: str) -> None:
    """Refuse a name with control characters, or with those that turn the direction of writing."""
    if not name.isprintable() or any("\u202a" <= each <= "\u202e" or "\u2066" <= each <= "\u2069" for each in name):
        raise ValidationError("has characters that can't be printed")
    if name != name.strip():
        raise ValidationError("begins or ends with a space")


def _seed_digits(seed: str) -> None:
    if len(seed) != 2 * SEED_BYTES or set(seed) - set(hexdigits):
        raise ValidationError(f"must be {2 * SEED_BYTES} hex digits")


class Shape(fields.Raw):
    """A field that the engine checks; a JSON Schema of ours documents it."""

    def __init__(self, schema: dict[str, Any], **more: Any):
        super().__init__(**more)
        self.schema = schema


class MoveField(Shape):
    """A move. The engine checks it, but for `cost` and `chance`, which views add to a move and the engine ignores."""

    def __init__(self) -> None:
        super().__init__(ref("Move"))

    def _deserialize(self, value: Any, attr: str | None, data: Any, **more: Any) -> Any:
        if isinstance(value, dict):
            for name, most, kinds in (("cost", MAX_MINUTES, (int,)), ("chance", 1, (int, float))):
                number = value.get(name, 0)
                if type(number) not in kinds or not 0 <= number <= most:
                    raise ValidationError({name: [f"must be 0 to {most}, as it was told, or left out"]})
        return value


class Switch(fields.Boolean):
    """A boolean: JSON's true and false, and nothing else."""

    def __init__(self, what: str):
        super().__init__(metadata={"description": what})

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> bool:
        """Refuse what marshmallow takes for true or false, as 1 and "yes"."""
        if not isinstance(value, bool):
            raise self.make_error("invalid", input=value)
        return value


def whole(low: int | None, high: int | None, what: str, **more: Any) -> fields.Integer:
    """Return the field of a number in a body."""
    if low is not None or high is not None:
        more["validate"] = validate.Range(low, high)
    return fields.Integer(strict=True, metadata={"description": what}, **more)


def one_of(values: Sequence[str], what: str, **more: Any) -> fields.String:
    return fields.String(validate=validate.OneOf(values), metadata={"description": what}, **more)


def name_field(what: str, **more: Any) -> fields.String:
    return fields.String(
        validate=(validate.Length(1, MAX_NAME), printable), metadata={"description": what, "pattern": _NAME}, **more
    )


class Few(fields.List[Any]):
    """A short list. A long one is refused before its items are validated, which would take long."""

    def __init__(self, item: Any, least: int, most: int, **more: Any):
        super().__init__(item, validate=validate.Length(least, most), **more)
        self._most = most

    def _deserialize(self, value: Any, attr: str | None, data: Any, **more: Any) -> Any:
        if isinstance(value, list) and len(value) > self._most:
            self._validate(value)
        return super()._deserialize(value, attr, data, **more)


def _seats() -> Any:
    return Few(
        fields.String(validate=validate.OneOf((OPEN, *ROSTER))),
        MIN_GNOMES,
        SEATS,
        metadata={"description": "A gnome each: `open` for a player, or a bot's name. Default: all open."},
    )


def _turn_seconds() -> fields.Integer:
    what = "Time for each decision; a bot stands in for who lets it run out. Default: any time."
    return whole(5, 30 * 86400, what, allow_none=True)


class Strict(Schema):
    """Refuses what it does not know. Whoever sends a field by the name that it had before is told its present one."""

    renamed: ClassVar[Mapping[str, str]] = {}

    class Meta:
        unknown = RAISE

    def handle_error(self, error: ValidationError, data: Any, **_: Any) -> None:
        assert isinstance(error.messages, dict)
        for before, now in self.renamed.items():
            if error.messages.get(before) == [self.error_messages["unknown"]]:
                error.messages[before] = [f"is called `{now}` now"]


class Body(Strict):
    """What comes as JSON."""


class GameOptions(Body):
    """Options of a game; the engine checks them."""

    gnomes = Shape(integer(MIN_GNOMES, SEATS, "Default: as many as seats."))
    players = Shape(integer(1, SEATS, "Default: as many as gnomes."))
    edition = Shape(enum(EDITIONS, f"Default: `{EDITIONS[0]}`."))
    less_deadly_dying = Shape(truth("Newcomers take the places of the dead."))
    hidden_hands = Shape(truth("What a gnome holds is known to their own player. Default: as `crazed_gnomes`."))
    crazed_gnomes = Shape(truth("Gnomes may attack each other; it implies `hidden_hands`."))
    greater_challenge = Shape(enum(CHALLENGES, f"Default: `{CHALLENGES[0]}`."))


class NewGame(Body):
    seats = _seats()
    rules = fields.Nested(GameOptions)
    players = whole(1, SEATS, "How many players share the gnomes: 1, 2 with four gnomes, or as many as gnomes.")
    name = name_field("To tell it from other games.")
    private = Switch("Not there for whoever has no token of it.")
    turn_seconds = _turn_seconds()
    position = Shape(ref("Position"))
    seed = fields.String(
        validate=_seed_digits,
        metadata={"description": "Makes the same game again. Marks it as a sandbox.", "pattern": _SEED},
    )


class NewPlayer(Body):
    name = name_field("Yours, for the others to see.", required=True)
    seat = whole(0, SEATS - 1, "Default: the first open one.")


class StartOptions(Body):
    fill_with = one_of(list(ROSTER), "A bot for every open seat.")


class Controller(Body):
    kind = one_of([PLAYER, BOT], "Who decides for the seat.", required=True)
    bot = one_of(list(ROSTER), "Which one, for kind `bot`.")

    @validates_schema
    def _bot_goes_with_its_kind(self, data: dict[str, Any], **_: Any) -> None:
        if data["kind"] == BOT and "bot" not in data:
            raise ValidationError({"bot": ["is needed for kind `bot`"]})
        if data["kind"] == PLAYER and "bot" in data:
            raise ValidationError({"bot": ["is only for kind `bot`"]})


class NewFork(Body):
    at = whole(1, MAX_NUMBER, "Version; default: the latest.")
    dice = one_of(["fresh", "same"], "`same` only when the game is over. Default: `fresh`.")
    seats = _seats()
    name = name_field("Default: the game's.")
    private = Switch("Default: as the game.")
    turn_seconds = _turn_seconds()


class Turn(Body):
    """A whole turn, or part of it. The engine checks the moves."""

    moves = Few(MoveField(), 1, MAX_TURN_MOVES, required=True, metadata={"description": "All are played, or none."})
    version = whole(None, None, "The version that you saw: 409 if the game has moved on.")
    dry_run = Switch("Tell what it would do, and do nothing.")


class Query(Strict):
    """What comes in the address, behind the question mark."""


def _wait() -> fields.Integer:
    return fields.Integer(
        validate=validate.Range(0, 60), load_default=0, metadata={"description": "Seconds to wait for something newer."}
    )


def _version() -> fields.Integer:
    return fields.Integer(
        validate=validate.Range(1, MAX_NUMBER),
        metadata={"description": "As it was at an earlier version. Default: the present one."},
    )


class LaterQuery(Query):
    after = fields.Integer(
        validate=validate.Range(0, MAX_NUMBER),
        metadata={"description": "The version that you have: wait for a later one."},
    )
    wait = _wait()


class StateQuery(LaterQuery):
    version = _version()

    @validates_schema
    def _nobody_waits_for_the_past(self, data: dict[str, Any], **_: Any) -> None:
        if "version" in data and ("after" in data or data["wait"]):
            raise ValidationError({"version": ["goes without `after` and `wait`"]})


class WaitQuery(Query):
    wait = _wait()


def lang_field(what: str) -> fields.String:
    return fields.String(
        validate=validate.Regexp(_LANG, error=f"must be one of {', '.join(LANGUAGES)}"),
        metadata={"description": f"{', '.join(f'`{each}`' for each in LANGUAGES)}: {what}"},
    )


class EventsQuery(Query):
    after = fields.Integer(
        validate=validate.Range(0, MAX_NUMBER),
        metadata={"description": "The last `seq` that you have."},
    )
    limit = fields.Integer(
        validate=validate.Range(1, 1000), load_default=200, metadata={"description": "Events a page."}
    )
    wait = _wait()
    lang = lang_field("tells each event in words, too, as its `text`. Default: no words.")


class DrawingQuery(Query):
    version = _version()
    theme = one_of(THEMES, "`auto` is as the reader's browser likes it.", load_default="auto")
    lang = lang_field("the language of the words in it. Default: what `Accept-Language` likes best.")


class PaintingQuery(DrawingQuery):
    theme = one_of(THEMES[:2], "Light, or dark.", load_default="light")
    width = fields.Integer(validate=validate.Range(*WIDTHS), load_default=WIDTH, metadata={"description": "In pixels."})


class OpenQuery(Query):
    wait = fields.Integer(
        validate=validate.Range(0, 60), load_default=10, metadata={"description": "Seconds to wait for it."}
    )


class ListQuery(Query):
    status = one_of(["waiting", "playing", "finished"], "Which games.", load_default="waiting")
    limit = fields.Integer(validate=validate.Range(1, 100), load_default=20, metadata={"description": "Games a page."})
    cursor = fields.String(metadata={"description": "`next` of the page before."})
