"""A whole service that can be harmed: its processes under a supervisor, proxies of ours before Redis and the API.

With `copies` there are two Redis under a Sentinel, each behind a proxy of its own, and the service knows the Sentinel.
"""

import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from http.client import HTTPException
from pathlib import Path
from typing import Any

import redis

from service.operate import redis_server
from service.operate.supervisor import FIRST_PAUSE, Child, Supervisor
from tests.drills.proxy import Proxy, proxy_to_port
from tests.drills.weather import Weather
from tests.support.serving import DEPLOY, PATIENCE, ROOT, UNLIMITED, Client, free_port

WORKERS = 2
MASTER = "boats"
_LOOK_SECONDS = 0.25
_SLOW_ANSWER = 5.0
_AWAY_SECONDS = 3600.0
# Beyond its limit on files a process gets a signal; ignored, it gets the error that a full disk would give it.
_BEARS_FULL_DISK = ["sh", "-c", "trap '' XFSZ; exec \"$@\"", "sh"]
_LOGGED = ["sh", "-c", 'exec "$@" 2>>"$0"']
_TIME = re.compile(rb"\*2\r\n\$10\r\n(\d{10})\r\n(?=\$\d\r\n\d+\r\n)")  # what TIME is answered


@dataclass
class Site:
    front: Proxy  # before the API
    ways: dict[str, Proxy]  # before each Redis
    urls: dict[str, str]  # of each Redis, for operators, past the proxies
    children: dict[str, Child]
    supervisor: Supervisor
    base: str
    ops: str
    log: Path  # of API and workers
    sentinel: int = 0  # its port
    weather: Weather = field(default_factory=Weather)
    ahead: int = 0  # what the clock of Redis was set by, as far as anybody can read it
    ended: threading.Event = field(default_factory=threading.Event)

    @property
    def client(self) -> Client:
        return Client(self.base, ops=self.ops)

    @property
    def master(self) -> str:
        """Which Redis is the master, as the Sentinel says."""
        if not self.sentinel:
            return "redis"
        with redis.Redis(port=self.sentinel, socket_timeout=_SLOW_ANSWER) as watcher, suppress(redis.RedisError):
            _, port = watcher.sentinel_get_master_addr_by_name(MASTER)
            return next(name for name, way in self.ways.items() if way.port == port)
        return "redis"

    def operator(self, name: str = "") -> "redis.Redis":
        return redis.Redis.from_url(self.urls[name or self.master], socket_timeout=_SLOW_ANSWER)

    def pid(self, name: str) -> int | None:
        process = self.children[name].process
        return process.pid if process is not None and process.poll() is None else None

    def below(self, name: str) -> list[int]:
        """The processes that this one has started: gunicorn's, or the fork in which a worker does a job."""
        if not (pid := self.pid(name)):
            return []
        told = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True, check=False)
        return [int(each) for each in told.stdout.split()]

    def soon(self, name: str) -> None:
        """When it ends now, it is started again at once, however often it has ended."""
        self.children[name].pause = FIRST_PAUSE

    def jump(self, seconds: int) -> None:
        self.ahead += seconds
        for way in self.ways.values():
            way.rewrite = lambda answer: _TIME.sub(self._moved, answer)

    def _moved(self, found: re.Match[bytes]) -> bytes:
        return b"*2\r\n$10\r\n%d\r\n" % (int(found[1]) + self.ahead)

    def jumps(self) -> int:
        with self.operator() as store:
            return int(store.hget("metrics", "count:clock_jump") or 0)

    def is_whole(self) -> bool:
        """Every process is there and does its work, as far as operators can see."""
        if any(self.pid(name) is None for name in self.children):
            return False
        try:
            if self.sentinel and not self._has_copy():
                return False
            told = Client(self.ops).get("/readyz")
            return told.status == 200 and self._beating() >= WORKERS
        except (OSError, HTTPException, ValueError, redis.RedisError):
            return False

    def _beating(self) -> int:
        """Workers that live and have told so, not those of which Redis has not noticed that they died."""
        living = {f"{os.uname().nodename}:{self.pid(name)}" for name in self.children if name.startswith("worker")}
        with self.operator() as store:
            return len(living & {member.decode() for member in store.zrange("workers", 0, -1)})

    def _has_copy(self) -> bool:
        with self.operator() as store:
            told: Any = store.info("replication")
        return bool(told["role"] == "master" and told["connected_slaves"] and told["slave0"]["state"] == "online")

    def until_whole(self, seconds: float = PATIENCE) -> None:
        until(self.is_whole, "the service does not come back", seconds)

    def watch(self) -> None:
        """Notes from when to when something was wrong."""
        while not self.ended.wait(_LOOK_SECONDS):
            self.weather.see(self.is_whole())


def until(is_so: Callable[[], Any], complaint: str, seconds: float = PATIENCE) -> None:
    ends = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < ends, complaint
        time.sleep(0.1)


