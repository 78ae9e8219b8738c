"""Keep as many slices of each match in the queue or being played as workers can take, and no more.

A slice makes way for the next one when its seconds are up. The sweeper replaces those that were lost with a worker or
a queue.
"""

import logging
from collections.abc import Sequence

from service import clock
from service.games import tables
from service.matches.repository import MatchRepository
from service.queue import queueing
from service.store import keys
from service.store.counters import SILENT_SECONDS
from service.store.redis_client import Client

log = logging.getLogger(__name__)

MIN_SLICES = 2
SLICES_PER_WORKER = 2


def slice_limit(queue: Client) -> int:
    """Return how many slices a match may have, by the number of workers of its queue that were heard of lately."""
    (workers,) = queue.ask(("ZCOUNT", keys.WORKERS, clock.now() - SILENT_SECONDS, "+inf"))
    return max(MIN_SLICES, SLICES_PER_WORKER * workers)


def schedule(repository: MatchRepository, match_id: str) -> int:
    """Enqueue the slices that a match lacks, and return how many."""
    work = repository.count_open(match_id)
    if not work.games:
        return 0
    queue = repository.store.queue_of(match_id)
    (waiting,) = queue.ask(("LRANGE", keys.jobs(queueing.MATCHES), 0, -1))
    prefix = _job_prefix(match_id)
    in_queue = sum(job.startswith(prefix.encode()) for job in waiting)
    lacking = min(work.games, slice_limit(queue) - work.leases) - in_queue
    queueing.call(queue, queueing.MATCHES, prefix, lacking)
    return max(0, lacking)


def schedule_all(repository: MatchRepository, partitions: Sequence[int]) -> None:
    """Enqueue the slices that all matches in some partitions lack; call workers to those that have tables."""
    for match_id in repository.list_playable(partitions):
        if schedule(repository, match_id):
            log.debug("more workers are called for match %s", match_id)
    for match_id in repository.list_hosted(partitions):
        tables.call_host(repository.store, match_id)


def _job_prefix(match_id: str) -> str:
    return f"match-{match_id}"
