"""Serve moves and what came of them."""

from typing import Any

from flask import Response, request

from service.api.conditional import expected
from service.api.json_schema import ref
from service.api.problems import of_messages
from service.api.schemas import EventsQuery, LegalMovesQuery, Turn
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
    language,
    last_event_id,
    operation,
    problems,
    read_json,
    reply,
    store,
)
from service.callers.door import STREAMS
from service.callers.limits import StreamLease
from service.games import play as playing
from service.games import polling
from service.games.access import find
from service.games.streams import FORMATS, NDJSON, SSE, stream

blueprint = Blueprint(
    "moves", __name__, url_prefix="/v1/games/<game_id>", description="Choose moves, follow what happens."
)

_TURN = Turn()
_ASKED = {"required": True, "content": {JSON: {"schema": ref("Turn")}}}
_IF_MATCH = header(
    "If-Match",
    "The `ETag` that you saw, quotes and all; 412 if the game has another.",
    pattern=r'^(\*|(W/)?"[!#-~]*"( *, *(W/)?"[!#-~]*")*)$',
)
_REFUSALS = (
    "no_token", "forbidden", "version_conflict", "not_your_turn", "bot_plays", "not_started", "game_over",
    "precondition_failed", "illegal_move", "invalid",
)  # fmt: skip
_LINES = {
    "type": "string",
    "description": "A JSON object a line: a `StreamLine` each.",
    "contentMediaType": NDJSON,
    "contentSchema": ref("StreamLine"),
}
_MESSAGES = {"type": "string", "description": "Server-sent events; the `data` of each is a `StreamLine`."}


@blueprint.route("/legal-moves", methods=["GET"])
@operation("listLegalMoves", "The caller's legal moves")
@blueprint.arguments(LegalMovesQuery, location="query")
@blueprint.response(200, "LegalMoveList")
def listing(query: Loaded, game_id: str) -> Response:
    """Each with its cost in minutes and, where a die decides, its chance; none when somebody else must decide. With
    `lang`, each has a `text`, for buttons and lists."""
    return reply(playing.legal_moves(store(), game_id, caller("poll"), language(query)))


@blueprint.route("/moves", methods=["POST"])
@operation(
    "playMoves",
    "Play a move, or a whole turn",
    _IF_MATCH,
    header("Prefer", "`return=minimal` leaves the state out of the answer."),
    requestBody=_ASKED,
)
@problems(*_REFUSALS)
@blueprint.response(200, "PlayedMoves")
def play(game_id: str) -> Response:
    """Several moves are played all or none; none may follow one that chance decides, except in a sandbox. An accepted
    move is never lost; send an `Idempotency-Key` to be able to repeat the request until you hear of it."""
    minimal = "return=minimal" in request.headers.get("Prefer", "")
    return reply(playing.play(store(), game_id, caller("move"), _turn(read_json(), minimal)))


@blueprint.route("/previews", methods=["POST"])
@operation("previewMoves", "Tell what moves would do", _IF_MATCH, requestBody=_ASKED)
@problems(*_REFUSALS)
@blueprint.response(200, "PreviewList")
def preview(game_id: str) -> Response:
    """For whoever must decide: what is certain, and the chance of what is not, up to where chance or somebody else
    comes in. Nothing is played."""
    return reply(playing.preview(store(), game_id, caller("move"), _turn(read_json())))


def _turn(body: dict[str, Any], minimal: bool = False) -> playing.Turn:
    messages = _TURN.validate(body)
    if messages:
        raise of_messages(messages)
    return playing.Turn(body["moves"], body.get("version"), expected(), minimal)


@blueprint.route("/events", methods=["GET"])
@operation(
    "listEvents",
    "The history, in pages or as a stream",
    header("Last-Event-ID", "The `id` of the last message that you have; like `after`, for streams."),
)
@problems("not_acceptable", "invalid", "too_many_streams", "too_many_waits", "crowded")
@blueprint.arguments(EventsQuery, location="query")
@blueprint.alt_response(204, description="That `Last-Event-ID` is the last there will be.")
@blueprint.alt_response(200, schema=_LINES, content_type=NDJSON, success=True)
@blueprint.alt_response(200, schema=_MESSAGES, content_type=SSE, success=True)
@blueprint.response(200, "EventList", description="A page; or, where it is accepted, a stream.")
def events(query: Loaded, game_id: str) -> Response:
    """With `wait`, answers when there is an event, or when the time is up. `Accept: application/x-ndjson` or
    `text/event-stream` streams: the state first, then the events after `after` (or from now on), with a blank line
    every seven seconds; the last one is `game_over`. `Last-Event-ID` resumes without a gap; at the end of a game it is
    answered 204, so that an EventSource comes no more. With `lang`, each event has a `text`, a sentence for people."""
    after = query.get("after")
    lang = language(query)
    form = accepted(JSON, NDJSON, SSE)
    if form in FORMATS:
        return _stream(game_id, form, after, lang)
    wait = min(query["wait"], config().max_wait_seconds)
    return polling.events(store(), hub(), game_id, caller("poll"), after or 0, query["limit"], wait, lang)


def _stream(game_id: str, form: str, after: int | None, lang: str | None) -> Response:
    who = caller("poll")
    table, viewer = find(store(), game_id, who)
    if after is None:
        after = last_event_id()
        if after is not None and after >= table.seq and table.status == "finished":
            return Response(status=204)
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    if request.method == "HEAD":
        return Response(iter(()), mimetype=form, headers=headers)
    guest().take(STREAMS)
    lease = StreamLease(store().redis, who.meter.who, config().streams)
    lines = stream(store(), hub(), table, viewer, after, FORMATS[form], lease, lang)
    return Response(lines, mimetype=form, headers=headers)
