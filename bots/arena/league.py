"""Say what a league is: many crews on the same seeds, each compared with each other, or each with one of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

CREW, AGAINST = LINE_UPS = ("crew", "against")  # of a match
LEAST_CREWS, MOST_CREWS = 2, 12
Duel = tuple[int, int]  # the places of two crews that are compared


def names_of(crews: int) -> list[str]:
    """Return what the crews of a league are called, from `crew-1` on."""
    return [f"{CREW}-{number}" for number in range(1, crews + 1)]


ALL_NAMES = (*LINE_UPS, *names_of(MOST_CREWS))


@dataclass(frozen=True)
class League:
    """The crews of a league."""

    crews: Sequence[Sequence[str]]
    baseline: str | None  # the name of the crew that each is compared with; None for all pairs

    @property
    def names(self) -> list[str]:
        return names_of(len(self.crews))

    @property
    def duels(self) -> list[Duel]:
        places = range(len(self.crews))
        if self.baseline is None:
            return list(combinations(places, 2))
        baseline = self.names.index(self.baseline)
        return [(place, baseline) for place in places if place != baseline]


def duels_of(league: League | None, against: Sequence[str] | None) -> list[Duel]:
    """Return the places of the crews that a league, or else a match, compares."""
    return league.duels if league else [(0, 1)] * (against is not None)


def named_tallies(results: dict[str, Any]) -> dict[str, Any]:
    """Return the results of each crew of a series by name, also from a file of a release that had no leagues."""
    if league := results.get("league"):
        return dict(zip(names_of(len(league["crews"])), league["crews"], strict=True))
    return {name: results[name] for name in LINE_UPS if results[name]}
