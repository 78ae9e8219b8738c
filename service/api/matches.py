"""Serve matches: thousands of games between bots."""

from math import ceil

from flask import Response, request

from service.api.conditional import conditional
from service.api.json_schema import ref
from service.api.match_schemas import MatchFileQuery, MatchGamesQuery, MatchListQuery, MatchUpdate, NewMatch
from service.api.query_schemas import LaterQuery, OpenQuery
from service.api.streaming import NO_BUFFER
from service.api.web import (
    Blueprint,
    Loaded,
    caller,
    config,
    header,
    hub,
    need_json,
    operation,
    problems,
    reply,
    store,
)
from service.callers.limits import ROWS_A_MS
from service.games.lines import NDJSON, SSE
from service.matches import games, opening, requests, rights
from service.matches.plan import MatchRequest
from service.matches.views import etag

blueprint = Blueprint(
    "matches", __name__, url_prefix="/v1/matches", description="Thousands of games between bots: which crew is better."
)

_TABLE = {"type": "string", "description": f"All games, with the columns {', '.join(games.COLUMNS)}."}


@blueprint.route("", methods=["POST"])
@operation("createMatch", "Let crews of bots play many games")
@problems("no_api_key", "too_much_work", "invalid")
@blueprint.arguments(NewMatch)
@blueprint.response(202, "CreatedMatch")
def create(wanted: MatchRequest) -> Response:
    """Workers play them, when no live game needs them. The answer holds the match's token, which is told only once; it
    pauses, cancels and deletes. A match, its seeds and the release make the same games, on any number of machines."""
    return reply(requests.create(store(), caller("match", work=0), wanted, config(), request.headers.get("X-API-Key")))


@blueprint.route("", methods=["GET"])
@operation("listMatches", "List matches, the latest first")
@problems("invalid")
@blueprint.arguments(MatchListQuery, location="query")
@blueprint.response(200, "MatchList")
def listing(query: Loaded) -> Response:
    """Each says how far it is, without its results."""
    return reply(requests.list_matches(store(), caller("poll"), **query))


@blueprint.route("/<match_id>", methods=["GET"])
@operation(
    "getMatch",
    "How far it is, and what it has come to so far",
    header("If-None-Match", "The `ETag` that you have, quotes and all; 304 if it is still the one."),
)
@problems("not_acceptable", "invalid", "too_many_waits")
@blueprint.alt_response(304, description="You have it already: the `If-None-Match` is its `ETag`.")
@blueprint.arguments(LaterQuery, location="query")
@blueprint.response(200, "Match")
def show(query: Loaded, match_id: str) -> Response:
    """With `after` and `wait`, this answers when there is a later version, or when the time is up. `streamMatch` tells
    it at each change."""
    there = f"/v1/matches/{match_id}/stream"
    need_json({NDJSON: there, SSE: there})
    after, who = query.get("after"), caller("poll")
    wait = min(query["wait"], config().max_wait_seconds)
    if wait and after is not None:
        requests.wait_for_version(store(), hub(), match_id, who, after, wait)
    present = store(), match_id, who
    return conditional(lambda: requests.validators(*present), lambda: reply(requests.show(*present)))


@blueprint.route("/<match_id>", methods=["PATCH"])
@operation("updateMatch", "Pause a match, let it go on, cancel it")
@problems("no_token", "token_revoked", "match_over", "invalid")
@blueprint.arguments(MatchUpdate)
@blueprint.response(200, "Match")
def update(wanted: Loaded, match_id: str) -> Response:
    """Games that are being played are played to their end; of a cancelled match they are lost. What was played
    stays."""
    return reply(requests.update(store(), match_id, caller("move"), wanted["status"]))


@blueprint.route("/<match_id>", methods=["DELETE"])
@operation("deleteMatch", "Delete a match")
@problems("no_token", "token_revoked")
@blueprint.response(204)
def delete(match_id: str) -> Response:
    """Nothing of it remains but games that were opened, which are games like others: they have the same token."""
    return reply(requests.delete(store(), match_id, caller("move")))


