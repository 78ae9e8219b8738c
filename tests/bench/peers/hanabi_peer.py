"""OpenSpiel's hanabi from Python: random steps with the acting player's observation and legal actions."""

import json
import random
from time import thread_time
from typing import Any

import pyspiel

STEPS = 20_000


def steps(game: Any, rng: random.Random) -> float:
    """Return decisions a second of processor time; dice and cards are drawn as quickly as Python can."""
    began, made = thread_time(), 0
    while made < STEPS:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(outcomes, weights)[0])
                continue
            state.observation_tensor(state.current_player())
            state.apply_action(rng.choice(state.legal_actions()))
            made += 1
    return made / (thread_time() - began)


if __name__ == "__main__":
    print(json.dumps(steps(pyspiel.load_game("hanabi"), random.Random(1))))
