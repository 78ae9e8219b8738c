"""Describe the parameters that many operations share."""

from bots.arena.league import ALL_NAMES
from engine.enums import SEATS
from engine.rules import MIN_GNOMES
from service.accounts.names import PATTERN
from service.api.json_schema import extensible
from service.api.schemas import MAX_NUMBER
from service.api.web import MAX_KEY
from service.contract import example_matches, example_outside, example_table, examples
from service.contract.shapes.words import camel
from service.store.ids import ID_PATTERN
from service.wire import Wire

_OF_PATHS: dict[str, Wire] = {
    "game_id": {
        "schema": {"type": "string", "pattern": f"^{ID_PATTERN}$"},
        "description": "The game's id, as its creation answered.",
        "example": example_table.ID,
    },
    "match_id": {
        "schema": {"type": "string", "pattern": f"^{ID_PATTERN}$"},
        "description": "The match's id, as its creation answered.",
        "example": example_matches.ID,
    },
    "gnomes": {
        "schema": {"type": "integer", "minimum": MIN_GNOMES, "maximum": SEATS},
        "description": "How many there are in the game: the series that it belongs to.",
        "example": 3,
    },
    "line_up": {
        "schema": extensible(ALL_NAMES),
        "description": "Which crew plays it.",
        "example": "crew",
    },
    "number": {
        "schema": {"type": "integer", "minimum": 0, "maximum": MAX_NUMBER},
        "description": "Of the game in its series, from 0.",
        "example": 4,
    },
    "advice_id": {
        "schema": {"type": "string", "pattern": "^[0-9a-f]{16}$"},
        "description": "As the answer to the question told.",
        "example": examples.ADVICE_ID,
    },
    "bot_name": {
        "schema": {"type": "string", "pattern": f"^{PATTERN}$"},
        "description": "The name of a bot that somebody has registered.",
        "example": example_outside.NAME,
    },
    "player_id": {
        "schema": {"type": "string", "pattern": "^p[1-9][0-9]*$"},
        "description": "The player's id in the game.",
        "example": "p1",
    },
    "invitation_id": {
        "schema": {"type": "string", "pattern": "^i[1-9][0-9]*$"},
        "description": "The invitation's id in the game.",
        "example": "i1",
    },
    "seat": {
        "schema": {"type": "integer", "minimum": 0, "maximum": SEATS - 1},
        "description": "A gnome's number, from 0.",
        "example": 1,
    },
}
IDEMPOTENCY_KEY: Wire = {
    "in": "header",
    "name": "Idempotency-Key",
    "schema": {"type": "string", "minLength": 1, "maxLength": MAX_KEY, "pattern": "^[!-~]([ -~]*[!-~])?$"},
    "description": (
        "Yours to choose, another for each thing that you want done. Send the request again with the same key "
        "until you have an answer: it is done once, and answered the same each time. Without a token of the game "
        "it must have 20 characters or more, best at random: whoever knows it is told the answer, too. "
        "A service on a cluster may know a key only for requests about the same game."
    ),
}


def components() -> dict[str, Wire]:
    """Return the shared parameters by name."""
    of_paths = {
        _component(name): {"in": "path", "name": name, "required": True, **about} for name, about in _OF_PATHS.items()
    }
    return of_paths | {"IdempotencyKey": IDEMPOTENCY_KEY}


def of_path(name: str) -> Wire:
    return _named(_component(name))


def idempotency_key() -> Wire:
    return _named("IdempotencyKey")


def _component(name: str) -> str:
    """Return a name that no schema has: `Seat` is one."""
    return camel("path", name)


def _named(name: str) -> Wire:
    return {"$ref": f"#/components/parameters/{name}"}
