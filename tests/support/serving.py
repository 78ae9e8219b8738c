"""A real service for tests: Redis and gunicorn as processes, and a small client.

Redis runs with deploy/redis.conf and the users of deploy/users.acl.template, gunicorn with deploy/gunicorn.conf.py.
Tests get the URL of Redis' administrator; gunicorn and workers are given the ones of their own users.
"""

import itertools
import json
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import redis

from service.operate import redis_server

Wire = dict[str, Any]
ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
PATIENCE = 240.0  # seconds that whatever must happen may take, on the slowest machine
KINDS = ("CREATE", "JOIN", "MOVE", "POLL", "ADVICE", "SIGNAL", "MATCH", "PICTURE", "UNKNOWN", "WORK")
UNLIMITED: dict[str, Any] = {f"LIMIT_{name}": "0/60" for name in KINDS} | {
    "GAMES_PER_CALLER": "0",
    "STREAMS_PER_CALLER": "1000",
    "MAX_QUEUE_SECONDS": "0",
    "LIMIT_BAD": "0/60",
    "BOT_ACCOUNTS": "anybody",
    **dict.fromkeys(("CONNECTIONS_PER_ADDRESS", "STREAMS_PER_ADDRESS", "WAITS_PER_ADDRESS"), "100000"),
}


_MINE = int(os.environ.get("PYTEST_XDIST_WORKER", "gw9").removeprefix("gw"))
_ports = itertools.cycle(random.sample(range(10_000 + 2000 * _MINE, 12_000 + 2000 * _MINE), 2000))


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
    ops: str = ""  # where operators ask
    patience: float = PATIENCE  # seconds without a word

    def be(self, token: str) -> "Client":
        return Client(self.base, token, self.headers, self.ops, self.patience)

    @property
    def operator(self) -> "Client":
        return Client(self.ops)

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
            with urllib.request.urlopen(request, timeout=self.patience) as reply:
                return self._reply(reply.status, reply.read(), reply.headers)
        except urllib.error.HTTPError as error:
            with error:
                return self._reply(error.code, error.read(), error.headers)

    @staticmethod
    def _reply(status: int, data: bytes, headers: Any) -> Reply:
        kind = headers.get("Content-Type", "")
        is_json = "json" in kind and "ndjson" not in kind and "Content-Encoding" not in headers
        body = json.loads(data) if data and is_json else data
        return Reply(status, body, {name.lower(): value for name, value in headers.items()})

    def get(self, path: str, **headers: str) -> Reply:
        return self.call("GET", path, **headers)

    def post(self, path: str, body: Any = None, **headers: str) -> Reply:
        return self.call("POST", path, {} if body is None else body, **headers)

    def play(self, path: str, *moves: Any, **headers: str) -> Reply:
        """Play those moves in the game at that path."""
        return self.post(f"{path}/moves", {"moves": moves}, **headers)

    def preview(self, path: str, *moves: Any, **headers: str) -> Reply:
        """Ask what those moves would do in the game at that path."""
        return self.post(f"{path}/previews", {"moves": moves}, **headers)

    def put(self, path: str, body: Any, **headers: str) -> Reply:
        return self.call("PUT", path, body, **headers)

    def patch(self, path: str, body: Any, **headers: str) -> Reply:
        return self.call("PATCH", path, body, **headers)

    def delete(self, path: str, **headers: str) -> Reply:
        return self.call("DELETE", path, **headers)


def free_port() -> int:
    """Return a port that nobody has, and that no other process of these tests is given meanwhile: below those that the
    kernel gives out, and from a range of our own."""
    while True:
        port = next(_ports)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


@contextmanager
def running_redis(
    folder: Path | None = None, server: str | None = None, options: Sequence[str] = (), **environment: str
) -> Iterator[str]:
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
                *options,
            ],
            stdout=subprocess.DEVNULL, env={**os.environ, **environment},
        )  # fmt: skip
        try:
            redis_server.wait_for(url, process)
            yield url
        finally:
            process.kill()
            process.wait()


