"""`red-november worker`: warms the engine, then works through the queues; forks inherit everything warm."""

import argparse
import logging
import os
import sys
import threading
import time
from typing import Any

from redis.exceptions import RedisError
from rq import Queue, Worker
from rq.serializers import JSONSerializer

from bots.roster import ROSTER
from bots.search import Budget
from engine import Game, Rules, observe
from service import clock, logs, odds
from service.config import BadConfig, from_environment
from service.jobs import own_store
from service.matches import slices
from service.metrics import BUSY, WORKERS
from service.queueing import MATCHES, QUEUES, TURNS, queue
from service.reach import UNREADABLE_ADDRESS
from service.store import Store
from service.sweeper import Sweeper

log = logging.getLogger(__name__)

WORKER_TTL = 60  # seconds until RQ gives a silent worker up
BEAT_SECONDS = 3.0


def add_worker(commands: Any) -> None:
    parser = commands.add_parser("worker", help="play for bots, give advice: work through the queues of a service")
    parser.add_argument("--queues", default=",".join(QUEUES), help=f"in order of preference ({','.join(QUEUES)})")
    parser.add_argument("--burst", action="store_true", help="stop when the queues are empty")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    names = options.queues.split(",")
    unknown = set(names) - set(QUEUES)
    if unknown:
        print(f"red-november: there is no queue {unknown.pop()!r}, only {', '.join(QUEUES)}", file=sys.stderr)
        return 2
    try:
        logs.configure(from_environment().log_format)
        store = own_store()
        store.require()
    except ValueError:
        print(f"red-november: {UNREADABLE_ADDRESS}", file=sys.stderr)
        return 1
    except (BadConfig, RedisError) as error:
        print(f"red-november: {error}", file=sys.stderr)
        return 1
    logging.getLogger("rq.worker").addFilter(_briefly)
    warm_up()
    slices.live_queues(names)
    worker = TurnWorker([queue(store, name) for name in names], store)
    if {TURNS, MATCHES} & set(names):
        Sweeper(store).start()
    _Heart(store, worker).start()
    try:
        worker.work(burst=options.burst, logging_level="WARNING")
    except RedisError as error:  # a supervisor starts the next one; what this one was at is found by the sweeper
        log.error("this worker ends, for Redis is gone: %s", error)
        return 1
    return 0


def _briefly(record: logging.LogRecord) -> bool:
    """That Redis is gone needs no traceback."""
    if record.exc_info and isinstance(record.exc_info[1], RedisError):
        record.msg, record.args, record.exc_info = f"{record.getMessage()} {record.exc_info[1]}", (), None
    return True


def warm_up() -> None:
    """Everything that a fork would otherwise load or touch for the first time."""
    game = Game.new(Rules(), bytes(32))
    for bot in ROSTER.values():
        bot.choose(observe(game, game.decider), Budget(10, 2))
    odds.estimate(game, "warm")
    slices.warm_up()


class TurnWorker(Worker):
    """An RQ worker that forks for every job; tells nothing but trouble."""

    def __init__(self, queues: list[Queue], store: Store):
        super().__init__(
            queues,
            connection=store.redis,
            serializer=JSONSerializer,
            worker_ttl=WORKER_TTL,
            log_job_description=False,
            maintenance_interval=60,
        )


class _Heart(threading.Thread):
    """Tells that this worker lives, and whether it is busy."""

    def __init__(self, store: Store, worker: Worker):
        super().__init__(daemon=True, name="heart")
        self._store, self._worker = store, worker

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
        with self._store.redis.pipeline() as pipeline:
            pipeline.zadd(WORKERS, {me: now})
            if self._worker.horse_pid:
                pipeline.zadd(BUSY, {me: now})
            else:
                pipeline.zrem(BUSY, me)
            pipeline.zremrangebyscore(WORKERS, "-inf", now - 3600)
            pipeline.zremrangebyscore(BUSY, "-inf", now - 3600)
            pipeline.execute()
