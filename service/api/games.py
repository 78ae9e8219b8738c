"""Serve games: create, list, look, delete, start, fork, replay."""

from flask import Response, request

from service.api.conditional import conditional
from service.api.json_schema import ref
from service.api.list_schemas import FILTERS, ListQuery
from service.api.query_schemas import StateQuery
from service.api.schemas import GameChange, NewFork, NewGame, StartOptions
from service.api.web import Blueprint, Loaded, caller, config, header, hub, language, operation, problems, reply, store
from service.callers.limits import FORK_MS, LIST_MS
from service.games import creation, lobby, play, polling, rematch
from service.games.access import find
from service.games.listing import Filter, list_games

blueprint = Blueprint("games", __name__, url_prefix="/v1", description="Create, find, watch and fork games.")


@blueprint.route("/games", methods=["POST"])
@operation("createGame", "Create a game")
@problems("no_api_key", "invalid", "seat_taken", "seats_open", "too_many_games", "too_much_work", "overloaded")
@blueprint.arguments(NewGame, required=False)
@blueprint.response(201, "CreatedGame")
def create(wanted: Loaded) -> Response:
    """The answer holds the host's token, which is told only once. A host is no player: they join like the others, or at
    once by `join`, and are told a `player_token`, too. With `start` the game begins, if no seat is open then."""
    return reply(creation.create(store(), caller("create", work=0), wanted, config(), request.headers.get("X-API-Key")))


@blueprint.route("/games", methods=["GET"])
@operation("listGames", "List public games")
@problems("invalid", "too_much_work")
@blueprint.arguments(ListQuery, location="query")
@blueprint.response(200, "GameList")
def listing(query: Loaded) -> Response:
    """Private ones are left out. `next` leads to the page that follows, while games come and go: a game that is
    there all the time comes once. A request looks at 500 games at the most, so a page may be short, or empty, and have
    a `next` all the same."""
    asked = {name: query.pop(name) for name in FILTERS if name in query}
    who = caller("poll", work=LIST_MS if asked else None)
    return reply(list_games(store(), who, Filter.of(**asked), **query))


@blueprint.route("/games/<game_id>", methods=["GET"])
@operation(
    "getGame",
    "The state, as the caller may see it",
    header("If-None-Match", "The `ETag` that you have, quotes and all; 304 if it is still the one."),
)
@problems("played_otherwise", "invalid", "too_many_waits", "too_much_work")
@blueprint.alt_response(304, description="You have it already: the `If-None-Match` is its `ETag`.")
@blueprint.arguments(StateQuery, location="query")
@blueprint.response(200, "Game")
def show(query: Loaded, game_id: str) -> Response:
    """With `after` and `wait`, this answers when there is a later version, or when the time is up. With `version`, it
    tells the game as it was then: nobody can move in it any more."""
    who = caller("poll")
    if "version" in query:
        past = store(), game_id, who, query["version"]
        return conditional(lambda: polling.validators_of_past(*past), lambda: reply(polling.past_state(*past)))
    wait = min(query["wait"], config().max_wait_seconds)
    lang = language(query)
    if wait and "after" in query:
        seen = polling.later(store(), hub(), game_id, who, query["after"], wait)
        return conditional(lambda: polling.validators_of(seen), lambda: reply(polling.state(seen, lang)))
    present = store(), game_id, who
    return conditional(lambda: polling.validators(*present), lambda: reply(polling.state(find(*present), lang)))


@blueprint.route("/games/<game_id>", methods=["PATCH"])
@operation("updateGame", "Change what you keep with a game, or whether it has advice")
@problems("no_token", "forbidden", "game_over")
@blueprint.arguments(GameChange)
@blueprint.response(200, "Game")
def change(wanted: Loaded, game_id: str) -> Response:
    """Only the host may. `client_data` is for clients alone, up to 1,024 bytes of JSON that everybody may read who sees
    the game. Lists leave it out, backups and forks keep it. Without `advice` nobody is told advice or odds until the
    game is over."""
    return reply(lobby.change_game(store(), game_id, caller("join"), wanted))


@blueprint.route("/games/<game_id>", methods=["DELETE"])
@operation("deleteGame", "Delete a game")
@problems("no_token", "forbidden")
@blueprint.response(204)
def delete(game_id: str) -> Response:
    """Only the host may. Nothing of it remains."""
    return reply(lobby.delete(store(), game_id, caller("move")))


@blueprint.route("/games/<game_id>/start", methods=["POST"])
@operation("startGame", "Start a game")
@problems("no_token", "forbidden", "already_started", "seats_open", "invalid", "too_much_work", "overloaded")
@blueprint.arguments(StartOptions, required=False)
@blueprint.response(200, "Game")
def start(wanted: Loaded, game_id: str) -> Response:
    """Only the host may. `fill_with` puts a bot on every open seat."""
    return reply(lobby.start(store(), game_id, caller("join", work=0), wanted))


@blueprint.route("/games/<game_id>/forks", methods=["POST"])
@operation("forkGame", "A new game from any point of this one")
@problems("no_api_key", "not_over", "played_otherwise", "invalid", "too_many_games", "too_much_work", "overloaded")
@blueprint.arguments(NewFork, required=False)
@blueprint.response(201, "CreatedGame")
def fork(wanted: Loaded, game_id: str) -> Response:
    """Of a game that goes on, it holds what the caller may know, and its dice are fresh."""
    api_key = request.headers.get("X-API-Key")
    return reply(
        creation.fork(store(), game_id, caller("create", work=FORK_MS, makes_another=True), wanted, config(), api_key)
    )


@blueprint.route("/games/<game_id>/rematch", methods=["POST"])
@operation("rematchGame", "Play again with the same crew")
@problems("no_token", "no_api_key", "not_over", "too_many_games", "too_much_work", "overloaded")
@blueprint.alt_response(200, schema=ref("RematchedGame"), description="Somebody has asked for it before.", success=True)
@blueprint.response(201, "RematchedGame")
def play_again(game_id: str) -> Response:
    """Whoever has a token of a game that is over may ask for it. The new game has the same rules, seats and bots, its
    dice are fresh, and it begins at once. Everybody's token is theirs there, too. The old game names it as its
    `rematch_id`, in a version of its own: wait for that with `after`."""
    api_key = request.headers.get("X-API-Key")
    return reply(rematch.rematch(store(), game_id, caller("create", work=0), config(), api_key))


@blueprint.route("/games/<game_id>/replay", methods=["GET"])
@operation("getReplay", "Everything that makes a finished game again")
@problems("not_over")
@blueprint.response(200, "Replay")
def replay(game_id: str) -> Response:
    """`red-november verify` plays it again and checks the promise about the dice."""
    return reply(play.replay(store(), game_id, caller("poll")))
