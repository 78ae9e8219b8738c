"""Compare chances that were told with how games ended, in ten bins, and with what the same crews do once more."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from bots.arena.statistics import Z

BINS = 10
MEAN_OF_NORMAL = math.sqrt(2 / math.pi)  # of its absolute value, in standard deviations
ENOUGH = 30  # chances in a bin that may be the worst


class Bin(NamedTuple):
    """Chances that are alike: how many, their mean, and how many of them came true."""

    chances: int
    told: float
    saved: float

    @property
    def gap(self) -> float:
        return abs(self.told - self.saved)


class Gap(NamedTuple):
    """How far chances are off, averaged over bins by their size; its error; and how far honest ones would seem off."""

    mean: float
    error: float
    by_chance: float


class Calibration:
    """Chances that were told, whether each game was saved, and which game it was: all chances of one end alike."""

    def __init__(self, told: Sequence[float], saved: Sequence[bool], games: Sequence[int]) -> None:
        self.told, self.saved = np.array(told, float), np.array(saved, float)
        self._games = np.unique(np.array(games), return_inverse=True)[1]
        self._bin = np.minimum(BINS - 1, (self.told * BINS).astype(int))

    def bins(self) -> list[Bin | None]:
        """Return the ten bins; None for one without any chance."""
        found: list[Bin | None] = []
        for number in range(BINS):
            here = self._bin == number
            means = (float(self.told[here].mean()), float(self.saved[here].mean())) if here.any() else (0.0, 0.0)
            found.append(Bin(int(here.sum()), *means) if here.any() else None)
        return found

    def worst(self) -> tuple[int, Bin] | None:
        """Return the bin that is off most, with its number, of those with enough chances to tell."""
        enough = [(number, each) for number, each in enumerate(self.bins()) if each and each.chances >= ENOUGH]
        return max(enough, key=lambda pair: pair[1].gap, default=None)

    def gap(self) -> Gap:
        total = len(self.told)
        signs = np.array([math.copysign(1, each.told - each.saved) if each else 0 for each in self.bins()])
        off = signs[self._bin] * (self.told - self.saved)
        mean = float(off.mean())
        error = math.sqrt(float((np.bincount(self._games, off - mean) ** 2).sum())) / total
        spread = np.sqrt(self.told * (1 - self.told))
        by_chance = 0.0
        for number in range(BINS):
            here = self._bin == number
            by_chance += math.sqrt(float((np.bincount(self._games[here], spread[here]) ** 2).sum()))
        return Gap(mean, error, MEAN_OF_NORMAL * by_chance / total)


class Replayed(NamedTuple):
    """A chance, the error told with it, and how many of some games were saved when they went on from there."""

    told: float
    error: float
    saved: int
    games: int


class ModelError(NamedTuple):
    """How far chances lie off the true ones beyond the errors told with them, and a 95 % interval."""

    root_mean_square: float
    low: float
    high: float


def model_error(replayed: Sequence[Replayed]) -> ModelError:
    """Compare chances with the share saved of a few games, whose own variance is taken away: it is off, too."""
    if not replayed:
        return ModelError(0.0, 0.0, 1.0)
    told, error, saved, games = np.array(replayed, float).T
    share = saved / games
    squares = (told - share) ** 2 - share * (1 - share) / (games - 1) - error**2
    mean, half = float(squares.mean()), Z * float(squares.std()) / math.sqrt(len(replayed))
    return ModelError(*(math.sqrt(max(0.0, square)) for square in (mean, mean - half, mean + half)))
