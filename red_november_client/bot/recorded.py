"""Decisions of every kind under every option, as a service tells them. `make recorded` makes the file."""

import gzip
import json
from functools import cache
from importlib.resources import files

from red_november_client.wire import Wire

NAME = "decisions.ndjson.gz"


@cache
def _text() -> str:
    return gzip.decompress((files("red_november_client.bot") / NAME).read_bytes()).decode()


def decisions() -> list[Wire]:
    """Return the decisions, for whoever calls to change as they like."""
    return [json.loads(line) for line in _text().splitlines()]


def named(decision: Wire) -> str:
    """Say in some words which decision it is."""
    rules = decision["state"]["rules"]
    options = [name.replace("_", " ") for name in ("less_deadly_dying", "hidden_hands", "crazed_gnomes") if rules[name]]
    if rules["greater_challenge"] != "off":
        options.append(rules["greater_challenge"].replace("_", " "))
    words = [decision["kind"].replace("_", " "), f"{rules['gnomes']} gnomes", *options]
    if rules["players"] != rules["gnomes"]:
        words.append(f"{rules['players']} players")
    if rules["edition"] != "revised":
        words.append(f"{rules['edition']} edition")
    return f"{decision['id']} ({', '.join(words)})"
