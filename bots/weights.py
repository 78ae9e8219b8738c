"""The sailor's tuned weights, as `make tune` left them in weights.json, which also says how they were made."""

import json
from pathlib import Path

import numpy as np

from bots.mind import WEIGHTS as _LAYOUT

FILE = Path(__file__).parent / "weights.json"


def as_weights(vector: object) -> np.ndarray:
    return np.ascontiguousarray(vector, np.float32).view(_LAYOUT)


WEIGHTS = as_weights(json.loads(FILE.read_text())["weights"])
