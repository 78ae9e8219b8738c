"""Collect what `/metrics` shows: the counters that all processes share and the queues, read at scrape time, and the
requests to the gunicorn that answers (see `traffic.py`)."""

from collections import Counter
from collections.abc import Iterable
from typing import Any, TypedDict

from prometheus_client import CollectorRegistry
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.exposition import generate_latest
from redis.exceptions import RedisError

from service import clock
from service.games.timing import GRACE_SECONDS
from service.queue import backlog, probe, waiting
from service.queue.queueing import ADVICE, MATCHES, TURNS
from service.store import keys
from service.store.counters import BUCKETS, SILENT_SECONDS
from service.store.redis_client import Command
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
    facts: QueueFacts = {
        "depths": dict.fromkeys((TURNS, ADVICE, MATCHES), 0), "oldest": 0.0, "oldest_advice": 0.0, "probe": 0.0,
        "due": 0, "workers": 0, "busy": 0,
    }  # fmt: skip
    for queue in store.queues:
        turns, advice, matches, game, question, workers, busy, probed = queue.ask(
            ("ZCARD", keys.queue(TURNS, "since")),
            ("ZCARD", keys.queue(ADVICE, "since")),
            ("LLEN", keys.jobs(MATCHES)),
            *waiting.asking_for_oldest(TURNS),
            *waiting.asking_for_oldest(ADVICE),
            ("ZCOUNT", keys.WORKERS, now - SILENT_SECONDS, "+inf"),
            ("ZCOUNT", keys.BUSY_WORKERS, now - SILENT_SECONDS, "+inf"),
            probe.COMMAND,
        )
        for name, depth in ((TURNS, turns), (ADVICE, advice), (MATCHES, matches)):
            facts["depths"][name] += depth
        facts["oldest"] = max(facts["oldest"], waiting.age([game], now))
        facts["oldest_advice"] = max(facts["oldest_advice"], waiting.age([question], now))
        facts["probe"] = max(facts["probe"], probe.seconds(probed, now))
        facts["workers"] += workers
        facts["busy"] += busy
    behind = backlog.known(store, GRACE_SECONDS)
    unseen = now - (behind.since - GRACE_SECONDS) if behind.since else 0.0  # that is due, and nobody offered it
    return facts | {"oldest": max(facts["oldest"], unseen), "due": behind.games}


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
        yield from self._of_partitions()

    def _of_partitions(self) -> Iterable[Any]:
        """Yield what all partitions come to. Of those that are out of reach, in a cluster, nothing is counted; counters
        are left out then, for less of them looks like a restart."""
        names, partitions, now = self._store.names, self._store.names.partitions.all, int(clock.now())
        living = [names.living_games(each, status) for status in STATUSES for each in partitions]
        found = self._ask_what_answers(
            [("ZREMRANGEBYSCORE", each, "-inf", now) for each in living],
            [("ZCOUNT", each, f"({now}", "+inf") for each in living],
            [("ZCARD", each) for one in partitions for each in (names.match.running(one), names.match.hosted(one))],
            [("HGETALL", names.counters(each)) for each in partitions],
        )
        _, counted, running, counters = found
        games = GaugeMetricFamily("red_november_games", "Games kept.", labels=["status"])
        for number, status in enumerate(STATUSES):
            first = number * len(partitions)
            games.add_metric([status], float(sum(filter(None, counted[first : first + len(partitions)]))))
        yield games
        matches = sum(filter(None, running))
        yield GaugeMetricFamily("red_november_matches", "Matches that workers play, when they have time.", matches)
        if None not in counters:
            yield from self._counters(counters)

    def _ask_what_answers(self, *groups: list[Command]) -> list[list[Any]]:
        """Ask all in one round trip; return the replies to each group, None where nobody answers."""
        replies = iter(
            self._store.redis.ask(*(each for group in groups for each in group), optional=sum(map(len, groups)))
        )
        return [[None if isinstance(reply := next(replies), RedisError) else reply for _ in group] for group in groups]

    def _counters(self, of_partitions: list[Any]) -> Iterable[Any]:
        counted = Counter[str]()
        of_queues = [
            queue.ask(("HGETALL", keys.COUNTERS))[0] for queue in self._store.queues if queue is not self._store.redis
        ]
        for found in (*of_partitions, *of_queues):
            counted.update({name.decode(): float(value) for name, value in zip(found[::2], found[1::2])})
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
