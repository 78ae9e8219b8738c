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
        preview = game.preview(move)
        yield preview
        if "chance" in preview or any(event["type"] == "item_drawn" for event in preview["certain"]):
            return
        game.play(move)
        if game.decider != decider or game.record["turn"][0] != turn:
            return
