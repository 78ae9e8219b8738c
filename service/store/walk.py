"""Walk through lists that others change meanwhile: sorted sets, by time and id, one or a part in each partition."""

import heapq
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

from redis.exceptions import RedisError

from service.store.redis_client import Client, Command

Place = tuple[int, str]  # of an item in a list: when it got there, and its id

BATCH = 100
FEW = 8  # places that are read of each of many lists at first


def walk(
    client: Client, names: Sequence[str], after: Place | None, *, newest_first: bool = True
) -> Iterator[list[Place]]:
    """Yield the places after that one, of all lists together, batch by batch. What is there all the time comes once,
    whatever comes or goes."""
    if len(names) == 1:
        yield from _walk(client, names[0], after, newest_first)
        return
    heads = client.ask(*(_reading(name, after, FEW, newest_first) for name in names), optional=len(names))
    walks = [
        _on_from(client, name, after, _places(head), newest_first)
        for name, head in zip(names, heads)
        if not isinstance(head, RedisError)  # a part of the cluster that is out of reach is left out
    ]
    merged = heapq.merge(*walks, reverse=newest_first)
    while batch := list(islice(merged, BATCH)):
        yield batch


def _on_from(
    client: Client, name: str, after: Place | None, head: Sequence[Place], newest_first: bool
) -> Iterator[Place]:
    """Yield the places of a list whose first few are read."""
    fresh = _fresh(head, after, newest_first)
    yield from fresh
    if len(head) == FEW:
        for batch in _walk(client, name, fresh[-1] if fresh else after, newest_first):
            yield from batch


def _walk(client: Client, name: str, after: Place | None, newest_first: bool) -> Iterator[list[Place]]:
    """Yield the places of a list. Each batch begins at the time of the one before. Where that time has more items than
    a batch, the batch grows."""
    size = BATCH
    while True:
        found = _places(client.ask(_reading(name, after, size, newest_first))[0])
        fresh = _fresh(found, after, newest_first)
        if fresh:
            yield fresh
        if len(found) < size:
            return
        if fresh:
            after, size = fresh[-1], BATCH
        else:
            size *= 2


def _fresh(found: Iterable[Place], after: Place | None, newest_first: bool) -> list[Place]:
    return [place for place in found if after is None or _follows(place, after, newest_first)]


def _follows(place: Place, other: Place, newest_first: bool) -> bool:
    return place < other if newest_first else place > other


def _reading(name: str, after: Place | None, size: int, newest_first: bool) -> Command:
    if newest_first:
        start = "+inf" if after is None else after[0]
        return ("ZREVRANGEBYSCORE", name, start, "-inf", "WITHSCORES", "LIMIT", 0, size)
    start = "-inf" if after is None else after[0]
    return ("ZRANGEBYSCORE", name, start, "+inf", "WITHSCORES", "LIMIT", 0, size)


def _places(reply: Any) -> list[Place]:
    return [(int(float(score)), member.decode()) for member, score in zip(reply[::2], reply[1::2])]
