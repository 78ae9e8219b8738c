"""What schemathesis must know of us: games and matches to ask for, and whose token goes with which. Its command
loads this.

`FUZZED_URL` is the service's address.
"""

import itertools
import json
import os
import re
import zlib
from typing import Any

import schemathesis

from service.contract.parameters import IDEMPOTENCY_KEY
from tests.support.answers import finished
from tests.support.serving import Client, Seated, new_game

SPOILING = ("deleteGame", "leaveGame", "deleteMatch")
NO_GAME = "a" * 16
UNDER_WAY = 3
KEY = re.compile(IDEMPOTENCY_KEY["schema"]["pattern"])

client = Client(os.environ["FUZZED_URL"])
ready: list[Seated] = [*(new_game(client, players=1) for _ in range(UNDER_WAY)), new_game(client), finished(client)]
hosts: dict[str, str] = {}  # game → its host's token
players: dict[tuple[str, int], str] = {}  # game and seat → its player's token
keys = itertools.count()
matches: dict[str, str] = {}  # match → its token
for _ in range(2):
    match = client.post("/v1/matches", {"games": 5, "crew": ["sailor"]}).body
    matches[match["match"]["id"]] = match["token"]
common = list(matches)
deciders: dict[str, int] = {}  # game → the seat that must decide, as last heard


def name_of(game: Seated) -> str:
    return game.path.rpartition("/")[2]


for game in ready:
    name = name_of(game)
    hosts[name] = str(game.host.token)
    players.update({(name, seat): str(player.token) for seat, player in enumerate(game.players)})


@schemathesis.hook
def map_path_parameters(context: Any, path_parameters: dict[str, Any] | None) -> dict[str, Any] | None:
    """Half of the made-up games and matches are real ones."""
    if not path_parameters:
        return path_parameters
    made_up = json.dumps(path_parameters, sort_keys=True, default=str).encode()
    chosen = zlib.crc32(made_up) % (2 * len(ready))
    if "match_id" in path_parameters and chosen < len(ready):
        return path_parameters | {"match_id": common[chosen % len(common)]}
    if "game_id" not in path_parameters or chosen >= len(ready):
        return path_parameters
    return path_parameters | {"game_id": name_of(ready[chosen])}


@schemathesis.hook
def after_call(context: Any, case: Any, response: Any) -> None:
    """Notes tokens and deciders."""
    if response.status_code not in (200, 201, 202) or response.headers.get("content-type") != ["application/json"]:
        return
    body = json.loads(response.content)
    if case.operation.path.startswith("/v1/matches"):
        match = body["match"]["id"] if "match" in body else case.path_parameters.get("match_id")
        matches.update({match: body["token"]} if "token" in body else {})
        return
    if case.operation.path.startswith("/v1/bots"):
        return
    if case.operation.path.endswith("/token"):
        renew(response.request.headers["Authorization"].removeprefix("Bearer "), body["token"])
        return
    if case.operation.path.endswith("/invitations"):
        return
    state = body.get("game", body)
    game: Any = state.get("id") or (case.path_parameters or {}).get("game_id")
    if "token" in body and not state["you"]["host"]:
        players.update({(game, seat): body["token"] for seat in state["you"]["seats"]})
    elif "token" in body and game not in hosts:
        hosts[game] = body["token"]
        if len(hosts) % 2:
            begin(game)
    if state.get("decision"):
        deciders[game] = state["decision"]["seat"]


def renew(old: str, new: str) -> None:
    """Forget a token that was renewed."""
    held: dict[Any, str]
    for held in (hosts, players):
        held |= {whose: new for whose, token in held.items() if token == old}


def begin(game: str) -> None:
    """A player on the first open seat, if there is one, bots on the others."""
    path, host = f"/v1/games/{game}", client.be(hosts[game])
    joined = host.post(f"{path}/players", {"name": "Fuzz"})
    if joined.status == 201:
        players.update({(game, seat): joined.body["token"] for seat in joined.body["game"]["you"]["seats"]})
    host.post(f"{path}/start", {"fill_with": "cabin_boy"})


@schemathesis.hook
def before_call(context: Any, case: Any, kwargs: dict[str, Any]) -> None:
    """Where the truth would mislead schemathesis: a repeated key answers with a game that may be gone by now, and a
    private game is not there for strangers. Moves are for games under way."""
    headers = case.headers or {}
    operation = case.operation.definition.raw["operationId"]
    if KEY.fullmatch(headers.get("Idempotency-Key", "")):
        headers["Idempotency-Key"] = f"a key made up by fuzzing {next(keys)}"
    if isinstance(case.body, dict) and case.body.get("visibility") == "private":
        case.body["visibility"] = "public"
    kind = "match_id" if operation == "deleteMatch" else "game_id"
    if operation in SPOILING and case.path_parameters[kind] in {*map(name_of, ready), *common}:
        case.path_parameters[kind] = NO_GAME
    if operation in ("playMoves", "previewMoves") and headers.get("Authorization") in given_out():
        under_way = ready[next(keys) % UNDER_WAY]
        case.path_parameters["game_id"] = name_of(under_way)
        headers["Authorization"] = f"Bearer {under_way.players[0].token}"


def given_out() -> set[str]:
    return {f"Bearer {token}" for token in (*hosts.values(), *players.values(), *matches.values())}


@schemathesis.auth(refresh_interval=None)
class Tokens:
    def get(self, case: Any, context: Any) -> str:
        return "one for each game"

    def set(self, case: Any, data: str, context: Any) -> None:
        parameters: dict[str, Any] = case.path_parameters or {}
        game: Any = parameters.get("game_id")
        token = hosts.get(game) or matches.get(parameters.get("match_id", ""))
        if case.operation.definition.raw.get("operationId") in (
            "playMoves",
            "previewMoves",
            "listLegalMoves",
            "getReach",
            "leaveGame",
        ):
            of_game = [held for (its, _), held in players.items() if its == game]
            token = players.get((str(game), deciders.get(str(game), 0)), of_game[0] if of_game else token)
        if token:
            case.headers["Authorization"] = f"Bearer {token}"
