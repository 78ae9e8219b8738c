"""Preview several moves in a row, as far as their effects can be known."""

from collections.abc import Iterable, Iterator

from engine.game import Game
from engine.shapes import MoveObject, Preview


def foresee(game: Game, moves: Iterable[MoveObject]) -> Iterator[tuple[Preview, Game | None]]:
    """Yield previews up to the first move that depends on chance or passes the decision to another seat, each with the
    game after its move: None where chance decides that.

    The moves are played on `game`, the one that is yielded. IllegalMove leaves it where that move would have been made.
    """
    decider, turn = game.decider, game.record["turn"][0]
    for move in moves:
        preview = game.preview(move)
        certain = plays_for_certain(game, move)
        yield preview, game if certain else None
        if not certain or game.decider != decider or game.record["turn"][0] != turn:
            return


def plays_for_certain(game: Game, move: MoveObject) -> bool:
    """Play the move; return whether its outcome depended neither on chance nor on the hand of an attacked gnome."""
    rolls = game.record["rolls"].copy()
    events = game.play(move)
    attacked = any(event["type"] == "attack_declared" for event in events)
    return not attacked and bool((game.record["rolls"] == rolls).all())
