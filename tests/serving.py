"""A real service for tests: Redis and gunicorn as processes, and a small client.

Redis runs with deploy/redis.conf and the users of deploy/users.acl.template, gunicorn with deploy/gunicorn.conf.py.
Tests get the URL of Redis' administrator; gunicorn and workers are given the ones of their own users.
"""

import json
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import redis

from service import redis_server

Wire = dict[str, Any]
DEPLOY = Path(__file__).parent.parent / "deploy"
UNLIMITED = {f"LIMIT_{name}": "0/60" for name in ("CREATE", "JOIN", "MOVE", "POLL", "ADVICE", "MATCH", "PICTURE")} | {
    "STREAMS_PER_CALLER": "1000",
    "MAX_QUEUE_SECONDS": "0",
}


@dataclass
class Reply:
    status: int
    body: Any
    headers: dict[str, str]


@dataclass
class Client:
    """Somebody with a token, or nobody in particular."""

    base: str
    token: str | None = None
    headers: dict[str, str] = field(default_factory=dict)

    def be(self, token: str) -> "Client":
        return Client(self.base, token, self.headers)

    def call(self, method: str, path: str, body: Any = None, **headers: str) -> Reply:
        sent = self.headers | {name.replace("_", "-"): value for name, value in headers.items()}
        if self.token:
            sent["Authorization"] = f"Bearer {self.token}"
        data = None
        if body is not None:
            data = body if isinstance(body, bytes) else json.dumps(body).encode()
            sent.setdefault("Content-Type", "application/json")
        request = urllib.request.Request(self.base + path, data, sent, method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as reply:
                return self._reply(reply.status, reply.read(), reply.headers)
        except urllib.error.HTTPError as error:
            with error:
                return self._reply(error.code, error.read(), error.headers)

    @staticmethod
    def _reply(status: int, data: bytes, headers: Any) -> Reply:
        kind = headers.get("Content-Type", "")
        body = json.loads(data) if data and "json" in kind and "ndjson" not in kind else data
        return Reply(status, body, {name.lower(): value for name, value in headers.items()})

    def get(self, path: str, **headers: str) -> Reply:
        return self.call("GET", path, **headers)

    def post(self, path: str, body: Any = None, **headers: str) -> Reply:
        return self.call("POST", path, {} if body is None else body, **headers)

    def put(self, path: str, body: Any, **headers: str) -> Reply:
        return self.call("PUT", path, body, **headers)

    def patch(self, path: str, body: Any, **headers: str) -> Reply:
        return self.call("PATCH", path, body, **headers)

    def delete(self, path: str, **headers: str) -> Reply:
        return self.call("DELETE", path, **headers)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def running_redis(folder: Path | None = None, server: str | None = None) -> Iterator[str]:
    """A Redis of its own, and its administrator's URL."""
    with tempfile.TemporaryDirectory(prefix="rn-") as temporary:
        place = folder or Path(temporary)
        path = redis_server.socket_of(place)
        secrets = path.parent / "secrets"
        if not secrets.exists():
            subprocess.run([DEPLOY / "make-secrets", secrets, path], check=True, stderr=subprocess.DEVNULL)
        url = _url_in(secrets, "admin")
        process = subprocess.Popen(
            [
                server or redis_server.executable(), DEPLOY / "redis.conf", "--aclfile", secrets / "users.acl",
                "--port", "0", "--unixsocket", path, "--dir", place, "--logfile", "redis.log", "--loglevel", "warning",
            ],
            stdout=subprocess.DEVNULL,
        )  # fmt: skip
        try:
            redis_server.wait_for(url, process)
            yield url
        finally:
            process.kill()
            process.wait()


def as_user(redis_url: str, name: str) -> str:
    """How another user reaches the Redis of `running_redis`. One without users is the same for all."""
    parts = urlsplit(redis_url)
    return _url_in(Path(parts.path).parent / "secrets", name) if parts.username else redis_url


def refusals(redis_url: str) -> list[str]:
    """What Redis would not let the users of the service do. (Redis 6.2 knows no subcommands that could be allowed, and
    so refuses a name that redis-py tells of itself, which it takes well.)"""
    with redis.Redis.from_url(redis_url) as store:
        told = [{name: str(value) for name, value in entry.items()} for entry in store.acl_log()]
    return [
        f"{entry['username']}: {entry['reason']} {entry['object']} ({entry['context']})"
        for entry in told
        if entry["object"] != "client"
    ]


def _url_in(secrets: Path, user: str) -> str:
    return (secrets / f"{user}.env").read_text().strip().removeprefix("REDIS_URL=")


@contextmanager
def running_web(redis_url: str, workers: int = 2, **environment: str) -> Iterator[Client]:
    """gunicorn over that Redis."""
    port = free_port()
    settings = {
        **os.environ,
        "REDIS_URL": as_user(redis_url, "api"),
        "BIND": f"127.0.0.1:{port}",
        "WEB_WORKERS": str(workers),
    }
    command = [sys.executable, "-m", "gunicorn", "--config", str(DEPLOY / "gunicorn.conf.py"), "--log-level", "error"]
    process = subprocess.Popen(command, env=settings | environment)
    client = Client(f"http://127.0.0.1:{port}")
    try:
        _wait_for(client, process)
        yield client
    finally:
        process.terminate()
        process.wait(30)


@contextmanager
def running_workers(redis_url: str, count: int = 1, **environment: str) -> Iterator[list["subprocess.Popen[bytes]"]]:
    """Workers over that Redis, each warm and listening."""
    store = redis.Redis.from_url(redis_url)
    before = store.zcard("workers")
    processes = [start_worker(redis_url, **environment) for _ in range(count)]
    try:
        ends = time.monotonic() + 90
        while store.zcard("workers") < before + count:
            assert time.monotonic() < ends, "the workers do not come up"
            time.sleep(0.05)
        yield processes
    finally:
        for process in processes:
            process.terminate()
        for process in processes:
            process.wait(30)


def start_worker(redis_url: str, **environment: str) -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-m", "service.cli", "worker"]
    settings = {**os.environ, "REDIS_URL": as_user(redis_url, "worker"), **environment}
    return subprocess.Popen(command, env=settings, start_new_session=True)


def _wait_for(client: Client, process: "subprocess.Popen[bytes]") -> None:
    ends = time.monotonic() + 90
    while True:
        try:
            assert client.get("/v1/rules").status == 200
            return
        except OSError:
            assert process.poll() is None, "gunicorn ended"
            assert time.monotonic() < ends, "gunicorn does not answer"
            time.sleep(0.1)


@dataclass
class Seated:
    """A game under way: its path, its host, and its players by seat."""

    path: str
    host: Client
    players: list[Client]

    @property
    def state(self) -> Wire:
        return dict(self.host.get(self.path).body)

    def decider(self) -> Client:
        decision = self.state["decision"]
        return self.players[decision["seat"]]


def new_game(client: Client, seats: int | list[str] = 3, start: bool = True, **wanted: Any) -> Seated:
    """Everybody joined, and started."""
    wanted["seats"] = ["open"] * seats if isinstance(seats, int) else seats
    created = client.post("/v1/games", wanted)
    assert created.status == 201, created.body
    path, host = f"/v1/games/{created.body['id']}", client.be(created.body["token"])
    players: list[Client] = [host] * len(created.body["state"]["seats"])
    while any(seat["kind"] == "open" for seat in host.get(path).body["seats"]):
        joined = client.post(f"{path}/players", {"name": "Gnome"})
        assert joined.status == 201, joined.body
        for seat in joined.body["seats"]:
            players[seat] = client.be(joined.body["token"])
    if start:
        assert host.post(f"{path}/start").status == 200
    return Seated(path, host, players)
