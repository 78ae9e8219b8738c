"""Be a worker: warm the engine, then keep a fork of this process at work on the queues."""

import logging
import os
import threading
import time

from redis.exceptions import RedisError

from bots.warm import warm_up
from service import clock
from service.config import Config
from service.matches import slices
from service.store import keys
from service.store.store import Store
from service.workers.sweeper import Sweeper
from service.workers.turn_worker import TurnWorker, client_for_rq
from service.workers.work_process import Deadline, WorkProcess

log = logging.getLogger(__name__)

BEAT_SECONDS = 3.0
FORGOTTEN_SECONDS = 3600  # after which a worker is dropped that nobody hears of


def keep_at_work(config: Config, store: Store, names: list[str], burst: bool) -> int:
    """Work through the queues of those names until a signal asks to stop; return an exit code."""
    logging.getLogger("rq.worker").addFilter(_briefly)
    warm_up()
    slices.warm_up()
    deadline = Deadline()
    Sweeper(store).start()
    _Heart(store, deadline).start()
    return WorkProcess(lambda: _work(config, names, deadline, burst), deadline, burst).run()


def _work(config: Config, names: list[str], deadline: Deadline, burst: bool) -> int:
    """Work through the queues; return an exit code."""
    try:
        worker = TurnWorker(client_for_rq(config.own_queue_url), names, deadline)
        slices.serve_live_games_by(worker.serve_live_games)
        worker.work(burst=burst, logging_level="WARNING")
    except RedisError as error:  # another process takes over; what this one was at is found by the sweeper
        log.error("no more jobs, for Redis is gone: %s", error)
        return 1
    return 0


def _briefly(record: logging.LogRecord) -> bool:
    """Log without a traceback that Redis is gone."""
    if record.exc_info and isinstance(record.exc_info[1], RedisError):
        record.msg, record.args, record.exc_info = f"{record.getMessage()} {record.exc_info[1]}", (), None
    return True


class _Heart(threading.Thread):
    """Tells that this worker lives, and whether it is busy."""

    def __init__(self, store: Store, deadline: Deadline):
        super().__init__(daemon=True, name="heart")
        self._store, self._deadline = store, deadline

    def run(self) -> None:
        me = f"{os.uname().nodename}:{os.getpid()}"
        while True:
            try:
                self._beat(me)
            except RedisError as error:
                log.warning("no heartbeat: %s", error)
            time.sleep(BEAT_SECONDS)

    def _beat(self, me: str) -> None:
        now = clock.now()
        is_busy = self._deadline.is_set
        self._store.queue.ask(
            ("ZADD", keys.WORKERS, now, me),
            ("ZADD", keys.BUSY_WORKERS, now, me) if is_busy else ("ZREM", keys.BUSY_WORKERS, me),
            *(("ZREMRANGEBYSCORE", key, "-inf", now - FORGOTTEN_SECONDS) for key in (keys.WORKERS, keys.BUSY_WORKERS)),
        )
