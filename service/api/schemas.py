"""Schemas of what comes in. Unknown fields are refused, and every message names its field."""

from collections.abc import Mapping
from string import hexdigits
from typing import Any, ClassVar

import orjson
from marshmallow import RAISE, Schema, ValidationError, validates_schema

from bots.roster import ROSTER
from engine import SEED_BYTES
from engine.enums import SEATS
from engine.rules import CHALLENGES, EDITIONS, MIN_GNOMES
from service.api.fields import (
    UNKNOWN,
    Few,
    Length,
    MoveField,
    Nested,
    Shape,
    Text,
    Whole,
    bot_field,
    one_of,
    truth_field,
    whole,
    wrong,
)
from service.api.json_schema import enum, integer, ref, truth
from service.games.model import BOT, OPEN, PLAYER, VISIBILITIES
from service.refusals import Reason
from service.wire import Wire
from service.words import flaw_of, in_normal_form

MAX_NAME = 60
MAX_TOKEN = 100
MAX_TURN_MOVES = 64
MAX_CLIENT_DATA = 1024  # bytes of JSON
MAX_NUMBER = 2**31 - 1
MAX_SEED = 2**53 - 1  # beyond, JSON's numbers are no longer exact everywhere


_NAMES = "In any script, emoji too; nothing invisible, and nothing that turns the direction of writing."
_NAME = r"^\S(.*\S)?$"
_SEED = r"^[0-9a-fA-F]{64}$"


def _seed_digits(seed: str) -> None:
    if len(seed) != 2 * SEED_BYTES or set(seed) - set(hexdigits):
        raise wrong("format", f"must be {2 * SEED_BYTES} hex digits")


