"""Weigh what to believe of a choice: at first the sailor's rating, which trials outweigh as they come in.

Before any trial, a choice is expected to be a little worse than the sailor's own for each minute of lower rating, give
or take a spread. The numbers are those of a grid of 108 that chose best, with 20, 80 and 300 trials a choice,
in 1,881 decisions of bosuns' games at 3, 4, 5, 6 and 8 gnomes, judged by 1,000 other trials; the trials were whole
games. Few trials are a weak witness: without this, a search over many choices picks the luckiest.
"""

import math

from engine.compiled.jit import jit

LOSS_A_MINUTE = 0.006  # of utility, for each minute of the sailor's that a choice is rated lower
MOST_MINUTES = 15.0  # by which ratings tell choices apart
SPREAD = 0.02  # of true leads around the expected one
SPREAD_GROWS = 0.4  # with the expected loss
UNRATED_LEAD, UNRATED_SPREAD = -0.005, 0.015  # of decisions that the sailor does not rate
SINGLE_SPREAD = 0.45  # of the lead in one trial, before any was seen
SINGLE_WEIGHT = 10  # trials that this guess is worth


@jit
def expect(minutes_behind: float) -> tuple[float, float]:
    """Return expected lead and spread of a plan by how much lower the sailor rates it."""
    loss = LOSS_A_MINUTE * min(max(minutes_behind, 0.0), MOST_MINUTES)
    return -loss, SPREAD + SPREAD_GROWS * loss


@jit
def update(expected: float, spread: float, trials: float, leads: float, squares: float) -> tuple[float, float]:
    """Return the lead and its spread after trials, both normally distributed. `leads` and `squares` are sums."""
    if trials == 0:
        return expected, spread
    mean = leads / trials
    seen = max(0.0, squares - trials * mean * mean)
    single = (SINGLE_WEIGHT * SINGLE_SPREAD**2 + seen) / (SINGLE_WEIGHT + trials)
    prior, evidence = 1 / (spread * spread), trials / single
    return (prior * expected + evidence * mean) / (prior + evidence), math.sqrt(1 / (prior + evidence))
