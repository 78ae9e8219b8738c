"""Games between bots of which every move is kept."""

import zlib
from typing import Any

import orjson

from bots.arena import GameResult, _Play, seat_crew
from bots.roster import ROSTER
from engine import Game, Rules

Wire = dict[str, Any]


class Noted(Game):
    """A game that notes what is played, and what comes of it."""

    def __init__(self, *args: Any):
        super().__init__(*args)
        self.noted: list[tuple[Wire, list[Wire]]] = []

    def play(self, move: Wire) -> list[Wire]:
        happened = super().play(move)
        self.noted.append((move, happened))
        return happened


def new(rules: Rules, seed: bytes) -> Noted:
    game = Noted.new(rules, seed)
    assert isinstance(game, Noted)
    return game


def played(crew: list[str], rules: Rules, seed: bytes) -> tuple[GameResult, Noted]:
    """The game that `play_game` plays, move by move."""
    game = new(rules, seed)
    return _Play(game, seat_crew(crew, rules.gnomes), seed, ROSTER).to_the_end(), game


def packed(game: Noted) -> bytes:
    """Its moves, small."""
    moves = [{name: value for name, value in move.items() if name not in ("cost", "chance")} for move, _ in game.noted]
    return zlib.compress(orjson.dumps(moves), 9)


def unpacked(moves: bytes) -> list[Wire]:
    return list(orjson.loads(zlib.decompress(moves)))
