"""Keep a failing bot from losing the game: a sailor answers in its place, and if that fails, any legal move."""

import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from bots.roster import ROSTER
from engine import Game, IllegalMove, observe
from engine.shapes import Move

BLUEPRINT = "sailor"
NOBODYS_CHOICE = "any legal move"
_SELFISH = ("abandon_comrades", "attack_gnome")


class Chooser(Protocol):
    """Anything that chooses moves, with the arguments of `Bot.choose`."""

    @property
    def choose(self) -> Callable[..., list[Move]]: ...


@dataclass(frozen=True)
class Fault:
    """A bot's failure to answer a decision, and who answered in its place."""

    bot: str
    seat: int
    moves_played: int
    error: str
    played_by: str


def choose_safely(name: str, bot: Chooser, game: Game, seed: int, **how: Any) -> tuple[list[Move], list[Fault]]:
    """Return the bot's moves for whoever must decide in `game`, the first of them legal, and what went wrong.

    The bot sees what its seat may know, and nothing else. `how` holds further arguments for its `choose`.
    """
    seat = game.decider
    if seat is None:
        raise ValueError("the game is over: there is nothing to choose")
    faults: list[Fault] = []
    for asked, chooser, words, instead in (
        (name, bot, how, BLUEPRINT),
        (BLUEPRINT, ROSTER[BLUEPRINT], {}, NOBODYS_CHOICE),
    ):
        try:
            moves = list(chooser.choose(observe(game, seat), seed=seed, **words))
            _check(moves, game)
        except Exception as error:  # noqa: BLE001 - whatever it is, the game goes on
            faults.append(Fault(asked, seat, game.version, _described(error), instead))
        else:
            return moves, faults
    return [any_of(game.legal_moves())], faults


def _check(moves: list[Move], game: Game) -> None:
    if not moves:
        raise ValueError("no move chosen")
    if not game.is_legal(moves[0]):
        raise IllegalMove("type", f"{moves[0]} is not legal")


def _described(error: Exception) -> str:
    """Return the error and the line that raised it."""
    *_, last = traceback.extract_tb(error.__traceback__)
    return f"{type(error).__name__}: {error} ({Path(last.filename).name}:{last.lineno})"


def any_of(legal: list[Move]) -> Move:
    """Return the last legal move, as idling and being done come last, and if possible none that harms a comrade."""
    return next((move for move in reversed(legal) if move["type"] not in _SELFISH), legal[-1])
