"""Build small JSON Schemas: for what views document, and for the shapes of the contract."""

from collections.abc import Iterable, Mapping
from typing import Any

from service.wire import Wire

Schema = Wire


def ref(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}


def obj(properties: Mapping[str, Schema], optional: tuple[str, ...] = (), what: str = "") -> Schema:
    """Return an object that requires all properties but the optional ones; a later release may tell more."""
    required = [name for name in properties if name not in optional]
    schema: Schema = {"type": "object", "description": what} if what else {"type": "object"}
    schema |= {"properties": dict(properties)}
    return schema | ({"required": required} if required else {})


def one_of(shapes: Mapping[str, str], what: str, by: str = "type") -> Schema:
    """Return the union of named schemas that one field tells apart; `shapes` has their names by its values."""
    refs = {value: ref(name) for value, name in shapes.items()}
    mapping = {value: shape["$ref"] for value, shape in refs.items()}
    discriminator = {"propertyName": by, "mapping": mapping}
    return {"description": what, "oneOf": list(refs.values()), "discriminator": discriminator}


def array(items: Schema, what: str = "") -> Schema:
    return {"type": "array", "items": items} | ({"description": what} if what else {})


def nullable(schema: Schema) -> Schema:
    if "$ref" in schema or "enum" in schema:
        return {"oneOf": [schema, {"type": "null"}]}
    return schema | {"type": [schema["type"], "null"]}


def integer(low: int | None = None, high: int | None = None, what: str = "") -> Schema:
    schema: Schema = {"type": "integer"}
    if low is not None:
        schema["minimum"] = low
    if high is not None:
        schema["maximum"] = high
    return schema | ({"description": what} if what else {})


def number(low: float, high: float, what: str) -> Schema:
    return {"type": "number", "minimum": low, "maximum": high, "description": what}


def enum(values: list[str], what: str = "") -> Schema:
    return {"type": "string", "enum": values} | ({"description": what} if what else {})


def extensible(values: Iterable[str], what: str = "") -> Schema:
    """Return a text of which a later release may know other values than these."""
    return {"type": "string", "x-extensible-enum": list(values)} | ({"description": what} if what else {})


def counts(keys: list[str], what: str) -> Schema:
    """Return an object that counts copies by name; names without any are left out."""
    return {
        "type": "object",
        "description": what,
        "propertyNames": {"enum": keys},
        "additionalProperties": integer(1),
    }


def text(what: str, **more: Any) -> Schema:
    return {"type": "string", "description": what, **more}


def truth(what: str = "") -> Schema:
    return {"type": "boolean"} | ({"description": what} if what else {})


def digits(how_many: int, what: str) -> Schema:
    return text(what, pattern=f"^[0-9a-fA-F]{{{how_many}}}$")