@blueprint.route("/<match_id>/token", methods=["POST"])
@operation("renewMatchToken", "Get a new token for the one that you show")
@problems("no_token", "token_revoked")
@blueprint.response(200, "RenewedToken")
def renew_token(match_id: str) -> Response:
    """The one that you show is refused from then on. Games that were opened keep the token that they have, and are
    renewed one by one."""
    return reply(rights.renew(store(), match_id, caller("move"), config()))


@blueprint.route("/<match_id>/token", methods=["DELETE"])
@operation("revokeMatchToken", "Give up the token that you show")
@problems("no_token", "token_revoked")
@blueprint.response(204)
def revoke_token(match_id: str) -> Response:
    """The match goes on to its end, and nobody can pause, cancel or delete it any more."""
    return reply(rights.revoke(store(), match_id, caller("move"), config()))


@blueprint.route("/<match_id>/games", methods=["GET"])
@operation("listMatchGames", "The games of a match, in pages")
@problems("not_acceptable", "invalid")
@blueprint.arguments(MatchGamesQuery, location="query")
@blueprint.response(200, "MatchGames")
def listing_games(query: Loaded, match_id: str) -> Response:
    """They come in order: size after size, number after number, line-up after line-up. Where there is a test, those
    after its verdict do not count, and are left out."""
    there = f"/v1/matches/{match_id}/games"
    need_json({NDJSON: f"{there}.ndjson", games.CSV: f"{there}.csv"})
    repository, match = requests.find(store(), match_id, caller("poll"))
    return reply(games.page(repository, match, _filter(query), query["limit"], query.get("cursor")))


@blueprint.route("/<match_id>/games.ndjson", methods=["GET"])
@operation("getMatchGamesNdjson", "All games of a match, as a file of lines")
@problems("too_much_work", "invalid")
@blueprint.arguments(MatchFileQuery, location="query")
@blueprint.response(200, ref("MatchGame"), content_type=NDJSON, description="A line: a JSON object.")
def lines(query: Loaded, match_id: str) -> Response:
    """All that are played come in the order of `listMatchGames`, a JSON object a line."""
    return _file(query, match_id, NDJSON)


@blueprint.route("/<match_id>/games.csv", methods=["GET"])
@operation("getMatchGamesCsv", "All games of a match, as a table")
@problems("too_much_work", "invalid")
@blueprint.arguments(MatchFileQuery, location="query")
@blueprint.response(200, _TABLE, content_type=games.CSV)
def table(query: Loaded, match_id: str) -> Response:
    """All that are played come in the order of `listMatchGames`, for a spreadsheet."""
    return _file(query, match_id, games.CSV)


def _file(query: Loaded, match_id: str, form: str) -> Response:
    who = caller("poll")
    repository, match = requests.find(store(), match_id, who)
    who.meter.work.cost = ceil(match.played / ROWS_A_MS)
    who.meter.now(store().redis)
    rows = games.lines(repository, match, _filter(query), form)
    return Response(rows, mimetype=form, headers={"ETag": etag(match), **NO_BUFFER})


def _filter(query: Loaded) -> games.Filter:
    return games.Filter(query.get("gnomes"), query.get("line_up"), query.get("result"))


@blueprint.route("/<match_id>/games/<int:gnomes>/<line_up>/<int:number>", methods=["POST"])
@operation("openMatchGame", "Open a game of a match, to watch, replay and fork it")
@problems("not_found", "played_otherwise", "too_much_work", "invalid", "too_many_waits")
@blueprint.arguments(OpenQuery, location="query")
@blueprint.alt_response(202, schema=ref("OpenedGame"), description="A worker is at it: ask again.")
@blueprint.response(201, "OpenedGame")
def open_game(query: Loaded, match_id: str, gnomes: int, line_up: str, number: int) -> Response:
    """A worker plays it again, or the moves that were kept; then it is a game that is over, at `Location`, the same
    one however often it is opened."""
    wait = min(query["wait"], config().max_wait_seconds)
    who = caller("advice", work=0)
    return reply(opening.open_one(store(), hub(), who, match_id, gnomes, line_up, number, wait))
