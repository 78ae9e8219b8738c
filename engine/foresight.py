"""Preview several moves in a row, as far as their effects can be known."""

from collections.abc import Iterable, Iterator

from engine.game import Game
from engine.shapes import MoveObject, Preview


def foresee(game: Game, moves: Iterable[MoveObject]) -> Iterator[Preview]:
    """Yield previews up to the first move that depends on chance or passes the decision to another seat.

    The moves are played on `game`. IllegalMove leaves it where that move would have been made.
    """
    decider, turn = game.decider, game.record["turn"][0]
    for move in moves:
        yield game.preview(move)
        certain = plays_for_certain(game, move)
        if not certain or game.decider != decider or game.record["turn"][0] != turn:
            return


def plays_for_certain(game: Game, move: MoveObject) -> bool:
    """Play the move; return whether its outcome depended neither on chance nor on the hand of an attacked gnome."""
    rolls = game.record["rolls"].copy()
    events = game.play(move)
    attacked = any(event["type"] == "attack_declared" for event in events)
    return not attacked and bool((game.record["rolls"] == rolls).all())
