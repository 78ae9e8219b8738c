"""Pack the moves of a recorded game for the store, and unpack them again."""

import zlib

import orjson

from bots.arena.recorded import RecordedGame
from service.wire import Wire


def packed(game: RecordedGame) -> bytes:
    """Return the game's moves as compressed JSON, without the cost and chance that only legal moves carry."""
    moves = [{name: value for name, value in move.items() if name not in ("cost", "chance")} for move, _ in game.moves]
    return zlib.compress(orjson.dumps(moves), 9)


def unpacked(moves: bytes) -> list[Wire]:
    """Return the moves that `packed` packed."""
    return list(orjson.loads(zlib.decompress(moves)))
