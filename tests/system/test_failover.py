"""Redis that hangs, moves, or only falls silent: who waits hears of it, and bots play soon after the API does."""

import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from redis.exceptions import RedisError

from service.config import Config
from service.queue.queueing import TURNS
from service.store import feed, keys, listening, redis_client, sentinel
from service.store.redis_client import Client
from service.store.store import Store
from service.workers import rq_jobs, turn_worker
from service.workers.work_process import Deadline
from tests.drills.failover import KINDS, fail_over
from tests.drills.proxy import Proxy
from tests.support.answers import eventually
from tests.support.serving import running_redis

PATIENCE = 20.0

Silent = tuple[str, Proxy, str]


@pytest.fixture
def silent(monkeypatch: pytest.MonkeyPatch) -> Iterator[Silent]:
    """A Redis, a way to it that can fall silent, and the address of that way."""
    with running_redis() as url:
        place = urlsplit(url)

        def reach() -> socket.socket:
            made = socket.socket(socket.AF_UNIX)
            made.connect(place.path)
            return made

        way = Proxy(reach)
        yield url, way, f"redis://{place.username}:{place.password}@127.0.0.1:{way.port}/0"
        way.close()


def test_a_subscription_that_fell_silent_is_made_anew(silent: Silent, monkeypatch: pytest.MonkeyPatch) -> None:
    """Others' connections answer, so that nothing but the quiet tells."""
    monkeypatch.setattr(listening, "QUIET_SECONDS", 0.3)
    monkeypatch.setattr(listening, "ANSWER_SECONDS", 0.3)
    direct, way, url = silent
    hub, store = feed.Hub(Client.connect(url)), Client.connect(direct)
    with hub.waiter("game") as waiter:
        assert waiter.wait(PATIENCE), "it is subscribed"
        while waiter.wait(0.2):
            pass
        way.mute(b"SUBSCRIBE")
        store.publish(f"{keys.CHANGED}game", "1")
        assert not waiter.wait(0.1), "the news came through"
        time.sleep(0.2)
        way.mend()  # for new connections: those that are lost stay so
        assert waiter.wait(PATIENCE), "nobody hears of the news"
        store.publish(f"{keys.CHANGED}game", "2")
        assert waiter.wait(PATIENCE)
    store.connection_pool.disconnect()


def test_a_quiet_subscription_stays(silent: Silent, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listening, "QUIET_SECONDS", 0.05)
    direct, _, url = silent
    hub, store = feed.Hub(Client.connect(url)), Client.connect(direct)
    with hub.waiter("game") as waiter:
        assert waiter.wait(PATIENCE)
        while waiter.wait(0.2):
            pass
        made = store.info("stats")["total_connections_received"]
        assert not waiter.wait(0.5), "nothing happened"
        assert store.info("stats")["total_connections_received"] == made
        store.publish(f"{keys.CHANGED}game", "1")
        assert waiter.wait(PATIENCE)
    store.connection_pool.disconnect()


def test_whoever_listens_goes_on_when_another_closes_the_connection(silent: Silent) -> None:
    """An unsubscription that fails closes it, while it is read."""
    direct, _, url = silent
    hub, store = feed.Hub(Client.connect(url)), Client.connect(direct)
    with hub.waiter("game") as waiter:
        assert waiter.wait(PATIENCE)
        listener: Any = hub._listener
        for _ in range(30):
            listener._pubsub.connection._parser._sock = None  # what gevent and redis-py make of it differs
            listener._pubsub.connection.disconnect()
            time.sleep(0.01)
        while waiter.wait(1.0):
            pass
        store.publish(f"{keys.CHANGED}game", "1")
        assert waiter.wait(PATIENCE)
    store.connection_pool.disconnect()


def test_a_worker_outlives_a_redis_that_does_not_answer(silent: Silent, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turn_worker, "WAIT_ANSWER_SECONDS", 0.5)
    monkeypatch.setattr(rq_jobs, "ANSWER_SECONDS", 0.5)
    monkeypatch.setattr(turn_worker, "WAIT_SECONDS", 0.2)
    direct, way, url = silent
    worker = turn_worker.TurnWorker(turn_worker.client_for_rq(url), [TURNS], Deadline())
    worker.register_birth()
    done: list[Any] = []
    waits = threading.Thread(target=lambda: done.append(worker.dequeue_job_and_maintain_ttl(1)), daemon=True)
    waits.start()
    time.sleep(0.3)
    way.cut()
    eventually(lambda: worker._is_cut_off, "it does not notice")
    way.mend()
    store = Client.connect(direct)
    ends = time.monotonic() + 5 * PATIENCE
    while waits.is_alive() and time.monotonic() < ends:  # an answer that comes too late loses a job, as a sweeper knows
        store.rpush("rq:queue:turns", "turns-1")
        waits.join(1)
    assert done[0][0].id == "turns-1"
    store.connection_pool.disconnect()
    worker.connection.connection_pool.disconnect()


def test_a_worker_takes_no_leave_of_a_redis_that_does_not_answer(silent: Silent) -> None:
    _, way, url = silent
    worker = turn_worker.TurnWorker(turn_worker.client_for_rq(url), [TURNS], Deadline())
    worker.register_birth()
    way.cut()
    began = time.monotonic()
    worker.teardown()
    assert time.monotonic() - began < turn_worker.WAIT_ANSWER_SECONDS, "it waits as long as for a job"
    worker.connection.connection_pool.disconnect()


def test_the_service_waits_shorter_for_redis_than_its_clients_for_it() -> None:
    plain = Store.connect(Config(redis_url="redis://127.0.0.1:1/0"))
    careful = Store.connect(Config(redis_url="redis://127.0.0.1:1/0", wait_replicas=1, wait_ms=5000))
    patience = [store.redis.connection_pool.connection_kwargs["socket_timeout"] for store in (plain, careful)]
    assert patience == [3.0, 8.0], "what Redis is asked to wait for comes on top"


def value_of(client: Client, key: str) -> Any:
    """Return nothing while a slow machine takes longer to answer than the client has patience."""
    try:
        return client.get(key)
    except RedisError:
        return None


def test_a_connection_that_did_not_answer_in_time_is_not_used_again(silent: Silent) -> None:
    """The answer comes in the end, and would be taken for that to the next question."""
    _, way, url = silent
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(redis_client, "CONNECTIONS", 1)
        client = Client.connect(url, patience=0.3)
    client.set("a", "right")
    for pool_class in (sentinel._SentinelConnection, sentinel._SecureSentinelConnection):
        assert pool_class.read_response is sentinel._Untimely.read_response
    way.cut()
    with pytest.raises(RedisError):
        client.get("a")
    way.mend()
    assert eventually(lambda: value_of(client, "a"), "there is no answer") == b"right"
    client.connection_pool.disconnect()


@pytest.mark.thorough
def test_bots_go_on_with_the_copy_when_the_master_is_cut_off(tmp_path: Path) -> None:
    """The same workers, not those that a supervisor starts."""
    assert fail_over("partition", tmp_path).bots > 0


@pytest.mark.soak
@pytest.mark.parametrize("kind", KINDS)
def test_bots_play_soon_after_the_api_does(kind: str, tmp_path: Path) -> None:
    """Within 10 seconds; and this machine may be four times slower than those that the promise is made for."""
    assert fail_over(kind, tmp_path).bots_after_api <= 4 * 10.0
