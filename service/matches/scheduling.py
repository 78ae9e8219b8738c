"""Keep as many slices of each match in the queue or being played as workers can take, and no more.

A slice makes way for the next one when its seconds are up. The sweeper replaces those that were lost with a worker or
a queue.
"""

import logging
from typing import Any

from service import clock
from service.matches.repository import MatchRepository
from service.queue import queueing
from service.store import keys
from service.store.counters import SILENT_SECONDS

log = logging.getLogger(__name__)

MIN_SLICES = 2
SLICES_PER_WORKER = 2


def slice_limit(repository: MatchRepository) -> int:
    """Return how many slices a match may have, by the number of workers that were heard of lately."""
    workers = repository.store.redis.zcount(keys.WORKERS, clock.now() - SILENT_SECONDS, "+inf")
    return max(MIN_SLICES, SLICES_PER_WORKER * int(workers))


def schedule(repository: MatchRepository, match_id: str) -> int:
    """Enqueue the slices that a match lacks, and return how many."""
    work = repository.count_open(match_id)
    if not work.games:
        return 0
    waiting: Any = repository.store.redis.lrange(keys.jobs(queueing.MATCHES), 0, -1)
    prefix = _job_prefix(match_id)
    in_queue = sum(job.startswith(prefix.encode()) for job in waiting)
    lacking = min(work.games, slice_limit(repository) - work.leases) - in_queue
    queueing.call(repository.store, queueing.MATCHES, prefix, lacking)
    return max(0, lacking)


def schedule_all(repository: MatchRepository) -> None:
    """Enqueue the slices that all matches lack."""
    for match_id in repository.list_playable():
        if schedule(repository, match_id):
            log.debug("more workers are called for match %s", match_id)


def _job_prefix(match_id: str) -> str:
    return f"match-{match_id}"
