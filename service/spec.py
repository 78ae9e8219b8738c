"""The contract as a whole: what flask-smorest makes of the views, the shapes that they name, and what goes for all."""

import copy
from typing import Any

import yaml
from flask_smorest import Api

from service import contract, shapes
from service.schemas import Controller, Shape, Turn
from service.timing import BOT

VERSION = "1.0.0"
_ABOUT = """\
Cooperative games of Red November, with the complete rules and AI gnomes. No client needs to know a rule.

1. `createGame`: the answer holds the host's token.
2. `joinGame`, for each player: the answer holds the player's token, to be sent as `Authorization: Bearer rn_…`.
3. `startGame`, with the host's token.
4. `getGame`: the state lists `legal_moves` for whoever must decide. `play` one of them, as it is, until there is a
   `result`.

`createMatch` lets crews of bots play thousands of games, to compare them.

Every error is an `application/problem+json` (RFC 9457); its `code` tells the kind. Every `POST` may be repeated with
the same `Idempotency-Key`. Poll with `If-None-Match`, wait with `after` and `wait`, or stream `listEvents`."""
OPTIONS = {
    "API_VERSION": VERSION,
    "OPENAPI_VERSION": "3.1.0",
    "API_SPEC_OPTIONS": {
        "info": {"description": _ABOUT, "license": {"name": "MIT", "identifier": "MIT"}},
        "servers": [{"url": "/", "description": "This server"}],
    },
}
_SECURITY = {
    "token": {
        "type": "http",
        "scheme": "bearer",
        "description": (
            "Of that game: the host's, as its creation answers, or a player's, as joining does. Or of that match."
        ),
    },
    "api_key": {
        "type": "apiKey",
        "in": "header",
        "name": "X-API-Key",
        "description": "To create games and matches where the operator has given out keys.",
    },
}

_A_BOT_FOR_ITS_KIND = {
    "if": {"properties": {"kind": {"const": BOT}}},
    "then": {"required": ["bot"]},
    "else": {"properties": {"bot": False}},
}


def describe(api: Api) -> None:
    spec = api.spec
    api.ma_plugin.converter.add_attribute_function(_shape)
    for name, shape in shapes.components().items():
        spec.components.schema(name, shape)
    spec.components.schema("Turn", schema=Turn)
    spec.components.schema("Controller", schema=Controller)
    spec.components.schemas["Controller"] |= _A_BOT_FOR_ITS_KIND
    for name, scheme in _SECURITY.items():
        spec.components.security_scheme(name, scheme)


def _shape(_: Any, field: Any, **__: Any) -> dict[str, Any]:
    return field.schema if isinstance(field, Shape) else {}


class _Plain(yaml.SafeDumper):
    """Without references from one place of the document to another."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def _text(dumper: yaml.SafeDumper, value: str) -> yaml.Node:
    return dumper.represent_scalar("tag:yaml.org,2002:str", value, style="|" if "\n" in value else None)


_Plain.add_representer(str, _text)


def as_yaml(api: Api) -> str:
    """As it is committed: `make openapi`."""
    document = contract.finish(copy.deepcopy(api.spec.to_dict()))
    return yaml.dump(document, Dumper=_Plain, sort_keys=False, allow_unicode=True, width=120, default_flow_style=None)
