"""Lanes: jobs that each play a slice of a match and then make way for the next one. There are enough of them for all
workers, and no more; what dies with a worker or a queue, the sweeper replaces."""

import logging
import secrets
from typing import Any

from service import clock, queueing
from service.matches.shelf import Shelf
from service.metrics import SILENT_SECONDS, WORKERS

log = logging.getLogger(__name__)

FEWEST = 2
PER_WORKER = 2
WAIT_SECONDS = 600  # in the queue, behind slices of other matches
SLICE_LIMIT_SECONDS = 600  # of work, a single game of which may be long


def most(shelf: Shelf) -> int:
    """As many as may be of a match, by the workers heard of."""
    workers = shelf.store.redis.zcount(WORKERS, clock.now() - SILENT_SECONDS, "+inf")
    return max(FEWEST, PER_WORKER * int(workers))


def top_up(shelf: Shelf, match_id: str) -> int:
    """Enqueues the lanes that a match lacks; returns how many."""
    games, busy = shelf.look(match_id)
    if not games:
        return 0
    waiting: Any = shelf.store.redis.lrange(f"rq:queue:{queueing.MATCHES}", 0, -1)
    mine = _prefix(match_id).encode()
    lacking = min(games, most(shelf) - busy) - sum(job.startswith(mine) for job in waiting)
    for _ in range(lacking):
        queueing.enqueue(
            shelf.store, queueing.MATCHES, queueing.PLAY_SLICE, _prefix(match_id) + secrets.token_hex(6), match_id,
            ttl=WAIT_SECONDS, seconds=SLICE_LIMIT_SECONDS,
        )  # fmt: skip
    return max(0, lacking)


def top_up_all(shelf: Shelf) -> None:
    for match_id in shelf.to_play():
        if top_up(shelf, match_id):
            log.debug("more workers are called for match %s", match_id)


def _prefix(match_id: str) -> str:
    return f"match-{match_id}-"
