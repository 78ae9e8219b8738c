"""`red-november serve`: the whole service on one machine, under one supervisor."""

import argparse
import errno
import logging
import os
import socket
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

from service import redis_server
from service.config import BadConfig, from_environment
from service.queueing import MATCHES, QUEUES
from service.reach import UNREADABLE_ADDRESS
from service.redis_client import Client, shown
from service.redis_server import NoRedis
from service.supervisor import Child, Supervisor

CANNOT_START = 1
_UP_SECONDS = 60
_directly = urllib.request.build_opener(urllib.request.ProxyHandler({}))  # no proxy leads to this machine


class CannotStart(Exception):
    """Why, in one line."""


def add_serve(commands: Any) -> None:
    parser = commands.add_parser("serve", help="run the whole service on this machine")
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (127.0.0.1)")
    parser.add_argument("--port", type=int, default=8000, help="(8000)")
    parser.add_argument("--data", type=Path, default=Path("data"), help="folder of the embedded Redis (data)")
    parser.add_argument("--web-workers", type=int, default=2, help="processes that answer requests (2)")
    parser.add_argument(
        "--workers", type=int, default=2, help="processes that play for bots; of several, the first no matches (2)"
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    logging.basicConfig(format="%(message)s", level=logging.INFO, stream=sys.stderr)
    supervisor = Supervisor()
    supervisor.stop_on_signals()
    try:
        _start(supervisor, options)
        supervisor.run()
    except (CannotStart, BadConfig, NoRedis) as error:
        print(f"red-november: {error}", file=sys.stderr)
        return CANNOT_START
    finally:
        supervisor.stop()
    print("stopped", file=sys.stderr)
    return 0


def _start(supervisor: Supervisor, options: argparse.Namespace) -> None:
    _check_url(from_environment().redis_url)
    _check_port(options.host, options.port)
    url = os.environ.get("REDIS_URL") or _start_redis(supervisor, options.data)
    if os.environ.get("REDIS_URL"):
        redis_server.wait_for(url, seconds=redis_server.STRANGER_SECONDS)
    environment = {
        "REDIS_URL": url,
        "BIND": f"{options.host}:{options.port}",
        "WEB_WORKERS": str(options.web_workers),
        "LOG_FORMAT": os.environ.get("LOG_FORMAT", "text"),
    }
    web = [sys.executable, "-m", "gunicorn", "--config", "python:service.gunicorn_conf"]
    supervisor.add(Child("gunicorn", web, environment))
    address = f"http://{options.host}:{options.port}"
    for number in range(1, options.workers + 1):
        queues = ",".join(queues_of(number, options.workers))
        command = [sys.executable, "-m", "service.cli", "worker", "--queues", queues]
        supervisor.add(Child(f"worker {number}", command, environment))
    _wait_until_up(supervisor, address)
    kept = shown(url) if os.environ.get("REDIS_URL") else options.data.resolve()
    print(_WELCOME.format(address=address, kept=kept), flush=True)


def queues_of(number: int, workers: int) -> list[str]:
    """The first of several workers plays no matches: live games never wait for a long game of one to end."""
    return [name for name in QUEUES if name != MATCHES or number > 1 or workers == 1]


_WELCOME = """\
Red November is up at {address} (its data: {kept}; Ctrl-C stops it)
  try it        {address}/docs
  new game      curl -s -X POST {address}/v1/games --json '{{"seats":["open","captain","captain"]}}'
  open games    curl -s {address}/v1/games
  the bots      curl -s {address}/v1/bots"""


def _check_url(url: str) -> None:
    try:
        Client.connect(url)
    except ValueError as error:  # whose words may have part of the password in them
        raise CannotStart(UNREADABLE_ADDRESS) from error


def _check_port(host: str, port: int) -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OverflowError as error:
            raise CannotStart(f"port {port} can't be: it must be 1 to 65535") from error
        except OSError as error:
            taken = error.errno == errno.EADDRINUSE
            reason = "is taken: choose another with --port" if taken else f"can't be used: {error.strerror}"
            raise CannotStart(f"port {port} of {host} {reason}") from error


def _start_redis(supervisor: Supervisor, folder: Path) -> str:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / ".writable").touch()
        (folder / ".writable").unlink()
    except OSError as error:
        raise CannotStart(f"the data folder {folder} can't be written: {error.strerror}") from error
    path = redis_server.socket_of(folder)
    process = supervisor.add(Child("redis-server", redis_server.command(folder, path)))
    redis_server.wait_for(redis_server.url_of(path), process)
    return redis_server.url_of(path)


def _wait_until_up(supervisor: Supervisor, address: str) -> None:
    ends = time.monotonic() + _UP_SECONDS
    while not supervisor.stopping:
        try:
            with _directly.open(f"{address}/v1/rules", timeout=2):
                return
        except (urllib.error.URLError, OSError) as error:
            if time.monotonic() > ends:
                raise CannotStart(f"the service does not answer at {address}: {error}") from error
            time.sleep(0.1)
