"""Describe a change of the contract, and which way the values go that it is about."""

from enum import StrEnum
from typing import Any, NamedTuple

from service.wire import Wire


class Way(StrEnum):
    """A direction of values: clients send them or receive them."""

    REQUEST = "requests"
    ANSWER = "answers"


class Change(NamedTuple):
    """A difference. A breaking one makes a client fail that was written for the contract before."""

    breaking: bool
    where: str
    what: str

    def __str__(self) -> str:
        return f"{self.where}: {self.what}"


def resolve(document: Wire, thing: Any) -> Wire:
    """Return what a schema, answer, header or parameter says, with references followed and what stands beside them."""
    if isinstance(thing, bool):
        return {} if thing else {"not": {}}
    while "$ref" in thing:
        found: Any = document
        for step in thing["$ref"].removeprefix("#/").split("/"):
            found = found[step]
        thing = found | {name: value for name, value in thing.items() if name != "$ref"}
    return dict(thing)


def name_of(thing: Any) -> str:
    """Return the name of the component that a reference leads to, or an empty string."""
    reference = thing.get("$ref", "") if isinstance(thing, dict) else ""
    return str(reference).rpartition("/")[2]


def listed(names: Any) -> str:
    """Return names as the changelog shows them, in a fixed order."""
    return ", ".join(sorted(f"`{name}`" for name in names))
