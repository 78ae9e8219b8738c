"""Each fault of a real server of each kind is recognised, however the command that meets it was sent."""

import os
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
import redis
from redis.exceptions import RedisError

from service.operate import redis_server
from service.store.redis_client import Client
from service.store.redis_faults import Fault, fault_of
from tests.support.answers import eventually
from tests.support.servers import following, running_server
from tests.support.serving import PATIENCE

Way = Callable[[Client], Any]

SCRIPT = "return redis.call('SET', KEYS[1], 'value')"
ENDLESS = "while true do end"


def by_command(client: Client) -> Any:
    return client.set("key", "value")


def by_script(client: Client) -> Any:
    return client.eval(SCRIPT, 1, "key")


def by_one_round_trip(client: Client) -> Any:
    return client.ask(("PING",), ("EVAL", SCRIPT, 1, "key"))


def by_pipeline(client: Client) -> Any:
    with client.pipeline(transaction=False) as pipeline:
        pipeline.get("key")
        pipeline.eval(SCRIPT, 1, "key")
        return pipeline.execute()


def by_transaction(client: Client) -> Any:
    with client.pipeline() as pipeline:
        pipeline.get("key")
        pipeline.set("key", "value")
        return pipeline.execute()


WAYS: Sequence[Way] = (by_command, by_script, by_one_round_trip, by_pipeline, by_transaction)


def faults(url: str, ways: Sequence[Way] = WAYS) -> dict[str, Fault | None]:
    """The fault that each way of writing meets; ways that meet none are left out."""
    found = {}
    for way in ways:
        try:
            with Client.connect(url) as client:
                way(client)
        except RedisError as error:
            found[way.__name__] = fault_of(error)
    return found


def in_all_ways(fault: Fault | None, ways: Sequence[Way] = WAYS) -> dict[str, Fault | None]:
    return {way.__name__: fault for way in ways}


def test_a_server_that_is_well_has_no_fault(url: str) -> None:
    assert faults(url) == {}


def test_a_server_without_memory_is_full(url: str) -> None:
    redis.Redis.from_url(url).config_set("maxmemory", 1)
    assert faults(url) == in_all_ways(Fault.FULL)


def test_a_replica_is_read_only(url: str, binary: str, tmp_path: Path) -> None:
    with running_server(tmp_path / "two", *following(url), binary=binary) as (copy, _):
        with redis.Redis.from_url(copy) as replica:
            eventually(lambda: replica.info("replication")["master_link_status"] == "up")
        assert faults(copy) == in_all_ways(Fault.READ_ONLY)


def test_a_master_that_has_lost_its_replicas_is_read_only(url: str) -> None:
    redis.Redis.from_url(url).config_set("min-replicas-to-write", 1)
    assert faults(url) == in_all_ways(Fault.READ_ONLY)


def test_a_server_that_reads_its_data_is_loading(binary: str, tmp_path: Path) -> None:
    """Meanwhile it answers after so many bytes: from Redis 7 on as few as it is told, before that two megabytes."""
    size, slowly = 1000, ["--key-load-delay", "20000", "--loading-process-events-interval-bytes", "1024"]
    if redis_server.version_of(binary) < (7, 0):
        size, slowly = 40_000, ["--key-load-delay", "4000"]
    with (
        running_server(tmp_path, binary=binary) as (url, _),
        redis.Redis.from_url(url, socket_timeout=PATIENCE) as operator,
    ):
        operator.mset({str(number): os.urandom(size) for number in range(2000)})
        operator.save()
    with running_server(tmp_path, *slowly, binary=binary, wait=False) as (url, _):

        def is_there() -> bool:
            try:
                redis.Redis.from_url(url).ping()
            except redis.BusyLoadingError:
                return True
            except (redis.ConnectionError, redis.TimeoutError):
                return False
            raise AssertionError("it has loaded already")

        eventually(is_there)
        ways = (by_command, by_script)  # each takes Redis 6.2 seconds to answer
        assert faults(url, ways) == in_all_ways(Fault.LOADING, ways)


def test_a_server_that_runs_a_script_for_too_long_is_busy(url: str) -> None:
    operator = redis.Redis.from_url(url)
    operator.config_set("lua-time-limit", 1)

    def run() -> None:
        with pytest.raises(redis.ResponseError, match="killed"):
            redis.Redis.from_url(url).eval(ENDLESS, 0)

    runner = threading.Thread(target=run)
    runner.start()
    try:
        eventually(lambda: faults(url) == in_all_ways(Fault.BUSY))
    finally:
        operator.script_kill()
        runner.join()


def test_a_wrong_password_and_a_missing_right_are_told_apart_from_a_broken_connection(url: str) -> None:
    operator = redis.Redis.from_url(url)
    operator.acl_setuser("guest", enabled=True, passwords=["+right"], categories=["+@all"], keys=["elsewhere:*"])
    login = url.replace("unix://", "unix://guest:{}@")
    assert faults(login.format("wrong")) == in_all_ways(Fault.DENIED)
    assert faults(login.format("right")) == in_all_ways(Fault.DENIED)
    operator.acl_setuser("default", enabled=True, reset_passwords=True, passwords=["+secret"])
    assert faults(url) == in_all_ways(Fault.DENIED)
    assert faults("unix:///nowhere/redis.sock") == in_all_ways(None)


def test_what_has_a_code_of_no_fault_or_only_mentions_one_is_none(url: str) -> None:
    with Client.connect(url) as client:
        client.set("text", "OOM")
        for command in (("LPUSH", "text", "a"), ("EVALSHA", "0" * 40, 0), ("OOM",), ("EVAL", "return OOM()", 0)):
            with pytest.raises(redis.ResponseError) as caught:
                client.execute_command(*command)
            assert fault_of(caught.value) is None
