"""Tell how far workers are behind with games that are due, offered or not.

Where games are in many partitions only those who sweep them look: they write down what they see, in the queue's Redis,
and everybody else reads that.
"""

from typing import Any

import orjson
from msgspec import Struct

from service import clock
from service.store import keys
from service.store.redis_client import Command
from service.store.store import Store

SHARES = 8  # of the partitions of a queue, each swept by one worker
TOLD_SECONDS = 5  # that it is believed


class Backlog(Struct, frozen=True):
    """Games that a worker should look after: how many, and since when the one that waits longest (0 for none)."""

    games: int = 0
    since: float = 0.0

    def __add__(self, other: "Backlog") -> "Backlog":
        since = min((each for each in (self.since, other.since) if each), default=0.0)
        return Backlog(self.games + other.games, since)


def asking(names: keys.Names, partition: int, until: float) -> list[Command]:
    """Return the commands that look at a partition."""
    due = names.due(partition)
    return [("ZRANGE", due, 0, 0, "WITHSCORES"), ("ZCOUNT", due, "-inf", until)]


def read(first: Any, games: int) -> Backlog:
    """Return what the replies to those commands come to."""
    return Backlog(games, float(first[1]) if first else 0.0)


def tell(store: Store, share: int, seen: Backlog) -> None:
    told = orjson.dumps([seen.games, seen.since])
    store.queue.ask(("SET", keys.backlog(share), told, "EX", TOLD_SECONDS))


def known(store: Store, grace: float) -> Backlog:
    """Return the backlog of all games that were due before, and are not due just now."""
    if store.names.partitions.count == 1:
        return read(*store.redis.ask(*asking(store.names, 0, clock.now() + grace)))
    found = Backlog()
    for queue in store.queues:
        (told,) = queue.ask(("MGET", *map(keys.backlog, range(SHARES))))
        for each in filter(None, told):
            found += Backlog(*orjson.loads(each))
    return found
