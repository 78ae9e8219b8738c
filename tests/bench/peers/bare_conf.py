"""Our configuration of gunicorn, without what knows our application: its own gevent worker serves the route."""

import gc
from typing import Any

from service.server.gunicorn_conf import *  # noqa: F403

worker_class = "gevent"


def when_ready(server: Any) -> None:
    gc.collect()
    gc.freeze()


def post_worker_init(worker: Any) -> None:
    pass


def post_fork(server: Any, worker: Any) -> None:
    pass
