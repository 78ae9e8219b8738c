"""The games of a match: in pages, as lines, as a table for a spreadsheet."""

import csv
import io
from collections.abc import Iterable, Iterator
from itertools import islice

import msgspec
import orjson

from service.games.access import Answer
from service.matches import packing, results, views
from service.matches.model import Match
from service.matches.packing import GameSummary, Row
from service.matches.plan import Plan
from service.matches.repository import MatchRepository
from service.matches.results import Place, Results
from service.paging import bad_cursor, page_of

CSV = "text/csv"
COLUMNS = (
    "gnomes", "line_up", "number", "seed", "crew", "rescued", "cause", "deaths", "turns", "minutes_left", "faults",
    "path", "forfeit",
)  # fmt: skip
_A_CHUNK = 500  # games of a stream


class MatchGame(GameSummary):
    """A game of a match: which one it is, and how it ended."""

    gnomes: int
    line_up: str
    number: int
    seed: str
    crew: list[str]
    path: str  # where it can be opened


class Filter(msgspec.Struct, frozen=True):
    """A choice of games. What is None does not matter."""

    gnomes: int | None = None
    line_up: str | None = None
    result: str | None = None

    def takes(self, plan: Plan, place: Place, row: Row) -> bool:
        series, _, line_up = place
        if self.gnomes is not None and plan.gnomes[series] != self.gnomes:
            return False
        if self.line_up is not None and plan.names[line_up] != self.line_up:
            return False
        return self.result is None or (row["cause"] == packing.RESCUED) == (self.result == "rescued")


def page(repository: MatchRepository, match: Match, wanted: Filter, limit: int, cursor: str | None) -> Answer:
    """Answer with a page of games, and the place of the next page."""
    found = results.read(repository, match)
    start = _place(cursor) if cursor else (0, 0, 0)
    rows, beyond = page_of(_wanted(found, wanted, start), limit)
    games = [describe(match, found.plan, *each) for each in rows]
    following = ".".join(map(str, beyond[0])) if beyond else None
    headers = {"ETag": views.etag(match), "Cache-Control": "no-cache"}
    return Answer(200, {"games": games, "next": following, "complete": match.is_over}, headers)


def _wanted(found: Results, wanted: Filter, start: Place) -> Iterator[tuple[Place, Row]]:
    for place, row in found.games(start):
        if wanted.takes(found.plan, place, row):
            yield place, row


def lines(repository: MatchRepository, match: Match, wanted: Filter, kind: str) -> Iterator[bytes]:
    """Yield all wanted games as text, some hundreds at a time."""
    found = results.read(repository, match)
    every = (describe(match, found.plan, *each) for each in _wanted(found, wanted, (0, 0, 0)))
    if kind == CSV:
        yield table([COLUMNS])
    while games := list(islice(every, _A_CHUNK)):
        if kind == CSV:
            yield table([cells(game) for game in games])
        else:
            yield b"".join(orjson.dumps(game) + b"\n" for game in games)


def describe(match: Match, plan: Plan, place: Place, row: Row) -> MatchGame:
    """Return a game as JSON."""
    series, number, line_up = place
    crew = plan.series[series].crews[line_up]
    name, gnomes = plan.names[line_up], plan.gnomes[series]
    return {
        "gnomes": gnomes,
        "line_up": name,
        "number": number,
        "seed": match.seed_of(number).hex(),
        "crew": crew,
        **packing.describe(row, crew),
        "path": f"/v1/matches/{match.id}/games/{gnomes}/{name}/{number}",
    }


def table(rows: Iterable[Iterable[str]]) -> bytes:
    """Write rows as CSV."""
    text = io.StringIO()
    csv.writer(text).writerows(rows)
    return text.getvalue().encode()


def cells(game: MatchGame) -> list[str]:
    """Return the cells of a game's row, by the columns of the table."""
    values: dict[str, object] = {**game}
    return [_cell(values[column]) for column in COLUMNS]


def _cell(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return "+".join(value) if isinstance(value, list) else str(value)


def _place(cursor: str) -> Place:
    parts = cursor.split(".")
    if len(parts) == len(("series", "number", "line-up")) and all(
        part.isdecimal() and len(part) < 10 for part in parts
    ):
        series, number, line_up = map(int, parts)
        return series, number, line_up
    raise bad_cursor()
