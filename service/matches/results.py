"""What a match has come to so far, in the words of `red-november match`."""

from collections import Counter, OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import orjson

from bots.arena import Thinking
from bots.series import FAULTS_TOLD, Tally, game_seed
from service.matches import keys, verdicts
from service.matches.packed import RESCUED, UNPLAYED, Table, bots_of, cause_name, unpack
from service.matches.plan import Plan
from service.matches.shelf import Match, Shelf

Wire = dict[str, Any]

Place = tuple[int, int, int]  # a game's: series, number, line-up

REMEMBERED = 8  # results, in a process: they are looked at again and again


@dataclass(frozen=True)
class SeriesResults:
    """The games of a series that count: those that are played; with a test, those up to its verdict."""

    tables: list[Table]  # of each line-up, a row a game
    counted: np.ndarray[Any, np.dtype[np.bool_]]  # by number
    faults: list[list[Wire]]  # of each line-up, the first ones


@dataclass(frozen=True)
class Results:
    plan: Plan
    series: list[SeriesResults]

    @cached_property
    def told(self) -> list[Wire]:
        """For each series what `bots.series.Series.to_dict` tells."""
        return [self._told(number, results) for number, results in enumerate(self.series)]

    def games(self, start: Place) -> Iterator[tuple[Place, Any]]:
        """The games that count, from a place on, each with its row."""
        for number, series in enumerate(self.series):
            if number < start[0]:
                continue
            first = start[1] if number == start[0] else 0
            for game in (first + np.flatnonzero(series.counted[first:])).tolist():
                for line_up, table in enumerate(series.tables):
                    place = (number, game, line_up)
                    if place >= start:
                        yield place, table[game]

    def _told(self, number: int, results: SeriesResults) -> Wire:
        plan = self.plan
        series = plan.series[number]
        rows = [table[results.counted] for table in results.tables]
        tallies = [
            _tally(crew, table, faults).to_dict()
            for crew, table, faults in zip(series.crews, rows, results.faults, strict=True)
        ]
        return {
            "rules": series.rules.to_dict(),
            "seed": plan.seed,
            "crew": tallies[0],
            "against": tallies[1] if plan.against else None,
            "pairs": verdicts.pairs_of(rows, plan.margin).to_dict() if plan.against else None,
        }


def _tally(crew: list[str], rows: Table, faults: list[Wire]) -> Tally:
    causes, first, counts = np.unique(rows["cause"], return_index=True, return_counts=True)
    lost = sorted((int(at), int(cause), int(count)) for cause, at, count in zip(causes, first, counts))
    thinking = {
        bot: Thinking(int(rows["bot_turns"][:, number].sum()), float(rows["bot_seconds"][:, number].sum(dtype=float)))
        for number, bot in enumerate(bots_of(crew))
    }
    return Tally(
        crew=crew,
        games=len(rows),
        rescued=int((rows["cause"] == RESCUED).sum()),
        deaths=int(rows["deaths"].sum()),
        turns=int(rows["turns"].sum()),
        causes_of_loss=Counter({cause_name(cause): count for _, cause, count in lost if cause != RESCUED}),
        thinking=thinking if len(rows) else {},
        faults=int(rows["faults"].sum()),
        first_faults=faults[:FAULTS_TOLD],
    )


def read(shelf: Shelf, match: Match) -> Results:
    """Of the version that the match has; what was read is remembered until there is another."""
    key = (match.id, match.version, match.epoch, match.facts["created"])
    if key not in _remembered:
        _remembered[key] = _read(shelf, match)
        while len(_remembered) > REMEMBERED:
            _remembered.popitem(last=False)
    return _remembered[key]


_remembered: OrderedDict[tuple[Any, ...], Results] = OrderedDict()


def _read(shelf: Shelf, match: Match) -> Results:
    plan = match.plan
    places = [(series, line_up) for series in range(len(plan.series)) for line_up in range(len(plan.line_ups))]
    stored = shelf.store.redis.ask(
        *(("GET", keys.of_series(match.id, keys.GAMES, *place)) for place in places),
        *(("ZRANGE", keys.of_series(match.id, keys.FAULTS, *place), 0, -1) for place in places),
    )
    tables = {
        place: unpack(found, plan.series[place[0]].crews[place[1]], plan.games)
        for place, found in zip(places, stored[: len(places)], strict=True)
    }
    faults = dict(zip(places, stored[len(places) :], strict=True))
    told = []
    for series in range(len(plan.series)):
        mine = [place for place in places if place[0] == series]
        of_series = [tables[place] for place in mine]
        counted = _counted(of_series, plan.margin)
        told.append(SeriesResults(of_series, counted, [_faults(faults[place], counted) for place in mine]))
    return Results(plan, told)


def _counted(tables: list[Table], margin: float | None) -> np.ndarray[Any, np.dtype[np.bool_]]:
    if margin is None:
        return np.logical_and.reduce([table["cause"] != UNPLAYED for table in tables])
    end = verdicts.settled_after(tables, margin) or verdicts.played_in_a_row(tables)
    return np.arange(len(tables[0])) < end


def _faults(stored: list[bytes], counted: np.ndarray[Any, np.dtype[np.bool_]]) -> list[Wire]:
    """Each is kept after its number in the game, by which it is in order."""
    found = [orjson.loads(each[2:]) for each in stored]
    return [{name: each[name] for name in each if name != "number"} for each in found if counted[each["number"]]]


def seed_of(plan: Plan, number: int) -> str:
    return game_seed(plan.seed, number).hex()
