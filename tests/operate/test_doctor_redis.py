"""What the doctor knows of Redis beside what it asks: which numbers are mended, and whose time it is."""

import os
from collections.abc import Iterator

import pytest
import redis

from service import clock
from service.cli import main
from service.config import Config
from service.operate import redis_checks
from service.operate.findings import OK, WARN
from service.store import keys
from service.store.counters import SILENT_SECONDS
from service.store.store import Store
from tests.support.cluster import running_cluster
from tests.support.serving import as_user, running_redis


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with running_redis() as url:
        yield url


@pytest.mark.parametrize(
    ("told", "level"),
    [
        ({"redis_version": "6.2.14"}, WARN),
        ({"redis_version": "6.2.20"}, OK),
        ({"redis_version": "7.0.15"}, WARN),
        ({"redis_version": "7.2.10"}, WARN),
        ({"redis_version": "7.2.11"}, OK),
        ({"redis_version": "8.2.1"}, WARN),
        ({"redis_version": "8.4.0"}, OK),
        ({"redis_version": "7.2.4", "valkey_version": "8.1.3"}, WARN),
        ({"redis_version": "7.2.4", "valkey_version": "8.1.4"}, OK),
        ({"redis_version": "7.2.4", "valkey_version": "9.1.2"}, OK),
    ],
)
def test_a_redis_whose_scripts_can_break_out_is_told(told: dict[str, str], level: str) -> None:
    finding = redis_checks._mended(told)
    assert finding.level == level
    assert redis_checks.LUA_FAULT in finding.what


@pytest.mark.parametrize(("silent", "code"), [(0.0, 0), (SILENT_SECONDS + 1, 1)])
def test_a_worker_was_heard_of_by_the_time_of_all(url: str, silent: float, code: int) -> None:
    """Else a container would be restarted again and again after a jump of Redis' clock."""
    with redis.Redis.from_url(url) as store, clock.unshared():
        store.set(clock.OFFSET, 600)
        told, _ = clock.reading(Store.connect(Config(redis_url=url)).redis)
        store.zadd(keys.WORKERS, {f"{os.uname().nodename}:1": told + 600 - silent})
        assert main(["doctor", "--worker", "--redis-url", as_user(url, "worker")]) == code
        store.delete(clock.OFFSET, keys.WORKERS)


def test_a_cluster_is_checked_as_a_whole_and_master_by_master(url: str) -> None:
    with running_cluster(3, options=("--cluster-require-full-coverage", "yes")) as cluster:
        config = Config(redis_url=cluster.url, queue_urls=(url,))
        store = Store.connect(config)
        found = list(redis_checks.check(store, config))
        told = "\n".join(finding.line for finding in found)
        for node in cluster.nodes:
            assert f"127.0.0.1:{node.port}: Redis evicts no games" in told
            assert int(node.ask("DBSIZE")) == 0, "the doctor leaves nothing behind"
        assert "the cluster stops for all games when one shard is lost" in told
        assert "this user of Redis may do what we need" in told
        for node in cluster.nodes:
            node.ask("CLUSTER", "DELSLOTS", 7)
        told = "\n".join(finding.line for finding in redis_checks.check(Store.connect(config), config))
        assert "FAIL  REDIS_URL: nobody in the cluster has 1 of the 16384 slots" in told
