"""What the queue lost is found here: games that are due and that nobody has taken up, questions that a worker had who
died, matches that nobody plays. And here the clock of all is kept.

One of the workers sweeps, whoever holds the lock; when they die another takes it.
"""

import logging
import secrets
import threading
from typing import Any

import orjson
from redis.exceptions import RedisError

from service import clock
from service.games.tables import offer
from service.matches import scheduling
from service.matches.repository import MatchRepository
from service.queue import probe, waiting
from service.queue.queueing import ADVICE, TURNS
from service.store import keys
from service.store.counters import count
from service.store.store import Script, Store

log = logging.getLogger(__name__)

SWEEP_SECONDS = 1.0
LOCK_SECONDS = 4
AGAIN_SECONDS = 3.0  # until a game that was offered, and not taken up, is looked at again
MOST = 500  # a sweep

_LEAD = Script("workers/lead.lua")


class Sweeper(threading.Thread):
    def __init__(self, store: Store):
        super().__init__(daemon=True, name="sweeper")
        self._store, self._me = store, secrets.token_hex(8)
        self._keeper = clock.Keeper(store.redis)

    def run(self) -> None:
        pause = threading.Event()
        while not pause.wait(SWEEP_SECONDS):
            try:
                self.look()
            except RedisError as error:
                log.warning("not swept: %s", error)

    def look(self) -> None:
        leads = bool(self._store.call(_LEAD, [keys.SWEEPER], [self._me, LOCK_SECONDS]))
        if self._keeper.keep(leads):
            count(self._store.redis, "clock_jump")
        if not leads:
            return
        sweep(self._store)
        for name in (TURNS, ADVICE):
            waiting.recover(self._store, name)
            waiting.top_up(self._store, name)
        probe.ask(self._store)
        scheduling.schedule_all(MatchRepository(self._store))


def sweep(store: Store) -> int:
    """Offers every game that is due and that no worker has; returns how many of them did not wait yet."""
    now = clock.now()
    found: Any = store.redis.zrangebyscore(store.names.due(0), "-inf", now, 0, MOST)
    if not found:
        return 0
    ids = [member.decode() for member in found]
    leases, *games = store.redis.ask(
        ("ZMSCORE", keys.queue(TURNS, "leases"), *ids),
        *(("HMGET", store.names.game(id_), "version", "creator", "seen") for id_ in ids),
    )
    offered = 0
    for game_id, lease, (version, creator, seen) in zip(ids, leases, games, strict=True):
        if version is None:
            store.redis.zrem(store.names.due(0), game_id)
            waiting.forget(store, TURNS, game_id)
        elif lease is None or float(lease) <= now:
            store.redis.zadd(store.names.due(0), {game_id: now + AGAIN_SECONDS}, xx=True)
            if offer(store, game_id, (creator or b"").decode(), orjson.loads(seen or b"{}")):
                count(store.redis, "swept")
                offered += 1
    return offered
