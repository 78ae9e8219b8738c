"""Redis' master hangs, is cut off, or dies, and its copy takes over: how soon do bots play after the API does?"""

import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from http.client import HTTPException
from pathlib import Path
from typing import Any

import redis

from service.operate import redis_server
from service.store import redis_client
from tests.drills.proxy import Proxy, proxy_to_port
from tests.support.serving import UNLIMITED, Client, free_port, running_web, start_worker

PATIENCE = 90.0
GAMES = 12  # that keep both workers busy
KINDS = ("hang", "partition", "kill")


@dataclass
class Watched:
    """A master and its copy under a Sentinel, each behind a proxy."""

    url: str
    master: "subprocess.Popen[bytes]"
    way_to_master: Proxy

    def fail(self, kind: str) -> None:
        if kind == "partition":
            self.way_to_master.cut()
        else:
            self.master.send_signal(signal.SIGSTOP if kind == "hang" else signal.SIGKILL)


@dataclass
class Recovery:
    """Seconds after the failure."""

    api: float
    bots: float

    @property
    def bots_after_api(self) -> float:
        return self.bots - self.api


def fail_over(kind: str, folder: Path) -> Recovery:
    """While all workers are at work."""
    with ExitStack() as stack:
        watched = stack.enter_context(watched_stores(folder))
        api = stack.enter_context(running_web(watched.url, **UNLIMITED))
        stack.enter_context(_workers(watched.url))
        until(lambda: bots_play(api), "bots do not play before the failure")
        games = [until(lambda: started(api, ["admiral"] * 8), "no game begins") for _ in range(GAMES)]
        time.sleep(1.0)
        failed = time.monotonic()
        watched.fail(kind)
        until(lambda: started(api), "the API does not come back")
        back = time.monotonic()
        before = moves(api, games)
        until(lambda: moves(api, games) > before, "the bots do not come back")
        return Recovery(back - failed, time.monotonic() - failed)


@contextmanager
def _workers(url: str) -> Iterator[None]:
    """Two, warm and listening."""
    processes = [start_worker(url) for _ in range(2)]
    store = redis_client.Client.connect(url)
    try:
        until(lambda: store.zcard("workers") == len(processes), "the workers do not come up")
        yield
    finally:
        store.connection_pool.disconnect()
        for process in processes:
            process.terminate()
        for process in processes:
            process.wait(30)


def bots_play(api: Client) -> bool:
    path = started(api)
    return path is not None and until(lambda: moves(api, [path]), "bots do not play") > 0


def started(api: Client, seats: Sequence[str] = ("sailor",) * 3) -> str | None:
    """A new game of bots; None while there is no store."""
    try:
        made = api.post("/v1/games", {"seats": list(seats)})
        if made.status != 201:
            return None
        path = f"/v1/games/{made.body['game']['id']}"
        return path if api.be(made.body["token"]).post(f"{path}/start").status == 200 else None
    except (OSError, HTTPException):
        return None


def moves(api: Client, games: Sequence[str]) -> int:
    """In all of them; 0 while there is no telling."""
    try:
        states = [api.get(path) for path in games]
        return sum(state.body["moves_played"] for state in states) if all(s.status == 200 for s in states) else 0
    except (OSError, HTTPException):
        return 0


def until(is_so: Callable[[], Any], complaint: str) -> Any:
    ends = time.monotonic() + PATIENCE
    while not (found := is_so()):
        assert time.monotonic() < ends, complaint
        time.sleep(0.05)
    return found


@contextmanager
def watched_stores(folder: Path) -> Iterator[Watched]:
    with ExitStack() as stack:
        ports = [free_port() for _ in range(3)]
        way = stack.enter_context(proxy_to_port(ports[0]))
        master = stack.enter_context(_server(folder / "a", ports[0], "--repl-diskless-sync-delay", "0"))
        stack.enter_context(_server(folder / "b", ports[1], "--replicaof", "127.0.0.1", str(way.port)))
        copy = stack.enter_context(redis.Redis(port=ports[1]))
        until(lambda: copy.info("replication")["master_link_status"] == "up", "no copy")
        settings = folder / "sentinel.conf"
        settings.write_text(
            f"port {ports[2]}\ndir {folder}\nlogfile sentinel.log\nsentinel monitor boats 127.0.0.1 {way.port} 1\n"
            "sentinel down-after-milliseconds boats 1000\nsentinel failover-timeout boats 5000\n"
        )
        sentinel = subprocess.Popen([redis_server.executable(), str(settings), "--sentinel"])
        try:
            watcher = stack.enter_context(redis.Redis(port=ports[2]))
            until(lambda: _copies(watcher) == 1, "the Sentinel does not see the copy")
            yield Watched(f"redis+sentinel://127.0.0.1:{ports[2]}/boats/0", master, way)
        finally:
            sentinel.kill()
            sentinel.wait()


def _copies(watcher: "redis.Redis") -> int:
    try:
        return len(watcher.sentinel_slaves("boats"))
    except redis.RedisError:
        return 0


@contextmanager
def _server(folder: Path, port: int, *options: str) -> Iterator["subprocess.Popen[bytes]"]:
    folder.mkdir(parents=True)
    command = [redis_server.executable(), "--port", str(port), "--save", "", "--dir", str(folder), "--logfile", "log"]
    process = subprocess.Popen([*command, *options])
    try:
        redis_server.wait_for(f"redis://127.0.0.1:{port}/0", process)
        yield process
    finally:
        process.kill()
        process.wait()
