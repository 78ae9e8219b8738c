"""Judge what a number of games proves: intervals for rates of rescues and differences, and when to stop playing."""

import math

Z = 1.959964  # of a normal distribution, 95 % lie within so many standard deviations
ERROR = 0.05  # chance of a wrong verdict, either way
BOUND = math.log((1 - ERROR) / ERROR)


def wilson(wins: int, games: int) -> tuple[float, float]:
    """Return Wilson's 95 % interval for a rate, which also holds for few games and for rates near 0 and 1."""
    if games == 0:
        return 0.0, 1.0
    rate, squared = wins / games, Z * Z / games
    middle = (rate + squared / 2) / (1 + squared)
    half = Z * math.sqrt(rate * (1 - rate) / games + squared / (4 * games)) / (1 + squared)
    return max(0.0, middle - half), min(1.0, middle + half)


def paired_difference(only_first: int, only_second: int, pairs: int) -> tuple[float, float, float]:
    """Return the difference of two rates of rescues on the same seeds, and its 95 % interval.

    Pairs that both win or both lose add nothing to it. The interval is Bonett and Price's: one more pair for either
    side keeps it from shrinking to nothing when the pairs are few.
    """
    if pairs == 0:
        return 0.0, -1.0, 1.0
    middle, variance = _adjusted(only_first, only_second, pairs)
    half = Z * math.sqrt(variance / (pairs + 2))
    return (only_first - only_second) / pairs, max(-1.0, middle - half), min(1.0, middle + half)


def _adjusted(only_first: int, only_second: int, pairs: int) -> tuple[float, float]:
    """Return mean and variance of a pair's difference, with one more pair for either side."""
    first, second = (only_first + 1) / (pairs + 2), (only_second + 1) / (pairs + 2)
    return first - second, first + second - (first - second) ** 2


def evidence(only_first: int, only_second: int, pairs: int, margin: float) -> float:
    """Return the logarithm of how much likelier the pairs are if the first is stronger by the margin than if not.

    This is the sequential probability ratio test, with a pair's difference (1, 0, -1) taken as normally distributed.
    """
    _, variance = _adjusted(only_first, only_second, pairs)
    return margin * (only_first - only_second - pairs * margin / 2) / variance


def verdict(evidence_: float) -> str:
    """Return `stronger` or `not_stronger`, each wrong about once in twenty, to end a match, or else `undecided`."""
    if abs(evidence_) < BOUND:
        return "undecided"
    return "stronger" if evidence_ > 0 else "not_stronger"
