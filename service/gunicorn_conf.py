"""gunicorn: gevent workers on sockets of their own, forked from a process in which the rules are loaded."""

from gevent import monkey

monkey.patch_all()

import gc  # noqa: E402 - after the patch
import os  # noqa: E402
import threading  # noqa: E402
import time  # noqa: E402
from typing import Any  # noqa: E402

from redis import Redis  # noqa: E402, F401 - imported once, before the fork
from redis.exceptions import ConnectionError as Disconnected  # noqa: E402
from redis.exceptions import RedisError  # noqa: E402
from redis.exceptions import TimeoutError as Slow  # noqa: E402

from service import logs  # noqa: E402
from service.app import create_app  # noqa: E402
from service.config import BadConfig, from_environment  # noqa: E402
from service.reach import UNREADABLE_ADDRESS  # noqa: E402

try:
    _config = from_environment()
except BadConfig as error:
    raise SystemExit(f"red-november: {error}") from error

bind = os.environ.get("BIND", "127.0.0.1:8000")
workers = int(os.environ.get("WEB_WORKERS", "2"))
worker_class = "service.web_worker.Worker"
worker_connections = 4000
reuse_port = True  # the kernel spreads connections evenly; without it one worker takes most
preload_app = True
backlog = 1024
keepalive = 75
timeout = 30
graceful_timeout = 20
control_socket_disable = True
wsgi_app = "service.gunicorn_conf:application()"
logger_class = "service.web_worker.Logger"
logconfig_dict = logs.settings(_config.log_format)

_LOOK_SECONDS = 0.2
_GRACE_SECONDS = 1.0  # for requests under way to a process that is to stop
_SLOTS = 2 * workers + 2  # a process that ends and the one in its place are both there for a while


def application() -> Any:
    try:
        return create_app(_config, slots=_SLOTS)
    except ValueError as error:
        raise SystemExit(f"red-november: {UNREADABLE_ADDRESS}") from error


def when_ready(server: Any) -> None:
    """The contract takes long to write: before the fork. And what is loaded by now lives for ever. The collector of a
    worker that looks for garbage in it writes to it, and so copies what all share."""
    extensions = server.app.wsgi().extensions
    try:
        extensions["store"].require()
    except (Disconnected, Slow) as error:  # it may come later; until then /readyz says so
        server.log.warning("no store yet: %s", error)
    except RedisError as error:
        server.log.error("the store can't serve us: %s", error)
        raise SystemExit(1) from error
    extensions["contract"]()
    gc.collect()
    gc.freeze()


def pre_fork(server: Any, worker: Any) -> None:
    """Each process counts in a slot of its own, which it takes over from one that has ended."""
    taken = {other.slot for other in server.WORKERS.values()}
    worker.slot = next((slot for slot in range(_SLOTS) if slot not in taken), 0)


def post_fork(server: Any, worker: Any) -> None:
    server.app.wsgi().extensions["traffic"].count_in(worker.slot)


def post_worker_init(worker: Any) -> None:
    """Whoever waits is let go as soon as the worker is told to stop, and so are idle connections: it would wait for
    them."""

    def watch() -> None:
        while worker.alive:
            time.sleep(_LOOK_SECONDS)
        worker.wsgi.extensions["hub"].stop()
        time.sleep(_GRACE_SECONDS)
        while True:
            worker.let_idle_go()
            time.sleep(_LOOK_SECONDS)

    threading.Thread(target=watch, daemon=True, name="end").start()
