"""Play recorded games again, turn by turn, for those who judge what was done in them."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from engine.compiled import doors
from engine.compiled.journal import new_journal, rows
from engine.compiled.state import STATE
from engine.enums import Action
from engine.moves import ARGUMENT, KIND, MAX_FIX_MINUTES, WIRE, MoveKind, new_moves
from engine.rows import Row

_ACTIONS = {
    MoveKind.DRAW_ITEMS: Action.DRAW_ITEMS,
    MoveKind.TRADE_ITEMS: Action.TRADE_ITEMS,
    MoveKind.NO_ACTION: Action.NO_ACTION,
    MoveKind.ABANDON_COMRADES: Action.ABANDON_COMRADES,
    MoveKind.ATTACK_GNOME: Action.ATTACK_GNOME,
}


class BadGame(ValueError):
    """A game with a move that is not legal where it was made."""


@dataclass
class Turn:
    """A turn as it was played: the game at its beginning, each choice with the game before it, and what happened."""

    begun: np.ndarray
    choices: list[tuple[np.ndarray, int]] = field(default_factory=list)
    rows: list[list[int]] = field(default_factory=list)

    @property
    def number(self) -> int:
        """The number of the turn; 0 while a storm rages before the first one."""
        return int(self.begun[0].turn)

    @property
    def seat(self) -> int:
        """The seat whose turn it is."""
        return int(self.begun[0].active)

    @property
    def start(self) -> int:
        """The room in which the gnome began."""
        return int(self.begun[0].room[self.seat])

    @property
    def end(self) -> int:
        """The room to which the gnome walked."""
        return [self.start, *(row[3] for row in self.happened(Row.GNOME_MOVED))][-1]

    @property
    def action(self) -> Action | None:
        """The action that was taken; None if the last minute was spent on the way."""
        for _, move in self.choices:
            kind, argument = MoveKind(KIND[move]), int(ARGUMENT[move])
            if kind == MoveKind.FIX:
                return Action(min(argument // MAX_FIX_MINUTES, Action.UNBLOCK_HATCH))
            if kind in _ACTIONS:
                return _ACTIONS[kind]
        return None

    def happened(self, kind: Row) -> list[list[int]]:
        """Return the rows of a kind."""
        return [row for row in self.rows if row[0] == kind]


def replayed(record: np.ndarray, moves: Sequence[int]) -> tuple[list[Turn], np.ndarray]:
    """Return the turns that the moves make of a game, and the game after them. Raise BadGame for an illegal move."""
    game, turns, legal = copied(record), [Turn(copied(record))], new_moves()
    for at, move in enumerate(moves):
        before, journal = copied(game), new_journal()
        if not (0 <= move < len(WIRE) and doors.play_if_legal(game, move, journal, legal)):
            raise BadGame(f"move {at}, {move}, is not legal there")
        turns[-1].choices.append((before, move))
        for row in rows(journal):
            if row[0] == Row.TURN_BEGAN:
                turns.append(Turn(copied(game)))
            turns[-1].rows.append(row)
    return turns, game


def copied(record: np.ndarray) -> np.ndarray:
    """Return a record of its own; `ndarray.copy` takes 30 times as long."""
    return np.frombuffer(bytearray(record.tobytes()), STATE)
