"""Compare what two schemas say of values themselves: whether fewer are admitted, or more."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from service.contract.changes.model import listed
from service.wire import Wire

_TYPES = frozenset({"array", "boolean", "integer", "null", "number", "object", "string"})
_LOWER_BOUNDS = ("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties")
_UPPER_BOUNDS = ("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties")
_TOLD_OTHERWISE = {
    "type", "enum", "const", "required", *_LOWER_BOUNDS, *_UPPER_BOUNDS,
    "properties", "additionalProperties", "propertyNames", "items", "default",
    "description", "title", "example", "examples", "discriminator", "deprecated", "contentMediaType",
}  # fmt: skip


class Shift(NamedTuple):
    """A move of the values that a schema admits: some that were admitted are not, or some are that were not."""

    narrows: bool
    widens: bool
    what: str


def shifts(old: Wire, new: Wire) -> Iterator[Shift]:
    """Yield how each keyword moves the values. One that is not known here counts as moving them both ways."""
    yield from _types(old, new)
    yield from _words(old, new)
    yield from _required(old, new)
    for name in _LOWER_BOUNDS:
        yield from _bound(name, old.get(name), new.get(name), lambda before, after: after > before)
    for name in _UPPER_BOUNDS:
        yield from _bound(name, old.get(name), new.get(name), lambda before, after: after < before)
    for name in sorted((old.keys() | new.keys()) - _TOLD_OTHERWISE):
        if not name.startswith("x-"):
            yield from _exact(name, old.get(name), new.get(name))


def _types(old: Wire, new: Wire) -> Iterator[Shift]:
    before, after = _types_of(old), _types_of(new)
    if before != after:
        told = f"the type is {_type_in_words(new)}, was {_type_in_words(old)}"
        yield Shift(bool(before - after), bool(after - before), told)


def _types_of(schema: Wire) -> frozenset[str]:
    named = schema.get("type")
    if named is None:
        return _TYPES
    types = frozenset([named] if isinstance(named, str) else named)
    return types | {"integer"} if "number" in types else types


def _type_in_words(schema: Wire) -> str:
    named = schema.get("type", "anything")
    return f"`{named}`" if isinstance(named, str) else " or ".join(f"`{each}`" for each in named)


def _words(old: Wire, new: Wire) -> Iterator[Shift]:
    before, after = _words_of(old), _words_of(new)
    if before is None and after is not None:
        yield Shift(True, False, f"is one of {listed(after)}, and was free")
    elif before is not None and after is None:
        yield Shift(False, True, f"is free, and was one of {listed(before)}")
    elif before is not None and after is not None:
        if gone := before - after:
            yield Shift(True, False, f"no longer {listed(gone)}")
        if added := after - before:
            yield Shift(False, True, f"now also {listed(added)}")


def _words_of(schema: Wire) -> set[Any] | None:
    """Return the only values that there may be, but for null, which the type tells."""
    if "const" in schema:
        return {schema["const"]}
    return {each for each in schema["enum"] if each is not None} if "enum" in schema else None


def _required(old: Wire, new: Wire) -> Iterator[Shift]:
    """Compare which members must be there. Members that only one schema has are told as such."""
    before, after = set(old.get("required", ())), set(new.get("required", ()))
    known, still_known = set(old.get("properties", before | after)), set(new.get("properties", before | after))
    if added := (after - before) & known:
        yield Shift(True, False, f"{listed(added)} must be there")
    if gone := (before - after) & still_known:
        yield Shift(False, True, f"{listed(gone)} may be missing")


def _bound(name: str, before: Any, after: Any, is_tighter: Callable[[Any, Any], bool]) -> Iterator[Shift]:
    if before == after:
        return
    narrows = before is None or (after is not None and is_tighter(before, after))
    yield Shift(narrows, not narrows, f"`{name}` is {_shown(after)}, was {_shown(before)}")


def _exact(name: str, before: Any, after: Any) -> Iterator[Shift]:
    if before != after:
        yield Shift(after is not None, before is not None, f"`{name}` is {_shown(after)}, was {_shown(before)}")


def _shown(value: Any) -> str:
    return "absent" if value is None else f"`{value}`"
