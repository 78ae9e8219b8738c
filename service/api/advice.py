"""Serve help for players: advice on a decision, and the crew's chance so far."""

from flask import Response

from service.api.query_schemas import WaitQuery
from service.api.schemas import Question
from service.api.web import Blueprint, Loaded, caller, config, hub, operation, problems, reply, store
from service.games import advice, odds
from service.games.play import Turn

blueprint = Blueprint(
    "advice", __name__, url_prefix="/v1/games/<game_id>", description="What the bots would do, and what they expect."
)


@blueprint.route("/advice", methods=["POST"])
@operation("requestAdvice", "Ask for advice on your decision")
@problems(
    "no_token", "not_your_turn", "bot_plays", "not_started", "game_over", "advice_off", "version_conflict",
    "illegal_move", "invalid", "too_much_work", "overloaded",
)  # fmt: skip
@blueprint.arguments(Question, required=False)
@blueprint.response(202, "Advice")
def ask(wanted: Loaded, game_id: str) -> Response:
    """A worker looks for the best plans, from what your seat may see, for this crew as it sits there: bots as they
    play, people and outside bots as their turns so far suggest. `Location` tells where to fetch them. With the moves of
    a plan that you have staged, up to the first one that chance decides, it is weighed in as many playouts as the best
    of the bot's, with the same dice, and told as `own`."""
    plan = Turn(wanted["moves"], wanted.get("version")) if "moves" in wanted else None
    return reply(advice.ask(store(), game_id, caller("advice", work=0), plan))


@blueprint.route("/advice/<advice_id>", methods=["GET"])
@operation("getAdvice", "Fetch advice")
@problems("not_found", "advice_off", "invalid", "too_many_waits")
@blueprint.arguments(WaitQuery, location="query")
@blueprint.response(200, "Advice")
def look(query: Loaded, game_id: str, advice_id: str) -> Response:
    """With `wait`, this answers when it is there, or when the time is up. It is `stale` once the game has moved on."""
    wait = min(query["wait"], config().max_wait_seconds)
    return reply(advice.look(store(), hub(), game_id, advice_id, caller("poll"), wait))


@blueprint.route("/odds", methods=["GET"])
@operation("getOdds", "The crew's chance, turn by turn")
@problems("advice_off", "invalid", "too_many_waits")
@blueprint.arguments(WaitQuery, location="query")
@blueprint.response(200, "Odds")
def chances(query: Loaded, game_id: str) -> Response:
    """This tells how often the crew of each turn, as it sat there, would save the boat from there, by what everybody
    can see: bots as they play, whoever is away as the bot that stands in, people and outside bots as their turns until
    then suggest. A worker fills in what is missing: `complete` tells whether all is there, and `wait` waits for it."""
    wait = min(query["wait"], config().max_wait_seconds)
    return reply(odds.look(store(), hub(), game_id, caller("poll", work=0), wait))