def as_user(redis_url: str, name: str) -> str:
    """How another user reaches the Redis of `running_redis`. Any other address is that of whoever asks for it."""
    parts = urlsplit(redis_url)
    is_ours = parts.scheme == "unix" and parts.username
    return _url_in(Path(parts.path).parent / "secrets", name) if is_ours else redis_url


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
    port, ops = free_port(), free_port()
    settings = {
        **os.environ,
        "REDIS_URL": as_user(redis_url, "api"),
        "BIND": f"127.0.0.1:{port}",
        "OPS_BIND": f"127.0.0.1:{ops}",
        "WEB_WORKERS": str(workers),
    }
    command = [sys.executable, "-m", "gunicorn", "--config", str(DEPLOY / "gunicorn.conf.py"), "--log-level", "error"]
    process = subprocess.Popen(command, env=settings | environment)
    client = Client(f"http://127.0.0.1:{port}", ops=f"http://127.0.0.1:{ops}")
    try:
        _wait_for(client, process)
        yield client
    finally:
        process.terminate()
        process.wait(PATIENCE)


def without_service() -> dict[str, str]:
    """The environment of somebody who has named no service of theirs."""
    return {name: value for name, value in os.environ.items() if name != "REDIS_URL"} | {"PYTHONPATH": str(ROOT)}


@dataclass
class Served:
    """A `red-november serve` in a folder of its own."""

    place: Path
    api: Client
    process: "subprocess.Popen[str]"

    def run(self, *arguments: str) -> "subprocess.CompletedProcess[str]":
        """Another command of ours, in the same folder."""
        return subprocess.run(
            [sys.executable, "-m", "service.cli", *arguments], cwd=self.place, env=without_service(), text=True,
            timeout=PATIENCE, check=False, stdin=subprocess.DEVNULL, capture_output=True,
        )  # fmt: skip


def descendants(pid: int) -> set[int]:
    listing = subprocess.run(["ps", "-eo", "pid=,ppid="], capture_output=True, text=True, check=True).stdout
    parents = {int(line.split()[0]): int(line.split()[1]) for line in listing.splitlines()}
    found = {pid}
    while more := {child for child, parent in parents.items() if parent in found} - found:
        found |= more
    return found - {pid}


@contextmanager
def serving(place: Path, data: str = "data") -> Iterator[Served]:
    """`red-november serve`, with one worker."""
    port = free_port()
    command = [sys.executable, "-m", "service.cli", "serve", "--port", str(port), "--data", data, "--workers", "1"]
    process = subprocess.Popen(
        command, cwd=place, env=without_service(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert f"up at http://127.0.0.1:{port}" in line, process.communicate()
        yield Served(place, Client(f"http://127.0.0.1:{port}"), process)
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=PATIENCE)


@contextmanager
def running_workers(redis_url: str, count: int = 1, **environment: str) -> Iterator[list["subprocess.Popen[bytes]"]]:
    """Workers over that Redis, each warm and listening."""
    store = redis.Redis.from_url(redis_url)
    before = store.zcard("workers")
    processes = [start_worker(redis_url, **environment) for _ in range(count)]
    try:
        ends = time.monotonic() + PATIENCE
        while store.zcard("workers") < before + count:
            assert time.monotonic() < ends, "the workers do not come up"
            time.sleep(0.05)
        yield processes
    finally:
        for process in processes:
            process.terminate()
        for process in processes:
            process.wait(PATIENCE)


def start_worker(redis_url: str, **environment: str) -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-m", "service.cli", "worker"]
    settings = {**os.environ, "REDIS_URL": as_user(redis_url, "worker"), **environment}
    return subprocess.Popen(command, env=settings, start_new_session=True)


def _wait_for(client: Client, process: "subprocess.Popen[bytes]") -> None:
    ends = time.monotonic() + PATIENCE
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
    path, host = f"/v1/games/{created.body['game']['id']}", client.be(created.body["token"])
    players: list[Client] = [host] * len(created.body["game"]["seats"])
    while any(seat["kind"] == "open" for seat in host.get(path).body["seats"]):
        joined = client.post(f"{path}/players", {"name": "Gnome"})
        assert joined.status == 201, joined.body
        for seat in joined.body["game"]["you"]["seats"]:
            players[seat] = client.be(joined.body["token"])
    if start:
        assert host.post(f"{path}/start").status == 200
    return Seated(path, host, players)
