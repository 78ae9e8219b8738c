"""Random play inside compiled code: whole games in a row, for benchmarks and for looking at the rules in bulk."""

from engine.doors import play_randomly
from engine.game import Game
from engine.journal import SILENT
from engine.moves import new_moves
from engine.state import new_records


def random_games(start: Game, seed: int, games: int) -> int:
    """Plays that many games of random legal moves from a position, each under its own key; returns the moves made."""
    return int(play_randomly(new_records(), start.record, seed, games, SILENT, new_moves()))
