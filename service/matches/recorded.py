"""Pack the moves of a recorded game for the store, and unpack them again."""

import zlib
from collections.abc import Iterable

import orjson

from engine.shapes import MoveObject
from service.wire import Wire


def packed(moves: Iterable[MoveObject]) -> bytes:
    """Return a game's moves as compressed JSON, without the cost and chance that only legal moves carry."""
    bare = [{name: value for name, value in move.items() if name not in ("cost", "chance")} for move in moves]
    return zlib.compress(orjson.dumps(bare), 9)


def unpacked(moves: bytes) -> list[Wire]:
    """Return the moves that `packed` packed."""
    return list(orjson.loads(zlib.decompress(moves)))
