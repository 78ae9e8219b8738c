"""The contract as a whole: what flask-smorest makes of the views, and the shapes that they name."""

from typing import Any

import yaml
from flask_smorest import Api

from service import shapes
from service.schemas import TurnBody

VERSION = "1.0.0"
OPTIONS = {
    "API_VERSION": VERSION,
    "OPENAPI_VERSION": "3.1.0",
    "API_SPEC_OPTIONS": {
        "info": {
            "description": (
                "Cooperative games of Red November, with the complete rules and AI gnomes. Create a game, join it, "
                "start it, then choose among the legal moves that the state lists until there is a result. Every error "
                "is an `application/problem+json` whose `code` tells its kind."
            ),
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "/", "description": "This server"}],
        "tags": [],
    },
}


def describe(api: Api) -> None:
    spec = api.spec
    for name, shape in shapes.components().items():
        spec.components.schema(name, shape)
    spec.components.schema("Turn", schema=TurnBody)
    spec.components.security_scheme(
        "token", {"type": "http", "scheme": "bearer", "description": "The host's, or a player's, of that game."}
    )


def as_yaml(api: Api) -> str:
    """As it is committed: `make openapi`."""
    contract: dict[str, Any] = api.spec.to_dict()
    return yaml.safe_dump(contract, sort_keys=False, allow_unicode=True, width=120)
