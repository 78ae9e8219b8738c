"""Serve streams: what happens in a game, in many games at once, and in a match, as it happens."""

from flask import Response

from service.api.json_schema import ref
from service.api.query_schemas import ALL_KINDS
from service.api.stream_schemas import LangQuery, MatchStreamQuery, StreamedGames, StreamQuery
from service.api.streaming import RESUMABLE, resumed, streamed
from service.api.web import (
    JSON,
    READS_ONLY,
    Blueprint,
    Loaded,
    accepted,
    caller,
    header,
    hub,
    language,
    operation,
    problems,
    store,
)
from service.games.access import find, find_all
from service.games.lines import FORMATS, NDJSON, SSE
from service.games.model import FINISHED
from service.games.streams import Listener, state_line, stream, stream_together
from service.matches import requests
from service.matches.streams import stream as stream_match
from service.matches.views import etag

blueprint = Blueprint("streams", __name__, url_prefix="/v1", description="Hear what happens, as it happens.")

_REFUSALS = ("not_acceptable", "invalid", "too_many_streams", "too_many_waits", "crowded")
_LINE = "A line: a JSON object."
_MESSAGE = "Server-sent events: each has such an object as its `data`."


@blueprint.route("/games/<game_id>/events/stream", methods=["GET"])
@operation("streamEvents", "The history as it happens", header("Last-Event-ID", RESUMABLE))
@problems(*_REFUSALS)
@blueprint.arguments(StreamQuery, location="query")
@blueprint.alt_response(204, description="That `Last-Event-ID` is the last there will be.")
@blueprint.alt_response(200, schema=ref("StreamLine"), content_type=NDJSON, description=_LINE, success=True)
@blueprint.response(200, ref("StreamLine"), content_type=SSE, description=_MESSAGE)
def game(query: Loaded, game_id: str) -> Response:
    """The state comes first, then the events after `after` (or from now on), with a blank line every seven seconds; the
    last one is `game_over`, `game_deleted` or `token_revoked`, or `reconnect` where there is more to come.
    Server-sent events; `Accept: application/x-ndjson` brings a JSON object a line. `Last-Event-ID` resumes without
    a gap; at the end of a game it is answered 204, so that an EventSource comes no more. With `lang`, each event
    has a `text`, a sentence for people."""
    form, who = accepted(SSE, NDJSON), caller("poll")
    table, viewer = find(store(), game_id, who)
    after = resumed(query.get("after"))
    if "after" not in query and after is not None and after >= table.seq and table.status == FINISHED:
        return Response(status=204)
    listener = Listener(store(), table, viewer, after, language(query), query["kinds"] == ALL_KINDS)
    first = state_line(table, viewer)
    return streamed(form, who, lambda lease: stream(store(), hub(), listener, first, FORMATS[form], lease))


@blueprint.route("/matches/<match_id>/stream", methods=["GET"])
@operation("streamMatch", "A match at each change", header("Last-Event-ID", RESUMABLE))
@problems(*_REFUSALS)
@blueprint.arguments(MatchStreamQuery, location="query")
@blueprint.alt_response(200, schema=ref("MatchLine"), content_type=NDJSON, description=_LINE, success=True)
@blueprint.response(200, ref("MatchLine"), content_type=SSE, description=_MESSAGE)
def match(query: Loaded, match_id: str) -> Response:
    """It is told at most four times a second, with a blank line every seven seconds; the last one is of a match that is
    over, or `match_deleted`, or `reconnect` where there is more to come. Server-sent events; `Accept:
    application/x-ndjson` brings a JSON object a line."""
    form, who = accepted(SSE, NDJSON), caller("poll")
    repository, found = requests.find(store(), match_id, who)
    after = resumed(query.get("after"))
    return streamed(
        form,
        who,
        lambda lease: stream_match(repository, hub(), found, after, FORMATS[form], lease),
        {"ETag": etag(found)},
    )


@blueprint.route("/streams", methods=["POST"])
@operation("streamGames", "Many games over one connection", **{READS_ONLY: True})
@problems("bad_token", "token_revoked", "no_such_game", "newer_game", "too_much_work", *_REFUSALS)
@blueprint.arguments(LangQuery, location="query")
@blueprint.arguments(StreamedGames)
@blueprint.response(200, ref("GamesLine"), content_type=NDJSON, description=_LINE)
def games(query: Loaded, wanted: Loaded, **_: Loaded) -> Response:
    """This tells what `streamEvents` tells of each game, with each line's game and the number to send as its `after`
    next time: whoever comes back with the latest of each game misses nothing and hears nothing twice. All is one
    stream, for limits, too. An entry that is refused refuses all of them, before anything is told; a game that ends
    later, or a token that is revoked, ends the part of that game, and the end of the last one is that of the stream."""
    accepted(NDJSON, JSON)  # each line is JSON, and whoever sends a body as JSON often accepts nothing else
    entries = wanted["games"]
    who = caller("poll", work=len(entries))
    tables = find_all(store(), entries, who)
    afters, lang = (entry.get("after") for entry in entries), language(query)
    all_kinds = query["kinds"] == ALL_KINDS
    listeners = [Listener(store(), *found, after, lang, all_kinds) for found, after in zip(tables, afters, strict=True)]
    firsts = [state_line(*found) for found in tables]
    return streamed(NDJSON, who, lambda lease: stream_together(store(), hub(), listeners, firsts, lease))
