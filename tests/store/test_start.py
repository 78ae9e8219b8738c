"""Settings that do not fit the Redis that they name: one line, exit code 2, and nothing is written."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import redis

from service.config import BadConfig, Config, from_environment
from service.store.cluster import ClusterClient, slot_of
from service.store.pools import nodes_of
from service.store.store import Store
from tests.support.cluster import Cluster, running_cluster
from tests.support.serving import PATIENCE, free_port, running_redis


@pytest.fixture(scope="module")
def whole() -> Iterator[Cluster]:
    with running_cluster(3) as made:
        yield made


@pytest.fixture(scope="module")
def single() -> Iterator[str]:
    """A Redis of its own."""
    with running_redis() as url:
        yield url


def reason(**settings: object) -> str:
    with pytest.raises(BadConfig) as refused:
        Store.connect(Config(**settings)).require()  # type: ignore[arg-type]
    assert "\n" not in str(refused.value)
    return str(refused.value)


def keys_in(cluster: Cluster) -> int:
    return sum(int(node.ask("DBSIZE")) for node in cluster.nodes)


def test_jobs_wait_in_a_single_redis_that_must_be_named(whole: Cluster, single: str) -> None:
    assert reason(redis_url=whole.url).startswith("QUEUE_URL: must name a Redis beside the cluster")
    assert reason(redis_url=whole.url, queue_urls=(whole.url,)).startswith("QUEUE_URL: jobs can't wait in a cluster")
    node = reason(redis_url=whole.url, queue_urls=(single, whole.nodes[0].url))
    assert node.startswith("QUEUE_URL: a node of a cluster answers there")
    assert keys_in(whole) == 0


@contextmanager
def lacking(cluster: Cluster, slot: int) -> Iterator[str]:
    """Let nobody have a slot for a while; yield the address of the node that had it, for the others hear of it late."""
    owner = cluster.owner(slot)
    for node in cluster.nodes:
        node.ask("CLUSTER", "DELSLOTS", slot)
    try:
        yield f"redis+cluster://127.0.0.1:{owner.port}"
    finally:
        owner.ask("CLUSTER", "ADDSLOTS", slot)
        cluster.wait_until_whole()


def test_the_number_of_partitions_is_stored_and_compared(whole: Cluster, single: str) -> None:
    with redis.Redis.from_url(single) as plain:
        plain.set("partitions", 256)
        assert reason(redis_url=single).startswith(
            "REDIS_URL: what is stored has 256 partitions, and is looked for in 1"
        )
        plain.delete("partitions")
    config = Config(redis_url=whole.url, queue_urls=(single,))
    store = Store.connect(config)
    store.redis.ask(("HSET", "metrics", "count:commit", 1))
    assert "run `red-november repartition 256` first" in reason(redis_url=whole.url, queue_urls=(single,))
    store.redis.ask(("DEL", "metrics"))
    store.require()
    assert store.redis.ask(("GET", "partitions")) == [b"256"]
    store.redis.ask(("SET", "partitions", 128))
    assert "what is stored has 128 partitions" in reason(redis_url=whole.url, queue_urls=(single,))
    store.redis.ask(("DEL", "partitions"))


COMMANDS = {
    "worker": ("service.cli", "worker"),
    "serve": ("service.cli", "serve", "--port", "0"),
    "gunicorn": ("gunicorn", "--config", "python:service.server.gunicorn_conf"),
}


def refusal(folder: Path, *names: str, **settings: str) -> str:
    """Start processes on a machine that has not compiled the rules; return the one line that all of them end with."""
    given = {"BIND": "127.0.0.1:0", "OPS_BIND": "127.0.0.1:0", "RED_NOVEMBER_CACHE": str(folder / "cache")} | settings
    started = [
        subprocess.Popen(
            [sys.executable, "-m", *COMMANDS[name]],
            cwd=folder,
            env=os.environ | given,
            stderr=subprocess.PIPE,
            text=True,
        )
        for name in names
    ]
    ended = [(process.communicate(timeout=PATIENCE)[1], process.returncode) for process in started]
    assert {(told.count("\n"), code) for told, code in ended} == {(1, 2)}, ended
    assert len(set(ended)) == 1, ended
    return ended[0][0].removeprefix("red-november: ")


def test_no_process_takes_a_single_redis_for_a_cluster(single: str, tmp_path: Path) -> None:
    with running_node() as address:
        told = refusal(tmp_path, *COMMANDS, REDIS_URL=address, QUEUE_URL=single)
    assert told.startswith("REDIS_URL: a single Redis answers there, no cluster")


def test_no_process_takes_a_node_of_a_cluster_for_a_single_redis(whole: Cluster, tmp_path: Path) -> None:
    told = refusal(tmp_path, *COMMANDS, REDIS_URL=whole.nodes[0].url)
    assert told.startswith("REDIS_URL: a node of a cluster answers there")
    assert keys_in(whole) == 0


def test_no_process_starts_on_a_cluster_that_lacks_slots(whole: Cluster, single: str, tmp_path: Path) -> None:
    with lacking(whole, 5) as address:
        told = refusal(tmp_path, *COMMANDS, REDIS_URL=address, QUEUE_URL=single)
        assert told.startswith("REDIS_URL: nobody in the cluster has 1 of the 16384 slots")
        assert keys_in(whole) == 0


def test_no_process_starts_where_another_number_of_partitions_is_stored(
    whole: Cluster, single: str, tmp_path: Path
) -> None:
    owner = whole.owner(slot_of("partitions"))
    owner.ask("SET", "partitions", 128)
    told = refusal(tmp_path, *COMMANDS, REDIS_URL=whole.url, QUEUE_URL=single)
    assert told.startswith("REDIS_URL: what is stored has 128 partitions, and is looked for in 256")
    assert keys_in(whole) == 1
    owner.ask("DEL", "partitions")


def test_no_api_waits_for_replicas_that_a_master_has_not(whole: Cluster, single: str, tmp_path: Path) -> None:
    """Workers do not wait for replicas, so they are not asked."""
    told = refusal(tmp_path, "serve", "gunicorn", REDIS_URL=whole.url, QUEUE_URL=single, WAIT_REPLICAS="1")
    assert told.startswith("WAIT_REPLICAS: the master 127.0.0.1:")
    assert keys_in(whole) == 0


@contextmanager
def running_node() -> Iterator[str]:
    """Surround a test with a Redis on a port, and return its address as that of a cluster, which it is not."""
    port = free_port()
    with running_redis(options=("--port", str(port), "--bind", "127.0.0.1", "--protected-mode", "no")) as url:
        yield f"redis+cluster://{urlsplit(url).netloc.rpartition('@')[0]}@127.0.0.1:{port}"


@pytest.mark.parametrize("hosts", ["", "a,", "a:http", "a:1/3"])
def test_an_address_names_nodes_of_a_cluster_and_no_database(hosts: str) -> None:
    with pytest.raises(ValueError, match=r"name|database|int"):
        ClusterClient.connect(f"redis+cluster://{hosts}")


def test_nodes_are_named_with_or_without_a_port() -> None:
    assert nodes_of("a:1,b,[::1]:2,[::1]", 9) == [("a", 1), ("b", 9), ("::1", 2), ("::1", 9)]


def test_what_is_no_address_of_a_queue_is_refused_by_its_setting() -> None:
    assert reason(redis_url="redis+cluster://a", queue_urls=("rum",)).startswith("QUEUE_URL: ")


def test_a_worker_serves_a_queue_that_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUEUE_URL", "redis://a:6379/0 redis://b:6379/0")
    monkeypatch.setenv("QUEUE", "1")
    assert from_environment().own_queue_url == "redis://b:6379/0"
    monkeypatch.setenv("QUEUE", "2")
    with pytest.raises(BadConfig, match="QUEUE"):
        from_environment()
