"""How much one caller may ask for; and who may create where keys were given out."""

import hashlib
import itertools
from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.answers import NDJSON, NO_ACTION, finished, refused, scene
from tests.support.contract import check
from tests.support.serving import UNLIMITED, Client, Reply, new_game, running_web

DAY = 86400  # long enough for no window to end within a test
KEY = "studio-key"
LIMITS = {"CREATE": 3, "JOIN": 4, "MOVE": 5, "POLL": 60}
_addresses = (f"10.{a}.{b}.1" for a, b in itertools.product(range(200), repeat=2))


@pytest.fixture(scope="module")
def web(redis_url: str) -> Iterator[Client]:
    limits: dict[str, Any] = {f"LIMIT_{name}": f"{most}/{DAY}" for name, most in LIMITS.items()}
    with running_web(redis_url, **limits, TRUSTED_PROXIES="1") as client:
        yield client


@pytest.fixture
def somebody(web: Client) -> Client:
    """Somebody at an address of their own, with nothing asked for yet."""
    return newcomer(web)


def newcomer(web: Client) -> Client:
    return Client(web.base, headers={"X-Forwarded-For": next(_addresses)})


def left(reply: Reply) -> int:
    """What the header says is left."""
    return int(dict(part.split("=") for part in reply.headers["ratelimit"].split(";")[1:])["r"])


def too_many(reply: Reply, name: str) -> None:
    refused(reply, "too_many_requests")
    assert 0 < int(reply.headers["retry-after"]) <= DAY
    assert reply.headers["ratelimit-policy"] == f'"{name}";q={LIMITS[name.upper()]};w={DAY}'
    assert left(reply) == 0


def test_whoever_creates_too_many_games_is_told_when_to_come_back(somebody: Client, web: Client) -> None:
    for count in range(1, 4):
        made = somebody.post("/v1/games")
        assert made.status == 201
        assert left(made) == 3 - count
    for _ in range(2):
        too_many(somebody.post("/v1/games"), "create")
    assert newcomer(web).post("/v1/games").status == 201


def test_made_up_tokens_do_not_escape_the_limit(somebody: Client) -> None:
    replies = [somebody.be(f"rn_made_up_{number}").post("/v1/games") for number in range(4)]
    assert [reply.status for reply in replies] == [201, 201, 201, 429]


def test_forks_count_as_games_with_any_token(somebody: Client) -> None:
    game = somebody.post("/v1/games").body
    tokens = [game["token"]]
    for _ in range(2):
        forked = somebody.be(tokens[-1]).post(f"/v1/games/{game['game']['id']}/forks")
        assert forked.status == 201
        joined = somebody.post(f"/v1/games/{game['game']['id']}/players", {"name": "G"})
        tokens.append(joined.body["token"])
    too_many(somebody.be(tokens[-1]).post(f"/v1/games/{game['game']['id']}/forks"), "create")


def test_every_kind_of_request_has_a_limit_of_its_own_for_each_token(somebody: Client) -> None:
    game = new_game(somebody, position=scene({"minutes": 59}, script={"events": ["respite"] * 20}))
    mover = game.players[0]
    for _ in range(5):
        assert mover.play(game.path, NO_ACTION).status == 200
    too_many(mover.play(game.path, NO_ACTION), "move")
    too_many(mover.put(f"{game.path}/seats/0/controller", {"kind": "player"}), "move")
    assert mover.get(game.path).status == 200
    assert left(game.players[1].play(game.path, NO_ACTION)) == 4
    assert somebody.post(f"{game.path}/players", {"name": "fourth"}).status == 409
    too_many(somebody.post(f"{game.path}/players", {"name": "fifth"}), "join")


def test_one_poll_counts_once_however_it_is_answered(somebody: Client) -> None:
    game = new_game(somebody, position=scene())
    player = game.players[0]
    seen = player.get(game.path)
    version, seq = seen.body["version"], seen.body["seq"]
    asked = [
        ("", {}),
        ("", {"If_None_Match": seen.headers["etag"]}),
        ("", {"If_None_Match": '"other"'}),
        (f"?after={version}&wait=1", {}),
        (f"?after={version - 1}&wait=1", {"If_None_Match": '"other"'}),
        (f"/events?after={seq}&wait=1", {}),
        ("/legal-moves", {}),
    ]
    before = left(seen)
    for number, (part, headers) in enumerate(asked, 1):
        assert left(player.get(game.path + part, **headers)) == before - number, part


def test_polls_and_streams_are_limited_together(somebody: Client) -> None:
    game = finished(somebody)
    watcher = game.players[1]
    for _ in range(LIMITS["POLL"] // 2):
        assert watcher.get(game.path).status == 200
        assert watcher.get(f"{game.path}/events/stream", Accept=NDJSON).status == 200
    too_many(watcher.get(game.path), "poll")
    too_many(watcher.get(f"{game.path}/events/stream", Accept=NDJSON), "poll")
    too_many(watcher.get(f"{game.path}/legal-moves", If_None_Match="*"), "poll")


def test_without_a_limit_there_are_no_headers_of_limits(api: Client) -> None:
    assert not [name for name in api.post("/v1/games").headers if name.startswith("ratelimit")]


@pytest.fixture(scope="module")
def keyed(redis_url: str) -> Iterator[Client]:
    keys = f"other:{'00' * 32},studio:{hashlib.sha256(KEY.encode()).hexdigest()}"
    with running_web(redis_url, workers=1, API_KEYS=keys, LIMIT_API_KEY=f"3/{DAY}", **UNLIMITED) as client:
        yield client


def test_where_keys_were_given_out_only_their_holders_create_and_each_so_many(keyed: Client) -> None:
    for nobody in ({}, {"X_API_Key": ""}, {"X_API_Key": "guess"}, {"X_API_Key": "00" * 32}):
        reply = keyed.post("/v1/games", **nobody)
        refused(reply, "no_api_key")
        check("POST", "/v1/games", reply)
        assert reply.headers["www-authenticate"] == 'ApiKey header="X-API-Key"'
    made = [keyed.post("/v1/games", {"seats": ["open"] * 3}, X_API_Key=KEY) for _ in range(2)]
    assert [reply.status for reply in made] == [201, 201]
    game = made[0].body
    path, host = f"/v1/games/{game['game']['id']}", keyed.be(game["token"])
    assert keyed.post(f"{path}/players", {"name": "needs no key"}).status == 201
    refused(host.post(f"{path}/forks"), "no_api_key")
    assert host.post(f"{path}/forks", X_API_Key=KEY).status == 201
    for reply in (keyed.post("/v1/games", X_API_Key=KEY), host.post(f"{path}/forks", X_API_Key=KEY)):
        refused(reply, "too_many_requests")
        assert int(reply.headers["retry-after"]) > 0
