"""Catanatron's bots at a table of four: milliseconds a decision.

PyPI has but the three that are measured; those that search deeper live in its repository only. The last one here is
what the repository's greedy player does, written against the package's own interface: random games after every
action, the action kept that wins most. It tries each action once where that one tries it 25 times.
"""

import json
import random
from collections.abc import Iterator
from time import perf_counter
from typing import Any

from catanatron import Color, Game, Player, RandomPlayer
from catanatron.players.search import VictoryPointPlayer
from catanatron.players.weighted_random import WeightedRandomPlayer

GAMES = 5
PLAYOUT_DECISIONS = 40  # of the player who plays games out, a choice between two actions at least


class PlayoutPlayer(Player):  # type: ignore[misc]
    """Plays a random game after every action, and keeps one that wins."""

    def decide(self, game: Any, actions: Any) -> Any:
        return max(actions, key=lambda action: self.wins_after(game, action))

    def wins_after(self, game: Any, action: Any) -> bool:
        trial = game.copy()
        trial.execute(action)
        trial.state.players = [RandomPlayer(player.color) for player in trial.state.players]
        trial.play()
        return bool(trial.winning_color() == self.color)


class Clock:
    """Measures the decisions of a player that leave a choice."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    def wrap(self, player: Any) -> Any:
        decide = player.decide

        def timed(game: Any, actions: Any) -> Any:
            began = perf_counter()
            chosen = decide(game, actions)
            if len(actions) > 1:
                self.seconds.append(perf_counter() - began)
            return chosen

        player.decide = timed
        return player


def milliseconds(kind: type, decisions: int | None = None) -> float:
    """The mean over whole games, or over the first decisions of a game whose other players are quick."""
    clock = Clock()
    for seed in range(1, GAMES + 1):
        random.seed(seed)
        first, *others = Color
        company = kind if decisions is None else WeightedRandomPlayer
        game = Game([clock.wrap(kind(first)), *map(company, others)], seed=seed)
        while game.winning_color() is None and game.state.num_turns < 1000:
            game.play_tick()
            if decisions is not None and len(clock.seconds) >= decisions:
                break
    return 1000 * sum(clock.seconds) / len(clock.seconds)


def measure() -> Iterator[tuple[str, float]]:
    yield "RandomPlayer", milliseconds(RandomPlayer)
    yield "WeightedRandomPlayer", milliseconds(WeightedRandomPlayer)
    yield "VictoryPointPlayer, looks one action ahead", milliseconds(VictoryPointPlayer)
    yield "one random game after every action", milliseconds(PlayoutPlayer, PLAYOUT_DECISIONS)


if __name__ == "__main__":
    print(json.dumps(dict(measure())))
