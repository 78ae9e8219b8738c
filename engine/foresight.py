"""What moves in a row would do, as far as it can be known."""

from collections.abc import Iterable, Iterator
from typing import Any

from engine.game import Game

Wire = dict[str, Any]


def foresee(game: Game, moves: Iterable[Wire]) -> Iterator[Wire]:
    """Previews, up to the first move that chance has a part in or that hands on the decision; plays on `game`.

    IllegalMove leaves `game` where that move would have been made.
    """
    decider, turn = game.decider, game.record["turn"][0]
    for move in moves:
        yield game.preview(move)
        certain = plays_for_certain(game, move)
        if not certain or game.decider != decider or game.record["turn"][0] != turn:
            return


def plays_for_certain(game: Game, move: Wire) -> bool:
    """Plays the move; False if chance had a part in what came of it, or what somebody attacked holds in his hand."""
    rolls = game.record["rolls"].copy()
    happened = game.play(move)
    attacked = any(event["type"] == "attack_declared" for event in happened)
    return not attacked and bool((game.record["rolls"] == rolls).all())