@contextmanager
def running_site(folder: Path, copies: bool = False, **more: str) -> Iterator[Site]:
    with ExitStack() as stack:
        supervisor = Supervisor()
        stack.callback(supervisor.stop)
        make = _watched_stores if copies else _one_store
        settings, ways, urls, children, sentinel = make(folder, stack, supervisor)
        web, ops = free_port(), free_port()
        settings |= {
            "WEB_WORKERS": "2", "BIND": f"127.0.0.1:{web}", "OPS_BIND": f"127.0.0.1:{ops}", "PYTHONPATH": str(ROOT),
            "LOG_REQUESTS": "none", **UNLIMITED, **more,
        }  # fmt: skip
        gunicorn = ["gunicorn", "--config", str(DEPLOY / "gunicorn.conf.py"), "--log-level", "critical"]
        logged = [*_LOGGED, str(folder / "log")]
        children["web"] = Child("web", [*logged, sys.executable, "-m", *gunicorn], settings)
        theirs = settings | ({"REDIS_URL": settings["WORKER_URL"]} if "WORKER_URL" in settings else {})
        for number in range(1, WORKERS + 1):
            name = f"worker {number}"
            children[name] = Child(name, [*logged, sys.executable, "-m", "service.cli", "worker"], theirs)
        for name in ("web", *(name for name in children if name.startswith("worker"))):
            supervisor.add(children[name])
        keeper = threading.Thread(target=supervisor.run)
        keeper.start()
        stack.callback(keeper.join)
        stack.callback(supervisor.stop_soon)
        front = stack.enter_context(proxy_to_port(web))
        base, operators = (f"http://127.0.0.1:{port}" for port in (front.port, ops))
        site = Site(front, ways, urls, children, supervisor, base, operators, folder / "log", sentinel)
        site.until_whole()
        watching = threading.Thread(target=site.watch)
        watching.start()
        try:
            yield site
        finally:
            site.ended.set()
            watching.join()
            for way in ways.values():
                way.mend()


Made = tuple[dict[str, str], dict[str, Proxy], dict[str, str], dict[str, Child], int]


def _one_store(folder: Path, stack: ExitStack, supervisor: Supervisor) -> Made:
    """With the users of deploy/, who reach it through the proxy."""
    socket, port = redis_server.socket_of(folder), free_port()
    way = stack.enter_context(proxy_to_port(port))
    for place, name in ((f"127.0.0.1:{way.port}", "way"), (str(socket), "past")):
        subprocess.run([DEPLOY / "make-secrets", folder / name, place], check=True, stderr=subprocess.DEVNULL)
    rules = (folder / "way" / "users.acl").read_text()
    admin = next(line for line in (folder / "past" / "users.acl").read_text().splitlines() if " admin " in line)
    users = "\n".join(admin if " admin " in line else line for line in rules.splitlines())
    (folder / "users.acl").write_text(users + "\n")
    command = [
        *_BEARS_FULL_DISK, redis_server.executable(), str(DEPLOY / "redis.conf"), "--aclfile",
        str(folder / "users.acl"), "--port", str(port), "--unixsocket", str(socket), "--dir", str(folder),
        "--logfile", "redis.log", "--loglevel", "warning",
    ]  # fmt: skip
    child = Child("redis", command)
    supervisor.add(child)
    operators = _url(folder / "past", "admin")
    redis_server.wait_for(operators)
    settings = {"REDIS_URL": _url(folder / "way", "api"), "WORKER_URL": _url(folder / "way", "worker")}
    return settings, {"redis": way}, {"redis": operators}, {"redis": child}, 0


def _url(folder: Path, user: str) -> str:
    return (folder / f"{user}.env").read_text().strip().removeprefix("REDIS_URL=")


def _watched_stores(folder: Path, stack: ExitStack, supervisor: Supervisor) -> Made:
    """Two of them, `redis` and `copy`, who change places with each failover."""
    ports = {name: free_port() for name in ("redis", "copy")}
    ways = {name: stack.enter_context(proxy_to_port(port)) for name, port in ports.items()}
    children: dict[str, Child] = {}
    for name, port in ports.items():
        place = folder / name
        place.mkdir(parents=True)
        options: Mapping[str, Any] = {
            "port": port, "replica-announce-ip": "127.0.0.1", "replica-announce-port": ways[name].port,
            "repl-diskless-sync-delay": 0, "appendonly": "yes", "dir": place, "save": '""', "repl-timeout": 10,
        }  # fmt: skip
        lines = [f"{key} {value}" for key, value in options.items()]
        if name == "copy":
            lines.append(f"replicaof 127.0.0.1 {ways['redis'].port}")
        (place / "redis.conf").write_text("\n".join([*lines, "logfile log", ""]))
        command = [*_BEARS_FULL_DISK, redis_server.executable(), str(place / "redis.conf")]
        children[name] = Child(name, command)
        supervisor.add(children[name])
    urls = {name: f"redis://127.0.0.1:{port}/0" for name, port in ports.items()}
    for url in urls.values():
        redis_server.wait_for(url)
    sentinel = free_port()
    (folder / "sentinel.conf").write_text(
        f"port {sentinel}\ndir {folder}\nlogfile sentinel.log\n"
        f"sentinel monitor {MASTER} 127.0.0.1 {ways['redis'].port} 1\n"
        f"sentinel down-after-milliseconds {MASTER} 1000\nsentinel failover-timeout {MASTER} 5000\n"
    )
    settings = str(folder / "sentinel.conf")
    children["sentinel"] = Child("sentinel", [redis_server.executable(), settings, "--sentinel"])
    supervisor.add(children["sentinel"])
    url = f"redis+sentinel://127.0.0.1:{sentinel}/{MASTER}/0"
    redis_server.wait_for(url)
    return {"REDIS_URL": url}, ways, urls, children, sentinel
