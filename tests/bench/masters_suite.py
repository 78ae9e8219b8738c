"""What the same games cost on one Redis and on clusters of one, three and six masters, and what a round at a live table
costs the Redis in which jobs wait, for deploy/README.md.

Times are those that processes had a core for: what a machine of two cores can tell of six masters. The rates that six
machines would have can't be measured on one.
"""

import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import redis

from tests.bench.api_suite import CONF
from tests.bench.capacity_suite import BOTS, CLIENTS, CREWS, HIGH, LIVE_SECONDS, TABLES, at_once
from tests.bench.harness import print_table, say
from tests.bench.load import gunicorn, microseconds
from tests.bench.tables import Line, Table, sit
from tests.support.answers import eventually
from tests.support.cluster import running_cluster
from tests.support.cluster_node import Node
from tests.support.serving import running_redis, start_worker

MASTERS = (1, 3, 6)
GAMES, LOOKS = 12, 600
IDLE_SECONDS = 10
KEPT = ("--appendonly", "yes")
ALONE = ("--cluster-enabled", "no", "--appendonly", "no")

Row = tuple[object, ...]


@dataclass
class Stores:
    """A service over some servers, and what each of them has done."""

    name: str
    urls: list[str]
    web: Any
    queue: str = ""  # where jobs wait, if not there

    def now(self) -> list[tuple[float, float]]:
        """Return commands and microseconds of each server so far, and those of the API at the end."""
        told: list[tuple[float, float]] = []
        for url in self.urls:
            with redis.Redis.from_url(url) as server:
                info: Any = server.info()
            told.append((info["total_commands_processed"], 1e6 * (info["used_cpu_sys"] + info["used_cpu_user"])))
        return [*told, (0.0, sum(map(microseconds, [self.web.pid, *self.web.workers])))]

    def of(self, work: Callable[[], object], times: int) -> "Spent":
        before = self.now()
        work()
        spent = [(a - c, b - d) for (a, b), (c, d) in zip(self.now(), before, strict=True)]
        *servers, web = [(commands / times, micros / times) for commands, micros in spent]
        return Spent(servers, web[1])


@dataclass(frozen=True)
class Spent:
    """What one of many alike did cost."""

    servers: list[tuple[float, float]]
    web: float

    @property
    def row(self) -> Row:
        commands = sum(each for each, _ in self.servers)
        busiest = max(each for each, _ in self.servers) / (commands / len(self.servers))
        micros = sum(each for _, each in self.servers)
        return f"{commands:.1f}", f"{micros:.0f}", f"{busiest:.2f}", f"{self.web:.0f}"


def run() -> None:
    rows: dict[str, list[Row]] = {}
    for setup in (one_redis(), *(cluster(masters) for masters in MASTERS)):
        with setup as stores:
            say(f"measuring {stores.name}")
            for what, spent in measured(stores):
                rows.setdefault(what, []).append((what, stores.name, *spent.row))
    columns = ("", "on", "commands", "Redis µs, all", "busiest : mean", "API µs")
    print_table("The same games on one Redis and on clusters", columns, [row for each in rows.values() for row in each])
    columns = ("", "rounds", "jobs a round", "commands", "µs a round", "µs a second without")
    print_table(f"Where jobs wait: a person with {BOTS} bots, one worker", columns, list(queue_rows()))


def queue_rows() -> Iterator[Row]:
    """Yield what rounds at live tables cost the Redis of the queues, beside what it costs when nobody plays."""
    with cluster(1) as stores, redis.Redis.from_url(stores.queue) as queue:
        address = stores.urls[0].replace("redis://", "redis+cluster://").removesuffix("/0")
        worker = start_worker(address, QUEUE_URL=stores.queue)
        jobs = Stores("", [stores.queue], stores.web)
        try:
            eventually(lambda: queue.zcard("workers"), "the worker does not come up")
            idle = jobs.of(lambda: time.sleep(IDLE_SECONDS), 1).servers[0][1] / IDLE_SECONDS
            for bot in ("sailor", "captain"):
                say(f"playing with {bot}s on a cluster")
                yield bot, *rounds_of(jobs, queue, bot, idle), f"{idle:.0f}"
        finally:
            worker.terminate()
            worker.wait()


def rounds_of(jobs: Stores, queue: redis.Redis, bot: str, idle: float) -> Row:
    """Let persons play with bots for a while, and return what a round came to."""
    began, rounds, before = time.monotonic(), 0, pushed(queue)

    def play() -> None:
        nonlocal rounds
        with ThreadPoolExecutor(TABLES) as pool:
            seats = [bot] * BOTS
            rounds = sum(
                found[0] for found in pool.map(lambda _: sit(jobs.web.base, seats, began + LIVE_SECONDS), range(TABLES))
            )

    ((commands, micros),) = jobs.of(play, 1).servers
    micros -= idle * (time.monotonic() - began)
    return rounds, f"{(pushed(queue) - before) / rounds:.2f}", f"{commands / rounds:.1f}", f"{micros / rounds:.0f}"


def pushed(queue: redis.Redis) -> int:
    """Return how many jobs there have been."""
    told: Any = queue.info("commandstats")
    return int(told.get("cmdstat_rpush", {"calls": 0})["calls"])


@contextmanager
def one_redis() -> Iterator[Stores]:
    with running_redis() as url, gunicorn(f"{CONF}:application()", CONF, "/v1/rules", REDIS_URL=url, **HIGH) as web:
        yield Stores("one Redis", [url], web)


@contextmanager
def cluster(masters: int) -> Iterator[Stores]:
    with tempfile.TemporaryDirectory() as folder, running_cluster(masters, options=KEPT) as made:
        queue = Node(Path(folder) / "queue", ALONE)
        queue.start()
        try:
            queue.wait()
            settings = {"REDIS_URL": made.url, "QUEUE_URL": queue.url} | HIGH
            with gunicorn(f"{CONF}:application()", CONF, "/v1/rules", **settings) as web:
                yield Stores(f"{masters} masters", [node.url for node in made.nodes], web, queue.url)
        finally:
            queue.kill()


def measured(stores: Stores) -> Iterator[tuple[str, Spent]]:
    line = Line(stores.web.base)
    at_once(Table.create, [Table(line, CREWS[0], number) for number in range(CLIENTS)])  # so that all is warm
    tables = [Table(line, CREWS[0], number) for number in range(GAMES)]
    moves = sum(len(table.moves) for table in tables) // 2
    yield "a game made", stores.of(lambda: at_once(Table.create, tables), GAMES)
    at_once(Table.start, tables)
    yield "a move", stores.of(lambda: at_once(lambda table: table.play(0, 0.5), tables), moves)
    tags = [line.ask("GET", table.path, table.tokens[0])["ETag"] for table in tables]
    looks = [(tables[number % GAMES], tags[number % GAMES]) for number in range(LOOKS)]

    def poll(look: tuple[Table, str]) -> None:
        table, tag = look
        line.ask("GET", table.path, table.tokens[0], If_None_Match=tag)

    yield "a poll ending in 304", stores.of(lambda: at_once(poll, looks), LOOKS)
    yield (
        "a state",
        stores.of(lambda: at_once(lambda look: line.ask("GET", look[0].path, look[0].tokens[0]), looks), LOOKS),
    )
