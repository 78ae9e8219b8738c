"""The rules of Red November. This façade is what everything above the engine uses; RULES.md is the rulebook."""

from engine.compiled.jit import cache_folder
from engine.compiled.state import LAYOUT
from engine.errors import BadBytes, BadPosition, BadRules, BadSeat, BadSeed, GameError, IllegalMove
from engine.game import SEED_BYTES, Game, observe, replay
from engine.rules import Rules
from engine.wire import redact

__all__ = [
    "LAYOUT",
    "SEED_BYTES",
    "BadBytes",
    "BadPosition",
    "BadRules",
    "BadSeat",
    "BadSeed",
    "Game",
    "GameError",
    "IllegalMove",
    "Rules",
    "cache_folder",
    "observe",
    "redact",
    "replay",
]
