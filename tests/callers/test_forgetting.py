"""What of people is kept where: names only with their game, tokens nowhere, and nothing for whoever guesses a key."""

import zlib
from collections.abc import Callable, Iterator
from typing import cast

import orjson
import pytest
import redis

from service.app import create_app
from service.config import Config
from service.games.moved import is_note
from service.store import presence
from service.store.store import Store
from tests.support.answers import refused, scene
from tests.support.desk import InProcess
from tests.support.matching import SAILORS
from tests.support.serving import Client, Seated, running_redis

GAME, ADA, BERT, MATCH = "Nautilus", "Ada L.", "Bert B.", "A trial of strength"
NAMES = (GAME, ADA, BERT, MATCH)
HATCH = {"type": "open_hatch", "to": 7}


def key(word: str) -> str:
    return f"{word} of a caller without a token"


@pytest.fixture
def url() -> Iterator[str]:
    with running_redis() as url:
        yield url


@pytest.fixture
def api(url: str) -> InProcess:
    return InProcess("", app=create_app(Config(redis_url=url, limits={}, max_queue_seconds=0)))


def everything(url: str) -> dict[str, str]:
    """All that Redis holds, by key, packed answers unpacked."""
    operator = redis.Redis.from_url(url)
    reading: dict[bytes, Callable[[bytes], object]] = {
        b"hash": operator.hgetall, b"string": operator.get, b"set": operator.smembers,
        b"list": lambda name: operator.lrange(name, 0, -1), b"zset": lambda name: operator.zrange(name, 0, -1),
    }  # fmt: skip
    names = cast(list[bytes], operator.keys("*"))
    return {name.decode(): _unpacked(reading[cast(bytes, operator.type(name))](name)) for name in names}


def _unpacked(stored: object) -> str:
    if isinstance(stored, dict) and b"answer" in stored and not is_note(stored[b"answer"]):
        return zlib.decompress(stored[b"answer"]).decode()
    return repr(stored)


def holding(url: str, *words: str) -> set[str]:
    """The kinds of keys that hold one of those words, which may be written as JSON."""
    return {name.partition(":")[0] for name, text in everything(url).items() if any(word in text for word in words)}


def named_game(api: Client) -> Seated:
    """Everything about it was asked with keys, so that all answers are kept."""
    wanted = {"name": GAME, "position": scene()}
    made = api.post("/v1/games", wanted, Idempotency_Key=key("creation"))
    path, host = f"/v1/games/{made.body['game']['id']}", api.be(made.body["token"])
    players = [
        api.be(api.post(f"{path}/players", {"name": name}, Idempotency_Key=key(name)).body["token"])
        for name in (ADA, BERT, "C")
    ]
    assert host.post(f"{path}/start", Idempotency_Key="start").status == 200
    assert players[0].play(path, HATCH, Idempotency_Key="move").status == 200
    assert api.post(f"{path}/forks", Idempotency_Key=key("fork")).status == 201
    return Seated(path, host, players)


def test_names_are_kept_with_the_game_and_nowhere_else(api: InProcess, url: str) -> None:
    game = named_game(api)
    assert len([name for name in everything(url) if name.startswith("answer:")]) == 7
    assert holding(url, *NAMES) == {"game", "events"}
    fork = next(each for each in api.get("/v1/games").body["games"] if each["name"] == GAME)
    assert game.host.delete(game.path).status == 204
    assert holding(url, ADA, BERT) == set()
    assert holding(url, GAME) == {"game"}, "its fork has the same name"
    assert holding(url, fork["id"])


def test_no_token_is_kept(api: InProcess, url: str) -> None:
    game = named_game(api)
    tokens = [client.token or "" for client in (game.host, *game.players)]
    assert holding(url, *tokens, *(token.removeprefix("rn_") for token in tokens)) == set()


def test_the_same_names_are_told_again_while_the_game_is_there(api: InProcess) -> None:
    wanted = {"name": GAME, "seats": ["open"] * 3}
    made = api.post("/v1/games", wanted, Idempotency_Key=key("creation"))
    path, host = f"/v1/games/{made.body['game']['id']}", api.be(made.body["token"])
    joined = [api.post(f"{path}/players", {"name": name}, Idempotency_Key=key(name)) for name in (ADA, BERT)]
    assert api.be(joined[0].body["token"]).delete(f"{path}/players/p1").status == 204
    api.post(f"{path}/players", {"name": "Somebody else"})
    for name, before in ((ADA, joined[0]), (BERT, joined[1])):
        again = api.post(f"{path}/players", {"name": name}, Idempotency_Key=key(name))
        assert again.headers["idempotency-replayed"] == "true"
        assert orjson.dumps(again.body) == orjson.dumps(before.body), "who has left since is named as before"
    assert orjson.dumps(api.post("/v1/games", wanted, Idempotency_Key=key("creation")).body) == orjson.dumps(made.body)
    assert host.delete(path).status == 204
    refused(api.post("/v1/games", wanted, Idempotency_Key=key("creation")), "no_such_game")
    refused(api.post(f"{path}/players", {"name": ADA}, Idempotency_Key=key(ADA)), "no_such_game")


