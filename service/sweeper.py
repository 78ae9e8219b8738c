"""What the queue lost is found here: games that are due and that nobody has taken up, matches that nobody plays.

One of the workers sweeps, whoever holds the lock; when he dies another takes it.
"""

import logging
import secrets
import threading
from typing import Any

from redis.exceptions import RedisError

from service import clock, queueing
from service.claims import is_claimed
from service.matches import lanes
from service.matches.shelf import Shelf
from service.metrics import count
from service.store import DUE, Store

log = logging.getLogger(__name__)

SWEEP_SECONDS = 1.0
LOCK_SECONDS = 4
AGAIN_SECONDS = 3.0  # until a game that was hinted at, and not taken up, is hinted at again
MOST = 500  # a sweep

_LOCK = "sweeper"


class Sweeper(threading.Thread):
    def __init__(self, store: Store):
        super().__init__(daemon=True, name="sweeper")
        self._store, self._me = store, secrets.token_hex(8)

    def run(self) -> None:
        pause = threading.Event()
        while not pause.wait(SWEEP_SECONDS):
            try:
                if self._leads():
                    sweep(self._store)
                    lanes.top_up_all(Shelf(self._store))
            except RedisError as error:
                log.warning("not swept: %s", error)

    def _leads(self) -> bool:
        redis = self._store.redis
        if redis.set(_LOCK, self._me, nx=True, ex=LOCK_SECONDS):
            return True
        mine = redis.get(_LOCK) == self._me.encode()
        return mine and bool(redis.set(_LOCK, self._me, xx=True, ex=LOCK_SECONDS))


def sweep(store: Store) -> int:
    """Hints at every game that is due and unclaimed; returns how many."""
    now = clock.now()
    found: Any = store.redis.zrangebyscore(DUE, "-inf", now, 0, MOST)
    hinted = 0
    for member in found:
        game_id = member.decode()
        version: Any = store.redis.hget(f"game:{game_id}", "version")
        if version is None:
            store.redis.zrem(DUE, game_id)
        elif not is_claimed(store.redis, game_id):
            store.redis.zadd(DUE, {game_id: now + AGAIN_SECONDS}, xx=True)
            queueing.hint(store, game_id, int(version), attempt=f"sweep{int(now)}")
            count(store.redis, "swept")
            hinted += 1
    return hinted
