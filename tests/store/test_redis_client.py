"""Our client of Redis: connections that break, and how many there are."""

import threading
from collections.abc import Iterator
from typing import Any

import pytest
import redis
from redis.exceptions import ConnectionError as Disconnected

from service.app import create_app
from service.config import Config
from service.store import redis_client
from service.store.redis_client import CONNECTIONS, Client
from tests.support.answers import eventually
from tests.support.serving import running_redis


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with running_redis() as url:
        yield url


@pytest.fixture
def client(url: str) -> Iterator[Client]:
    client = Client.connect(url)
    yield client
    client.connection_pool.disconnect()


def test_commands_are_answered_in_their_order(client: Client) -> None:
    assert client.ask(("SET", "a", 1), ("INCR", "a"), ("HMGET", "b", "x", "y")) == [b"OK", 2, [None, None]]


def test_nothing_asked_is_nothing_answered(client: Client) -> None:
    assert client.ask() == []


def test_an_error_leaves_no_answers_behind_for_the_next(client: Client) -> None:
    with pytest.raises(redis.ResponseError):
        client.ask(("GET",), ("SET", "a", 5))
    assert client.ask(("GET", "a")) == [b"5"]


def test_a_connection_that_was_closed_in_the_meantime_is_made_anew(client: Client, url: str) -> None:
    client.ask(("SET", "a", 7))
    with redis.Redis.from_url(url) as other:
        for each in other.client_list():
            if int(each["id"]) != other.client_id():
                other.client_kill_filter(_id=each["id"])
    assert client.ask(("GET", "a")) == [b"7"]


def test_who_waits_for_replicas_of_a_master_that_becomes_one_asks_again(url: str) -> None:
    """It breaks them off, and what they wrote may be on the next master or not: that one says."""
    patient = Client.connect(url, patience=60)
    replies: list[Any] = []

    def write() -> None:
        try:
            replies.append(patient.ask(("SET", "a", 1), ("WAIT", 1, 50_000)))
        except redis.RedisError as error:
            replies.append(error)

    writer = threading.Thread(target=write)
    with redis.Redis.from_url(url) as other:
        writer.start()
        eventually(lambda: other.info("clients")["blocked_clients"], "nobody waits")
        other.replicaof("127.0.0.1", 1)
        writer.join(30)
        other.replicaof("NO", "ONE")
    assert isinstance(replies[0], redis.ReadOnlyError), "as the replica says to whoever asks again"
    patient.connection_pool.disconnect()


def test_many_at_once_share_few_connections(client: Client, url: str) -> None:
    threads = [threading.Thread(target=client.ask, args=(("BLPOP", "none", 0.05),)) for _ in range(3 * CONNECTIONS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with redis.Redis.from_url(url) as other:
        assert len(other.client_list()) <= CONNECTIONS + 1


def test_a_move_whose_answer_from_redis_is_lost_is_played_once(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    web = create_app(Config(redis_url=url)).test_client()
    created: Any = web.post("/v1/games", json={"players": 1}).json
    path, host = f"/v1/games/{created['game']['id']}", {"Authorization": f"Bearer {created['token']}"}
    player = {"Authorization": f"Bearer {web.post(f'{path}/players', json={'name': 'Gnome'}).json['token']}"}  # type: ignore[index]
    assert web.post(f"{path}/start", headers=host).status_code == 200
    before: Any = web.get(path, headers=player).json
    send = redis_client.exchange
    lost: list[Any] = []

    def lose_one(connection: Any, packed: bytes, count: int, *meanwhile: Any) -> list[Any]:
        answers = send(connection, packed, count, *meanwhile)
        if b"EVALSHA" in packed and not lost:
            lost.append(packed)
            raise Disconnected
        return answers

    monkeypatch.setattr(redis_client, "exchange", lose_one)
    played = web.post(f"{path}/moves", json={"moves": before["legal_moves"][:1]}, headers=player)
    assert lost
    assert played.status_code == 200
    after: Any = web.get(path, headers=player).json
    assert after["version"] == before["version"] + 1
