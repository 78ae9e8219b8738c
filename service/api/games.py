"""Games: create, list, look, delete, start, fork, replay."""

from typing import Any

from flask import Response, request

from service import creation, lobby, play, polling
from service.api.web import Blueprint, caller, config, header, hub, operation, problems, reply, store
from service.listing import list_games
from service.schemas import ListQuery, NewFork, NewGame, StartOptions, StateQuery

blueprint = Blueprint("games", __name__, url_prefix="/v1", description="Create, find, watch and fork games.")


@blueprint.route("/games", methods=["POST"])
@operation("createGame", "Create a game")
@problems("no_api_key", "invalid", "overloaded")
@blueprint.arguments(NewGame, required=False)
@blueprint.response(201, "CreatedGame")
def create(wanted: dict[str, Any]) -> Response:
    """The answer holds the host's token, which is told only once. A host is no player: he joins like the others."""
    return reply(creation.create(store(), caller("create"), wanted, config(), request.headers.get("X-API-Key")))


@blueprint.route("/games", methods=["GET"])
@operation("listGames", "List public games, the latest first")
@problems("invalid")
@blueprint.arguments(ListQuery, location="query")
@blueprint.response(200, "GameList")
def listing(query: dict[str, Any]) -> Response:
    """Without those that are private. `next` leads to the page that follows, while games come and go."""
    return reply(list_games(store(), caller("poll"), **query))


@blueprint.route("/games/<game_id>", methods=["GET"])
@operation(
    "getGame",
    "The state, as the caller may see it",
    header("If-None-Match", "The `ETag` that you have, quotes and all; 304 if it is still the one."),
)
@problems("invalid")
@blueprint.alt_response(304, description="You have it already: the `If-None-Match` is its `ETag`.")
@blueprint.arguments(StateQuery, location="query")
@blueprint.response(200, "State")
def show(query: dict[str, Any], game_id: str) -> Response:
    """With `after` and `wait`, answers when there is a later version, or when the time is up. With `version`, as it was
    then: nobody can move in it any more."""
    if "version" in query:
        return polling.look_back(store(), game_id, caller("poll"), request.if_none_match, query["version"])
    wait = min(query["wait"], config().max_wait_seconds)
    return polling.show(store(), hub(), game_id, caller("poll"), request.if_none_match, query.get("after"), wait)


@blueprint.route("/games/<game_id>", methods=["DELETE"])
@operation("deleteGame", "Delete a game")
@problems("no_token", "forbidden")
@blueprint.response(204)
def delete(game_id: str) -> Response:
    """For the host only. Nothing of it remains."""
    return reply(lobby.delete(store(), game_id, caller("move")))


@blueprint.route("/games/<game_id>/start", methods=["POST"])
@operation("startGame", "Start a game")
@problems("no_token", "forbidden", "already_started", "seats_open", "invalid", "overloaded")
@blueprint.arguments(StartOptions, required=False)
@blueprint.response(200, "State")
def start(wanted: dict[str, Any], game_id: str) -> Response:
    """For the host only. `fill_with` puts a bot on every open seat."""
    return reply(lobby.start(store(), game_id, caller("join"), wanted))


@blueprint.route("/games/<game_id>/forks", methods=["POST"])
@operation("forkGame", "A new game from any point of this one")
@problems("no_api_key", "not_over", "invalid", "overloaded")
@blueprint.arguments(NewFork, required=False)
@blueprint.response(201, "CreatedGame")
def fork(wanted: dict[str, Any], game_id: str) -> Response:
    """Of a game that goes on, it holds what the caller may know, and its dice are fresh."""
    api_key = request.headers.get("X-API-Key")
    return reply(creation.fork(store(), game_id, caller("create"), wanted, config(), api_key))


@blueprint.route("/games/<game_id>/replay", methods=["GET"])
@operation("getReplay", "Everything that makes a finished game again")
@problems("not_over")
@blueprint.response(200, "Replay")
def replay(game_id: str) -> Response:
    """`red-november verify` plays it again and checks the promise about the dice."""
    return reply(play.replay(store(), game_id, caller("poll")))
