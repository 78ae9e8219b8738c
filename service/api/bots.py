"""Serve outside bots: their accounts, what they must decide, and what they answer."""

from flask import Response, request

from service.api.bot_schemas import BotUpdate, DecisionsQuery, NewBot, answers_in
from service.api.json_schema import ref
from service.api.streaming import streamed_to
from service.api.web import (
    JSON,
    Blueprint,
    Loaded,
    accepted,
    caller,
    config,
    hub,
    operation,
    problems,
    read_json,
    reply,
    store,
)
from service.games.access import Answer
from service.games.lines import NDJSON
from service.outside import answers, decisions, games, registering

blueprint = Blueprint(
    "outside bots", __name__, url_prefix="/v1/bots", description="Bring a bot of your own, to any seat."
)

_ANSWERS = {"required": True, "content": {JSON: {"schema": ref("BotAnswers")}}}


def _api_key() -> str | None:
    return request.headers.get("X-API-Key")


@blueprint.route("", methods=["POST"])
@operation("registerBot", "Register a bot of your own")
@problems("no_api_key", "bots_closed", "name_taken", "invalid")
@blueprint.arguments(NewBot)
@blueprint.response(201, "RegisteredBot")
def register(wanted: Loaded) -> Response:
    """The answer holds the bot's token, which is told only once. From then on `bot:` and its name goes wherever a bot
    is asked for, and a sailor stands in while it is not connected. It takes an API key, but for a service on your own
    machine."""
    return reply(registering.register(store(), caller("create"), wanted, config(), _api_key()))


@blueprint.route("/<bot_name>", methods=["GET"])
@operation("getBot", "A bot that somebody has brought")
@blueprint.response(200, "OutsideBot")
def show(bot_name: str) -> Response:
    """Whether it is connected, how fast it is, and what it did so far."""
    return reply(registering.show(store(), bot_name, caller("poll")))


@blueprint.route("/<bot_name>", methods=["PATCH"])
@operation("updateBot", "Change what you say of your bot, or pause it")
@problems("no_token", "forbidden", "invalid")
@blueprint.arguments(BotUpdate)
@blueprint.response(200, "OutsideBot")
def update(wanted: Loaded, bot_name: str) -> Response:
    """Its token may, or the API key that it was registered with. While it is paused a stand-in has its seats."""
    return reply(registering.update(store(), bot_name, caller("join"), wanted, config(), _api_key()))


@blueprint.route("/<bot_name>", methods=["DELETE"])
@operation("deleteBot", "Delete your bot")
@problems("no_token", "forbidden")
@blueprint.response(204)
def delete(bot_name: str) -> Response:
    """A stand-in plays its games to their end. Its name stays taken for as long as they may be there."""
    return reply(registering.delete(store(), bot_name, caller("join"), config(), _api_key()))


@blueprint.route("/<bot_name>/token", methods=["POST"])
@operation("renewBotToken", "Get a new token for your bot")
@problems("no_token", "forbidden")
@blueprint.response(200, "RenewedBotToken")
def renew_token(bot_name: str) -> Response:
    """The one before is refused from then on, and its connection ends. Who has lost it shows the API key instead."""
    return reply(registering.renew_token(store(), bot_name, caller("join"), config(), _api_key()))


@blueprint.route("/<bot_name>/games", methods=["GET"])
@operation("listBotGames", "The games that your bot plays")
@problems("no_token")
@blueprint.response(200, "BotGames")
def listing(bot_name: str) -> Response:
    """Those that are not over, up to 500, the latest last. Its token shows each as its seats may see it."""
    return reply(games.list_games(store(), bot_name, caller("poll")))


@blueprint.route("/<bot_name>/decisions", methods=["GET"])
@operation("streamDecisions", "What your bot must decide, in all of its games")
@problems("no_token", "not_acceptable", "too_many_streams", "too_many_waits", "crowded", "invalid")
@blueprint.arguments(DecisionsQuery, location="query")
@blueprint.alt_response(
    200, schema=ref("DecisionPage"), content_type=JSON, description="With `wait`: a page.", success=True
)
@blueprint.response(200, ref("DecisionLine"), content_type=NDJSON, description="A line: a JSON object.")
def stream(query: Loaded, bot_name: str) -> Response:
    """First comes what is open, then each decision as it comes up; there is nothing to resume, as the next connection
    begins with what is open then. The newest connection of a bot is the one that counts. A decision that is not
    answered in time is withdrawn, and a stand-in makes it; three in a row pause the bot, until it connects again. With
    `wait`, this is one page of JSON: what is open, when there is anything, or when the time is up."""
    accepted(NDJSON, JSON)
    who = caller("poll")
    account = decisions.connect(store(), bot_name, who, query.get("version"))
    if "wait" in query:
        wait = min(query["wait"], config().max_wait_seconds)
        page = decisions.page(store(), hub(), account, query["form"], wait)
        return reply(Answer(200, page, {"Cache-Control": "no-store"}))
    attendance = hub()
    return streamed_to(
        NDJSON, f"bot-{bot_name}", lambda lease: decisions.stream(store(), attendance, account, query["form"], lease)
    )


@blueprint.route("/<bot_name>/answers", methods=["POST"])
@operation(
    "answerDecisions",
    "Answer decisions",
    requestBody={"required": True, "content": {JSON: {"schema": ref("BotAnswers")}}},
)
@problems("no_token", "invalid")
@blueprint.response(200, "BotVerdicts")
def answer(bot_name: str) -> Response:
    """Up to 64 at once. Each is played by itself, and told what became of it. An answer may be sent again: its decision
    is made once. Several moves are a plan, of which the rest is dropped at the first die or card, or when another must
    decide. A first illegal answer may be corrected within its time."""
    sent = answers_in(read_json())
    return reply(answers.take(store(), bot_name, caller("poll"), sent, config()))
