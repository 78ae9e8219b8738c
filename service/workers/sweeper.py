"""What the queue lost is found here: games that are due and that nobody has taken up, questions that a worker had who
died, matches that nobody plays. And here the clock of all is kept.

Workers sweep under leases (see `leading.py`): when one dies another takes over.
"""

import logging
import threading
from collections.abc import Sequence
from typing import Any

import orjson
from redis.exceptions import RedisError

from service import clock
from service.games.tables import offer
from service.games.timing import GRACE_SECONDS
from service.matches import scheduling
from service.matches.repository import MatchRepository
from service.queue import backlog, probe, waiting
from service.queue.queueing import ADVICE, TURNS
from service.store import keys
from service.store.counters import count
from service.store.redis_client import Command
from service.store.store import Store
from service.workers.leading import Leases

log = logging.getLogger(__name__)

SWEEP_SECONDS = 1.0
AGAIN_SECONDS = 3.0  # until a game that was offered, and not taken up, is looked at again
MOST = 500  # a sweep


class Sweeper(threading.Thread):
    def __init__(self, store: Store):
        super().__init__(daemon=True, name="sweeper")
        self._store, self._leases = store, Leases(store)
        self._keeper = clock.Keeper(store.redis)

    def run(self) -> None:
        pause = threading.Event()
        while not pause.wait(SWEEP_SECONDS):
            try:
                self.look()
            except RedisError as error:
                log.warning("not swept: %s", error)

    def look(self) -> None:
        store, held = self._store, self._leases.renew()
        leads = 0 in held
        if self._keeper.keep(leads and store.queue is store.queues[0]):
            count(store.redis, "clock_jump")
        for share in held:
            partitions = store.served(share, self._leases.count)
            sweep(store, partitions)
            if self._leases.count > 1:
                backlog.tell(store, share, _backlog(store, partitions))
            scheduling.schedule_all(MatchRepository(store), partitions)
        if leads:
            for name in (TURNS, ADVICE):
                waiting.recover(store, name)
                waiting.top_up(store, name)
            probe.ask(store)


def sweep(store: Store, partitions: Sequence[int] = (0,)) -> int:
    """Offer every game of some partitions that is due and that no worker has; return how many did not wait yet."""
    now, lists = clock.now(), [store.names.due(each) for each in partitions]
    most = max(1, MOST // max(1, len(lists)))
    found = _reached(store, [("ZRANGEBYSCORE", due, "-inf", now, "LIMIT", 0, most) for due in lists])
    due_in = {member.decode(): due for due, members in zip(lists, found) for member in members or ()}
    if not due_in:
        return 0
    (leases,) = store.queue.ask(("ZMSCORE", keys.queue(TURNS, "leases"), *due_in))
    games = store.redis.ask(*(("HMGET", store.names.game(id_), "version", "creator", "seen") for id_ in due_in))
    offered = 0
    for (game_id, due), lease, (version, creator, seen) in zip(due_in.items(), leases, games, strict=True):
        if version is None:
            store.redis.ask(("ZREM", due, game_id))
            waiting.forget(store.queue, TURNS, game_id)
        elif lease is None or float(lease) <= now:
            store.redis.ask(("ZADD", due, "XX", now + AGAIN_SECONDS, game_id))
            if offer(store, game_id, (creator or b"").decode(), orjson.loads(seen or b"{}")):
                offered += 1
    if offered:
        count(store.redis, "swept", offered)
    return offered


def _backlog(store: Store, partitions: Sequence[int]) -> backlog.Backlog:
    """Return what is due in some partitions after all that was offered just now."""
    until = clock.now() + GRACE_SECONDS
    found = _reached(store, [command for each in partitions for command in backlog.asking(store.names, each, until)])
    return sum((backlog.read(*each) for each in zip(found[::2], found[1::2]) if each[1] is not None), backlog.Backlog())


def _reached(store: Store, commands: Sequence[Command]) -> list[Any]:
    """Return the replies; None of a part of the cluster that is out of reach: the others are swept all the same."""
    replies = store.redis.ask(*commands, optional=len(commands))
    return [None if isinstance(reply, RedisError) else reply for reply in replies]
