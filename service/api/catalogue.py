"""Serve the catalogue: the rules' tables and the bots."""

from flask import Response

from service.api.query_schemas import RulesQuery
from service.api.web import Blueprint, Loaded, caller, language, operation, problems, reply, store
from service.games import catalogue
from service.games.access import Answer
from service.outside import registering
from service.picture.geometry import layouts

blueprint = Blueprint("catalogue", __name__, url_prefix="/v1", description="The board, the cards, the bots.")

_CACHED = {"Cache-Control": "public, max-age=3600"}
_NOW = {"Cache-Control": "no-cache"}  # who is connected changes


@blueprint.route("/rules", methods=["GET"])
@operation("getRules", "The board, the cards and the actions")
@problems("invalid")
@blueprint.arguments(RulesQuery, location="query")
@blueprint.response(200, "Catalogue")
def rules(query: Loaded) -> Response:
    """Everything to show a game with: where rooms lie, what items add, which cards there are. With `lang`, all that has
    an id has a name in `words`, and an explanation where the name does not say it."""
    caller("poll").meter.now(store().redis)
    lang = language(query)
    told = catalogue.rules_in_words(lang, query["edition"]) if lang else catalogue.rules()
    return reply(Answer(200, told, _CACHED))


@blueprint.route("/board", methods=["GET"])
@operation("getBoardGeometry", "Where everything lies in the drawn board")
@blueprint.response(200, "BoardGeometry")
def board() -> Response:
    """Pictures of games are drawn from the same numbers, so whoever draws a board of their own, or asks where somebody
    tapped, has rooms, hatches and the spaces of the time track in the same places. It is the same for all games."""
    caller("poll").meter.now(store().redis)
    return reply(Answer(200, {"layouts": layouts()}, _CACHED))


@blueprint.route("/bots", methods=["GET"])
@operation("listBots", "The bots and how strong they are")
@blueprint.response(200, "BotList")
def bots() -> Response:
    """Their names go wherever a bot is asked for; of those in `outside`, what is called `bot` there."""
    outside = registering.list_all(store(), caller("poll"))
    return reply(Answer(200, catalogue.roster() | {"outside": outside}, _NOW))
