"""Old names of what matches have: requests with them are refused, and what was stored with them is told in new ones."""

import zlib
from typing import Any

import orjson
import pytest

from bots.arena.game import play_game
from bots.arena.series import game_seed
from bots.roster import ROSTER
from engine import Rules
from service.cli import main
from service.games.moved import is_note
from service.matches import faults, packing
from service.store import match_keys
from service.store.partitions import Partitions
from tests.matches.test_match_model import STORED
from tests.matches.test_matches_opened import opened
from tests.support.answers import refused
from tests.support.desk import Desk
from tests.support.matching import SAILORS, id_of, new_match, work
from tests.support.serving import Wire

NAMES = match_keys.MatchNames(Partitions())
ID = "aaaaaaaaaaaaaaab"
KEY = "of the release before this one"
# As the release before this one wrote a fault: its place in its game, and JSON.
FAULT = (
    b'00{"seed":"5c6eebc69cb75e0ac5ff9d4c1b25bb3b2ac8dc4d5e1fcb32b7a5a3c9b1c7c9f3","bot":"sailor","seat":2,"version":17,'
    b'"error":"RuntimeError: mutiny","played_by":"any legal move","number":0}'
)


def test_an_old_name_is_refused_with_the_new_one(desk: Desk) -> None:
    path, owner = new_match(desk.api)
    for reply, pointer, detail in (
        (desk.api.post("/v1/matches", SAILORS | {"label": "Ours"}), "/label", "is called `name` now"),
        (owner.patch(path, {"state": "paused"}), "/state", "is called `status` now"),
    ):
        assert {"pointer": pointer, "code": "unknown", "detail": detail} in refused(reply, "invalid")["errors"]
    assert desk.api.get(path).body["status"] == "queued"


def test_an_old_filter_and_an_old_option_are_refused_with_the_new_one(
    desk: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    (error,) = refused(desk.api.get("/v1/matches?state=running"), "invalid")["errors"]
    assert (error["parameter"], error["detail"]) == ("state", "is called `status` now")
    with pytest.raises(SystemExit):
        main(["match", "--server", "http://127.0.0.1:1", "--crew", "sailor", "--label", "Ours"])
    assert "--label is called --name now" in capsys.readouterr().err


def test_a_match_without_a_name_has_none(desk: Desk) -> None:
    path, _ = new_match(desk.api)
    assert desk.api.get(path).body["name"] is None


def test_a_match_of_the_release_before_is_told_in_the_names_of_this_one(desk: Desk) -> None:
    redis = desk.store.redis
    redis.hset(NAMES.hash_of(ID), mapping=dict(zip(STORED[::2], STORED[1::2], strict=True)))
    played = [play_game(["sailor"], Rules(gnomes=3), game_seed(1, number)) for number in range(17)]
    redis.set(NAMES.of_series(ID, match_keys.GAMES, 0, 0), packing.pack(played, ["sailor"] * 3))
    redis.zadd(NAMES.of_series(ID, match_keys.FAULTS, 0, 0), {FAULT: 0})
    match = desk.api.get(f"/v1/matches/{ID}").body
    assert (match["name"], match["status"], match["error"]["number"]) == ("Sailors", "failed", 17)
    tally = match["series"][0]["crew"]
    rescues = sum(game.rescued for game in played)
    assert (tally["rescues"], tally["rescue_rate"]) == (rescues, rescues / 17)
    assert tally["interval"]["low"] <= tally["rescue_rate"] <= tally["interval"]["high"]
    (fault,) = tally["faults"]["first"]
    assert fault["moves_played"] == 17
    assert fault.keys() == {"seed", "bot", "seat", "moves_played", "error", "played_by"}


class Mutineer:
    def choose(self, *_: Any, **__: Any) -> Any:
        raise RuntimeError("mutiny")


def test_a_fault_is_stored_as_the_release_before_stored_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(ROSTER, "cabin_boy", Mutineer())
    game = play_game(["cabin_boy"], Rules(gnomes=3), game_seed(1, 0))
    stored = faults.encode(game, 4)[0]
    assert stored[:2] == FAULT[:2]
    assert list(orjson.loads(stored[2:])) == list(orjson.loads(FAULT[2:]))
    assert faults.decode(stored) == (4, {"seed": game.seed, **vars(game.faults[0])})


def test_a_creation_that_the_release_before_answered_is_answered_alike(desk: Desk) -> None:
    made = desk.api.post("/v1/matches", SAILORS, Idempotency_Key=KEY)
    match_id, epoch = made.body["match"]["id"], made.body["match"]["epoch"]
    body = {"id": match_id, "match": {"id": match_id, "epoch": epoch, "label": "", "state": "queued"}}
    put_answer(desk, match_id, body)
    assert desk.api.post("/v1/matches", SAILORS, Idempotency_Key=KEY).body == made.body


def test_an_opening_that_the_release_before_answered_is_answered_in_the_names_of_this_one(desk: Desk) -> None:
    path, _ = new_match(desk.api, games=2)
    work(desk, path)
    where = opened(desk, path, 3, "crew", 1).headers["location"]
    first = desk.api.post(f"{path}/games/3/crew/1", Idempotency_Key=KEY)
    which = {"gnomes": 3, "line_up": "crew", "number": 1}
    put_answer(desk, id_of(path), {"game": id_of(where), "match": id_of(path), **which})
    again = desk.api.post(f"{path}/games/3/crew/1", Idempotency_Key=KEY)
    assert again.headers["idempotency-replayed"] == "true"
    assert first.body == again.body == {"game_id": id_of(where), "match_id": id_of(path), **which}


def put_answer(desk: Desk, match_id: str, body: Wire) -> None:
    """Replace the body of the answer that is kept about a match."""
    redis: Any = desk.store.redis
    kept = {name: redis.hget(name, "answer") or b"" for name in redis.keys("answer:*")}
    answers = {name: zlib.decompress(kept[name]) for name in kept if not is_note(kept[name])}
    (name,) = [each for each, answer in answers.items() if match_id.encode() in answer]
    redis.hset(name, "answer", zlib.compress(orjson.dumps(orjson.loads(answers[name]) | {"body": body})))
