"""Serve matches: thousands of games between bots."""

from math import ceil

from flask import Response, request

from service.api.conditional import conditional
from service.api.json_schema import ref
from service.api.match_schemas import MatchGamesQuery, MatchListQuery, MatchUpdate, NewMatch
from service.api.schemas import LaterQuery, OpenQuery
from service.api.web import (
    JSON,
    Blueprint,
    Loaded,
    accepted,
    caller,
    config,
    guest,
    header,
    hub,
    last_event_id,
    operation,
    problems,
    reply,
    store,
)
from service.callers.door import STREAMS
from service.callers.limits import ROWS_A_MS, StreamLease
from service.games.streams import FORMATS, NDJSON, SSE
from service.matches import games, opening, requests, rights
from service.matches.plan import MatchRequest
from service.matches.streams import stream
from service.matches.views import etag

blueprint = Blueprint(
    "matches", __name__, url_prefix="/v1/matches", description="Thousands of games between bots: which crew is better."
)

_LINES = {
    "type": "string",
    "description": "A JSON object a line: a `MatchLine` each.",
    "contentMediaType": NDJSON,
    "contentSchema": ref("MatchLine"),
}
_MESSAGES = {"type": "string", "description": "Server-sent events; the `data` of each is a `MatchLine`."}
_GAME_LINES = {
    "type": "string",
    "description": "All games, a JSON object a line: a `MatchGame` each.",
    "contentMediaType": NDJSON,
    "contentSchema": ref("MatchGame"),
}
_TABLE = {"type": "string", "description": f"All games, with the columns {', '.join(games.COLUMNS)}."}
_NO_BUFFER = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}


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
    """How far they are, without their results."""
    return reply(requests.list_matches(store(), caller("poll"), **query))


@blueprint.route("/<match_id>", methods=["GET"])
@operation(
    "getMatch",
    "How far it is, and what it has come to so far",
    header("If-None-Match", "The `ETag` that you have, quotes and all; 304 if it is still the one."),
    header("Last-Event-ID", "The `id` of the last message that you have; like `after`, for streams."),
)
@problems("not_acceptable", "invalid", "too_many_streams", "too_many_waits", "crowded")
@blueprint.alt_response(304, description="You have it already: the `If-None-Match` is its `ETag`.")
@blueprint.arguments(LaterQuery, location="query")
@blueprint.alt_response(200, schema=_LINES, content_type=NDJSON, success=True)
@blueprint.alt_response(200, schema=_MESSAGES, content_type=SSE, success=True)
@blueprint.response(200, "Match", description="The match; or, where it is accepted, a stream.")
def show(query: Loaded, match_id: str) -> Response:
    """With `after` and `wait`, answers when there is a later version, or when the time is up. `Accept:
    application/x-ndjson` or `text/event-stream` streams: the match at each change, at most four times a second, with a
    blank line every seven seconds; the last one is of a match that is over."""
    after = query.get("after")
    form = accepted(JSON, NDJSON, SSE)
    if form in FORMATS:
        return _stream(match_id, form, last_event_id() if after is None else after)
    who = caller("poll")
    wait = min(query["wait"], config().max_wait_seconds)
    if wait and after is not None:
        requests.wait_for_version(store(), hub(), match_id, who, after, wait)
    present = store(), match_id, who
    return conditional(lambda: requests.validators(*present), lambda: reply(requests.show(*present)))


def _stream(match_id: str, form: str, after: int | None) -> Response:
    who = caller("poll")
    repository, match = requests.find(store(), match_id, who)
    headers = {"ETag": etag(match), **_NO_BUFFER}
    if request.method == "HEAD":
        return Response(iter(()), mimetype=form, headers=headers)
    guest().take(STREAMS)
    lease = StreamLease(store().redis, who.meter.who, config().streams)
    lines = stream(repository, hub(), match, after, FORMATS[form], lease)
    return Response(lines, mimetype=form, headers=headers)


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
@operation("listMatchGames", "The games of a match, in pages or all at once")
@problems("not_acceptable", "too_much_work", "invalid")
@blueprint.arguments(MatchGamesQuery, location="query")
@blueprint.alt_response(200, schema=_GAME_LINES, content_type=NDJSON, success=True)
@blueprint.alt_response(200, schema=_TABLE, content_type=games.CSV, success=True)
@blueprint.response(200, "MatchGames", description="A page; or, where it is accepted, all of them.")
def match_games(query: Loaded, match_id: str) -> Response:
    """In order: size after size, number after number, line-up after line-up. `Accept: application/x-ndjson` or
    `text/csv` brings all that are played, whatever `limit` says. Where there is a test, those after its verdict do not
    count, and are left out."""
    form = accepted(JSON, NDJSON, games.CSV)
    who = caller("poll")
    repository, match = requests.find(store(), match_id, who)
    wanted = games.Filter(query.get("gnomes"), query.get("line_up"), query.get("result"))
    if form == JSON:
        return reply(games.page(repository, match, wanted, query["limit"], query.get("cursor")))
    who.meter.work.cost = ceil(match.played / ROWS_A_MS)
    who.meter.now(store().redis)
    lines = games.lines(repository, match, wanted, form)
    return Response(lines, mimetype=form, headers={"ETag": etag(match), **_NO_BUFFER})


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
