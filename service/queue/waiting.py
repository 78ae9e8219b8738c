"""Keep what waits for a worker, and decide who is served next: callers get equal shares of the workers' time.

A game or a question is offered, a worker takes it under a lease, and tells when it is done. Who takes gets what has
waited longest of the caller who used least. So a caller with a hundred games waits for their own games, and nobody
else does. Tables with a person come before bots among themselves, four times in five.

All of it is kept in the queue's Redis by four scripts (see `waiting.lua`), and none of it is the truth: a game says
itself what is to be done in it, and the sweeper offers what was lost.
"""

import secrets
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self

from redis.exceptions import RedisError

from service import clock
from service.callers.limits import work_key, work_seconds
from service.queue.queueing import ADVICE, TURNS
from service.queue.queueing import call as call_workers
from service.store import keys
from service.store.leases import Renewal
from service.store.redis_client import Client, Command
from service.store.scripts import Script, call
from service.store.store import Store

SOON, LATER = "soon", "later"  # classes: for people who wait, and for nobody in particular
SLICE_SECONDS = {SOON: 1.0, LATER: 0.25}  # a share of a worker, before others have their turn
LEASE_SECONDS = 3.0  # that a worker has something without a word from them
MOST_CALLS = 64  # jobs in a queue: each that is done calls for the next (see `waiting.lua`)
MOST_DEATHS = 3  # of workers over the same question, before nobody tries any more

_OFFER, _TAKE, _RENEW, _DONE = (
    Script("queue/waiting.lua", f"queue/{name}.lua") for name in ("offer", "take", "renew", "done")
)


def offer(queue: Client, name: str, item: str, class_: str, caller: str) -> bool:
    """Call a worker for something. Return False if it waits already, or a worker has it and will look again."""
    return bool(call(queue, _OFFER, [keys.queue(name), keys.jobs(name)], [_now(), item, class_, caller]))


def forget(queue: Client, name: str, item: str) -> None:
    """Take back an offer: nothing is left to be done about it."""
    call(queue, _DONE, [keys.queue(name), keys.jobs(name), ""], [_now(), item, "", "", 0, "", 0, 0])


@dataclass
class Taken:
    """A game or question that a worker has under a lease, which is renewed while the block runs that it surrounds."""

    store: Store
    name: str
    item: str
    since: float
    class_: str
    caller: str
    holder: str
    deaths: int  # of workers who had it before, and did nothing about it
    again: str = ""  # its class, when there is more to do than there was time for
    counts: list[Command] = field(default_factory=list)  # to be told to the store when it is given back

    def __enter__(self) -> Self:
        self._began = time.monotonic()
        self._renewal = Renewal(LEASE_SECONDS, self.renew)
        self._renewal.__enter__()
        return self

    def renew(self) -> bool:
        """Extend the lease, unless it ran out and another worker has it."""
        return bool(
            call(self.store.queue, _RENEW, [keys.queue(self.name)], [_now(), self.item, self.holder, _lease_end()])
        )

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._renewal.__exit__(kind, error, trace)
        if isinstance(error, RedisError):
            return  # it is gone; the lease runs out by itself
        if error is not None:
            self.again = ""
        self.give_back(time.monotonic() - self._began, failed=error is not None)

    def forget_deaths(self) -> None:
        """Forget who died over it: something was done about it."""
        if self.deaths:
            self.store.queue.ask(("HDEL", keys.queue(self.name, "deaths"), self.item))
            self.deaths = 0

    def count(self, commands: Sequence[Command]) -> None:
        """Count what was done by these commands, in the round trip that gives it back."""
        self.counts += commands

    def give_back(self, seconds: float, failed: bool = False) -> None:
        """End the lease. What it took is charged to the caller: to their share of the workers, and to their budget."""
        store, limit, ms = self.store, self.store.work_limit, round(1000 * seconds)
        budget = work_key(store.redis, self.caller, limit) if limit.requests else ""
        is_near = store.queue is store.redis
        call(
            store.queue,
            _DONE,
            [keys.queue(self.name), keys.jobs(self.name), budget if is_near else ""],
            [_now(), self.item, self.holder, self.caller, ms, self.again, work_seconds(limit), int(failed)],
            more=self.counts if is_near else (),
        )
        if not is_near:
            charge = [("INCRBY", budget, ms), ("EXPIRE", budget, work_seconds(limit))] if budget else []
            store.redis.ask(*charge, *self.counts)


def take(store: Store, name: str) -> Taken | None:
    """Take what is served next, if anything waits."""
    holder = secrets.token_hex(8)
    slices = [round(1000 * SLICE_SECONDS[class_]) for class_ in (SOON, LATER)]
    found = call(store.queue, _TAKE, [keys.queue(name), keys.jobs(name)], [_now(), holder, _lease_end(), *slices])
    if found is None:
        return None
    item, since, class_, caller, deaths = (part.decode() for part in found)
    return Taken(store, name, item, float(since), class_, caller, holder, int(deaths))


def anything(store: Store) -> bool:
    """Return whether any game or question waits for a worker."""
    return any(store.queue.ask(*(("ZCARD", keys.queue(name, "since")) for name in (TURNS, ADVICE))))


def is_taken(client: Client, name: str, item: str) -> bool:
    (until,) = client.ask(("ZSCORE", keys.queue(name, "leases"), item))
    return until is not None and float(until) > clock.now()


def recover(store: Store, name: str) -> int:
    """Offer again what workers had who are gone; return how much that was.

    A question that takes its workers down is dropped. Games are not: they fall back on simpler bots.
    """
    (found,) = store.queue.ask(("ZRANGEBYSCORE", keys.queue(name, "leases"), "-inf", clock.now(), "LIMIT", 0, 500))
    for member in found:
        item = member.decode()
        record, deaths = store.queue.ask(
            ("HGET", keys.queue(name, "taken"), item), ("HGET", keys.queue(name, "deaths"), item)
        )
        if record is None or (name == ADVICE and int(deaths or 0) >= MOST_DEATHS):
            forget(store.queue, name, item)
        else:
            class_, caller = record.decode().split(":", 4)[3:]
            offer(store.queue, name, item, class_, caller)
    return len(found)


def top_up(store: Store, name: str) -> None:
    """Add a job for each thing that waits, up to what keeps workers busy: RQ may have lost some."""
    called, waiting = store.queue.ask(("LLEN", keys.jobs(name)), ("ZCARD", keys.queue(name, "since")))
    call_workers(store.queue, name, name, min(waiting, MOST_CALLS) - called)


def asking_for_oldest(name: str, caller: str | None = None) -> list[Command]:
    """Return the commands that read since when the oldest waits, of all callers or of one."""
    lines = [keys.queue(name, "since")]
    if caller is not None:
        lines = [keys.line_of(name, class_, caller) for class_ in (SOON, LATER)]
    return [("ZRANGE", line, 0, 0, "WITHSCORES") for line in lines]


def age(replies: list[Any], now: float) -> float:
    """Return the age of the oldest, by the replies to those commands."""
    return max([0.0, *(now - float(reply[1]) for reply in replies if reply)])


def _now() -> str:
    return f"{clock.now():.6f}"


def _lease_end() -> str:
    return f"{clock.now() + LEASE_SECONDS:.3f}"
