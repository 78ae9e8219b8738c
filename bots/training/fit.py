"""`make fit`: teach the network how games end, and write network.npz. It takes minutes and gigabytes.

Games of sailors are sampled at all sizes under the base rules and, fewer, under each variant, new ones for each epoch,
as they cost less than what the network would learn by heart; games of all other crews are those that `make lessons` has
played. The network is fitted by Adam to the rescue (cross-entropy) and to the deaths to come (squares). Reproducible:
one seed gives one network on one machine; another machine's sums may differ in their last digits, which is why the
numbers are committed. After the sailor has been tuned, fit the network again.

It is the network that compares choices. The one that tells chances goes on from it with games of today's crews, beside
which there must not be too many of sailors: `make lessons`, then
`make fit FIT_ARGS="--file bots/search/chances.npz --start bots/search/network.npz --each 60000 --epochs 3 --seed 200"`.
"""

import argparse
import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from bots.search.features import FEATURES
from bots.search.network import DEATHS, DEEPER, FILE, HIDDEN, LAYERS, RESCUE, Made, made, read, write
from bots.search.playout import CREWS
from bots.training.lessons import FOLDER, learnt_from, numbers_of
from bots.training.sampling import sample
from engine import Rules

Layers = dict[str, np.ndarray]
Positions = tuple[np.ndarray, np.ndarray]  # what is seen of them, and how they ended

VARIANTS: tuple[dict[str, Any], ...] = (  # arguments of Rules
    {"edition": "original"},
    {"less_deadly_dying": True},
    {"greater_challenge": "no_respite"},
    {"greater_challenge": "storm"},
)
VARIANTS_SHARE = 0.1  # of each, beside the base rules
HELD_OUT = 0.03  # as many positions of sailors as of an epoch, to tell how good the guesses are
HELD_LESSON = 20  # of so many lessons one is held out: positions of one game are too much alike
BATCH = 2048
RATE = 3e-3  # how fast it learns at its fastest
GOING_ON = 2e-3  # likewise, if it goes on with what another one has learnt
WARMING_UP = 0.3  # of the steps
DEATHS_COUNT = 0.15  # as much as rescues
LESSONS_COUNT = 2  # as much as games of sailors


def positions(each: int, seed: int) -> Positions:
    """Return positions of sailors' games of all sizes and rules, and how they ended. Half precision is enough for such
    small numbers."""
    sets = [
        sample(Rules(gnomes=gnomes, **variant), seed, max(1000, int(each * (VARIANTS_SHARE if variant else 1))))
        for gnomes in CREWS
        for variant in ({}, *VARIANTS)
    ]
    return np.concatenate([seen.astype(np.float16) for seen, _ in sets]), np.concatenate([ends for _, ends in sets])


def taught(folder: Path, held: bool) -> Positions:
    """Return positions of the lessons that were played, either of those that are held out or of the others."""
    return learnt_from(folder, [number for number in numbers_of(folder) if (number % HELD_LESSON == 0) == held])


def new_layers(rng: np.random.Generator) -> Layers:
    sizes = {"first": (FEATURES, HIDDEN), "second": (HIDDEN, DEEPER), "third": (DEEPER, 2)}
    layers: Layers = {}
    for name, (inputs, outputs) in sizes.items():
        layers[name] = rng.uniform(-1, 1, (inputs, outputs)).astype(np.float32) / np.float32(math.sqrt(inputs))
        layers[f"{name}_bias"] = np.zeros(outputs, np.float32)
    return layers


def layers_of(file: Path) -> Layers:
    network = read(file)
    return {name: network[name][0].copy() for name in LAYERS}