def test_the_name_of_a_match_goes_with_the_match(api: InProcess, url: str) -> None:
    wanted = SAILORS | {"name": MATCH}
    made, again = (api.post("/v1/matches", wanted, Idempotency_Key=key("match")) for _ in range(2))
    assert orjson.dumps(again.body) == orjson.dumps(made.body)
    assert holding(url, MATCH) == {"match"}
    assert api.be(made.body["token"]).delete(f"/v1/matches/{made.body['match']['id']}").status == 204
    assert holding(url, MATCH) == set()
    refused(api.post("/v1/matches", wanted, Idempotency_Key=key("match")), "no_such_match")


def test_answers_that_the_release_before_kept_are_told_as_they_are(api: InProcess, url: str) -> None:
    made = api.post("/v1/games", {"name": GAME}, Idempotency_Key=key("creation")).body
    operator = redis.Redis.from_url(url)
    (name,) = operator.keys("answer:*")
    kept = orjson.loads(zlib.decompress(operator.hget(name, "answer")))  # type: ignore[arg-type]
    del kept["game"]
    kept["body"]["game"] |= {"name": GAME, "client_data": None}
    operator.hset(name, "answer", zlib.compress(orjson.dumps(kept)))
    assert api.post("/v1/games", {"name": GAME}, Idempotency_Key=key("creation")).body == made


def test_when_somebody_was_seen_goes_when_they_leave_and_does_not_come_back(api: InProcess, url: str) -> None:
    made = api.post("/v1/games", {"seats": ["open"] * 3}).body
    path, operator = f"/v1/games/{made['game']['id']}", redis.Redis.from_url(url)
    tokens = [api.post(f"{path}/players", {"name": "G"}).body["token"] for _ in range(2)]

    def seen() -> set[str]:
        return set(orjson.loads(operator.hget(f"game:{made['game']['id']}", "seen")))  # type: ignore[arg-type]

    assert seen() == {"p1", "p2"}
    assert api.be(tokens[0]).delete(f"{path}/players/p1").status == 204
    assert seen() == {"p2"}
    store = Store.connect(Config(redis_url=url))
    presence.note(store, made["game"]["id"], "p1", {})  # a poll that was under way when they left
    assert seen() == {"p2"}
    presence.note(store, made["game"]["id"], "p2", {})
    assert seen() == {"p2"}


POSTS = [
    ("/v1/games", {}),
    ("/v1/matches", SAILORS),
    ("{game}/players", {"name": "A"}),
    ("{game}/forks", {}),
]


@pytest.mark.parametrize(("path", "body"), POSTS)
def test_a_key_that_may_be_guessed_is_refused_where_no_token_says_whose_it_is(
    api: InProcess, path: str, body: dict[str, str]
) -> None:
    where = path.format(game=f"/v1/games/{api.post('/v1/games').body['game']['id']}")
    for weak in ("1", "k" * 19):
        told = refused(api.post(where, body, Idempotency_Key=weak), "weak_key")
        assert "20 characters" in told["detail"]
        refused(api.be("rn_made_up").post("/v1/games", {}, Idempotency_Key=weak), "weak_key")
    assert api.post(where, body, Idempotency_Key="k" * 20).status in (201, 202)


def test_whoever_has_a_token_may_have_a_short_key(api: InProcess) -> None:
    made = api.post("/v1/games", {"seats": ["open"] * 3}).body
    host = api.be(made["token"])
    first, again = (
        host.post(f"/v1/games/{made['game']['id']}/players", {"name": "A"}, Idempotency_Key="1") for _ in range(2)
    )
    assert first.status == again.status == 201
    assert first.body == again.body


def test_neighbours_behind_one_address_are_not_told_each_others_tokens(api: InProcess) -> None:
    """They send the same request from the same address; whoever does not know the key gets a game of their own."""
    mine = api.post("/v1/games", {}, Idempotency_Key=key("mine")).body
    for guess in (key("yours"), key("mine").upper(), f"{key('mine')} "[:-2]):
        theirs = api.post("/v1/games", {}, Idempotency_Key=guess)
        assert theirs.status == 201
        assert theirs.body["game"]["id"] != mine["game"]["id"]
        assert theirs.body["token"] != mine["token"]
    refused(api.post("/v1/games", {"name": "other"}, Idempotency_Key=key("mine")), "key_reused")
