"""The rules of Red November, compiled."""

from engine.errors import BadBytes, BadPosition, BadRules, BadSeat, BadSeed, GameError, IllegalMove
from engine.game import Game, observe, replay
from engine.rules import Rules
from engine.wire import redact

__all__ = [
    "BadBytes",
    "BadPosition",
    "BadRules",
    "BadSeat",
    "BadSeed",
    "Game",
    "GameError",
    "IllegalMove",
    "Rules",
    "observe",
    "redact",
    "replay",
]
