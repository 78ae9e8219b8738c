"""Play random games in compiled code, for benchmarks and for checks of the rules in bulk."""

from engine.compiled.doors import play_randomly
from engine.compiled.journal import SILENT
from engine.compiled.state import new_records
from engine.game import Game
from engine.moves import new_moves


def random_games(start: Game, seed: int, games: int) -> int:
    """Play games of random legal moves from a position, each under its own key; return how many moves were made."""
    return int(play_randomly(new_records(), start.record, seed, games, SILENT, new_moves()))
