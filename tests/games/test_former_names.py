"""What the release before stored is told by the present names; whoever sends a former name is told the present one."""

import math
import zlib
from typing import Any

import orjson
import pytest

from bots.explain import MODEL_ERROR
from service.games.moved import is_note
from tests.support.answers import NO_ACTION, refused, scene
from tests.support.desk import Desk
from tests.support.serving import Client, Wire, new_game

CRAZED = {"crazed_gnomes": True}


@pytest.mark.parametrize(
    ("path", "body", "field", "present"),
    [
        ("", {"private": True}, "/private", "`visibility`"),
        ("", {"private": False, "name": "Friday"}, "/private", "`visibility`"),
        ("/{id}/forks", {"at": 1}, "/at", "`version`"),
        ("/{id}/forks", {"private": True}, "/private", "`visibility`"),
    ],
)
def test_a_former_name_is_refused_with_the_present_one(
    api: Client, path: str, body: Wire, field: str, present: str
) -> None:
    game_id = api.post("/v1/games").body["game"]["id"]
    problem = refused(api.post("/v1/games" + path.format(id=game_id), body), "invalid", field)
    assert present in problem["detail"]


def as_before(state: Wire) -> Wire:
    """A game as the release before told it."""
    players = [{name: player[name] for name in ("id", "name", "seats")} for player in state["players"]]
    seats = [
        {name: seat[name] for name in ("seat", "kind", "bot", "away")}
        | {"player": seat["player_id"], "last_seen": seat["last_seen_at"]}
        for seat in state["seats"]
    ]
    fork = state["forked_from"]
    gnomes = [
        {name: value for name, value in gnome.items() if name != "hand"}
        | {"items": {"hidden": gnome["hand"]} if gnome["items"] is None else gnome["items"]}
        for gnome in state["gnomes"]
    ]
    deck = {"hidden": state["items_left"]} if state["item_deck"] is None else state["item_deck"]
    you = state["you"]
    new = ("visibility", "client_data", "items_left")
    return {name: value for name, value in state.items() if name not in new} | {
        "private": state["visibility"] == "private",
        "players": players,
        "seats": seats,
        "forked_from": fork and {"game": fork["game_id"], "version": fork["version"]},
        "gnomes": gnomes,
        "item_deck": deck,
        "you": {"host": you["host"], "player": you["player_id"], "seats": you["seats"]},
    }


class Remembered:
    """The answer that the store keeps for a request with a key."""

    def __init__(self, desk: Desk, client: Client, path: str, body: Any, key: str):
        before = set(desk.store.redis.keys("answer:*"))
        self._desk, self._sent = desk, (client, path, body, key)
        first = self.send()
        self.told = first.body
        self._whole = {"status": first.status, "body": first.body, "headers": {"ETag": first.headers["etag"]}}
        (self._name,) = set(desk.store.redis.keys("answer:*")) - before

    def send(self) -> Any:
        client, path, body, key = self._sent
        return client.post(path, body, Idempotency_Key=key)

    def rewrite(self, change: Any) -> None:
        """Put in its place what the release before kept: of moves, too, all of the answer."""
        stored: Any = self._desk.store.redis.hget(self._name, "answer")
        game_id = self._sent[1].removesuffix("/moves").rpartition("/")[2]
        kept = self._whole | {"game": game_id} if is_note(stored) else orjson.loads(zlib.decompress(stored))
        kept["body"] = change(kept["body"])
        self._desk.store.redis.hset(self._name, "answer", zlib.compress(orjson.dumps(kept)))


@pytest.mark.parametrize("rules", [{}, CRAZED])
def test_answers_that_the_release_before_kept_are_told_by_the_present_names(desk: Desk, rules: Wire) -> None:
    wanted = {"position": scene({"items": {"grog": 1}}, rules=rules), "visibility": "private"}
    made = Remembered(desk, desk.api, "/v1/games", wanted, f"a game of the release before {rules}")
    path, host = f"/v1/games/{made.told['game']['id']}", desk.api.be(made.told["token"])
    joined = Remembered(desk, host, f"{path}/players", {"name": "Ada"}, "joined")
    forked = Remembered(desk, host, f"{path}/forks", {"seats": ["sailor", "open", "open"]}, "forked")
    made.rewrite(lambda body: {"id": body["game"]["id"], "state": as_before(body["game"])})
    joined.rewrite(lambda body: {"player": "p1", "seats": [0], "state": as_before(body["game"])})
    forked.rewrite(lambda body: {"id": body["game"]["id"], "state": as_before(body["game"])})
    for kept in (made, joined, forked):
        again = kept.send()
        assert again.headers["idempotency-replayed"] == "true"
        assert again.body == kept.told


def test_moves_and_a_start_that_the_release_before_answered_are_told_by_the_present_names(desk: Desk) -> None:
    game = new_game(desk.api, position=scene(rules=CRAZED), start=False)
    started = Remembered(desk, game.host, f"{game.path}/start", {}, "started")
    played = Remembered(desk, game.players[0], f"{game.path}/moves", {"moves": [NO_ACTION]}, "played")
    started.rewrite(as_before)
    played.rewrite(
        lambda body: {name: body[name] for name in ("version", "seq", "events")} | {"state": as_before(body["game"])}
    )
    assert [kept.send().body for kept in (started, played)] == [started.told, played.told]


def test_events_are_stored_with_their_first_names_and_told_with_the_present_ones(desk: Desk) -> None:
    game = new_game(desk.api)
    gone = game.players[2].get(game.path).body["you"]["player_id"]
    assert game.host.delete(f"{game.path}/players/{gone}").status == 204
    stored = [orjson.loads(each) for each in desk.store.events(game.path.rpartition("/")[2], 0, 1000)]
    told = desk.history(game.path)
    for event, before in zip(told, stored, strict=True):
        if event["type"] in ("player_joined", "player_left"):
            assert (event["player_id"], "player" in event) == (before["player"], False)
        if event["type"] == "game_started":
            assert [seat["player_id"] for seat in event["seats"]] == [seat["player"] for seat in before["seats"]]
    assert {"player_joined", "player_left", "game_started"} <= {event["type"] for event in told}


def test_advice_is_stored_with_its_first_names_and_told_with_the_present_ones(desk: Desk) -> None:
    game = new_game(desk.api)
    asked = game.decider().post(f"{game.path}/advice")
    plan = {"moves": [NO_ACTION], "rescued": 0.5, "error": 0.1, "deaths": 1.5, "trials": 40, "line": []}
    key = f"advice:{game.path.rpartition('/')[2]}:{asked.body['id']}"
    kept: Any = orjson.loads(desk.store.redis.get(key))  # type: ignore[arg-type]
    desk.store.redis.set(key, orjson.dumps(kept | {"status": "done", "plans": [plan]}))
    told = game.decider().get(asked.headers["location"]).body
    assert told["asked_at"] == kept["at"] == asked.body["asked_at"]
    figures = {"rescue_rate": 0.5, "error": math.hypot(0.1, MODEL_ERROR), "deaths_per_game": 1.5, "playouts": 40}
    assert told["plans"] == [{"moves": [NO_ACTION], **figures, "line": [], "as_good_as_best": True}]
