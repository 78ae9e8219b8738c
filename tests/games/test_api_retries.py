"""Safe to repeat: the same Idempotency-Key is answered as before, and nothing is done twice."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from typing import Any

import pytest

from tests.support.answers import LAST_MOVE, NO_ACTION, at_once, finished, refused, scene
from tests.support.serving import Client, Reply, Wire, new_game

HATCH = {"type": "open_hatch", "to": 7}
TOLD_ONCE = {"date", "idempotency-replayed", "x-request-id"}
_numbers = count()


@dataclass
class Post:
    """A request that changes something, and another one to the same place."""

    client: Client
    path: str
    body: Wire
    other: Wire

    def send(self, key: str, body: Wire | None = None) -> Reply:
        return self.client.post(self.path, self.body if body is None else body, Idempotency_Key=key)


def new_key() -> str:
    return f"long enough to be a key {next(_numbers)}"


def waiting(api: Client, seats: int = 3) -> tuple[str, Client]:
    made = api.post("/v1/games", {"seats": ["open"] * seats}).body
    return f"/v1/games/{made['game']['id']}", api.be(made["token"])


def creating(api: Client) -> Post:
    return Post(api, "/v1/games", {"name": "once"}, {"name": "twice"})


def joining(api: Client) -> Post:
    return Post(api, f"{waiting(api)[0]}/players", {"name": "A"}, {"name": "B"})


def starting(api: Client) -> Post:
    path, host = waiting(api)
    return Post(host, f"{path}/start", {"fill_with": "sailor"}, {"fill_with": "captain"})


def moving(api: Client) -> Post:
    game = new_game(api, position=scene())
    return Post(game.players[0], f"{game.path}/moves", {"moves": [HATCH]}, {"moves": [NO_ACTION]})


def forking(api: Client) -> Post:
    return Post(api, f"{finished(api).path}/forks", {"version": 1}, {"version": 2})


POSTS = [creating, joining, starting, moving, forking]
every_post = pytest.mark.parametrize("prepare", POSTS, ids=lambda prepare: prepare.__name__)


@every_post
def test_a_repeated_request_is_answered_as_it_was_the_first_time(
    api: Client, prepare: Callable[[Client], Post]
) -> None:
    post, key = prepare(api), new_key()
    first = post.send(key)
    assert first.status in (200, 201), first.body
    assert "idempotency-replayed" not in first.headers
    again = post.send(key)
    assert (again.status, again.body) == (first.status, first.body)
    assert again.headers["idempotency-replayed"] == "true"
    assert {name: value for name, value in again.headers.items() if name not in TOLD_ONCE} == {
        name: value for name, value in first.headers.items() if name not in TOLD_ONCE
    }


@every_post
def test_a_key_stands_for_one_request_only(api: Client, prepare: Callable[..., Any]) -> None:
    post, key = prepare(api), new_key()
    first = post.send(key)
    refused(post.send(key, post.other), "key_reused")
    assert post.send(key).body == first.body


@every_post
def test_a_request_sent_many_times_at_once_is_done_once(api: Client, prepare: Callable[..., Any]) -> None:
    post, key = prepare(api), new_key()
    replies = at_once(8, lambda: post.send(key))
    assert {reply.status for reply in replies} <= {200, 201}
    assert all(reply.body == replies[0].body for reply in replies)
    assert sum("idempotency-replayed" not in reply.headers for reply in replies) == 1


def test_a_replayed_token_is_the_same_and_works(api: Client) -> None:
    post, key = creating(api), new_key()
    made = post.send(key).body
    token, game_id = made["token"], made["game"]["id"]
    assert post.send(key).body["token"] == token
    join, key = Post(api, f"/v1/games/{game_id}/players", {"name": "A"}, {}), new_key()
    joined = [join.send(key).body["token"] for _ in range(2)]
    assert joined[0] == joined[1] != token
    assert api.be(token).get(f"/v1/games/{game_id}").body["you"]["host"] is True
    assert api.be(joined[1]).get(f"/v1/games/{game_id}").body["you"]["seats"] == [0]


def test_a_retry_is_known_before_its_version_is_found_old(api: Client) -> None:
    game, key = new_game(api, position=scene()), new_key()
    seen = game.players[0].get(game.path)
    sent = {"moves": [HATCH], "version": seen.body["version"]}
    headers = {"Idempotency_Key": key, "If_Match": seen.headers["etag"]}
    first, again = (game.players[0].post(f"{game.path}/moves", sent, **headers) for _ in range(2))
    assert (first.status, again.status) == (200, 200)
    assert again.body == first.body
    assert game.state["version"] == seen.body["version"] + 1
    refused(game.players[0].post(f"{game.path}/moves", sent), "version_conflict")


def test_a_retry_is_known_before_its_seat_is_found_taken_or_the_game_started(api: Client) -> None:
    path, host = waiting(api, 3)
    key, wish = new_key(), {"name": "A", "seat": 0}
    first = api.post(f"{path}/players", wish, Idempotency_Key=key)
    refused(api.post(f"{path}/players", wish), "seat_taken", "/seat")
    assert api.post(f"{path}/players", wish, Idempotency_Key=key).body == first.body
    host.post(f"{path}/start", {"fill_with": "sailor"})
    refused(api.post(f"{path}/players", wish), "already_started")
    assert api.post(f"{path}/players", wish, Idempotency_Key=key).body == first.body


def test_the_last_move_of_a_game_can_be_repeated(api: Client) -> None:
    game, key = new_game(api, position=LAST_MOVE), new_key()
    post = Post(game.players[0], f"{game.path}/moves", {"moves": [NO_ACTION]}, {"moves": [HATCH]})
    first = post.send(key)
    assert first.body["game"]["status"] == "finished"
    assert post.send(key).body == first.body
    refused(post.send(new_key()), "game_over")


def test_what_was_refused_may_be_tried_again_with_the_same_key(api: Client) -> None:
    game, key = new_game(api, position=scene(), start=False), new_key()
    post = Post(game.players[0], f"{game.path}/moves", {"moves": [HATCH]}, {"moves": [NO_ACTION]})
    refused(post.send(key), "not_started")
    game.host.post(f"{game.path}/start")
    assert post.send(key).status == 200
    assert "idempotency-replayed" in post.send(key).headers


def test_a_preview_takes_no_key(api: Client) -> None:
    game, key = new_game(api, position=scene()), new_key()
    for move in (HATCH, NO_ACTION):
        asked = game.players[0].preview(game.path, move, Idempotency_Key=key)
        assert (asked.status, asked.body["complete"]) == (200, True)
    assert game.players[0].play(game.path, HATCH, Idempotency_Key=key).status == 200


def test_the_same_key_of_two_players_stands_for_two_requests(api: Client) -> None:
    crew = scene({"minutes": 6}, {"minutes": 6}, {"minutes": 4}, script={"events": ["respite"] * 4})
    game, key = new_game(api, position=crew), new_key()
    for seat in (1, 0):
        reply = game.players[seat].play(game.path, NO_ACTION, Idempotency_Key=key)
        assert (reply.status, reply.body["events"][0]["seat"]) == (200, seat)


@pytest.mark.parametrize("key", ["k" * 201, "tab\there"])
def test_a_key_that_is_no_key_is_refused(api: Client, key: str) -> None:
    refused(api.post("/v1/games", Idempotency_Key=key), "bad_request")
