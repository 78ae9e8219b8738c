"""Collect what `/metrics` shows: the counters that all processes share and the queues, read at scrape time, and the
requests to the gunicorn that answers (see `traffic.py`)."""

from collections.abc import Iterable
from typing import Any, TypedDict

from prometheus_client import CollectorRegistry
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.exposition import generate_latest
from redis.exceptions import RedisError

from service import clock
from service.games.timing import GRACE_SECONDS
from service.queue import probe, waiting
from service.queue.queueing import ADVICE, MATCHES, TURNS
from service.store import keys
from service.store.counters import BUCKETS, SILENT_SECONDS
from service.store.store import STATUSES, Store

STALE_QUEUE_SECONDS = 30.0  # that a game waits, and workers are behind


class QueueFacts(TypedDict):
    """The state of queues and workers, as `/readyz` shows it; ages are in seconds."""

    depths: dict[str, int]  # what waits, by queue
    oldest: float  # game
    oldest_advice: float  # question
    probe: float  # what a newcomer would wait for a bot
    due: int  # games that a worker should look after
    workers: int
    busy: int


def queue_facts(store: Store) -> QueueFacts:
    """Read the state of queues and workers, for `/metrics` and `/readyz`."""
    now = clock.now()
    turns, advice, matches, game, question, lost, due, workers, busy, probed = store.redis.ask(
        ("ZCARD", keys.queue(TURNS, "since")),
        ("ZCARD", keys.queue(ADVICE, "since")),
        ("LLEN", keys.jobs(MATCHES)),
        *waiting.asking_for_oldest(TURNS),
        *waiting.asking_for_oldest(ADVICE),
        ("ZRANGE", store.names.due(0), 0, 0, "WITHSCORES"),
        ("ZCOUNT", store.names.due(0), "-inf", now + GRACE_SECONDS),
        ("ZCOUNT", keys.WORKERS, now - SILENT_SECONDS, "+inf"),
        ("ZCOUNT", keys.BUSY_WORKERS, now - SILENT_SECONDS, "+inf"),
        probe.COMMAND,
    )
    unseen = now - (float(lost[1]) - GRACE_SECONDS) if lost else 0.0  # that is due, and nobody offered it
    return {
        "depths": {TURNS: turns, ADVICE: advice, MATCHES: matches},
        "oldest": max(waiting.age([game], now), unseen),
        "oldest_advice": waiting.age([question], now),
        "probe": probe.seconds(probed, now),
        "due": due,
        "workers": workers,
        "busy": busy,
    }


class _FromRedis:
    def __init__(self, store: Store):
        self._store = store

    def collect(self) -> Iterable[Any]:
        up = GaugeMetricFamily("red_november_store_up", "Whether Redis answers.")
        try:
            yield from list(self._collected())
            up.add_metric([], 1.0)
        except RedisError:
            up.add_metric([], 0.0)
        yield up

    def _collected(self) -> Iterable[Any]:
        writes = self._store.redis.refuses_writes() is None
        yield GaugeMetricFamily("red_november_store_writable", "Whether Redis takes changes.", float(writes))
        facts = queue_facts(self._store)
        depth = GaugeMetricFamily("red_november_queue_jobs", "Games, questions, slices waiting.", labels=["queue"])
        for name, length in facts["depths"].items():
            depth.add_metric([name], length)
        yield depth
        yield GaugeMetricFamily("red_november_due_games", "Games that a worker should look after.", facts["due"])
        yield GaugeMetricFamily("red_november_oldest_due_seconds", "How long the oldest game waits.", facts["oldest"])
        advice = facts["oldest_advice"]
        yield GaugeMetricFamily("red_november_oldest_advice_seconds", "How long the oldest question waits.", advice)
        yield GaugeMetricFamily("red_november_probe_seconds", "How long a newcomer waits for a bot.", facts["probe"])
        yield GaugeMetricFamily("red_november_workers", "Workers alive.", facts["workers"])
        yield GaugeMetricFamily("red_november_workers_busy", "Workers at work.", facts["busy"])
        yield self._games()
        matches = self._store.redis.zcard(self._store.names.match.running(0))
        yield GaugeMetricFamily("red_november_matches", "Matches that workers play, when they have time.", matches)
        yield from self._turns()

    def _games(self) -> GaugeMetricFamily:
        games = GaugeMetricFamily("red_november_games", "Games kept.", labels=["status"])
        now = int(clock.now())
        for status in STATUSES:
            _, living = self._store.redis.ask(
                ("ZREMRANGEBYSCORE", self._store.names.living_games(0, status), "-inf", now),
                ("ZCOUNT", self._store.names.living_games(0, status), f"({now}", "+inf"),
                optional=1,
            )
            games.add_metric([status], float(living))
        return games

    def _turns(self) -> Iterable[Any]:
        found: Any = self._store.redis.hgetall(self._store.names.counters())
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
