"""Read and write the sailor's weights: weights.json has them by name, with the runs of `make tune` behind them."""

import json
from pathlib import Path
from typing import Any

import numpy as np

from bots.sailor.mind import WEIGHTS as LAYOUT

FILE = Path(__file__).parent / "weights.json"


def as_weights(vector: Any) -> np.ndarray:
    """Return the record of weights that a vector holds."""
    return np.ascontiguousarray(vector, np.float32).view(LAYOUT)


def as_vector(weights: np.ndarray) -> np.ndarray:
    """Return all numbers of a record of weights as a vector."""
    return weights.view(np.float32).astype(np.float64).ravel()


def read(file: Path) -> np.ndarray:
    """Return the weights of a file."""
    named = json.loads(file.read_text())["weights"]
    return as_weights(np.concatenate([np.atleast_1d(named[name]) for name in LAYOUT.names or ()]))


Run = dict[str, Any]  # the arguments of a run of `make tune`, as JSON


def runs_behind(file: Path) -> list[Run]:
    """Return the runs of `make tune` that led to the weights of a file, each of which continued the one before."""
    return list(json.loads(file.read_text())["runs"])


def write(file: Path, weights: np.ndarray, runs: list[Run]) -> None:
    """Write a file with one weight on a line, so that a change can be read."""
    named = {name: np.round(weights[name][0].astype(float), 4).tolist() for name in LAYOUT.names or ()}
    lines = ",\n".join(f"    {json.dumps(name)}: {json.dumps(value)}" for name, value in named.items())
    file.write_text(f'{{\n  "runs": {json.dumps(runs)},\n  "weights": {{\n{lines}\n  }}\n}}\n')


WEIGHTS = read(FILE)
