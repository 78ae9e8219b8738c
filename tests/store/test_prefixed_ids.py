"""Games and matches whose ids have a prefix, as earlier releases could be told to give them, are found and go on."""

import json
from pathlib import Path

import orjson
import pytest

from service.cli import main
from tests.matches.test_match_model import STORED as STORED_MATCH
from tests.support.answers import refused, settled
from tests.support.matching import MatchDesk
from tests.support.releases import FOLDER, in_present_names
from tests.support.serving import Client, Wire

PREFIX = "a1-"
TOLD: Wire = json.loads((FOLDER / "0.1.0.json").read_text())["games"]["alone"]
MATCH = f"{PREFIX}aaaaaaaaaaaaaaaa"


@pytest.fixture
def game(desk: MatchDesk, redis_url: str, tmp_path: Path) -> Client:
    """The bytes of a game of that release, under an id with a prefix; return its one player."""
    head, *rest = (FOLDER / "0.1.0.ndjson").read_bytes().splitlines()
    [line] = [line for line in rest if orjson.loads(line).get("id") == TOLD["id"]]
    prefixed = line.replace(TOLD["id"].encode(), (PREFIX + TOLD["id"]).encode())
    file = tmp_path / "file"
    file.write_bytes(b"\n".join((head, prefixed, b'{"end":1}', b"")))
    desk.store.delete(PREFIX + TOLD["id"])
    assert main(["import", "--redis-url", redis_url, str(file)]) == 0
    return desk.api.be(TOLD["players"][0])


def test_a_game_is_found_listed_and_played_on(game: Client) -> None:
    path = f"/v1/games/{PREFIX}{TOLD['id']}"
    state = game.get(path)
    for known in ("version", "turn", "seats", "rooms", "dice"):
        assert settled(state.body)[known] == in_present_names(TOLD["state"])[known]
    assert state.body["id"] in [card["id"] for card in game.get("/v1/games?status=playing&limit=100").body["games"]]
    assert game.get(path, If_None_Match=state.headers["etag"]).status == 304
    played = game.play(path, state.body["legal_moves"][0])
    assert (played.status, played.body["game"]["version"]) == (200, state.body["version"] + 1)
    forked = game.post(f"{path}/forks").body["game"]
    assert "-" not in forked["id"]
    assert forked["forked_from"]["game_id"] == PREFIX + TOLD["id"]
    refused(game.get(f"/v1/games/b2-{TOLD['id']}"), "no_such_game")


def test_a_match_is_found(desk: MatchDesk) -> None:
    desk.store.redis.hset(desk.store.names.match.hash_of(MATCH), items=list(STORED_MATCH))
    told = desk.api.get(f"/v1/matches/{MATCH}").body
    assert (told["id"], told["status"], told["name"]) == (MATCH, "failed", "Sailors")
    desk.store.redis.delete(desk.store.names.match.hash_of(MATCH))
