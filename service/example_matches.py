"""The contract's examples of matches: a short one, the same each time."""

from functools import cache
from typing import Any

import numpy as np
import orjson

from bots.arena import play_game
from bots.series import game_seed
from engine import Rules
from service.config import Config
from service.matches import games, packed, views
from service.matches.plan import Plan
from service.matches.results import Results, SeriesResults
from service.matches.shelf import FINISHED, Match

Wire = dict[str, Any]
Told = dict[str, dict[str, Any]]  # by operation or media type: an example by its name in words

ID = "h5r9w3ktz7q2vbm4"
GAME_ID = "u6d8xm4cq9kz2wfy"
JSON, NDJSON, SSE, CSV = "application/json", "application/x-ndjson", "text/event-stream", "text/csv"
_GAMES, _GNOMES = 6, 3
_BEGAN, _SECONDS = 1_780_000_000.0, 4.5
_TURN_SECONDS = 2**-18  # what a sailor takes, in a number that all machines write the same
_WANTED: Wire = {
    "games": _GAMES, "gnomes": [_GNOMES], "crew": ["sailor"], "against": ["sailor"],
    "rules": {"less_deadly_dying": True}, "stop": {"sprt": {"margin": 0.02}}, "label": "Nothing against ourselves",
}  # fmt: skip


@cache
def _results() -> Results:
    plan = _match().plan
    series = plan.series[0]
    table = _table(series.rules, series.crews[0], plan.seed)
    return Results(plan, [SeriesResults([table, table], np.ones(_GAMES, bool), [[], []])])


def _table(rules: Rules, crew: list[str], seed: int) -> packed.Table:
    played = [play_game(crew, rules, game_seed(seed, number)) for number in range(_GAMES)]
    table = packed.unpack(packed.pack(played, crew), crew, _GAMES).copy()
    table["bot_seconds"] = table["bot_turns"] * _TURN_SECONDS
    return table


def _match(played: int = 0) -> Match:
    match = Match.new(ID, Plan.read(_WANTED, Config()), Config(), "5a0c9e2f")
    facts = {"created": f"{_BEGAN}", "changed": f"{_BEGAN}"}
    if played:
        facts |= {
            "version": "9", "state": FINISHED, "played": f"{played}", "played:0": f"{played}", "ran": f"{_SECONDS}",
            "started": f"{_BEGAN + 1}", "changed": f"{_BEGAN + 1 + _SECONDS}", "ended": f"{_BEGAN + 1 + _SECONDS}",
        }  # fmt: skip
    match.facts.update(facts)
    return match


def _new() -> Wire:
    match = _match()
    empty = packed.unpack(None, match.plan.series[0].crews[0], _GAMES)
    results = Results(match.plan, [SeriesResults([empty, empty], np.zeros(_GAMES, bool), [[], []])])
    return views.card(match) | {"series": results.told}


def _over() -> Wire:
    return views.card(_match(2 * _GAMES)) | {"series": _results().told}


def _games() -> list[Wire]:
    return [games.told(_match(2 * _GAMES), _results().plan, *each) for each in list(_results().games((0, 0, 0)))[:2]]


def _lines(*lines: Wire) -> str:
    return "".join(orjson.dumps(line).decode() + "\n" for line in lines)


def requests() -> Told:
    return {
        "createMatch": {
            "two crews until one is known to be stronger": _WANTED,
            "a thousand games of each size": {
                "games": 1000, "gnomes": [3, 4, 5], "crew": ["captain"], "seeds": {"from": 7}, "keep_replays": "losses",
            },
        },
        "changeMatch": {"pause it": {"state": "paused"}, "let it go on": {"state": "running"}},
    }  # fmt: skip


def answers(token: str) -> dict[str, Told]:
    """By operation and media type."""
    line = {"type": "match", "version": 9, "match": _over()}
    opened = {"game": GAME_ID, "match": ID, "gnomes": _GNOMES, "line_up": "crew", "number": 4}
    return {
        "createMatch": {JSON: {"a new match": {"token": token, "id": ID, "match": _new()}}},
        "listMatches": {JSON: {"one that is over": {"matches": [views.card(_match(2 * _GAMES))], "next": None}}},
        "getMatch": {
            JSON: {"one that is over": _over()},
            NDJSON: {"the last line": _lines(line)},
            SSE: {"the last message": f"id: 9\ndata: {_lines(line)}\n"},
        },
        "changeMatch": {JSON: {"a new match": _new()}},
        "listMatchGames": {
            JSON: {"a page": {"games": _games(), "next": "0.1.0", "complete": True}},
            NDJSON: {"the first lines": _lines(*_games())},
            CSV: {"the first lines": games.table([games.COLUMNS, *map(games.cells, _games())]).decode()},
        },
        "openMatchGame": {JSON: {"a game": opened}},
    }
