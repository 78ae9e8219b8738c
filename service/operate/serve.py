"""`red-november serve`: the whole service on one machine, under one supervisor."""

import argparse
import logging
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

from red_november_client.blocking import Client
from red_november_client.errors import Refused, Unreachable
from service.config import BadConfig, from_environment
from service.locate import UNREADABLE_ADDRESS
from service.operate import limits_here, redis_server
from service.operate.redis_server import NoRedis
from service.operate.supervisor import Child, Supervisor
from service.release import RELEASE
from service.server import binds
from service.store import clients
from service.store.data_folder import BadFolder, DataFolder
from service.store.redis_client import shown
from service.store.store import Store

FAILED, CANNOT_START = 1, 2
_UP_SECONDS = 300  # a slow machine compiles the rules for minutes
_EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}


class CannotStart(Exception):
    """Raised with the reason in one line, and what to do about it."""


class NotUp(Exception):
    """Raised when a process was started, and does not answer."""


def add_serve(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--host", help=f"address to listen on (what HOST says, else {binds.LOOPBACK})")
    parser.add_argument("--port", type=int, help=f"(what PORT says, else {binds.PORT})")
    parser.add_argument("--data", type=Path, default=Path("data"), help="folder of the embedded Redis (data)")
    parser.add_argument("--web-workers", type=int, default=2, help="processes that answer requests (2)")
    parser.add_argument(
        "--workers",
        type=int,
        default=2,
        help="processes that play for bots, and matches in between (2)",
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    logging.basicConfig(format="%(message)s", level=logging.INFO, stream=sys.stderr)
    supervisor, folder = Supervisor(), DataFolder(options.data, RELEASE)
    supervisor.stop_on_signals()
    reason: Exception | None = None
    try:
        _start(supervisor, folder, options)
        supervisor.run()
    except (CannotStart, BadConfig, BadFolder, NoRedis) as error:
        code, reason = CANNOT_START, error
    except NotUp as error:
        code, reason = FAILED, error
    finally:
        supervisor.stop()
        folder.close()
    if reason:
        print(f"red-november: {reason}", file=sys.stderr)
        return code
    print("stopped", file=sys.stderr)
    return 0


def _start(supervisor: Supervisor, folder: DataFolder, options: argparse.Namespace) -> None:
    config = from_environment()
    _check_url(config.redis_url)
    host, port = options.host or os.environ.get("HOST") or binds.LOOPBACK, _port(options)
    bind = f"{_bracketed(host)}:{port}"
    if reason := binds.taken(bind):
        raise CannotStart(f"port {port} of {host} {reason}: choose another with --port")
    ops = _ops_bind(bind)
    url = os.environ.get("REDIS_URL")
    if url:
        redis_server.wait_for(url, seconds=redis_server.STRANGER_SECONDS)
        Store.connect(config).require()
    else:
        url = _start_redis(supervisor, folder)
    unlimited = limits_here.lifted(host, os.environ)
    environment = {
        **unlimited,
        "REDIS_URL": url,
        "BIND": bind,
        "OPS_BIND": ops,
        "WEB_WORKERS": str(options.web_workers),
        "LOG_FORMAT": os.environ.get("LOG_FORMAT", "text"),
    }
    web = [sys.executable, "-m", "gunicorn", "--config", "python:service.server.gunicorn_conf"]
    process = supervisor.add(Child("gunicorn", web, environment))
    address = f"http://{_bracketed(_EVERYWHERE.get(host, host))}:{port}"
    _wait_until_up(supervisor, process, address)  # by then it has compiled the rules, and nobody else has to
    for number in range(1, options.workers + 1):
        command = [sys.executable, "-m", "service.cli", "worker"]
        supervisor.add(Child(f"worker {number}", command, environment))
    if not os.environ.get("REDIS_URL"):
        folder.tell(url, address, None if binds.port_of(ops) is None else binds.every(ops)[0])
    kept = shown(url) if os.environ.get("REDIS_URL") else options.data.resolve()
    if not supervisor.stopping:
        limits = limits_here.told(unlimited)
        print(_WELCOME.format(address=address, kept=kept, ops=ops, command=_own_command(), limits=limits), flush=True)


def _port(options: argparse.Namespace) -> int:
    """Return the port to listen at: that of the command line, else the one that a platform gives in PORT."""
    if options.port is not None:
        return int(options.port)
    given = os.environ.get("PORT") or str(binds.PORT)
    if not given.isdecimal():
        raise CannotStart(f"PORT: {given!r} is no number of a port")
    return int(given)


def _ops_bind(bind: str) -> str:
    """Return where operators ask: where they want to, at the next port, or at another if that is taken."""
    if wanted := os.environ.get("OPS_BIND"):
        for each in binds.every(wanted):
            if reason := binds.taken(each):
                raise CannotStart(f"OPS_BIND {each} {reason}: set another, for operators to ask at")
        return wanted
    following = binds.next_to(bind)
    return binds.free() if binds.taken(following) else following


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _own_command() -> str:
    """Return what the user types to run another command of ours: its name, if that is on their PATH."""
    here = Path(sys.argv[0])
    if here.name != _COMMAND or not here.exists():
        return f"{sys.executable} -m service.cli"
    found = shutil.which(_COMMAND)
    if found and Path(found).samefile(here):
        return _COMMAND
    near = here.absolute()
    return str(near.relative_to(Path.cwd()) if near.is_relative_to(Path.cwd()) else near)


_COMMAND = "red-november"
_WELCOME = """\
Red November is up at {address} (its data: {kept}; Ctrl-C stops it)
  look          {address}/
  try it        {address}/docs
  play          {command} play
  check         {command} doctor
  new game      curl -s -X POST {address}/v1/games --json '{{"seats":["open","captain","captain"]}}'
  open games    curl -s {address}/v1/games
  the bots      curl -s {address}/v1/bots
  its state     curl -s http://{ops}/readyz
  limits        {limits}"""


def _check_url(url: str) -> None:
    try:
        clients.connect(url)
    except ValueError as error:  # whose words may have part of the password in them
        raise CannotStart(UNREADABLE_ADDRESS) from error


def _start_redis(supervisor: Supervisor, folder: DataFolder) -> str:
    is_marked = folder.open()
    path = redis_server.socket_of(folder.path)
    command = redis_server.command(folder.path, path)
    process = supervisor.add(Child("redis-server", command, descriptors=(folder.lock,), umask=0o077))
    url = redis_server.url_of(path)
    try:
        redis_server.wait_for(url, process)
    except NoRedis as error:
        said = redis_server.last_words(folder.path)
        raise NoRedis(f"{error}, on the data in {folder.path}; its log ends with: {said}" if said else error) from error
    if not is_marked and redis_server.holds_only_strange_keys(url):
        raise BadFolder(f"the folder {folder.path} holds the data of another program: name another with --data")
    folder.tell(url, None)
    return url


def _wait_until_up(supervisor: Supervisor, process: "subprocess.Popen[bytes]", address: str) -> None:
    ends = time.monotonic() + _UP_SECONDS
    client = Client(address, patience=0, answer_seconds=2)
    while not supervisor.stopping:
        try:
            client.get("/rules")
            return
        except (Refused, Unreachable) as error:
            if process.poll() is not None:
                raise NotUp(f"gunicorn ended with {process.returncode}: see what it says above") from error
            if time.monotonic() > ends:
                reason = error.reason if isinstance(error, Unreachable) else error
                raise NotUp(f"the service does not answer at {address}: {reason}") from error
            time.sleep(0.1)
