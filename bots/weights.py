"""The sailor's weights by name, as `make tune` leaves them in weights.json with the runs that made them."""

import json
from pathlib import Path
from typing import Any

import numpy as np

from bots.mind import WEIGHTS as LAYOUT

FILE = Path(__file__).parent / "weights.json"


def as_weights(vector: Any) -> np.ndarray:
    """A record from all the numbers in a row."""
    return np.ascontiguousarray(vector, np.float32).view(LAYOUT)


def as_vector(weights: np.ndarray) -> np.ndarray:
    return weights.view(np.float32).astype(np.float64).ravel()


def read(file: Path) -> np.ndarray:
    named = json.loads(file.read_text())["weights"]
    return as_weights(np.concatenate([np.atleast_1d(named[name]) for name in LAYOUT.names or ()]))


def runs_behind(file: Path) -> list[dict[str, Any]]:
    """The runs of `python -m bots.tune` that led to the weights of a file, one going on from the other."""
    return list(json.loads(file.read_text())["runs"])


def write(file: Path, weights: np.ndarray, runs: list[dict[str, Any]]) -> None:
    """One weight a line, so that a change can be read."""
    named = {name: np.round(weights[name][0].astype(float), 4).tolist() for name in LAYOUT.names or ()}
    lines = ",\n".join(f"    {json.dumps(name)}: {json.dumps(value)}" for name, value in named.items())
    file.write_text(f'{{\n  "runs": {json.dumps(runs)},\n  "weights": {{\n{lines}\n  }}\n}}\n')


WEIGHTS = read(FILE)
