"""Serve pictures of the board, for people and for pages."""

from flask import Response, current_app, request

from service.api.conditional import conditional
from service.api.query_schemas import DrawingQuery, PaintingQuery
from service.api.static_files import takes_gzip
from service.api.web import Blueprint, Loaded, caller, header, operation, problems, store
from service.games import pictures
from service.games.pictures import PNG, SVG, PictureOptions
from service.words import choose

blueprint = Blueprint(
    "pictures", __name__, url_prefix="/v1/games/<game_id>", description="The board as a picture, of any version."
)

_HEADERS = (
    header("If-None-Match", "The `ETag` that you have, quotes and all; 304 if it is still the one."),
    header("Accept-Language", "The languages that you like, where `lang` names none."),
)
_SEEN = "You have it already: the `If-None-Match` is its `ETag`."
_DRAWING = {"type": "string", "description": "An SVG document with title and description.", "contentMediaType": SVG}
_PAINTING = {"type": "string", "description": "The bytes of the picture.", "format": "binary"}


@blueprint.route("/board.svg", methods=["GET"])
@operation("getBoardSvg", "The board as SVG", *_HEADERS)
@problems("played_otherwise", "invalid", "too_much_work")
@blueprint.alt_response(304, description=_SEEN)
@blueprint.arguments(DrawingQuery, location="query")
@blueprint.response(200, _DRAWING, content_type=SVG)
def drawing(query: Loaded, game_id: str) -> Response:
    """It is drawn as the caller may see it; with `version`, as it was then. It is told in words for those who can't see
    it. The past may be cached, and never changes."""
    return _show(game_id, "poll", query)


@blueprint.route("/board.png", methods=["GET"])
@operation("getBoardPng", "The board as PNG", *_HEADERS)
@problems("played_otherwise", "invalid", "too_much_work")
@blueprint.alt_response(304, description=_SEEN)
@blueprint.arguments(PaintingQuery, location="query")
@blueprint.response(200, _PAINTING, content_type=PNG)
def painting(query: Loaded, game_id: str) -> Response:
    """This is the same for whoever can't show SVG: chats, previews of links. It has a limit of its own, as it takes
    longer."""
    return _show(game_id, "picture", query)


def _show(game_id: str, limit: str, query: Loaded) -> Response:
    query["lang"] = choose(query.get("lang"), request.headers.get("Accept-Language"))
    who, renderer = caller(limit), current_app.extensions["renderer"]
    picture = pictures.locate(store(), game_id, who, PictureOptions(**query))
    return conditional(lambda: picture.headers, lambda: pictures.read(store(), renderer, picture, who, takes_gzip()))
