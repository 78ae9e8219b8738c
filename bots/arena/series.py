"""Play a series, which is many games of one crew, or of several crews on the same seeds, and count its results."""

import hashlib
from collections import Counter
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, field
from typing import Any

from bots.arena.game import GameResult, Thinking, play_game, seat_crew
from bots.arena.league import LINE_UPS, Duel, League, duels_of
from bots.arena.pool import in_order
from bots.arena.statistics import evidence, paired_difference, verdict, wilson
from bots.roster import ROSTER
from bots.safety import Chooser
from engine import Rules

Wire = dict[str, Any]  # results as JSON, for files, the report and the API, whose contract has their schema

FAULTS_TOLD = 10  # of a crew: only the first ones are kept


def _interval(low: float, high: float) -> Wire:
    return {"low": low, "high": high}


@dataclass
class Tally:
    """The results of one crew's games."""

    crew: list[str]
    games: int = 0
    rescues: int = 0
    deaths: int = 0
    turns: int = 0
    causes_of_loss: Counter[str] = field(default_factory=Counter)
    thinking: dict[str, Thinking] = field(default_factory=dict)
    faults: int = 0
    first_faults: list[Wire] = field(default_factory=list)
    forfeits: int = 0  # lost because an outside bot broke them

    def add(self, result: GameResult) -> None:
        self.games += 1
        self.rescues += result.rescued
        self.deaths += result.deaths
        self.turns += result.turns
        if not result.rescued:
            self.causes_of_loss[result.cause] += 1
        for name, spent in result.thinking.items():
            sum_ = self.thinking.setdefault(name, Thinking())
            sum_.turns += spent.turns
            sum_.seconds += spent.seconds
        self.faults += len(result.faults)
        room = FAULTS_TOLD - len(self.first_faults)
        self.first_faults += [{"seed": result.seed, **asdict(fault)} for fault in result.faults[:room]]

    def to_dict(self) -> Wire:
        games = max(1, self.games)
        return {
            "crew": self.crew,
            "games": self.games,
            "rescues": self.rescues,
            "rescue_rate": self.rescues / games,
            "interval": _interval(*wilson(self.rescues, self.games)),
            "deaths_per_game": self.deaths / games,
            "turns_per_game": self.turns / games,
            "causes_of_loss": dict(self.causes_of_loss.most_common()),
            "bots": {
                name: {**asdict(spent), "seconds_per_turn": spent.seconds / max(1, spent.turns)}
                for name, spent in self.thinking.items()
            },
            "faults": {"count": self.faults, "first": self.first_faults},
            "forfeits": {
                "count": self.forfeits,
                "rescue_rate_without": self.rescues / max(1, self.games - self.forfeits),
            },
        }


@dataclass
class Pairs:
    """How two crews did on the same seeds, and whether that decides which is stronger."""

    margin: float | None
    played: int = 0
    only_crew: int = 0
    only_against: int = 0
    verdict: str = "undecided"

    def add(self, crew: GameResult, against: GameResult) -> None:
        self.played += 1
        self.only_crew += crew.rescued and not against.rescued
        self.only_against += against.rescued and not crew.rescued
        if self.margin is not None:
            self.verdict = verdict(self._evidence(self.margin))

    def _evidence(self, margin: float) -> float:
        return evidence(self.only_crew, self.only_against, self.played, margin)

    def to_dict(self) -> Wire:
        difference, low, high = paired_difference(self.only_crew, self.only_against, self.played)
        test = None
        if self.margin is not None:
            test = {"margin": self.margin, "evidence": self._evidence(self.margin), "verdict": self.verdict}
        return {
            "played": self.played,
            "rescued_by_crew_only": self.only_crew,
            "rescued_by_against_only": self.only_against,
            "difference": difference,
            "interval": _interval(low, high),
            "sprt": test,
        }


class Series:
    """The games to play, and the results so far. Both are the same for any number of processes."""

    def __init__(
        self,
        rules: Rules,
        crew: Sequence[str],
        against: Sequence[str] | None = None,
        games: int = 100,
        seed: int = 1,
        margin: float | None = None,
        roster: Mapping[str, Chooser] = ROSTER,
        league: League | None = None,
    ):
        line_ups = league.crews if league else [names for names in (crew, against) if names is not None]
        self._league, self.names = league, league.names if league else LINE_UPS
        self.rules, self.games, self.seed, self._roster = rules, games, seed, roster
        self.tallies = [Tally(seat_crew(names, rules.gnomes, roster)) for names in line_ups]
        self._compared = {duel: Pairs(margin) for duel in duels_of(league, against)}

    def play(
        self, processes: int, tick: Callable[[], None] = lambda: None, run: Callable[..., Any] = in_order
    ) -> Generator[list[GameResult]]:
        """Play the games, number after number of all crews, until all are played or the test is decided."""
        with closing(run(self._play_number, self.games, processes, tick)) as games:
            for results in games:
                for tally, result in zip(self.tallies, results, strict=True):
                    tally.add(result)
                for (one, other), pairs in self._compared.items():
                    pairs.add(results[one], results[other])
                yield results
                if self.is_decided:
                    return

    def _play_number(self, number: int) -> list[GameResult]:
        seed = game_seed(self.seed, number)
        return [play_game(tally.crew, self.rules, seed, self._roster) for tally in self.tallies]

    @property
    def is_decided(self) -> bool:
        return any(pairs.verdict != "undecided" for pairs in self._compared.values())

    def to_dict(self) -> Wire:
        return told(self.rules, self.seed, self.tallies, self._compared, self._league)


def told(
    rules: Rules, seed: int, tallies: Sequence[Tally], compared: Mapping[Duel, Pairs], league: League | None
) -> Wire:
    """Return the results of a series as JSON. Those of a league stand by themselves, beside those of its first crew."""
    crews = [tally.to_dict() for tally in tallies]
    return {
        "rules": rules.to_dict(),
        "seed": seed,
        "crew": crews[0],
        "against": crews[1] if compared and not league else None,
        "pairs": compared[0, 1].to_dict() if compared and not league else None,
        "league": _league(crews, compared, league) if league else None,
    }


def _league(crews: Sequence[Wire], compared: Mapping[Duel, Pairs], league: League) -> Wire:
    names = league.names
    pairs = [
        {"crew": names[one], "against": names[other], **pairs.to_dict()} for (one, other), pairs in compared.items()
    ]
    return {"crews": list(crews), "pairs": pairs}


def game_seed(seed: int, number: int) -> bytes:
    """Return the seed of a game of a series, which is the same for every crew and every number of gnomes."""
    return hashlib.sha256(f"red november series {seed} game {number}".encode()).digest()
