"""Counters that all processes share, in one Redis hash; `/metrics` reads them, and the queues, at scrape time, and adds
the requests to the gunicorn that answers (see `traffic.py`)."""

from collections.abc import Iterable
from typing import Any

from prometheus_client import CollectorRegistry
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.exposition import generate_latest
from redis import Redis
from redis.exceptions import RedisError

from service import clock
from service.queueing import QUEUES
from service.redis_client import Command
from service.store import COUNTERS as KEY
from service.store import DUE, MATCHES_TO_PLAY, STATUSES, Store
from service.timing import GRACE_SECONDS

WORKERS, BUSY = "workers", "workers:busy"  # who was heard of when
STALE_QUEUE_SECONDS = 30.0  # that a game waits, and workers are behind
SILENT_SECONDS = 15  # after which a worker counts no more
BUCKETS = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)


def turn_noted(bot: str, seconds: float) -> list[Command]:
    """A bot's decision took so long: what to tell Redis."""
    bucket = next((str(limit) for limit in BUCKETS if seconds <= limit), "+Inf")
    return [
        ("HINCRBY", KEY, f"turns:{bot}:{bucket}", 1),
        ("HINCRBYFLOAT", KEY, f"turn_seconds:{bot}", f"{seconds:.6f}"),
    ]


def count(client: "Redis", name: str) -> None:
    client.hincrby(KEY, f"count:{name}", 1)


def queue_facts(store: Store) -> dict[str, Any]:
    """Depths, the age of the oldest due game, workers: for `/metrics` and `/readyz`."""
    now = clock.now()
    with store.redis.pipeline(transaction=False) as pipeline:
        for name in QUEUES:
            pipeline.llen(f"rq:queue:{name}")
        pipeline.zrange(DUE, 0, 0, withscores=True)
        pipeline.zcount(DUE, "-inf", now + GRACE_SECONDS)
        pipeline.zcount(WORKERS, now - SILENT_SECONDS, "+inf")
        pipeline.zcount(BUSY, now - SILENT_SECONDS, "+inf")
        *depths, oldest, due, workers, busy = pipeline.execute()
    age = max(0.0, now - (oldest[0][1] - GRACE_SECONDS)) if oldest else 0.0
    return {"depths": dict(zip(QUEUES, depths)), "oldest": age, "due": due, "workers": workers, "busy": busy}


class _FromRedis:
    def __init__(self, store: Store):
        self._store = store

    def collect(self) -> Iterable[Any]:
        up = GaugeMetricFamily("red_november_store_up", "Whether Redis answers.")
        try:
            yield from list(self._told())
            up.add_metric([], 1.0)
        except RedisError:
            up.add_metric([], 0.0)
        yield up

    def _told(self) -> Iterable[Any]:
        facts = queue_facts(self._store)
        depth = GaugeMetricFamily("red_november_queue_jobs", "Jobs waiting.", labels=["queue"])
        for name, length in facts["depths"].items():
            depth.add_metric([name], length)
        yield depth
        yield GaugeMetricFamily("red_november_due_games", "Games that a worker should look after.", facts["due"])
        yield GaugeMetricFamily("red_november_oldest_due_seconds", "How long the oldest waits.", facts["oldest"])
        yield GaugeMetricFamily("red_november_workers", "Workers alive.", facts["workers"])
        yield GaugeMetricFamily("red_november_workers_busy", "Workers at work.", facts["busy"])
        yield self._games()
        matches = self._store.redis.zcard(MATCHES_TO_PLAY)
        yield GaugeMetricFamily("red_november_matches", "Matches that workers play, when they have time.", matches)
        yield from self._turns()

    def _games(self) -> GaugeMetricFamily:
        games = GaugeMetricFamily("red_november_games", "Games kept.", labels=["status"])
        now = int(clock.now())
        for status in STATUSES:
            _, kept = self._store.redis.ask(
                ("ZREMRANGEBYSCORE", f"alive:{status}", "-inf", now), ("ZCARD", f"alive:{status}")
            )
            games.add_metric([status], float(kept))
        return games

    def _turns(self) -> Iterable[Any]:
        found: Any = self._store.redis.hgetall(KEY)
        counted = {name.decode(): float(value) for name, value in found.items()}
        turns = HistogramMetricFamily("red_november_bot_turn_seconds", "Time for a bot's decision.", labels=["bot"])
        bots = {name.split(":")[1] for name in counted if name.startswith("turn_seconds:")}
        for bot in sorted(bots):
            total, buckets = 0.0, []
            for limit in (*map(str, BUCKETS), "+Inf"):
                total += counted.get(f"turns:{bot}:{limit}", 0.0)
                buckets.append((limit, total))
            turns.add_metric([bot], buckets, counted[f"turn_seconds:{bot}"])
        yield turns
        events = CounterMetricFamily("red_november_events", "Things worth knowing.", labels=["event"])
        for name, value in sorted(counted.items()):
            if name.startswith("count:"):
                events.add_metric([name.removeprefix("count:")], value)
        yield events


def exposition(store: Store, traffic: Any) -> bytes:
    registry = CollectorRegistry(auto_describe=False)
    registry.register(traffic)
    registry.register(_FromRedis(store))
    return generate_latest(registry)
