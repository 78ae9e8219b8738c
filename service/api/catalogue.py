"""Serve the catalogue: the rules' tables and the bots."""

from flask import Response

from service.api.web import Blueprint, caller, operation, reply, store
from service.games import catalogue
from service.games.access import Answer

blueprint = Blueprint("catalogue", __name__, url_prefix="/v1", description="The board, the cards, the bots.")

_CACHED = {"Cache-Control": "public, max-age=3600"}


@blueprint.route("/rules", methods=["GET"])
@operation("getRules", "The board, the cards and the actions")
@blueprint.response(200, "Catalogue")
def rules() -> Response:
    """Everything to show a game with: where rooms lie, what items add, which cards there are."""
    caller("poll").meter.now(store().redis)
    return reply(Answer(200, catalogue.rules(), _CACHED))


@blueprint.route("/bots", methods=["GET"])
@operation("listBots", "The bots and how strong they are")
@blueprint.response(200, "BotList")
def bots() -> Response:
    """Their names go wherever a bot is asked for."""
    caller("poll").meter.now(store().redis)
    return reply(Answer(200, catalogue.roster(), _CACHED))
