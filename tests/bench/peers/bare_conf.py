"""Our configuration of gunicorn, without what knows our application."""

import gc
from typing import Any

from service.server.gunicorn_conf import *  # noqa: F403


def when_ready(server: Any) -> None:
    gc.collect()
    gc.freeze()


def post_worker_init(worker: Any) -> None:
    pass


def post_fork(server: Any, worker: Any) -> None:
    pass
