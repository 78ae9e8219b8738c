"""Play by numbers: many games in one array, moves as ids, and no objects on the way.

This is the façade's second door, for programs that play millions of moves: learners, searches, statistics. It keeps the
rules as `Game` does, and a lane can be turned into a `Game` at any moment. An id stands for the same move everywhere.
"""

from functools import partial

import numpy as np

from engine.compiled import stepping
from engine.compiled.journal import SILENT
from engine.compiled.state import new_records
from engine.compiled.stepping import ILLEGAL
from engine.enums import NOBODY
from engine.game import Game
from engine.moves import COUNT, new_moves
from engine.rules import rules_of
from engine.vector import MOVE_IDS, id_of, move_of

__all__ = ["ILLEGAL", "MOVE_IDS", "Lanes", "id_of", "move_of"]


class Lanes:
    """An array of games. Each lane holds one, and what is legal in it.

    `ids[lane]` begins with the ids of the legal moves, `mask[lane]` is true at them, and `deciders[lane]` is the seat
    that must decide, or -1. The arrays stay where they are: whoever holds them sees each change.
    """

    def __init__(self, count: int):
        if type(count) is not int or count < 1:
            raise ValueError(f"count must be 1 or more, not {count!r}")
        self.records = new_records(count)
        self.ids = np.zeros((count, COUNT), np.int16)
        self.mask = np.zeros((count, COUNT), np.bool_)
        self.deciders = np.full(count, NOBODY, np.int8)
        arrays = (self.records, SILENT, new_moves(), self.ids, self.mask, self.deciders)
        self._look = partial(stepping.look, *arrays)
        self._step = partial(stepping.step, *arrays)

    def __len__(self) -> int:
        return len(self.records)

    def put(self, lane: int, game: Game) -> int:
        """Copy a game into a lane; return how many moves are legal in it."""
        self._check(lane)
        self.records[lane] = game.record[0]
        return int(self._look(lane))

    def step(self, lane: int, move: int) -> int:
        """Play a move by its id; return how many are legal then, 0 at the end. An ILLEGAL one changes nothing."""
        return self._step(lane, move)

    def game(self, lane: int) -> Game:
        """Return the game of a lane, a copy."""
        self._check(lane)
        record = self.records[lane : lane + 1].copy()
        return Game(record, rules_of(record))

    def _check(self, lane: int) -> None:
        if type(lane) is not int or not 0 <= lane < len(self):
            raise IndexError(f"lane must be 0 to {len(self) - 1}, not {lane!r}")
