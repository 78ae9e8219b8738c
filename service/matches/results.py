"""What a match has come to so far, in the words of `red-november match`."""

from collections import Counter, OrderedDict
from collections.abc import Iterator
from functools import cached_property
from typing import Any

import msgspec
import numpy as np

from bots.arena.game import Thinking
from bots.arena.series import FAULTS_TOLD, Tally, told
from service.matches import faults, verdicts
from service.matches.model import Match
from service.matches.packing import FORFEIT, RESCUED, UNPLAYED, Row, Table, bots_of, cause_name, unpack
from service.matches.plan import Plan
from service.matches.repository import MatchRepository
from service.store import match_keys
from service.wire import Wire

Report = Wire  # as `bots.arena` writes its reports, whose shape is theirs
Counted = np.ndarray[Any, np.dtype[np.bool_]]  # by number: whether the games count
Place = tuple[int, int, int]  # of a game: series, number, line-up

REMEMBERED = 8  # results, in a process: they are looked at again and again


class SeriesResults(msgspec.Struct, frozen=True):
    """The games of a series that count: those that are played; with a test, those up to its verdict."""

    tables: list[Table]  # of each line-up, a row a game
    counted: Counted
    faults: list[list[Report]]  # of each line-up, the first ones


class Results(msgspec.Struct, frozen=True, dict=True):
    """What all series of a match have come to."""

    plan: Plan
    series: list[SeriesResults]

    @cached_property
    def reports(self) -> list[Report]:
        return [self._report(number, results) for number, results in enumerate(self.series)]

    def games(self, start: Place) -> Iterator[tuple[Place, Row]]:
        """Yield the games that count, from a place on, each with its row."""
        for number, series in enumerate(self.series):
            if number < start[0]:
                continue
            first = start[1] if number == start[0] else 0
            for game in (first + np.flatnonzero(series.counted[first:])).tolist():
                for line_up, table in enumerate(series.tables):
                    place = (number, game, line_up)
                    if place >= start:
                        yield place, table[game]

    def _report(self, number: int, results: SeriesResults) -> Report:
        plan = self.plan
        series = plan.series[number]
        rows = [table[results.counted] for table in results.tables]
        tallies = [
            _tally(crew, table, first_faults)
            for crew, table, first_faults in zip(series.crews, rows, results.faults, strict=True)
        ]
        compared = {(one, other): verdicts.pairs_of([rows[one], rows[other]], plan.margin) for one, other in plan.duels}
        return told(series.rules, plan.seed, tallies, compared, plan.league)


def none_yet(plan: Plan) -> Results:
    """Return the results of a match of which no game is played, without asking Redis for them."""
    return Results(
        plan,
        [
            SeriesResults(
                [unpack(None, crew, plan.games) for crew in series.crews],
                np.zeros(plan.games, bool),
                [[] for _ in series.crews],
            )
            for series in plan.series
        ],
    )


def read(repository: MatchRepository, match: Match) -> Results:
    """Return the results of the version that the match has, from this process's memory if it has seen them."""
    key = (match.id, match.version, match.epoch, match.created_at)
    if key not in _remembered:
        _remembered[key] = _read(repository, match)
        while len(_remembered) > REMEMBERED:
            _remembered.popitem(last=False)
    return _remembered[key]


_remembered: OrderedDict[tuple[str, int, str, float], Results] = OrderedDict()


def _read(repository: MatchRepository, match: Match) -> Results:
    plan = match.plan
    places = [(series, line_up) for series in range(len(plan.series)) for line_up in range(len(plan.line_ups))]
    names = repository.store.names.match
    stored = repository.store.redis.ask(
        *(("GET", names.of_series(match.id, match_keys.GAMES, *place)) for place in places),
        *(("ZRANGE", names.of_series(match.id, match_keys.FAULTS, *place), 0, -1) for place in places),
    )
    tables = {
        place: unpack(found, plan.series[place[0]].crews[place[1]], plan.games)
        for place, found in zip(places, stored[: len(places)], strict=True)
    }
    told = dict(zip(places, stored[len(places) :], strict=True))
    series_results = []
    for series in range(len(plan.series)):
        mine = [place for place in places if place[0] == series]
        of_series = [tables[place] for place in mine]
        counted = _counted(of_series, plan.margin)
        series_results.append(SeriesResults(of_series, counted, [_faults(told[place], counted) for place in mine]))
    return Results(plan, series_results)


def _counted(tables: list[Table], margin: float | None) -> Counted:
    if margin is None:
        return np.logical_and.reduce([table["cause"] != UNPLAYED for table in tables])
    end = verdicts.settled_after(tables, margin) or verdicts.played_in_a_row(tables)
    return np.arange(len(tables[0])) < end


def _faults(stored: list[bytes], counted: Counted) -> list[Report]:
    """Return the faults of games that count."""
    return [fault for number, fault in map(faults.decode, stored) if counted[number]]


def _tally(crew: list[str], rows: Table, first_faults: list[Report]) -> Tally:
    forfeits = int((rows["cause"] & FORFEIT > 0).sum())
    played = rows["cause"][rows["cause"] & FORFEIT == 0]
    causes, first, counts = np.unique(played, return_index=True, return_counts=True)
    lost = sorted((int(at), int(cause), int(count)) for cause, at, count in zip(causes, first, counts))
    thinking = {
        bot: Thinking(int(rows["bot_turns"][:, number].sum()), float(rows["bot_seconds"][:, number].sum(dtype=float)))
        for number, bot in enumerate(bots_of(crew))
    }
    return Tally(
        crew=crew,
        games=len(rows),
        rescues=int((rows["cause"] == RESCUED).sum()),
        deaths=int(rows["deaths"].sum()),
        turns=int(rows["turns"].sum()),
        causes_of_loss=Counter({cause_name(cause): count for _, cause, count in lost if cause != RESCUED}),
        thinking=thinking if len(rows) else {},
        faults=int(rows["faults"].sum()),
        first_faults=first_faults[:FAULTS_TOLD],
        forfeits=forfeits,
    )
