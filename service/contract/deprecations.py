"""Declare for operations that will end what their answers say about it."""

from service.api.deprecation import NOTICE, POLICY
from service.wire import Wire

_HEADERS: dict[str, tuple[str, str]] = {
    "Deprecation": ("Since when the operation is deprecated, in seconds since 1970 (RFC 9745).", "@1830297600"),
    "Sunset": ("When it ends (RFC 8594).", "Sat, 01 Jul 2028 00:00:00 GMT"),
    "Link": ("What deprecation means here.", f'<{POLICY}>; rel="deprecation"; type="text/html"'),
}


def declare(operation: Wire, components: Wire) -> None:
    """Add the notice to a deprecated operation's description, and the headers to each of its answers."""
    operation["description"] = f"{operation['description']} {operation.pop(NOTICE)}"
    components["headers"] |= {
        name: {"description": what, "required": True, "schema": {"type": "string"}, "example": example}
        for name, (what, example) in _HEADERS.items()
    }
    told = {name: {"$ref": f"#/components/headers/{name}"} for name in _HEADERS}
    for status, answer in operation["responses"].items():
        own = components["responses"][answer["$ref"].rpartition("/")[2]] if "$ref" in answer else answer
        operation["responses"][status] = own | {"headers": own.get("headers", {}) | told}
