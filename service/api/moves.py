"""Serve moves and what came of them."""

from flask import Response, request
from marshmallow import ValidationError

from service.api.conditional import expected
from service.api.json_schema import ref
from service.api.problems import of_messages
from service.api.query_schemas import ALL_KINDS, EventsQuery, LegalMovesQuery
from service.api.schemas import StagedTurn, Turn
from service.api.web import (
    JSON,
    Blueprint,
    Loaded,
    caller,
    config,
    header,
    hub,
    language,
    need_json,
    operation,
    problems,
    read_json,
    reply,
    store,
)
from service.games import play as playing
from service.games import polling
from service.games.lines import NDJSON, SSE
from service.wire import Wire

blueprint = Blueprint(
    "moves", __name__, url_prefix="/v1/games/<game_id>", description="Choose moves, follow what happens."
)

_TURN, _STAGED = Turn(), StagedTurn()


def _asked(schema: str) -> Wire:
    return {"required": True, "content": {JSON: {"schema": ref(schema)}}}


_IF_MATCH = header(
    "If-Match",
    "The `ETag` that you saw, quotes and all; 412 if the game has another.",
    pattern=r'^(\*|(W/)?"[!#-~]*"( *, *(W/)?"[!#-~]*")*)$',
)
_REFUSALS = (
    "no_token", "forbidden", "version_conflict", "not_your_turn", "bot_plays", "not_started", "game_over",
    "precondition_failed", "illegal_move", "invalid",
)  # fmt: skip


@blueprint.route("/legal-moves", methods=["GET"])
@operation("listLegalMoves", "The caller's legal moves")
@blueprint.arguments(LegalMovesQuery, location="query")
@blueprint.response(200, "LegalMoveList")
def listing(query: Loaded, game_id: str) -> Response:
    """Each has its cost in minutes and, where a die decides, its chance; there are none when somebody else must decide.
    With `lang`, each has a `text`, for buttons and lists."""
    return reply(playing.legal_moves(store(), game_id, caller("poll"), language(query)))


@blueprint.route("/moves", methods=["POST"])
@operation(
    "playMoves",
    "Play a move, or a whole turn",
    _IF_MATCH,
    header("Prefer", "`return=minimal` leaves the state out of the answer."),
    requestBody=_asked("Turn"),
)
@problems(*_REFUSALS)
@blueprint.response(200, "PlayedMoves")
def play(game_id: str) -> Response:
    """Several moves are played all or none; none may follow one that chance decides, except in a sandbox. An accepted
    move is never lost; send an `Idempotency-Key` to be able to repeat the request until you hear of it."""
    minimal = "return=minimal" in request.headers.get("Prefer", "")
    return reply(playing.play(store(), game_id, caller("move"), _turn(read_json(), minimal)))


@blueprint.route("/previews", methods=["POST"])
@operation("previewMoves", "Tell what moves would do", _IF_MATCH, requestBody=_asked("StagedTurn"))
@problems(*_REFUSALS)
@blueprint.response(200, "PreviewList")
def preview(game_id: str) -> Response:
    """Whoever must decide is told what is certain, and the chance of what is not, up to where chance or somebody else
    comes in; and the state with the legal moves behind the moves, unless chance decides it. With `reach`, this tells
    where the gnome can get to from there, too. Nothing is played."""
    return reply(playing.preview(store(), game_id, caller("move"), _turn(read_json(), schema=_STAGED)))


def _turn(body: Wire, minimal: bool = False, schema: Turn = _TURN) -> playing.Turn:
    try:
        turn: Loaded = schema.load(body)
    except ValidationError as error:
        raise of_messages(error.messages) from error
    return playing.Turn(turn["moves"], turn.get("version"), expected(), minimal, turn.get("reach", False))


@blueprint.route("/seats/<int:seat>/reach", methods=["GET"])
@operation("getReach", "Where a seat can get to, and what it can do there")
@problems("not_found", "no_token", "forbidden", "not_your_turn", "bot_plays", "not_started", "game_over")
@blueprint.response(200, "Reach")
def reach(game_id: str, seat: int) -> Response:
    """The player of a seat that must decide is told each room that their gnome can get to in this turn: the quickest
    moves that lead there, as `playMoves` takes them, what they bring about, and there each action with its minutes and
    chances. Where an item opens a way, or a quicker one, that way stands beside the one without. There are no rooms
    while something else is asked than where to go."""
    return reply(playing.reach(store(), game_id, caller("poll"), seat))


@blueprint.route("/events", methods=["GET"])
@operation("listEvents", "The history, in pages")
@problems("not_acceptable", "invalid", "too_many_waits")
@blueprint.arguments(EventsQuery, location="query")
@blueprint.response(200, "EventList")
def events(query: Loaded, game_id: str) -> Response:
    """With `wait`, this answers when there is an event, or when the time is up. With `lang`, each event has a `text`, a
    sentence for people. `streamEvents` tells them as they happen."""
    there = f"/v1/games/{game_id}/events/stream"
    need_json({NDJSON: there, SSE: there})
    lang = language(query)
    wait = min(query["wait"], config().max_wait_seconds)
    after, limit = query.get("after", 0), query["limit"]
    all_kinds = query["kinds"] == ALL_KINDS
    return polling.events(store(), hub(), game_id, caller("poll"), after, limit, wait, lang, all_kinds)
