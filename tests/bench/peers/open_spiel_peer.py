"""OpenSpiel: random games driven from Python, and random rollouts inside its own C++."""

import json
import random
from functools import partial
from typing import Any

import pyspiel

from tests.bench.harness import median_rate

GAMES = ("backgammon", "maedn(players=4)")
PYTHON_GAMES = 200
CPP_ROLLOUTS = 500


def first_decision(game: Any, rng: random.Random) -> Any:
    """A start after its opening rolls: both ways of driving begin here, because a search must begin at a decision."""
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(chance_outcome(state, rng))
    return state


def chance_outcome(state: Any, rng: random.Random) -> int:
    outcomes, weights = zip(*state.chance_outcomes(), strict=True)
    return rng.choices(outcomes, weights)[0]


def play_from_python(root: Any, rng: random.Random) -> tuple[int, int]:
    """One random game to its end: how many decisions and how many chance outcomes it took."""
    state = root.clone()
    decisions = chances = 0
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(chance_outcome(state, rng))
            chances += 1
        else:
            state.apply_action(rng.choice(state.legal_actions()))
            decisions += 1
    return decisions, chances


def roll_out_in_cpp(game: Any, root: Any, seed: int) -> int:
    """Python cannot call the rollouts of the evaluator, but a search of one simulation is just these."""
    evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=CPP_ROLLOUTS, seed=seed)
    search = pyspiel.MCTSBot(
        game, evaluator, uct_c=2.0, max_simulations=1, max_memory_mb=10, solve=False, seed=seed, verbose=False
    )
    search.mcts_search(root)
    return CPP_ROLLOUTS


def measure(name: str) -> dict[str, float]:
    rng = random.Random(1)
    game = pyspiel.load_game(name)
    root = first_decision(game, rng)
    lengths: list[tuple[int, int]] = []

    def play() -> int:
        lengths.extend(play_from_python(root, rng) for _ in range(PYTHON_GAMES))
        return PYTHON_GAMES

    python_games = median_rate(play)
    cpp_games = median_rate(partial(roll_out_in_cpp, game, root, seed=1))
    # C++ reports no lengths: the games above, played as randomly from the same root, tell the mean.
    decisions = sum(length[0] for length in lengths) / len(lengths)
    actions = sum(map(sum, lengths)) / len(lengths)
    return {
        "python_decisions": python_games * decisions,
        "python_actions": python_games * actions,
        "cpp_decisions": cpp_games * decisions,
        "cpp_actions": cpp_games * actions,
    }


if __name__ == "__main__":
    print(json.dumps({name: measure(name) for name in GAMES}))
