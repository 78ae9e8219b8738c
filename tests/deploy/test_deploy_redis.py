"""deploy/redis.conf and the users of deploy/users.acl.template, in every Redis that we know of."""

import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import redis
from redis.exceptions import NoPermissionError

from service.app import create_app
from service.config import Config
from service.store import keys
from tests.support.desk import FREE, InProcess
from tests.support.servers import SERVERS, server_named
from tests.support.serving import DEPLOY, PATIENCE, as_user, new_game, refusals, running_redis, running_workers

USERS = ("api", "worker")


@contextmanager
def connected(url: str) -> Iterator["redis.Redis"]:
    with redis.Redis.from_url(url, decode_responses=True) as client:
        yield client


@pytest.fixture(scope="module", params=SERVERS)
def server(request: pytest.FixtureRequest) -> str:
    return server_named(request.param)


@pytest.fixture(scope="module")
def url(server: str) -> Iterator[str]:
    with running_redis(server=server) as url:
        yield url


def test_it_keeps_all_and_writes_all_down(url: str) -> None:
    with connected(url) as admin:
        told = admin.config_get("*")
    assert (told["maxmemory-policy"], told["appendonly"], told["save"]) == ("noeviction", "yes", "")
    assert int(told["maxmemory"] or 0) > 0


@pytest.mark.parametrize("user", USERS)
def test_the_service_can_neither_harm_nor_rule_the_server(url: str, user: str) -> None:
    with connected(as_user(url, user)) as client:
        assert client.ping()
        for command in (
            "FLUSHALL", "FLUSHDB", "KEYS *", "SCAN 0", "RANDOMKEY", "SHUTDOWN", "DEBUG SLEEP 0", "SAVE", "BGREWRITEAOF",
            "CONFIG GET masterauth", "CONFIG SET maxmemory 1", "CONFIG REWRITE", "ACL LIST", "ACL SETUSER api on",
            "REPLICAOF NO ONE", "MODULE LIST", "SCRIPT FLUSH", "CLIENT KILL 1.2.3.4:5", "CLIENT PAUSE 1", "MONITOR",
            "SLOWLOG GET", "SWAPDB 0 1", "MIGRATE h 1 game:x 0 1", "SORT game:x", "PSUBSCRIBE *",
        ):  # fmt: skip
            with pytest.raises(redis.ResponseError, match=r"permission|enable-debug-command"):
                client.execute_command(*command.split())


OF_BOTH = (
    "game:x", "events:x", "due", "odds:x", "advice:x:1", "metrics", keys.WORKERS, "rq:queue:turns",
    "turns:since", "clock:offset", "limit:work:x:1",
)  # fmt: skip
OWN = {
    "api": ("answer:x", "limit:poll:x:1", "streams:x"),
    "worker": ("sweeper", keys.REPORTS, "rq:job:x", "rq:queues", "rq:workers", "rq:worker:x", "rq:results:x"),
}


@pytest.mark.parametrize("user", USERS)
def test_a_user_gets_at_its_own_keys_only(url: str, user: str) -> None:
    (other,) = set(USERS) - {user}
    with connected(as_user(url, user)) as client:
        for key in (*OF_BOTH, *OWN[user]):
            assert client.exists(key) == 0
        for key in (*OWN[other], "foreign", "session:x", "xgame:x"):
            for command in ("EXISTS", "GET", "DEL"):
                with pytest.raises(NoPermissionError):
                    client.execute_command(command, key)
        with pytest.raises(redis.ResponseError, match=r"permission|can't access"):
            client.eval("return redis.call('GET', 'foreign')", 0)


@pytest.mark.parametrize("user", USERS)
def test_nobody_gives_orders_to_workers(url: str, user: str) -> None:
    """RQ obeys what it hears there: it stops jobs and workers."""
    with connected(as_user(url, user)) as client:
        assert client.publish("changed:x", "1") == 0
        for channel in ("rq:pubsub:somebody", "foreign"):
            with pytest.raises(NoPermissionError):
                client.publish(channel, "{}")


