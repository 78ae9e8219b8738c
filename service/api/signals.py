"""Serve signals: what a player shows the others, and nobody keeps."""

from flask import Response, request

from service.api.conditional import conditional
from service.api.signal_schemas import Signalled, SignalsQuery
from service.api.web import Blueprint, Loaded, caller, config, header, hub, language, operation, problems, reply, store
from service.games import signals
from service.games.play import Turn
from service.games.signals import Shown
from service.refusals import Problem

MOST_BYTES = 8192  # of a body

blueprint = Blueprint(
    "signals", __name__, url_prefix="/v1/games/<game_id>", description="Show others a plan, or point at something."
)


@blueprint.route("/seats/<int:seat>/signal", methods=["PUT"])
@operation("showSignal", "Show the others something")
@problems(
    "not_found", "no_token", "forbidden", "not_your_turn", "bot_plays", "not_started", "game_over", "version_conflict",
    "illegal_move", "body_too_large", "invalid",
)  # fmt: skip
@blueprint.arguments(Signalled)
@blueprint.response(200, "Signal")
def show(wanted: Loaded, game_id: str, seat: int) -> Response:
    """A seat's player shows all who see the game, spectators too, a plan that the seat may play now, something on the
    board, one of the words that there are, or all of that. It takes the place of what the seat showed before. Streams
    with `kinds=all` tell it at once; it is no event, and kept nowhere: a plan is shown for a minute, and as long as the
    game has its `version`, the rest for 15 seconds. A plan is told as you send it: with each item that you plan to use
    you show that you hold it, and nothing else of a hidden hand. It ends with the first move that chance decides."""
    if len(request.get_data()) > MOST_BYTES:
        raise Problem("body_too_large", f"At most {MOST_BYTES} bytes.")
    plan = Turn(wanted["moves"], wanted.get("version")) if "moves" in wanted else None
    shown = Shown(plan, wanted.get("points_at"), wanted.get("says"))
    return reply(signals.show(store(), game_id, caller("signal"), seat, shown))


@blueprint.route("/seats/<int:seat>/signal", methods=["DELETE"])
@operation("withdrawSignal", "Show nothing any more")
@problems("not_found", "no_token", "forbidden")
@blueprint.response(204)
def withdraw(game_id: str, seat: int) -> Response:
    """Streams tell that, too: as a signal that shows nothing."""
    return reply(signals.withdraw(store(), game_id, caller("signal"), seat))


@blueprint.route("/signals", methods=["GET"])
@operation(
    "listSignals",
    "What is shown at the moment",
    header("If-None-Match", "The `ETag` that you have, quotes and all; 304 if nothing else is shown since."),
)
@problems("invalid", "too_many_waits")
@blueprint.arguments(SignalsQuery, location="query")
@blueprint.alt_response(304, description="Nothing else is shown since.")
@blueprint.response(200, "SignalList")
def listing(query: Loaded, game_id: str) -> Response:
    """For whoever has no stream. With `wait` and `If-None-Match`, this answers when something else is shown, or when
    the time is up."""
    wait = min(query["wait"], config().max_wait_seconds)
    known = request.if_none_match
    answer = signals.listing(store(), hub(), game_id, caller("poll"), wait, known, language(query))
    return conditional(lambda: answer.headers, lambda: reply(answer))
