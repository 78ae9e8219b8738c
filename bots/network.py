"""The network: a guess at how a game will end that sailors play on. It ends playouts early, and so makes them cheap.

Two hidden layers, fitted by `make fit` to games of sailors, for all rules and crews; network.npz holds its numbers and
how they were found. Sums are taken in one order, so that a guess is the same on every machine.
"""

import json
import math
from pathlib import Path
from typing import Any, TypeAlias

import numba
import numpy as np

from bots.features import FEATURES, look
from engine.jit import jit
from engine.state import State

FILE = Path(__file__).with_name("network.npz")
HIDDEN, DEEPER = 64, 32
RESCUE, DEATHS = 0, 1  # what it tells

number = np.float32

NETWORK = np.dtype(
    (
        np.record,
        [
            ("first", number, (FEATURES, HIDDEN)),
            ("first_bias", number, (HIDDEN,)),
            ("second", number, (HIDDEN, DEEPER)),
            ("second_bias", number, (DEEPER,)),
            ("third", number, (DEEPER, 2)),
            ("third_bias", number, (2,)),
            # What it thinks at the moment.
            ("seen", number, (FEATURES,)),
            ("hidden", number, (HIDDEN,)),
            ("deeper", number, (DEEPER,)),
            ("told", number, (2,)),
        ],
    )
)
LAYERS = ("first", "first_bias", "second", "second_bias", "third", "third_bias")

Network: TypeAlias = Any  # one record of NETWORK
NETWORKS = numba.types.Array(numba.from_dtype(NETWORK), 1, "C")


@jit
def guess(state: State, network: Network) -> None:
    """Writes into `told`, at the start of a turn, the chance of a rescue and the deaths still to be expected."""
    look(state, network.seen)
    for to in range(HIDDEN):
        network.hidden[to] = network.first_bias[to]
    for seen in range(FEATURES):
        strength = network.seen[seen]
        if strength != 0:
            for to in range(HIDDEN):
                network.hidden[to] += strength * network.first[seen, to]
    for to in range(DEEPER):
        network.deeper[to] = network.second_bias[to]
    for at in range(HIDDEN):
        strength = network.hidden[at]
        if strength > 0:
            for to in range(DEEPER):
                network.deeper[to] += strength * network.second[at, to]
    for to in range(2):
        network.told[to] = network.third_bias[to]
    for at in range(DEEPER):
        strength = network.deeper[at]
        if strength > 0:
            for to in range(2):
                network.told[to] += strength * network.third[at, to]
    network.told[RESCUE] = 1 / (1 + math.exp(-network.told[RESCUE]))
    network.told[DEATHS] = _softplus(network.told[DEATHS])


@jit
def _softplus(x: float) -> float:
    """The logarithm of 1 + e^x, for any x."""
    return max(0.0, x) + math.log1p(math.exp(-abs(x)))


def read(file: Path = FILE) -> np.ndarray:
    network = np.zeros(1, NETWORK)
    with np.load(file) as stored:
        for layer in LAYERS:
            network[layer][0] = stored[layer]
    return network


def write(file: Path, layers: dict[str, np.ndarray], made: dict[str, Any]) -> None:
    """`made` tells how the numbers were found."""
    arrays: dict[str, Any] = {**layers, "made": np.array(json.dumps(made))}
    np.savez(file, **arrays)


def made(file: Path = FILE) -> dict[str, Any]:
    with np.load(file) as stored:
        return dict(json.loads(str(stored["made"])))
