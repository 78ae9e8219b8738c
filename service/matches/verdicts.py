"""Tell when a series is settled, by the games in the order of their numbers, in whatever order they were played."""

from typing import Any

import numpy as np

from bots.arena.series import Pairs
from bots.arena.statistics import BOUND, evidence, verdict
from service.matches.packing import RESCUED, UNPLAYED, Table

_ROUNDING = 1e-6


def played_in_a_row(tables: list[Table]) -> int:
    """Return how many games, from the first on without a gap, are played by all line-ups."""
    missing = np.zeros(len(tables[0]), bool)
    for table in tables:
        missing |= table["cause"] == UNPLAYED
    return int(np.argmax(missing)) if missing.any() else len(missing)


def settled_after(tables: list[Table], margin: float) -> int | None:
    """Return the number of pairs after which the test has its verdict, None while it has none."""
    known = played_in_a_row(tables)
    first, second = (table["cause"][:known] == RESCUED for table in tables)
    only_first, only_second = np.cumsum(first & ~second), np.cumsum(second & ~first)
    pairs = np.arange(1, known + 1)
    for at in np.flatnonzero(np.abs(_evidence(only_first, only_second, pairs, margin)) >= BOUND - _ROUNDING):
        found = evidence(int(only_first[at]), int(only_second[at]), int(pairs[at]), margin)
        if verdict(found) != "undecided":
            return int(pairs[at])
    return None


def _evidence(only_first: Any, only_second: Any, pairs: Any, margin: float) -> Any:
    """Compute `bots.arena.statistics.evidence` for many numbers of pairs at once, up to rounding."""
    first, second = (only_first + 1) / (pairs + 2), (only_second + 1) / (pairs + 2)
    variance = first + second - (first - second) ** 2
    return margin * (only_first - only_second - pairs * margin / 2) / variance


def pairs_of(tables: list[Table], margin: float | None) -> Pairs:
    """Compare the rows of two crews, game for game."""
    first, second = (table["cause"] == RESCUED for table in tables)
    pairs = Pairs(margin, len(first), int((first & ~second).sum()), int((second & ~first).sum()))
    if margin is not None:
        pairs.verdict = verdict(evidence(pairs.only_crew, pairs.only_against, pairs.played, margin))
    return pairs
