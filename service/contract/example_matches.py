"""Play the contract's example of a match: a short one, the same each time."""

from functools import cache

import numpy as np

from bots.arena.game import play_game
from bots.arena.series import game_seed
from engine import Rules
from service.config import Config
from service.matches import games, packing, results, transitions, views
from service.matches.model import Match
from service.matches.plan import MatchRequest, Plan
from service.matches.results import Results, SeriesResults
from service.wire import Wire

Told = dict[str, Wire]  # by operation or media type: an example by its name in words

ID = "h5r9w3ktz7q2vbm4"
GAME_ID = "u6d8xm4cq9kz2wfy"
JSON, NDJSON, SSE, CSV = "application/json", "application/x-ndjson", "text/event-stream", "text/csv"
_GAMES, _GNOMES = 6, 3
_BEGAN, _SECONDS = 1_780_000_000.0, 4.5
_TURN_SECONDS = 2**-18  # what a sailor takes, in a number that all machines write the same
_WANTED: MatchRequest = {
    "games": _GAMES, "gnomes": [_GNOMES], "crew": ["sailor"], "against": ["sailor"],
    "rules": {"less_deadly_dying": True}, "stop": {"sprt": {"margin": 0.02}}, "name": "Nothing against ourselves",
}  # fmt: skip


@cache
def _results() -> Results:
    plan = _new_match().plan
    series = plan.series[0]
    table = _table(series.rules, series.crews[0], plan.seed)
    return Results(plan, [SeriesResults([table, table], np.ones(_GAMES, bool), [[], []])])


def _table(rules: Rules, crew: list[str], seed: int) -> packing.Table:
    played = [play_game(crew, rules, game_seed(seed, number)) for number in range(_GAMES)]
    table = packing.unpack(packing.pack(played, crew), crew, _GAMES).copy()
    table["bot_seconds"] = table["bot_turns"] * _TURN_SECONDS
    return table


def _new_match() -> Match:
    plan = Plan.from_request(_WANTED, Config())
    keep_seconds = Config().match_keep_seconds
    return transitions.create(ID, plan, holder="", keep_seconds=keep_seconds, epoch="5a0c9e2f", now=_BEGAN)


def _finished_match() -> Match:
    match = transitions.take_games(_new_match(), 0, _GAMES, _BEGAN + 1)
    for games_in_batch in (0, *[1] * _GAMES):  # the first one came too late: another worker had played them
        match = transitions.record_games(match, 0, games_in_batch, 0.01, _BEGAN + 1 + _SECONDS)
    return match


def _new() -> views.MatchView:
    match = _new_match()
    return views.whole(match, results.none_yet(match.plan))


def _over() -> views.MatchView:
    return views.whole(_finished_match(), _results())


def _games() -> list[games.MatchGame]:
    return [games.describe(_finished_match(), _results().plan, *each) for each in list(_results().games((0, 0, 0)))[:2]]


def requests() -> Told:
    return {
        "createMatch": {
            "two crews until one is known to be stronger": _WANTED,
            "a thousand games of each size": {
                "games": 1000, "gnomes": [3, 4, 5], "crew": ["captain"], "seeds": {"from": 7}, "keep_replays": "losses",
            },
            "a league of three crews": {
                "games": 500, "gnomes": [3], "crews": [["captain"], ["sailor"], ["captain", "sailor", "sailor"]],
                "baseline": "crew-2",
            },
        },
        "updateMatch": {"pause it": {"status": "paused"}, "let it go on": {"status": "running"}},
    }  # fmt: skip


def answers(token: str) -> dict[str, Told]:
    """Return examples by operation and media type."""
    line = {"type": "match", "version": 9, "match": _over()}
    opened = {"game_id": GAME_ID, "match_id": ID, "gnomes": _GNOMES, "line_up": "crew", "number": 4}
    return {
        "createMatch": {JSON: {"a new match": {"token": token, "match": _new()}}},
        "listMatches": {JSON: {"one that is over": {"matches": [views.summary(_finished_match())], "next": None}}},
        "getMatch": {
            JSON: {"one that is over": _over()},
        },
        "streamMatch": {NDJSON: {"the last line": line}, SSE: {"the last message": line}},
        "updateMatch": {JSON: {"a new match": _new()}},
        "listMatchGames": {
            JSON: {"a page": {"games": _games(), "next": "0.1.0", "complete": True}},
        },
        "getMatchGamesNdjson": {NDJSON: {"a line": _games()[0]}},
        "getMatchGamesCsv": {
            CSV: {"the first lines": games.table([games.COLUMNS, *map(games.cells, _games())]).decode()}
        },
        "renewMatchToken": {JSON: {"another token": {"token": token}}},
        "openMatchGame": {JSON: {"a game": opened}},
    }
