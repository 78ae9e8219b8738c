"""A store that is full, slow to be safe, encrypted, old, or replaced by another that knows less: what clients see."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from resource import RLIM_INFINITY, RLIMIT_FSIZE, prlimit
from typing import Any

import pytest
import redis
import trustme

from service.app import create_app
from service.config import BadConfig, Config
from service.operate import redis_server
from service.store.redis_client import Client as Store
from service.store.redis_client import TooOld, shown
from service.store.store import Store as GameStore
from tests.support.answers import eventually, lines, listening, refused, scene
from tests.support.servers import following, running_server, server_named
from tests.support.serving import UNLIMITED, Client, Reply, free_port, new_game, running_redis, running_web

HATCH = {"type": "open_hatch", "to": 7}


class Inside(Client):
    """The service in this process."""

    def __init__(self, config: Config, token: str | None = None) -> None:
        super().__init__("", token)
        self.config, self.app = config, create_app(config).test_client()

    def be(self, token: str) -> "Inside":
        return Inside(self.config, token)

    def call(self, method: str, path: str, body: Any = None, **headers: str) -> Reply:
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if self.token:
            sent["Authorization"] = f"Bearer {self.token}"
        reply = self.app.open(path, method=method, json=body, headers=sent)
        return Reply(
            reply.status_code, reply.get_json(), {name.lower(): value for name, value in reply.headers.items()}
        )


@pytest.fixture
def url() -> Iterator[str]:
    with running_redis() as url:
        yield url


def inside(url: str, **settings: Any) -> Inside:
    return Inside(Config(url, **({"limits": {}} | settings)))


def test_a_store_without_memory_lets_read_and_refuses_to_write_until_there_is_room(binary: str, tmp_path: Path) -> None:
    with running_redis(tmp_path, binary) as url:
        check_a_store_without_memory(url)


def check_a_store_without_memory(url: str) -> None:
    api = Inside(Config(url))  # with limits, whose counters can't be written either
    game = new_game(api, position=scene())
    before = game.state
    operator = redis.Redis.from_url(url)
    operator.config_set("maxmemory", 1)
    for reply in (
        game.players[0].play(game.path, HATCH),
        api.post("/v1/games"),
        game.host.put(f"{game.path}/seats/1/controller", {"kind": "bot", "bot": "sailor"}),
    ):
        refused(reply, "store_full")
        assert int(reply.headers["retry-after"]) > 0
    for path in (game.path, f"{game.path}/events", f"{game.path}/legal-moves", "/v1/games"):
        assert game.players[0].get(path).status == 200
    assert game.state["version"] == before["version"]
    operator.config_set("maxmemory", 0)
    assert game.players[0].play(game.path, HATCH).status == 200
    assert game.state["version"] == before["version"] + 1


@pytest.fixture
def small_disk(binary: str, tmp_path: Path) -> Iterator[tuple[str, "subprocess.Popen[bytes]"]]:
    """A Redis whose files can be kept from growing."""
    with running_server(tmp_path, "--appendonly", "yes", binary=binary) as (url, process):
        yield url, process


def test_a_full_disk_is_told_and_what_was_acknowledged_is_there_when_it_has_room(
    small_disk: tuple[str, "subprocess.Popen[bytes]"],
) -> None:
    url, process = small_disk
    api = inside(url)
    game = new_game(api, position=scene())
    prlimit(process.pid, RLIMIT_FSIZE, (1, RLIM_INFINITY))
    player, kind, acknowledged = game.players[0], "bot", game.state["version"]

    def changed() -> Reply:
        nonlocal kind, acknowledged
        wanted = {"kind": kind} | ({"bot": "sailor"} if kind == "bot" else {})
        reply = game.host.put(f"{game.path}/seats/1/controller", wanted)
        if reply.status == 200:
            acknowledged, kind = reply.body["version"], "player" if kind == "bot" else "bot"
        return reply

    eventually(lambda: changed().status == 503, "a full disk is not noticed")
    refused(changed(), "store_full")
    assert player.get(game.path).body["version"] == acknowledged
    prlimit(process.pid, RLIMIT_FSIZE, (RLIM_INFINITY, RLIM_INFINITY))
    eventually(lambda: changed().status == 200, "it does not recover")
    assert player.get(game.path).body["version"] == acknowledged


def test_a_move_is_acknowledged_when_as_many_copies_have_it_as_the_operator_wants(url: str, tmp_path: Path) -> None:
    game = new_game(inside(url), position=scene())
    version, key = game.state["version"], {"Idempotency_Key": "once"}
    careful = inside(url, wait_replicas=1, wait_ms=100).be(game.players[0].token or "")
    move = (f"{game.path}/moves", {"moves": [HATCH]})
    for _ in range(2):
        refused(careful.post(*move, **key), "unconfirmed")
        assert game.state["version"] == version + 1, "the change is made once"
    with running_server(tmp_path, *following(url)) as (copy, _):
        eventually(lambda: redis.Redis.from_url(copy).info("replication")["master_link_status"] == "up", "no copy")
        reply = eventually(lambda: there(careful.post(*move, **key)), "still not safe")
        assert (reply.status, reply.headers["idempotency-replayed"]) == (200, "true")
        assert reply.body["version"] == version + 1
        copied = redis.Redis.from_url(copy).hget(f"game:{game.state['id']}", "version")
        assert copied == str(version + 1).encode()


def test_waiting_for_the_disk_needs_a_redis_that_can(tmp_path: Path) -> None:
    with running_server(tmp_path, "--appendonly", "yes") as (modern, _):
        api = inside(modern, wait_disk=True)
        game = new_game(api, position=scene())
        assert game.players[0].play(game.path, HATCH).status == 200
        redis.Redis.from_url(modern).config_set("appendonly", "no")
        assert api.post("/v1/games").status == 503
        assert "the store can't serve us: WAITAOF" in start_fails(modern, WAIT_DISK="yes")
    with running_server(tmp_path / "old", binary=server_named("Redis 6.2")) as (old, _):
        assert "too old: it must be 7.2 or newer" in start_fails(old, WAIT_DISK="yes")


def start_fails(url: str, **settings: str) -> str:
    """What gunicorn says when it can't start."""
    command = [
        sys.executable,
        "-m",
        "gunicorn",
        "--config",
        "python:service.server.gunicorn_conf",
        "--bind",
        "127.0.0.1:0",
    ]
    ended = subprocess.run(
        command, env={**os.environ, "REDIS_URL": url, **settings}, capture_output=True, text=True, check=False
    )
    assert ended.returncode != 0
    return ended.stderr


