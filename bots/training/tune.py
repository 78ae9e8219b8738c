"""`make tune`: find the sailor's weights by self-play, with a separable CMA evolution strategy.

Every generation plays all its candidates on the same games (same starts, same dice), new ones each generation. What
counts is the crew's rescue at every size of crew, in logarithm, less a price for deaths. The search is reproducible:
one seed gives one result. Progress goes to standard output, the best weights so far to the file named.
"""

import argparse
import math
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np

from bots.sailor.mind import default_weights, new_mind
from bots.sailor.weights import FILE, as_vector, as_weights, read, runs_behind, write
from bots.search.playout import CREWS, starts
from bots.training.self_play import TALLY, play_sailors
from engine import Rules
from engine.compiled.journal import SILENT
from engine.compiled.state import new_records
from engine.moves import new_moves

STARTS = 250  # set-ups a crew size, each played with several dice
DEATH_PRICE = 0.02  # of one death a game, in logarithms of the rescue rate


def scales(vector: np.ndarray) -> np.ndarray:
    """Return how far each weight is varied at first: a part of its size, and something for those that are small."""
    return 0.25 * np.abs(vector) + 0.3


def evaluate(vector: np.ndarray, seed: int, games: int) -> tuple[float, list[float], float]:
    """Return the score, the rescue rates by size of crew, and the deaths in a game."""
    weights = as_weights(vector)
    rates, deaths = [], 0.0
    for gnomes in CREWS:
        tally = np.zeros(TALLY, np.int64)
        begun = starts(Rules(gnomes=gnomes), seed, STARTS)
        wins = play_sailors(new_records(), begun, weights, seed, games, new_mind(), SILENT, new_moves(), tally)
        rates.append(wins / games)
        deaths += tally[-1] / games / len(CREWS)
    score = sum(math.log(rate + 0.01) for rate in rates) / len(CREWS) - DEATH_PRICE * deaths
    return score, rates, deaths


def tune(file: Path, generations: int, population: int, games: int, seed: int, processes: int) -> None:
    mean = as_vector(read(file) if file.exists() else default_weights())
    size = len(mean)
    scale, sigma = scales(mean), 0.3
    rng = np.random.default_rng(seed)
    half = population // 2
    share = np.log(half + 0.5) - np.log(np.arange(1, half + 1))
    share /= share.sum()
    effective = 1 / (share**2).sum()
    c_sigma = (effective + 2) / (size + effective + 5)
    damping = 1 + c_sigma + 2 * max(0.0, math.sqrt((effective - 1) / (size + 1)) - 1)
    c_path = 4 / (size + 4)
    c_rank1 = 2 / ((size + 1.3) ** 2 + effective) * (size + 2) / 3
    c_ranks = min(1 - c_rank1, 2 * (effective - 2 + 1 / effective) / ((size + 2) ** 2 + effective) * (size + 2) / 3)
    earlier = runs_behind(file) if file.exists() else []
    run = {"seed": seed, "population": population, "games": games}
    path_sigma, path, variance = np.zeros(size), np.zeros(size), np.ones(size)
    expected = math.sqrt(size) * (1 - 1 / (4 * size))
    with ProcessPoolExecutor(processes) as pool:
        for generation in range(generations):
            noise = rng.standard_normal((population, size))
            steps = noise * np.sqrt(variance)
            tried = mean + sigma * scale * steps
            jobs = [pool.submit(evaluate, vector, generation + seed * 10_000, games) for vector in [mean, *tried]]
            (own, rates, deaths), *results = [job.result() for job in jobs]
            order = np.argsort([-score for score, _, _ in results])[:half]
            move = share @ steps[order]
            mean = mean + sigma * scale * move
            path_sigma = (1 - c_sigma) * path_sigma + math.sqrt(c_sigma * (2 - c_sigma) * effective) * share @ noise[
                order
            ]
            path = (1 - c_path) * path + math.sqrt(c_path * (2 - c_path) * effective) * move
            spread = share @ steps[order] ** 2
            variance = (1 - c_rank1 - c_ranks) * variance + c_rank1 * path**2 + c_ranks * spread
            sigma *= math.exp(c_sigma / damping * (np.linalg.norm(path_sigma) / expected - 1))
            shown = " ".join(f"{100 * rate:.1f}" for rate in rates)
            print(f"{generation}: {own:.3f} rescued {shown} % deaths {deaths:.2f} sigma {sigma:.3f}", flush=True)
            write(file, as_weights(mean), [*earlier, run | {"generations": generation + 1}])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--file", type=Path, default=FILE)
    parser.add_argument("--generations", type=int, default=100)
    parser.add_argument("--population", type=int, default=24)
    parser.add_argument("--games", type=int, default=1500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args()
    tune(options.file, options.generations, options.population, options.games, options.seed, options.processes)


if __name__ == "__main__":
    main()