class Name(Text):
    """A name that somebody chose: it is kept in one form, however it was written."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **more: Any) -> Any:
        return in_normal_form(super()._deserialize(value, attr, data, **more))


def _fit_to_be_shown(name: str) -> None:
    if flaw := flaw_of(name):
        raise wrong("format", flaw)


def name_field(what: str, **more: Any) -> Name:
    told = {"description": f"{what} {_NAMES}", "pattern": _NAME}
    return Name(validate=(Length(1, MAX_NAME), _fit_to_be_shown), metadata=told, **more)


class ClientData(Shape):
    """A field of what a client keeps with a game: any JSON that is short enough, or null for nothing."""

    def __init__(self, what: str, **more: Any):
        super().__init__(ref("ClientData"), allow_none=True, metadata={"description": what}, **more)

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> Any:
        size = len(orjson.dumps(value))
        if size > MAX_CLIENT_DATA:
            raise wrong("length", f"must be at most {MAX_CLIENT_DATA} bytes of JSON, and is {size}")
        return value


def _seats() -> Any:
    return Few(
        bot_field((OPEN, *ROSTER)),
        MIN_GNOMES,
        SEATS,
        metadata={
            "description": "A gnome each: `open` for a player, or a bot's name. "
            "That of one from outside begins with `bot:`. Default: all open."
        },
    )


def _turn_seconds() -> Whole:
    what = "Time for each decision; a bot stands in for who lets it run out. Default: any time."
    return whole(5, 30 * 86400, what, allow_none=True)


_UNFIT: Any = {
    "unknown": UNKNOWN,
    "type": Reason("type", "must be an object"),
}


class Strict(Schema):
    """Refuses what it does not know. Whoever sends a field by the name that it had before is told its present one."""

    renamed: ClassVar[Mapping[str, str]] = {}  # a field's former name → its present one
    replaced: ClassVar[Mapping[str, str]] = {}  # a field that there was → what there is instead

    class Meta:
        unknown = RAISE

    error_messages = _UNFIT

    def handle_error(self, error: ValidationError, data: Any, **_: Any) -> None:
        assert isinstance(error.messages, dict)
        told = {before: f"is called `{now}` now" for before, now in self.renamed.items()} | {**self.replaced}
        unknown = [self.error_messages["unknown"]]
        former = {
            name: [Reason("unknown", reason)] for name, reason in told.items() if error.messages.get(name) == unknown
        }
        error.messages = {**former, **{name: said for name, said in error.messages.items() if name not in former}}


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


_VISIBLE = {"private": "is `visibility` now: `public` or `private`"}


class FirstPlayer(Body):
    """Whoever creates a game and joins it at once."""

    name = name_field("Yours, for the others to see.", required=True)
    seat = whole(0, SEATS - 1, "Default: the first open one.")
    client_data = ClientData("Yours, to keep with you in the game.")


class NewPlayer(FirstPlayer):
    invitation = Text(
        validate=Length(1, MAX_TOKEN),
        metadata={"description": "The token of an invitation: it lets you into a private game, and take a bot's seat."},
    )


class NewInvitation(Body):
    seat = whole(
        0, SEATS - 1, "Which one whoever is invited takes, from a bot if need be. Default: any.", allow_none=True
    )
    uses = whole(1, SEATS, "How many may join by it.", load_default=1)


class NewGame(Body):
    replaced: ClassVar[Mapping[str, str]] = _VISIBLE

    seats = _seats()
    rules = Nested(GameOptions)
    players = whole(1, SEATS, "How many players share the gnomes: 1, 2 with four gnomes, or as many as gnomes.")
    name = name_field("To tell it from other games.")
    visibility = one_of(VISIBILITIES, "`private`: not there for whoever has no token of it. Default: `public`.")
    turn_seconds = _turn_seconds()
    client_data = ClientData("Yours, to keep with the game.")
    position = Shape(ref("Position"))
    seed = Text(
        validate=_seed_digits,
        metadata={"description": "Makes the same game again. Marks it as a sandbox.", "pattern": _SEED},
    )
    advice = truth_field("Whether advice and odds are given while it goes on. Default: yes.")
    join = Nested(FirstPlayer, metadata={"description": "Makes you a player of it at once."})
    start = truth_field("Begin at once: no seat may be open but those that `join` takes. Default: no.")


class GameChange(Body):
    client_data = ClientData("Yours, to keep with the game; null for nothing.")
    advice = truth_field("Whether advice and odds are given from now on.")

    @validates_schema
    def _something(self, data: Wire, **_: Any) -> None:
        if not data:
            raise ValidationError({"client_data": [Reason("required", "is needed, or `advice`")]})


class PlayerChange(Body):
    client_data = ClientData("Yours, to keep with you in the game; null for nothing.", required=True)


class StartOptions(Body):
    fill_with = bot_field(ROSTER, "A bot for every open seat.")


class Controller(Body):
    kind = one_of([PLAYER, BOT], "Who decides for the seat.", required=True)
    bot = bot_field(ROSTER, "Which one, for kind `bot`.")

    @validates_schema
    def _bot_goes_with_its_kind(self, data: Wire, **_: Any) -> None:
        if data["kind"] == BOT and "bot" not in data:
            raise ValidationError({"bot": [Reason("required", "is needed for kind `bot`")]})
        if data["kind"] == PLAYER and "bot" in data:
            raise ValidationError({"bot": [Reason("conflict", "is only for kind `bot`")]})


class NewFork(Body):
    renamed: ClassVar[Mapping[str, str]] = {"at": "version"}
    replaced: ClassVar[Mapping[str, str]] = _VISIBLE

    version = whole(1, MAX_NUMBER, "Version; default: the latest.")
    dice = one_of(["fresh", "same"], "`same` only when the game is over. Default: `fresh`.")
    seats = _seats()
    name = name_field("Default: the game's.")
    visibility = one_of(VISIBILITIES, "Default: as the game.")
    turn_seconds = _turn_seconds()
    client_data = ClientData("Default: the game's.")
    advice = truth_field("Whether advice and odds are given. Default: as in the game.")


class Turn(Body):
    """A whole turn, or part of it. The engine checks the moves."""

    replaced: ClassVar[Mapping[str, str]] = {
        "dry_run": "is an operation of its own now: `POST …/previews`, with the same body",
        "type": 'belongs to a move, and moves go into a list: {"moves": [{"type": …}]}',
    }

    moves = Few(MoveField(), 1, MAX_TURN_MOVES, required=True, metadata={"description": "All are played, or none."})
    version = whole(None, None, "The version that you saw: 409 if the game has moved on.")

    def load(self, data: Any, **more: Any) -> Any:
        """Return a turn. One with nothing at fault is itself: what a schema does with it takes ten times as long."""
        return dict(data) if not more and _is_a_turn(data) else super().load(data, **more)


_MOVE = MoveField()


def _is_a_turn(data: Any) -> bool:
    """Return whether a body is moves, and perhaps the version, without anything at fault."""
    if not isinstance(data, dict) or not data.keys() <= {"moves", "version"} or type(data.get("version", 0)) is not int:
        return False
    moves = data.get("moves")
    return isinstance(moves, list) and 0 < len(moves) <= MAX_TURN_MOVES and all(map(_MOVE.allows, moves))


class StagedTurn(Turn):
    """A turn that is not played yet, or the beginning of one."""

    reach = truth_field("Tell where the gnome can get to after the moves, as `rooms`. Default: no.")


class Question(Body):
    """A request for advice, perhaps on a plan that is staged."""

    moves = Few(
        MoveField(), 1, MAX_TURN_MOVES,
        metadata={"description": "A plan of yours, up to where chance comes in: it is weighed beside the bot's."},
    )  # fmt: skip
    version = whole(None, None, "The version that you saw: 409 if the game has moved on.")


class Query(Strict):
    """What comes in the address, behind the question mark."""
