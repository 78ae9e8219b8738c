"""Play games between bots and record every move, so that they can be stored and shown afterwards."""

from collections.abc import Mapping, Sequence
from typing import Any

from bots.arena.game import Between, GameResult, Playing, nothing, seat_crew
from bots.roster import ROSTER
from bots.safety import Chooser
from engine import Game, Rules
from engine.shapes import Event, MoveObject


class RecordedGame(Game):
    """A game that records its moves, each with the events that it brought about."""

    def __init__(self, *args: Any):
        super().__init__(*args)
        self.moves: list[tuple[MoveObject, list[Event]]] = []

    def play(self, move: MoveObject) -> list[Event]:
        """Play a move as any game does, and record it; an illegal move is not recorded."""
        events = super().play(move)
        self.moves.append((move, events))
        return events


def play_recorded(
    crew: Sequence[str], rules: Rules, seed: bytes, between: Between = nothing, roster: Mapping[str, Chooser] = ROSTER
) -> tuple[GameResult, RecordedGame]:
    """Play the game that `play_game` plays, move by move; return its result and its record."""
    game = RecordedGame.new(rules, seed)
    return Playing(game, seat_crew(crew, rules.gnomes, roster), seed, roster, between).to_the_end(), game
