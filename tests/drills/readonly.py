"""Stores that refuse to write, each for a reason of its own, with replicas that are there and then are not."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from resource import RLIM_INFINITY, RLIMIT_FSIZE, prlimit

import redis

from tests.support.servers import following, running_server
from tests.support.serving import PATIENCE, free_port


def eventually(is_so: Callable[[], object], what: str) -> None:
    ends = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < ends, what
        time.sleep(0.02)


def _linked(url: str) -> bool:
    with redis.Redis.from_url(url) as copy:
        return bool(copy.info("replication").get("master_link_status") == "up")


@contextmanager
def without_replicas(url: str, folder: Path, binary: str | None = None) -> Iterator[None]:
    """NOREPLICAS: a master that must have a replica has lost it, and gets another one in the end."""
    with redis.Redis.from_url(url) as operator:
        with running_server(folder / "first", *following(url), binary=binary) as (copy, _):
            eventually(lambda: _linked(copy), "no copy")
            operator.config_set("min-replicas-to-write", 1)
        eventually(lambda: operator.info("replication")["connected_slaves"] == 0, "the copy is still there")
        yield
        with running_server(folder / "second", *following(url), binary=binary) as (copy, _):
            eventually(lambda: operator.info("replication")["min_slaves_good_slaves"] == 1, "no other copy")
        operator.config_set("min-replicas-to-write", 0)


@contextmanager
def as_replica(url: str, folder: Path, binary: str | None = None) -> Iterator[None]:
    """READONLY: another server has become the master, and has all that was written so far."""
    with redis.Redis.from_url(url) as operator:
        with running_server(folder / "master", *following(url), binary=binary) as (copy, process):
            eventually(lambda: _linked(copy), "no copy")
            with redis.Redis.from_url(copy) as heir:
                heir.config_set("port", port := free_port())
                heir.replicaof("NO", "ONE")
            operator.replicaof("127.0.0.1", port)
            eventually(lambda: _linked(url), "it follows nobody")
            yield
            assert process.poll() is None
        operator.replicaof("NO", "ONE")


@contextmanager
def without_memory(url: str, folder: Path, binary: str | None = None) -> Iterator[None]:
    """OOM."""
    with redis.Redis.from_url(url) as operator:
        operator.config_set("maxmemory", 1)
        yield
        operator.config_set("maxmemory", 0)


@contextmanager
def unable_to_save(url: str, folder: Path, binary: str | None = None) -> Iterator[None]:
    """MISCONF: there is no room on the disk for a snapshot."""
    with redis.Redis.from_url(url) as operator:
        process = operator.info("server")["process_id"]
        operator.config_set("save", "3600 1")
        prlimit(process, RLIMIT_FSIZE, (1, RLIM_INFINITY))
        operator.bgsave()
        eventually(lambda: operator.info("persistence")["rdb_last_bgsave_status"] == "err", "it could be saved")
        yield
        prlimit(process, RLIMIT_FSIZE, (RLIM_INFINITY, RLIM_INFINITY))
        operator.config_set("save", "")


REFUSALS = {
    without_replicas: "store_read_only",
    as_replica: "store_read_only",
    without_memory: "store_full",
    unable_to_save: "store_full",
}
