"""The game that is measured: a seed, and random moves that do not end it."""

import random
from typing import Any

from engine import Game, Rules

MOVES = 100  # more than any server answers in one run
_MIDDLE = 20


def planned() -> tuple[str, list[Any]]:
    """Return a seed, and random moves that do not end its game."""
    for number in range(1000):
        seed, rng = number.to_bytes(32), random.Random(number)
        game = Game.new(Rules(gnomes=4, players=1), seed)
        moves: list[Any] = []
        while game.result is None and len(moves) < MOVES:
            moves.append(rng.choice(game.legal_moves()))
            game.play(moves[-1])
        if game.result is None:
            return seed.hex(), moves
    raise RuntimeError("every game ends too early")


def midgame() -> tuple[bytes, Any]:
    """Return the game after some of the moves, as it is stored, and the next one."""
    seed, moves = planned()
    game = Game.new(Rules(gnomes=4, players=1), bytes.fromhex(seed))
    for move in moves[:_MIDDLE]:
        game.play(move)
    return game.to_bytes(), moves[_MIDDLE]
