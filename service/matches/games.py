"""The games of a match: in pages, as lines, as a table for a spreadsheet."""

import csv
import io
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

import orjson

from service.access import Answer
from service.errors import bad_parameter
from service.matches import packed, results, views
from service.matches.plan import LINE_UPS, Plan
from service.matches.results import Place, Results
from service.matches.shelf import Match, Shelf

Wire = dict[str, Any]

CSV = "text/csv"
COLUMNS = (
    "gnomes", "line_up", "number", "seed", "crew", "rescued", "cause", "deaths", "turns", "minutes_left", "faults",
    "game",
)  # fmt: skip
_A_CHUNK = 500  # games of a stream


@dataclass(frozen=True)
class Filter:
    """Which games."""

    gnomes: int | None = None
    line_up: str | None = None
    result: str | None = None

    def takes(self, plan: Plan, place: Place, row: Any) -> bool:
        series, _, line_up = place
        if self.gnomes is not None and plan.gnomes[series] != self.gnomes:
            return False
        if self.line_up is not None and LINE_UPS[line_up] != self.line_up:
            return False
        return self.result is None or (row["cause"] == packed.RESCUED) == (self.result == "rescued")


def page(shelf: Shelf, match: Match, wanted: Filter, limit: int, cursor: str | None) -> Answer:
    """With the place of the next one."""
    found = results.read(shelf, match)
    start = _place(cursor) if cursor else (0, 0, 0)
    rows = list(islice(_wanted(found, wanted, start), limit + 1))
    games = [told(match, found.plan, *each) for each in rows[:limit]]
    following = ".".join(map(str, rows[limit][0])) if len(rows) > limit else None
    headers = {"ETag": views.etag(match), "Cache-Control": "no-cache"}
    return Answer(200, {"games": games, "next": following, "complete": match.is_over}, headers)


def _wanted(found: Results, wanted: Filter, start: Place) -> Iterator[tuple[Place, Any]]:
    for place, row in found.games(start):
        if wanted.takes(found.plan, place, row):
            yield place, row


def lines(shelf: Shelf, match: Match, wanted: Filter, kind: str) -> Iterator[bytes]:
    """All of them, a piece at a time."""
    found = results.read(shelf, match)
    every = (told(match, found.plan, *each) for each in _wanted(found, wanted, (0, 0, 0)))
    if kind == CSV:
        yield table([COLUMNS])
    while games := list(islice(every, _A_CHUNK)):
        if kind == CSV:
            yield table([cells(game) for game in games])
        else:
            yield b"".join(orjson.dumps(game) + b"\n" for game in games)


def told(match: Match, plan: Plan, place: Place, row: Any) -> Wire:
    series, number, line_up = place
    crew = plan.series[series].crews[line_up]
    name, gnomes = LINE_UPS[line_up], plan.gnomes[series]
    return {
        "gnomes": gnomes,
        "line_up": name,
        "number": number,
        "seed": results.seed_of(plan, number),
        "crew": crew,
        **packed.told(row, crew),
        "game": f"/v1/matches/{match.id}/games/{gnomes}/{name}/{number}",
    }


def table(rows: Iterable[Iterable[str]]) -> bytes:
    text = io.StringIO()
    csv.writer(text).writerows(rows)
    return text.getvalue().encode()


def cells(game: Wire) -> list[str]:
    """A row of the table."""
    return [_cell(game[column]) for column in COLUMNS]


def _cell(value: Any) -> str:
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
    raise bad_parameter("cursor", "is none of ours")
