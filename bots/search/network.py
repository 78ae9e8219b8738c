"""Guess by a network how a game will end with its crew, so that playouts can end early and are cheap.

Two hidden layers, fitted by `make fit` to games of all kinds of crews under all rules. There are two of them: one
compares choices, by which bots decide, and the other tells chances. Only the second one may go on with games of today's
crews without changing how bots play among themselves. Their files hold the numbers and how they were found. Sums are
taken in one order, so that a guess is the same on every machine.
"""

import json
import math
from pathlib import Path
from typing import Any, Protocol, TypeAlias

import numba
import numpy as np

from bots.sailor.mind import Numbers
from bots.search.features import FEATURES, look
from engine.compiled.jit import jit
from engine.compiled.state import Cells, Records, State

FILE = Path(__file__).with_name("network.npz")
CHANCES_FILE = FILE.with_name("chances.npz")
COMPARES, TELLS = 0, 1  # the two networks
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
            ("output", number, (2,)),
        ],
    )
)
LAYERS = ("first", "first_bias", "second", "second_bias", "third", "third_bias")


class Layer(Protocol):
    """A field of a record that holds a table of fractions, as the strengths of a layer: a row for each input."""

    def __getitem__(self, at: tuple[int, int], /) -> float: ...

    def __setitem__(self, at: tuple[int, int], value: float, /) -> None: ...


class Network(Protocol):
    """One record of NETWORK as compiled code sees it."""

    first: Layer
    first_bias: Numbers
    second: Layer
    second_bias: Numbers
    third: Layer
    third_bias: Numbers
    seen: Numbers
    hidden: Numbers
    deeper: Numbers
    output: Numbers


Networks: TypeAlias = Records[Network]
NETWORKS = numba.types.Array(numba.from_dtype(NETWORK), 1, "C")


@jit
def guess(state: State, skills: Cells, network: Network) -> None:
    """Write the chance of a rescue and the deaths to expect, at the start of a turn, to the network's `output`."""
    look(state, skills, network.seen)
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
        network.output[to] = network.third_bias[to]
    for at in range(DEEPER):
        strength = network.deeper[at]
        if strength > 0:
            for to in range(2):
                network.output[to] += strength * network.third[at, to]
    network.output[RESCUE] = 1 / (1 + math.exp(-network.output[RESCUE]))
    network.output[DEATHS] = _softplus(network.output[DEATHS])


@jit
def _softplus(x: float) -> float:
    """Return the logarithm of 1 + e^x, for any x."""
    return max(0.0, x) + math.log1p(math.exp(-abs(x)))


def read(compares: Path = FILE, tells: Path = CHANCES_FILE) -> np.ndarray:
    """Return the two networks of these files."""
    networks = np.zeros(2, NETWORK)
    for at, file in ((COMPARES, compares), (TELLS, tells)):
        with np.load(file) as stored:
            for layer in LAYERS:
                networks[layer][at] = stored[layer]
    return networks


Made = dict[str, Any]  # how the numbers of a network were found, as JSON


def write(file: Path, layers: dict[str, np.ndarray], made: Made) -> None:
    """Write a network to a file; `made` says how its numbers were found."""
    arrays: Any = {**layers, "made": np.array(json.dumps(made))}
    np.savez(file, **arrays)


def made(file: Path = FILE) -> Made:
    """Return how the numbers of a network were found."""
    with np.load(file) as stored:
        return dict(json.loads(str(stored["made"])))
