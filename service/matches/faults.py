"""Faults of bots as they are stored with a match: each after its place in its game, and with the number of the game.

What is stored says `version` for the moves that were played before.
"""

import orjson

from bots.arena.game import GameResult
from bots.arena.series import FAULTS_TOLD
from service.wire import Wire

Report = Wire  # as `bots.arena` tells a fault
_PLACE_DIGITS = 2  # which put the faults of a game in order


def encode(result: GameResult, number: int) -> list[bytes]:
    """Write the first faults of a game of a match."""
    return [
        b"%0*d" % (_PLACE_DIGITS, place)
        + orjson.dumps({
            "seed": result.seed, "bot": fault.bot, "seat": fault.seat, "version": fault.moves_played,
            "error": fault.error, "played_by": fault.played_by, "number": number,
        })
        for place, fault in enumerate(result.faults[:FAULTS_TOLD])
    ]  # fmt: skip


def decode(stored: bytes) -> tuple[int, Report]:
    """Read a fault, and the number of its game."""
    told = orjson.loads(stored[_PLACE_DIGITS:])
    report = {
        "seed": told["seed"], "bot": told["bot"], "seat": told["seat"], "moves_played": told["version"],
        "error": told["error"], "played_by": told["played_by"],
    }  # fmt: skip
    return told["number"], report
