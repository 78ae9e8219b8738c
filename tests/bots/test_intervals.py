"""Intervals and the sequential test, against values worked out by hand and against simulated matches."""

import random

import pytest

from bots.arena.statistics import BOUND, evidence, paired_difference, verdict, wilson


@pytest.mark.parametrize(
    ("wins", "games", "low", "high"),
    [
        (0, 0, 0, 1),
        (0, 10, 0, 0.2775),
        (10, 10, 0.7225, 1),
        (8, 10, 0.4902, 0.9433),
        (500, 1000, 0.4691, 0.5309),
    ],
)
def test_wilson(wins: int, games: int, low: float, high: float) -> None:
    assert wilson(wins, games) == pytest.approx((low, high), abs=5e-5)


def test_wilson_covers_the_true_rate_as_often_as_it_says() -> None:
    chance, covered = random.Random(1), 0
    for _ in range(2000):
        wins = sum(chance.random() < 0.1 for _ in range(50))
        low, high = wilson(wins, 50)
        covered += low <= 0.1 <= high
    assert 0.93 <= covered / 2000 <= 0.98


@pytest.mark.parametrize(
    ("only_first", "only_second", "pairs", "difference", "low", "high"),
    [
        (0, 0, 0, 0, -1, 1),
        # (31 - 11) / 102 = 0.19608; variance 42 / 102 - 0.19608² = 0.37332; reach 1.96 √(0.37332 / 102) = 0.11857
        (30, 10, 100, 0.2, 0.07750, 0.31465),
        (10, 30, 100, -0.2, -0.31465, -0.07750),
        # Nobody ever won alone: variance 2 / 12, reach 1.96 √(2 / 144) = 0.23098
        (0, 0, 10, 0, -0.23098, 0.23098),
    ],
)
def test_paired_difference(
    only_first: int, only_second: int, pairs: int, difference: float, low: float, high: float
) -> None:
    assert paired_difference(only_first, only_second, pairs) == pytest.approx((difference, low, high), abs=5e-5)


def test_evidence_and_verdict() -> None:
    # 0.1 · (30 - 10 - 100 · 0.1 / 2) / 0.37332
    assert evidence(30, 10, 100, margin=0.1) == pytest.approx(4.0180, abs=5e-4)
    assert pytest.approx(2.9444, abs=5e-5) == BOUND
    assert verdict(BOUND + 0.01) == "stronger"
    assert verdict(-BOUND - 0.01) == "not_stronger"
    assert verdict(BOUND - 0.01) == verdict(0.0) == "undecided"


def decided(chance: random.Random, difference: float, margin: float) -> tuple[str, int]:
    """A match of two crews of which one wins alone in three pairs of ten."""
    first = (0.3 + difference) / 2
    only_first = only_second = pairs = 0
    said = "undecided"
    while said == "undecided":
        outcome = chance.random()
        pairs += 1
        only_first += outcome < first
        only_second += first <= outcome < 0.3
        said = verdict(evidence(only_first, only_second, pairs, margin))
    return said, pairs


@pytest.mark.parametrize(("difference", "right"), [(0.0, "not_stronger"), (0.1, "stronger"), (0.2, "stronger")])
def test_the_sequential_test_errs_in_about_one_match_of_twenty(difference: float, right: str) -> None:
    chance = random.Random(2)
    matches = [decided(chance, difference, margin=0.1) for _ in range(400)]
    wrong = sum(said != right for said, _ in matches) / len(matches)
    assert wrong < 0.08
    assert sum(pairs for _, pairs in matches) / len(matches) < 200  # 590 pairs are needed without stopping early