def test_an_old_redis_is_refused() -> None:
    """Nobody has one any more, so this one only says that it is old."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        threading.Thread(target=_answer_as_of_old, args=(listener,), daemon=True).start()
        client = Store.connect(f"redis://127.0.0.1:{listener.getsockname()[1]}/0")
        with pytest.raises(TooOld, match=r"of version 5\.0\.14, too old: it must be 6\.2 or newer"):
            client.require()
        client.connection_pool.disconnect()


def _answer_as_of_old(listener: socket.socket) -> None:
    told = {
        b"replication": b"role:master\r\nmaster_replid:0123456789abcdef\r\n",
        b"server": b"redis_version:5.0.14\r\n",
    }
    connection, _ = listener.accept()
    with connection:
        while asked := connection.recv(4096):
            section = next((text for name, text in told.items() if name in asked), None)
            for _ in range(asked.count(b"*") if section is None else 1):
                connection.sendall(b"+OK\r\n" if section is None else b"$%d\r\n%s\r\n" % (len(section), section))


def test_who_may_not_in_is_told_without_the_password() -> None:
    assert shown("redis://api:s3cret@host:6379/0") == "redis://api:…@host:6379/0"
    assert shown("rediss+sentinel://api:s3@cr/t@a,b:1/name/0?sentinel_password=x&ssl_ca_certs=/ca") == (
        "rediss+sentinel://api:…@a,b:1/name/0?sentinel_password=…&ssl_ca_certs=/ca"
    )
    assert shown("unix:///run/redis.sock?password=x&db=0") == "unix:///run/redis.sock?password=…&db=0"


@contextmanager
def watched(folder: Path) -> Iterator[tuple[str, "subprocess.Popen[bytes]", "subprocess.Popen[bytes]", str, str]]:
    """A master and its copy under a Sentinel: the address of both, their processes, and where each is."""
    ports = [free_port() for _ in range(3)]
    with ExitStack() as stack:
        at_master, master = stack.enter_context(
            running_server(folder / "a", "--repl-diskless-sync-delay", "0", port=ports[0])
        )
        place, copy = stack.enter_context(
            running_server(folder / "b", "--replicaof", "127.0.0.1", str(ports[0]), port=ports[1])
        )
        operator = redis.Redis.from_url(place)
        eventually(lambda: operator.info("replication")["master_link_status"] == "up", "no copy")
        settings = folder / "sentinel.conf"
        settings.write_text(
            f"port {ports[2]}\ndir {folder}\nlogfile sentinel.log\nsentinel monitor boats 127.0.0.1 {ports[0]} 1\n"
            "sentinel down-after-milliseconds boats 400\nsentinel failover-timeout boats 3000\n"
        )
        sentinel = subprocess.Popen([redis_server.executable(), str(settings), "--sentinel"])
        try:
            watcher = redis.Redis(port=ports[2])
            eventually(lambda: _replicas(watcher) == 1, "the Sentinel does not see the copy")
            yield f"redis+sentinel://127.0.0.1:{ports[2]}/boats/0", master, copy, at_master, place
        finally:
            sentinel.kill()
            sentinel.wait()


def _replicas(watcher: "redis.Redis") -> int:
    try:
        return len(watcher.sentinel_slaves("boats"))
    except redis.RedisError:
        return 0


def test_when_another_store_that_knows_less_takes_over_clients_notice(tmp_path: Path) -> None:
    with watched(tmp_path) as (url, master, copy, at_master, place), running_web(url, workers=1, **UNLIMITED) as api:
        game = new_game(api, position=scene())
        player, known = game.players[0], game.state
        eventually(lambda: redis.Redis.from_url(place).hget(f"game:{known['id']}", "version"), "not copied")
        with listening(api, f"{game.path}/events/stream") as stream:
            (first,) = lines(stream, 1)
            copy.send_signal(signal.SIGSTOP)  # it misses what follows
            redis.Redis.from_url(at_master).client_kill_filter(_type="replica")
            played = player.play(game.path, HATCH)
            assert played.status == 200
            told = lines(stream, len(played.body["events"]))
            assert told[-1]["seq"] == played.body["seq"]
            master.kill()
            copy.send_signal(signal.SIGCONT)
            after = eventually(lambda: there(api.get(game.path)), "nobody takes over").body
            assert after["version"] == known["version"] == played.body["version"] - 1
            assert after["epoch"] != known["epoch"]
            assert lines(stream) == [{"type": "reconnect", "after": played.body["seq"]}]
        assert api.get(game.path, If_None_Match=played.headers["etag"]).status == 200
        long_poll = f"{game.path}?after={played.body['version']}&wait=20"
        waited = eventually(lambda: there(api.get(long_poll)), "no waiting")
        assert waited.body["version"] == known["version"]
        events = api.get(f"{game.path}/events?after={played.body['seq']}&wait=20").body
        assert (events["events"], events["next"], events["epoch"]) == ([], first["seq"], after["epoch"])
        refused(player.play(game.path, HATCH, If_Match=played.headers["etag"]), "precondition_failed")
        assert player.play(game.path, HATCH).body["version"] == played.body["version"]
        assert api.get(game.path, If_None_Match=played.headers["etag"]).status == 200, "the same version, another past"


def test_a_stream_that_goes_on_with_another_store_tells_the_state_again(url: str) -> None:
    with running_web(url, workers=1, **UNLIMITED) as api:
        game = new_game(api, position=scene())
        operator = redis.Redis.from_url(url)
        with listening(api, f"{game.path}/events/stream") as stream:
            (before,) = lines(stream, 1)
            operator.replicaof("127.0.0.1", 1)
            operator.replicaof("NO", "ONE")  # from now on another past
            for kind in ("normal", "pubsub"):
                operator.client_kill_filter(_type=kind, skipme=True)
            (again,) = lines(stream, 1)
            assert (again["type"], again["seq"]) == ("state", before["seq"])
            assert again["state"]["epoch"] != before["state"]["epoch"]
            assert game.players[0].play(game.path, HATCH).status == 200
            assert lines(stream, 1)[0]["seq"] == before["seq"] + 1


def there(reply: Reply) -> Reply | None:
    return reply if reply.status == 200 else None


def test_a_change_made_on_what_was_lost_is_not_written(url: str) -> None:
    """Versions may be the same after a failover, and the games not."""
    api = inside(url)
    game = new_game(api, position=scene())
    store = redis.Redis.from_url(url)
    key = f"game:{game.state['id']}"
    commit = store.hget(key, "commit")
    real = Store.ask
    seen: list[int] = []

    def as_another_past_would(self: Store, *commands: Any, **more: Any) -> Any:
        if commands[0][0].startswith("EVAL") and not seen:
            seen.append(store.hset(key, "commit", b"another1"))
        return real(self, *commands, **more)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Store, "ask", as_another_past_would)
        assert game.players[0].play(game.path, HATCH).status == 200
    assert seen
    assert store.hget(key, "commit") not in (commit, b"another1")
    assert float(store.hget("metrics", "count:conflict") or 0) == 1


def test_redis_is_reached_with_tls_and_a_certificate_of_ours(tmp_path: Path) -> None:
    binary = shutil.which("redis-server") or redis_server.executable()
    authority, certificate, key = (str(tmp_path / name) for name in ("ca.pem", "c.pem", "k.pem"))
    issuer = trustme.CA()
    issuer.cert_pem.write_to_path(authority)
    made = issuer.issue_cert("localhost", "127.0.0.1")
    made.private_key_pem.write_to_path(key)
    made.cert_chain_pems[0].write_to_path(certificate)
    port = free_port()
    options = [
        "--tls-port",
        str(port),
        "--tls-cert-file",
        certificate,
        "--tls-key-file",
        key,
        "--tls-auth-clients",
        "no",
    ]
    with ExitStack() as stack:
        try:
            stack.enter_context(running_server(tmp_path / "r", *options, binary=binary))
        except redis_server.NoRedis:
            pytest.skip("left out: Redis with TLS, for want of one that has it; `apt-get install redis-server`")
        api = inside(f"rediss://localhost:{port}/0?ssl_ca_certs={authority}")
        game = new_game(api, position=scene())
        assert game.players[0].play(game.path, HATCH).status == 200
        for url, told in (
            (f"rediss://localhost:{port}/0", "add ssl_ca_certs=FILE to the address"),
            (f"rediss://127.0.0.2:{port}/0?ssl_ca_certs={authority}", "name the server as its certificate does"),
            (f"rediss://localhost:{port}/0?ssl_ca_certs=nowhere.pem", "correct its ssl_ca_certs"),
        ):
            refused(inside(url).get("/v1/games"), "unavailable")
            with pytest.raises(BadConfig, match=f"REDIS_URL: the .*: {told}"):
                GameStore.connect(Config(redis_url=url)).require()