@pytest.mark.parametrize("user", USERS)
def test_the_service_may_wait_for_what_it_wrote(url: str, user: str) -> None:
    """WAIT_REPLICAS and WAIT_DISK; before Redis 7.2 there is nothing to wait for the disk with."""
    with connected(as_user(url, user)) as client:
        client.zadd("due", {"x": 1})
        assert client.execute_command("WAIT", 0, 100) == 0
        version = tuple(map(int, client.info("server")["redis_version"].split(".")))
        if version >= (7, 2):
            assert client.execute_command("WAITAOF", 1, 0, 2000)[0] == 1
        client.zrem("due", "x")


def test_nobody_comes_in_without_his_password(url: str) -> None:
    anonymous = url.replace(url[url.index("//") + 2 : url.index("@") + 1], "")
    with connected(anonymous) as client, pytest.raises(redis.AuthenticationError):
        client.ping()
    for user in ("api", "worker", "admin", "default"):
        with connected(anonymous.replace("//", f"//{user}:wrong@")) as client, pytest.raises(redis.AuthenticationError):
            client.ping()


def test_a_health_check_may_ask_and_no_more(url: str) -> None:
    anonymous = url.replace(url[url.index("//") + 2 : url.index("@") + 1], "health:any@")
    with connected(anonymous) as client:
        assert client.ping()
        with pytest.raises(NoPermissionError):
            client.get("game:x")


def test_what_was_written_together_outlives_a_restart(server: str, tmp_path: Path) -> None:
    """Redis 7.0 reads transactions back from its log with the rights of the default user, and drops what it may not."""
    for restarted in (False, True):
        with running_redis(tmp_path, server) as url, connected(as_user(url, "api")) as client:
            if restarted:
                assert client.exists("game:x", "events:x") == 2
                continue
            with client.pipeline() as pipeline:
                pipeline.set("game:x", 1)
                pipeline.rpush("events:x", "a")
                pipeline.execute()


def test_api_and_worker_play_a_game_with_their_own_rights(url: str) -> None:
    unlimited = dict.fromkeys(("create", "join", "move", "poll", "advice"), FREE)
    config = Config(redis_url=as_user(url, "api"), limits=unlimited)
    with connected(url) as admin:
        admin.acl_log_reset()
    with running_workers(url):
        app = create_app(config)
        api = InProcess("", app=app)
        game = new_game(api, seats=["cabin_boy"] * 3)
        ends = time.monotonic() + PATIENCE
        while not game.state["result"]:
            assert time.monotonic() < ends, "the bots do not play"
            time.sleep(0.05)
        assert api.get(f"{game.path}/odds?wait=10").body["complete"]
        assert api.operator.get("/readyz").body["status"] == "ok"
    assert refusals(url) == []


def test_passwords_are_made_once_and_told_to_nobody(tmp_path: Path) -> None:
    def make(where: str) -> "subprocess.CompletedProcess[str]":
        command: list[str | Path] = [DEPLOY / "make-secrets", tmp_path / "secrets", where]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    assert make("redis:6379").returncode == 0
    made = {path.name: path.read_text() for path in (tmp_path / "secrets").iterdir()}
    passwords = {made[f"{user}.env"].partition(f"redis://{user}:")[2].partition("@")[0] for user in (*USERS, "admin")}
    assert {len(password) for password in passwords} == {64}
    assert len(passwords) == 3
    assert made["api.env"].endswith("@redis:6379/0\n")
    assert not any(password in made["users.acl"] for password in passwords)
    assert {(tmp_path / "secrets" / f"{user}.env").stat().st_mode & 0o777 for user in USERS} == {0o600}
    assert make("redis:6379").returncode == 1
    assert made == {path.name: path.read_text() for path in (tmp_path / "secrets").iterdir()}
