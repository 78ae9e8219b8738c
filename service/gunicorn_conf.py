"""gunicorn: gevent workers on sockets of their own, forked from a process in which the rules are loaded."""

from gevent import monkey

monkey.patch_all()

import gc  # noqa: E402 - after the patch
import os  # noqa: E402
import threading  # noqa: E402
import time  # noqa: E402
from typing import Any  # noqa: E402

from redis import Redis  # noqa: E402, F401 - imported once, before the fork

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
wsgi_app = "service.app:create_app()"

_LOOK_SECONDS = 0.2


def when_ready(server: Any) -> None:
    """The contract takes long to write: before the fork. And what is loaded by now lives for ever. The collector of a
    worker that looks for garbage in it writes to it, and so copies what all share."""
    server.app.wsgi().extensions["contract"]()
    gc.collect()
    gc.freeze()


def post_worker_init(worker: Any) -> None:
    """Whoever waits is let go as soon as the worker is told to stop: it would wait for them."""

    def watch() -> None:
        while worker.alive:
            time.sleep(_LOOK_SECONDS)
        worker.wsgi.extensions["hub"].stop()

    threading.Thread(target=watch, daemon=True, name="end").start()
