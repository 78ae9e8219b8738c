"""A whole game over plain HTTP, with the models of datamodel-codegen; its one argument is the service's address."""

import sys
from typing import TypeVar

import httpx
from datamodel_models import CreatedGame, JoinedGame, LegalMoveList, NewGame, NewPlayer, PlayedMoves, Replay, Turn
from pydantic import BaseModel

Model = TypeVar("Model", bound=BaseModel)

MOST_MOVES = 2000
service = httpx.Client(base_url=sys.argv[1])


def get(kind: type[Model], path: str, token: str = "") -> Model:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    return kind.model_validate_json(service.get(path, headers=headers).raise_for_status().content)


def post(kind: type[Model], path: str, body: BaseModel, token: str = "") -> Model:
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    content = body.model_dump_json(exclude_none=True, by_alias=True)
    return kind.model_validate_json(service.post(path, content=content, headers=headers).raise_for_status().content)


created = post(CreatedGame, "/v1/games", NewGame.model_validate({"seats": ["open"] * 3, "players": 1}))
game = f"/v1/games/{created.game.id}"
joined = post(JoinedGame, f"{game}/players", NewPlayer.model_validate({"name": "Ada"}))
service.post(f"{game}/start", headers={"Authorization": f"Bearer {created.token}"}).raise_for_status()

for _ in range(MOST_MOVES):
    legal = get(LegalMoveList, f"{game}/legal-moves", joined.token)
    if not legal.legal_moves:
        break
    turn = Turn(moves=[legal.legal_moves[-1]], version=legal.version)
    played = post(PlayedMoves, f"{game}/moves", turn, joined.token)
    assert played.events[0].root.type == "choice"

replay = get(Replay, f"{game}/replay")
print(f"{len(replay.moves)} moves, {replay.result.crew.value}: {replay.result.cause.value}")
