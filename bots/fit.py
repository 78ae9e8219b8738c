"""`make fit`: teaches the network how games of sailors end, and writes network.npz. Takes minutes, and gigabytes.

Games of all crews are sampled under the base rules and, fewer, under each variant. The network is fitted by Adam to
the rescue (cross-entropy) and to the deaths to come (squares). Reproducible: one seed gives one network on one
machine; another machine's sums may differ in their last digits, which is why the numbers are committed. Sailors who
were tuned anew should be followed by a new network.
"""

import argparse
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from bots.features import FEATURES
from bots.network import DEATHS, DEEPER, FILE, HIDDEN, LAYERS, RESCUE, write
from bots.sampling import sample
from engine import Rules

Layers = dict[str, np.ndarray]

CREWS = (3, 4, 5, 6, 7, 8)
VARIANTS: tuple[dict[str, Any], ...] = (
    {"edition": "original"},
    {"less_deadly_dying": True},
    {"greater_challenge": "no_respite"},
    {"greater_challenge": "storm"},
)
VARIANTS_SHARE = 0.1  # of each, beside the base rules
HELD_OUT = 0.03  # of the positions, to tell how good the guesses are
BATCH = 2048
RATE = 3e-3  # how fast it learns at its fastest
WARMING_UP = 0.3  # of the steps
DEATHS_COUNT = 0.15  # as much as rescues


def positions(each: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Of all crews and rules, mixed; half precision is enough for what is counted on fingers."""
    sets = [
        sample(Rules(gnomes=gnomes, **variant), seed, max(1000, int(each * (VARIANTS_SHARE if variant else 1))))
        for gnomes in CREWS
        for variant in ({}, *VARIANTS)
    ]
    seen = np.concatenate([seen.astype(np.float16) for seen, _ in sets])
    ends = np.concatenate([ends for _, ends in sets])
    order = np.random.default_rng(seed).permutation(len(seen))
    return seen[order], ends[order]


def new_layers(rng: np.random.Generator) -> Layers:
    sizes = {"first": (FEATURES, HIDDEN), "second": (HIDDEN, DEEPER), "third": (DEEPER, 2)}
    layers: Layers = {}
    for name, (inputs, outputs) in sizes.items():
        layers[name] = rng.uniform(-1, 1, (inputs, outputs)).astype(np.float32) / np.float32(math.sqrt(inputs))
        layers[f"{name}_bias"] = np.zeros(outputs, np.float32)
    return layers


def guesses(layers: Layers, seen: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """What the layers make of positions, one after the other: the last are log-odds of rescue, and deaths before
    softplus."""
    hidden = np.maximum(seen @ layers["first"] + layers["first_bias"], 0)
    deeper = np.maximum(hidden @ layers["second"] + layers["second_bias"], 0)
    return hidden, deeper, deeper @ layers["third"] + layers["third_bias"]


def as_told(raw: np.ndarray) -> np.ndarray:
    """Chance of rescue and deaths to come."""
    told = np.logaddexp(0, raw)
    told[:, RESCUE] = 1 / (1 + np.exp(-raw[:, RESCUE]))
    return told


def slopes(layers: Layers, seen: np.ndarray, ends: np.ndarray) -> Layers:
    """Of the loss, by every number of the network."""
    hidden, deeper, raw = guesses(layers, seen)
    wrong = (as_told(raw) - ends) / len(seen)
    wrong[:, DEATHS] *= 2 * DEATHS_COUNT / (1 + np.exp(-raw[:, DEATHS]))
    wrong_deeper = (wrong @ layers["third"].T) * (deeper > 0)
    wrong_hidden = (wrong_deeper @ layers["second"].T) * (hidden > 0)
    return {
        "first": seen.T @ wrong_hidden, "first_bias": wrong_hidden.sum(axis=0),
        "second": hidden.T @ wrong_deeper, "second_bias": wrong_deeper.sum(axis=0),
        "third": deeper.T @ wrong, "third_bias": wrong.sum(axis=0),
    }  # fmt: skip


def learn(layers: Layers, seen: np.ndarray, ends: np.ndarray, epochs: int, seed: int) -> Iterator[int]:
    """Changes the layers in place; tells each epoch when it is through."""
    rng = np.random.default_rng(seed)
    means = {name: np.zeros_like(layers[name]) for name in LAYERS}
    squares = {name: np.zeros_like(layers[name]) for name in LAYERS}
    steps, step = epochs * (len(seen) // BATCH), 0
    for epoch in range(epochs):
        order = rng.permutation(len(seen))
        for at in range(0, len(seen) - BATCH + 1, BATCH):
            batch = order[at : at + BATCH]
            rate = np.float32(_rate(step / steps))
            step += 1
            for name, slope in slopes(layers, seen[batch].astype(np.float32), ends[batch]).items():
                means[name] += 0.1 * (slope - means[name])
                squares[name] += 0.001 * (slope * slope - squares[name])
                mean, square = means[name] / (1 - 0.9**step), squares[name] / (1 - 0.999**step)
                layers[name] -= rate * mean / (np.sqrt(square) + 1e-8)
        yield epoch


def _rate(done: float) -> float:
    """Warm up, then cool down to nothing."""
    if done < WARMING_UP:
        return RATE * (0.04 + 0.96 * done / WARMING_UP)
    return RATE * (1 + math.cos(math.pi * (done - WARMING_UP) / (1 - WARMING_UP))) / 2


def quality(layers: Layers, seen: np.ndarray, ends: np.ndarray) -> dict[str, float]:
    """How much of the variance of the ends is explained, and the cross-entropy of rescues."""
    told = as_told(guesses(layers, seen.astype(np.float32))[2])
    explained = 1 - ((told - ends) ** 2).mean(axis=0) / ends.var(axis=0)
    rescued, chance = ends[:, RESCUE], np.clip(told[:, RESCUE], 1e-6, 1 - 1e-6)
    entropy = -(rescued * np.log(chance) + (1 - rescued) * np.log(1 - chance)).mean()
    return {
        "rescues_explained": round(float(explained[RESCUE]), 4),
        "deaths_explained": round(float(explained[DEATHS]), 4),
        "cross_entropy": round(float(entropy), 4),
    }


def fit(file: Path, each: int, epochs: int, seed: int) -> dict[str, Any]:
    print("playing", flush=True)
    seen, ends = positions(each, seed)
    held = int(len(seen) * HELD_OUT)
    layers = new_layers(np.random.default_rng(seed))
    for epoch in learn(layers, seen[held:], ends[held:], epochs, seed):
        print(f"{epoch}: {quality(layers, seen[:held], ends[:held])}", flush=True)
    made = {
        "positions": len(seen), "each": each, "epochs": epochs, "seed": seed,
        **quality(layers, seen[:held], ends[:held]),
    }  # fmt: skip
    write(file, layers, made)
    return made


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--file", type=Path, default=FILE)
    parser.add_argument("--each", type=int, default=400_000, help="positions of each crew under the base rules")
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    print(fit(options.file, options.each, options.epochs, options.seed))


if __name__ == "__main__":
    main()
