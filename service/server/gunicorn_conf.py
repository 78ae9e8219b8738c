"""Configure gunicorn: gevent workers on sockets of their own, forked from a process that has loaded the rules.

The settings are looked at when this is imported, once a process that starts. gunicorn loads the rules next, which a
machine that has not compiled them yet takes half a minute for.
"""

from gevent import monkey

monkey.patch_all()

import gc  # noqa: E402 - after the patch
import os  # noqa: E402
import resource  # noqa: E402
import sys  # noqa: E402
import threading  # noqa: E402
import time  # noqa: E402
from typing import Any  # noqa: E402

from redis import Redis  # noqa: E402, F401 - imported once, before the fork
from redis.exceptions import ConnectionError as Disconnected  # noqa: E402
from redis.exceptions import RedisError  # noqa: E402
from redis.exceptions import TimeoutError as Slow  # noqa: E402

from service import logs  # noqa: E402
from service.config import BadConfig, from_environment  # noqa: E402
from service.locate import UNREADABLE_ADDRESS  # noqa: E402
from service.server import binds  # noqa: E402
from service.store.store import Store  # noqa: E402

_OTHER_FILES = 300  # that a process may have open besides connections of the public
_NEW_OBJECTS = 10_000  # after which garbage is looked for: a state has some hundred, which go by themselves


def _refusal(reason: str, code: int = 2) -> SystemExit:
    print(f"red-november: {reason}", file=sys.stderr)
    return SystemExit(code)


try:
    _config = from_environment()
    _ops_bind = binds.every(binds.ops_bind())
    _store = Store.connect(_config)
except BadConfig as error:
    raise _refusal(str(error)) from error
except ValueError as error:
    raise _refusal(UNREADABLE_ADDRESS) from error

_absent: RedisError | None = None  # why there is no store yet
try:
    _store.require()
except (Disconnected, Slow) as error:  # it may come later; until then /readyz says so
    _absent = error
except BadConfig as error:
    raise _refusal(str(error)) from error
except RedisError as error:
    raise _refusal(f"the store can't serve us: {error}", 1) from error


def _room(wanted: int) -> int:
    """Return how many connections a process may have: each is an open file, and some must be left for Redis."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = wanted + _OTHER_FILES
    if soft != resource.RLIM_INFINITY and soft < needed:
        soft = needed if hard == resource.RLIM_INFINITY else min(needed, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        return max(_OTHER_FILES, soft - _OTHER_FILES)
    return wanted


bind = [*binds.every(binds.bind()), *_ops_bind]
workers = int(os.environ.get("WEB_WORKERS", "2"))
worker_class = "service.server.web_worker.Worker"
worker_connections = _room(4000)
# The kernel spreads connections evenly; without it one worker takes most. Sockets in a folder have no such thing.
reuse_port = all(binds.port_of(address) is not None for address in bind)
preload_app = True
backlog = 4096  # or what the kernel allows (somaxconn)
keepalive = 75
timeout = 30
graceful_timeout = 20
control_socket_disable = True
# Who sends a request, and how it came here, is told by TRUSTED_PROXIES and by nothing else.
forwarder_headers = ""
secure_scheme_headers: dict[str, str] = {}
wsgi_app = "service.server.gunicorn_conf:application()"
logger_class = "service.server.web_worker.Logger"
logconfig_dict = logs.settings(_config.log_format)

_LOOK_SECONDS = 0.2
_GRACE_SECONDS = 1.0  # for requests under way to a process that is to stop
_SLOTS = 2 * workers + 2  # a process that ends and the one in its place are both there for a while


def application() -> Any:
    from service.app import create_app  # noqa: PLC0415 - see above

    return create_app(_config, _store, _SLOTS)


def on_starting(server: Any) -> None:
    """Refuse to start if the operators' port is taken: the kernel would share it out between us and whoever has it, and
    let strangers in at the operators' door."""
    for address in _ops_bind:
        if taken := binds.taken(address):
            server.log.error("OPS_BIND %s %s", address, taken)
            raise SystemExit(1)


def when_ready(server: Any) -> None:
    """Keep what is loaded by now out of garbage collection: it lives as long as the process.

    A worker's collector that looked for garbage in it would write to it, and so copy memory that all workers share."""
    if _absent:
        server.log.warning("no store yet: %s", _absent)
    gc.collect()
    gc.freeze()
    gc.set_threshold(_NEW_OBJECTS)


def pre_fork(server: Any, worker: Any) -> None:
    """Give the process a slot of its own to count in, which may be that of one that has ended."""
    taken = {other.slot for other in server.WORKERS.values()}
    worker.slot = next((slot for slot in range(_SLOTS) if slot not in taken), 0)


def post_fork(server: Any, worker: Any) -> None:
    server.app.wsgi().extensions["traffic"].count_in(worker.slot)


def post_worker_init(worker: Any) -> None:
    """Let go of those who wait, and of idle connections, as soon as the worker is told to stop: it would wait for
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
