"""Describe what goes out by JSON Schemas, made from the engine's own tables: moves, events, the state.

Answers on hot paths go from dicts straight to bytes; the contract tests hold them against these.
"""

from service.api.json_schema import Schema
from service.contract.shapes.answers import games, help_, problem, turns
from service.contract.shapes.catalogue import bots, catalogue
from service.contract.shapes.controllers import controllers
from service.contract.shapes.events import events
from service.contract.shapes.geometry import geometry
from service.contract.shapes.matches import matches
from service.contract.shapes.moves import moves
from service.contract.shapes.outside import outside
from service.contract.shapes.reach import reach
from service.contract.shapes.signals import signals
from service.contract.shapes.state import position, state
from service.contract.shapes.words import named


def components() -> dict[str, Schema]:
    """Return all schemas by name, the general before the particular."""
    parts = (
        state, position, games, turns, reach, help_, problem, bots, outside, catalogue, geometry, matches, named, moves,
        controllers, signals, events,
    )  # fmt: skip
    return {name: shape for part in parts for name, shape in part().items()}
