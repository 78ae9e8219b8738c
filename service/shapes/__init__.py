"""The shapes that go out, as JSON Schemas made from the engine's own tables: moves, events, the state.

Answers on hot paths go from dicts straight to bytes; the contract tests hold them against these.
"""

from service.shapes.answers import games, help_, problem, turns
from service.shapes.catalogue import bots, catalogue
from service.shapes.events import events
from service.shapes.matches import matches
from service.shapes.moves import moves
from service.shapes.state import position, state
from service.shapes.words import Schema, named


def components() -> dict[str, Schema]:
    """By name, the general before the particular."""
    parts = (state, position, games, turns, help_, problem, bots, catalogue, matches, named, moves, events)
    return {name: shape for part in parts for name, shape in part().items()}
