"""Walk through lists that others change meanwhile: sorted sets, by time and id."""

from collections.abc import Iterator
from typing import Any

from service.store.redis_client import Client

Place = tuple[int, str]  # of an item in a list: when it got there, and its id

BATCH = 100


def walk(client: Client, name: str, after: Place | None, *, newest_first: bool = True) -> Iterator[list[Place]]:
    """Yield the places after that one, batch by batch. What is there all the time comes once, whatever comes or goes.

    Each batch begins at the time of the one before. Where that time has more items than a batch, the batch grows.
    """
    size = BATCH
    while True:
        found = _batch(client, name, after, size, newest_first)
        fresh = [place for place in found if after is None or _follows(place, after, newest_first)]
        if fresh:
            yield fresh
        if len(found) < size:
            return
        if fresh:
            after, size = fresh[-1], BATCH
        else:
            size *= 2


def _follows(place: Place, other: Place, newest_first: bool) -> bool:
    return place < other if newest_first else place > other


def _batch(client: Client, name: str, after: Place | None, size: int, newest_first: bool) -> list[Place]:
    found: Any
    if newest_first:
        found = client.zrevrangebyscore(name, "+inf" if after is None else after[0], "-inf", 0, size, withscores=True)
    else:
        found = client.zrangebyscore(name, "-inf" if after is None else after[0], "+inf", 0, size, withscores=True)
    return [(int(score), member.decode()) for member, score in found]
