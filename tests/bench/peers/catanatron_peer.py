"""Catanatron: games of four random players."""

import json
from itertools import count

from catanatron import Color, Game, RandomPlayer

from tests.bench.harness import median_rate

GAMES = 15


def measure() -> dict[str, float]:
    seeds = count(1)
    actions = games = 0

    def play() -> int:
        nonlocal actions, games
        for _ in range(GAMES):
            game = Game([RandomPlayer(color) for color in Color], seed=next(seeds))
            game.play()
            actions += len(game.state.actions)
            games += 1
        return GAMES

    rate = median_rate(play)
    return {"games": rate, "actions": rate * actions / games}


if __name__ == "__main__":
    print(json.dumps(measure()))