def guesses(layers: Layers, seen: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return each layer's values for positions: the last ones are log-odds of rescue, and deaths before softplus."""
    hidden = np.maximum(seen @ layers["first"] + layers["first_bias"], 0)
    deeper = np.maximum(hidden @ layers["second"] + layers["second_bias"], 0)
    return hidden, deeper, deeper @ layers["third"] + layers["third_bias"]


def outcomes(raw: np.ndarray) -> np.ndarray:
    """Return the chance of rescue and the deaths to come from the values of the last layer."""
    output = np.logaddexp(0, raw)
    output[:, RESCUE] = 1 / (1 + np.exp(-raw[:, RESCUE]))
    return output


def slopes(layers: Layers, seen: np.ndarray, ends: np.ndarray) -> Layers:
    """Return the gradient of the loss by every number of the network."""
    hidden, deeper, raw = guesses(layers, seen)
    wrong = (outcomes(raw) - ends) / len(seen)
    wrong[:, DEATHS] *= 2 * DEATHS_COUNT / (1 + np.exp(-raw[:, DEATHS]))
    wrong_deeper = (wrong @ layers["third"].T) * (deeper > 0)
    wrong_hidden = (wrong_deeper @ layers["second"].T) * (hidden > 0)
    return {
        "first": seen.T @ wrong_hidden, "first_bias": wrong_hidden.sum(axis=0),
        "second": hidden.T @ wrong_deeper, "second_bias": wrong_deeper.sum(axis=0),
        "third": deeper.T @ wrong, "third_bias": wrong.sum(axis=0),
    }  # fmt: skip


def learn(
    layers: Layers, positions_of: Callable[[int], Positions], epochs: int, seed: int, fastest: float = RATE
) -> Iterator[int]:
    """Change the layers in place by the positions of each epoch; yield the epoch's number when it is done."""
    rng = np.random.default_rng(seed)
    means = {name: np.zeros_like(layers[name]) for name in LAYERS}
    squares = {name: np.zeros_like(layers[name]) for name in LAYERS}
    step = 0
    for epoch in range(epochs):
        seen, ends = positions_of(epoch)
        order = rng.permutation(len(seen))
        for at in range(0, len(seen) - BATCH + 1, BATCH):
            batch = order[at : at + BATCH]
            rate = np.float32(fastest * _rate((epoch + at / len(seen)) / epochs))
            step += 1
            for name, slope in slopes(layers, seen[batch].astype(np.float32), ends[batch]).items():
                means[name] += 0.1 * (slope - means[name])
                squares[name] += 0.001 * (slope * slope - squares[name])
                mean, square = means[name] / (1 - 0.9**step), squares[name] / (1 - 0.999**step)
                layers[name] -= rate * mean / (np.sqrt(square) + 1e-8)
        yield epoch


def _rate(done: float) -> float:
    """Return the learning rate as a share of the fastest: it warms up and then cools down to nothing."""
    if done < WARMING_UP:
        return 0.04 + 0.96 * done / WARMING_UP
    return (1 + math.cos(math.pi * (done - WARMING_UP) / (1 - WARMING_UP))) / 2


def quality(layers: Layers, seen: np.ndarray, ends: np.ndarray) -> dict[str, float]:
    """Return how much of the variance of the ends is explained, and the cross-entropy of rescues."""
    output = outcomes(guesses(layers, seen.astype(np.float32))[2])
    explained = 1 - ((output - ends) ** 2).mean(axis=0) / ends.var(axis=0)
    rescued, chance = ends[:, RESCUE], np.clip(output[:, RESCUE], 1e-6, 1 - 1e-6)
    entropy = -(rescued * np.log(chance) + (1 - rescued) * np.log(1 - chance)).mean()
    return {
        "rescues_explained": round(float(explained[RESCUE]), 4),
        "deaths_explained": round(float(explained[DEATHS]), 4),
        "cross_entropy": round(float(entropy), 4),
    }


def fit(file: Path, each: int, epochs: int, seed: int, lessons: Path | None = None, start: Path | None = None) -> Made:
    """Play games of sailors, fit the network to them and to the lessons, and write it; return how good it is.

    With a `start` it goes on with the numbers of that network, more slowly.
    """
    tests = {"": positions(max(1, int(each * HELD_OUT)), seed)}
    learnt: list[Positions] = []
    if lessons is not None:
        tests["lessons_"] = taught(lessons, held=True)
        learnt = [taught(lessons, held=False)] * LESSONS_COUNT
    count = 0

    def positions_of(epoch: int) -> Positions:
        nonlocal count
        seen, ends = map(np.concatenate, zip(positions(each, seed + 1 + epoch), *learnt, strict=True))
        count += len(seen)
        return seen, ends

    layers = new_layers(np.random.default_rng(seed)) if start is None else layers_of(start)
    told: dict[str, float] = {}
    for epoch in learn(layers, positions_of, epochs, seed, RATE if start is None else GOING_ON):
        told = {kind + name: value for kind, test in tests.items() for name, value in quality(layers, *test).items()}
        print(f"{epoch}: {told}", flush=True)
    how: Made = {"positions": count, "each": each, "epochs": epochs, "seed": seed, **told}
    if lessons is not None:
        how["lessons"] = len(numbers_of(lessons))
    if start is not None:
        how["start"] = made(start)
    write(file, layers, how)
    return how


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--file", type=Path, default=FILE)
    parser.add_argument("--start", type=Path, help="a network to go on with")
    parser.add_argument("--lessons", type=Path, default=FOLDER, help="as `make lessons` left them")
    parser.add_argument("--each", type=int, default=400_000, help="positions of each size under the base rules")
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    lessons = options.lessons if options.lessons.exists() else None
    print(fit(options.file, options.each, options.epochs, options.seed, lessons, options.start))


if __name__ == "__main__":
    main()
