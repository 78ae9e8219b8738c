"""Hints for workers. A job says that a game is due at a version; the game's record is the truth, so a hint may be lost,
doubled or late."""

import logging
from typing import Any

from rq import Queue
from rq.exceptions import DuplicateJobError
from rq.serializers import JSONSerializer

from service.store import Store

log = logging.getLogger(__name__)

TURNS, ADVICE, MATCHES = "turns", "advice", "matches"
QUEUES = (TURNS, ADVICE, MATCHES)
JOB_SECONDS = 120  # after which a job is stopped
HINT_SECONDS = 60  # a hint that nobody took for so long is worthless: the sweeper has made others
FAILURE_SECONDS = 3600

TAKE_TURNS = "service.jobs.take_turns"
ADVISE = "service.jobs.advise"
FILL_ODDS = "service.jobs.fill_odds"
PLAY_SLICE = "service.matches.slices.play_slice"
OPEN_GAME = "service.matches.opening.open_game"


def queue(store: Store, name: str) -> Queue:
    return Queue(name, connection=store.redis, serializer=JSONSerializer, default_timeout=JOB_SECONDS)


def enqueue(
    store: Store, name: str, job: str, id_: str, *arguments: Any, ttl: int = HINT_SECONDS, seconds: int = JOB_SECONDS
) -> bool:
    """False when the same job is there already. It is dropped after `ttl` seconds in the queue, stopped after
    `seconds` of work."""
    try:
        queue(store, name).enqueue_call(
            job, arguments, job_id=id_, unique=True, result_ttl=0, ttl=ttl, timeout=seconds, failure_ttl=FAILURE_SECONDS
        )
    except DuplicateJobError:
        return False
    return True


def hint(store: Store, game_id: str, version: int, attempt: str = "first") -> None:
    """A bot must decide in that game, or somebody's time is up."""
    enqueue(store, TURNS, TAKE_TURNS, f"bot-{game_id}-{version}-{attempt}", game_id)
