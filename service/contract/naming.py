"""Give a name to everything that is nested in the contract, so that generators need not make names up.

An object or an enum inside a schema becomes a schema of its own: by the table of words, where one list of words stands
in several places; otherwise by what it is in, as `PreviewTriggers` for `triggers` of a `Preview`.
"""

from bots.arena.league import ALL_NAMES
from engine.enums import SEATS, Condition, Room, Token, Track, Water
from engine.rules import CHALLENGES, EDITIONS, MIN_GNOMES
from service.api.json_schema import Schema, enum, integer, ref
from service.contract.shapes.words import camel, names
from service.matches.plan import KEEP
from service.picture import THEMES
from service.wire import Wire

_WORDS: dict[str, tuple[list[str], str]] = {
    "Edition": (list(EDITIONS), "An edition of the printed game."),
    "Challenge": (list(CHALLENGES), "How much harder the game is made."),
    "Condition": (names(Condition), "How a gnome fares."),
    "Water": (names(Water), "How much water is in a room."),
    "Track": (names(Track), "A disaster track."),
    "Token": (names(Token), "A destruction token, by how it ends the game."),
    "RoomName": (names(Room), "A room with a name."),
    "CrewOutcome": (["rescued", "lost"], "How it ended for the crew."),
    "SeatOutcome": (["won", "lost"], "How it ended for a seat."),
    "Outside": (["sea"], "Not on board."),
    "Kinds": (["first", "all"], "Which kinds of events are told."),
    "LineUp": (list(ALL_NAMES), "Which crew plays."),
    "KeepReplays": (list(KEEP), "Of which games the moves are kept."),
    "Theme": (list(THEMES), "Colours; `auto` follows the reader's browser."),
    "PaintingTheme": (list(THEMES[:2]), "Colours."),
}
# Sizes in lists: generators would call each of them a gnome.
_GNOME_COUNT = integer(MIN_GNOMES, SEATS)
_UNIONS = ("oneOf", "anyOf")
_NAMED_BEFORE = {"ListGamesBot"}  # what was an enum in a release, and is wider now: clients have types of that name


def name_nested(document: Wire) -> None:
    """Replace what is nested in schemas and parameters by references to schemas of their own."""
    schemas: dict[str, Schema] = document["components"]["schemas"]
    namer = _Namer(schemas)
    for name, schema in list(schemas.items()):
        schemas[name] = namer.with_parts_named(name, schema)
    for name, parameter in document["components"]["parameters"].items():
        parameter["schema"] = namer.named(name, parameter["schema"])
    for item in document["paths"].values():
        for operation in item.values():
            if isinstance(operation, dict):
                _name_queries(namer, operation)


def _name_queries(namer: "_Namer", operation: Wire) -> None:
    id_ = operation["operationId"]
    for parameter in operation.get("parameters", ()):
        if "schema" in parameter:
            name = id_[0].upper() + id_[1:] + camel(parameter["name"].replace("-", "_"))
            parameter["schema"] = namer.named(name, parameter["schema"])


class _Namer:
    def __init__(self, schemas: dict[str, Schema]):
        self._schemas = schemas
        self._added: list[str] = []
        self._of_words = {frozenset(schema["enum"]): name for name, schema in schemas.items() if "enum" in schema}

    def with_parts_named(self, owner: str, schema: Schema) -> Schema:
        """Return a schema that has a name itself, with names for what it is made of."""
        whole = dict(schema)
        if "properties" in schema:
            parts = schema["properties"].items()
            whole["properties"] = {name: self.named(owner + camel(name), part) for name, part in parts}
        for inside in ("items", "additionalProperties"):
            part = schema.get(inside)
            if isinstance(part, dict):
                whole[inside] = ref("GnomeCount") if part == _GNOME_COUNT else self.named(_one_of(owner), part)
        for union in _UNIONS:
            if union in schema:
                whole[union] = [self.named(owner, part) for part in schema[union]]
        return whole

    def named(self, name: str, schema: Schema) -> Schema:
        """Return a reference to the schema if it needs a name, with the description that goes for this place."""
        if "enum" in schema:
            beside = {word: value for word, value in schema.items() if word not in ("type", "enum")}
            return beside | ref(self._name_of_words(name, schema))
        whole = self.with_parts_named(name, schema)
        if "properties" not in whole and not _is_union(whole) and name not in _NAMED_BEFORE:
            return whole
        return ref(self._add(name, whole))

    def _name_of_words(self, name: str, schema: Schema) -> str:
        words = frozenset(schema["enum"])
        if words not in self._of_words:
            known = next(((each, enum(*table)) for each, table in _WORDS.items() if words == {*table[0]}), None)
            self._of_words[words] = self._add(*(known or (name, schema)))
        return self._of_words[words]

    def _add(self, name: str, schema: Schema) -> str:
        """Return the name under which the schema is there: that of one like it, or the one that is asked for."""
        for alike in self._added:
            if self._schemas[alike] == schema:
                return alike
        if name in self._schemas:
            raise ValueError(f"two schemas want to be {name}")
        self._schemas[name] = schema
        self._added.append(name)
        return name


def _one_of(name: str) -> str:
    """Return the name for one of those in a list or map: that of `seats` is a `Seat`."""
    return name.removesuffix("s") if name.endswith("s") else f"{name}Entry"


def _is_union(schema: Schema) -> bool:
    """Tell whether it is a union of several things; one thing or null is none."""
    return any(len([part for part in schema.get(union, ()) if part != {"type": "null"}]) > 1 for union in _UNIONS)
