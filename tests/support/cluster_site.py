"""A whole service over a real cluster, with people, bots and a match, while faults are thrown at it."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from redis.crc import key_slot

from service.store.partitions import OF_A_CLUSTER, tags
from tests.drills.inquest import Findings, examine
from tests.drills.players import Counts, Crew, at_sea
from tests.drills.weather import Weather
from tests.support.answers import eventually
from tests.support.cluster import Cluster, running_cluster
from tests.support.cluster_node import Node
from tests.support.matching import local, new_match, timeless
from tests.support.serving import UNLIMITED, Client, running_web, start_worker

CREWS = 4
KEPT = ("--appendonly", "yes")
ALONE = ("--cluster-enabled", "no", "--appendonly", "no")
TAGS = tags(OF_A_CLUSTER)
SLOTS_WITH_GAMES = sorted(key_slot(tag.encode()) for tag in TAGS)


@dataclass
class Silences(Counts):
    """Counts, and how long each request went without an answer, whatever happened meanwhile."""

    longest: float = 0.0

    def quiet(self, what: str, begins: float, ends: float, weather: Weather) -> None:
        super().quiet(what, begins, ends, weather)
        if what.startswith("no answer"):
            self.longest = max(self.longest, ends - begins)


@dataclass
class ClusterSite:
    cluster: Cluster
    queue: Node
    api: Client
    weather: Weather = field(default_factory=Weather)
    counts: Silences = field(default_factory=Silences)
    found: Findings = field(default_factory=Findings)
    errors: list[str] = field(default_factory=list)
    may_roll_back: bool = False

    def trouble(self, fault: Callable[["ClusterSite"], object]) -> float:
        """Throw a fault, and wait until the cluster is whole again. Return how long that took."""
        began = time.monotonic()
        with self.weather.fault():
            fault(self)
            self.cluster.wait_until_whole()
        self.weather.see(is_whole=True)
        return time.monotonic() - began

    @property
    def complaints(self) -> list[str]:
        found, counts = self.found, self.counts
        return [*self.errors, *found.lost, *found.doubled, *found.differing, *counts.strange, *counts.stuck]

    def play(self, games: int, match_games: int, faults: Callable[["ClusterSite"], object]) -> None:
        """Let people, bots and a match play while something throws faults; then look for what was lost or doubled."""
        path, _ = new_match(self.api, games=match_games)
        crews = [Crew(self.api.base, self.weather, self.counts, str(n), self.may_roll_back) for n in range(CREWS)]
        with at_sea(crews, games, self.errors) as tables:
            faults(self)
        for crew, mine in zip(crews, tables):
            for game in mine:
                examine(crew, game, self.found, self.may_roll_back)
            crew.close()
        ended = eventually(lambda: over(self.api, path), "the match is stuck")
        told = ended["status"], ended["played"], timeless(ended["series"])
        if told != ("finished", match_games, [local(games=match_games)]):
            self.errors.append(f"the match came to {told}")


def over(api: Client, path: str) -> dict[str, object] | None:
    reply = api.get(path)
    return dict(reply.body) if reply.status == 200 and reply.body["ended_at"] else None


@contextmanager
def cluster_site(
    folder: Path, masters: int, replicas: int, settings: Mapping[str, str], options: Sequence[str] = ()
) -> Iterator[ClusterSite]:
    """Surround a test with a cluster, a Redis of queues, an API of two processes and two workers."""
    queue = Node(folder / "queue", ALONE)
    queue.start()
    queue.wait()
    try:
        with running_cluster(masters, replicas, options=(*KEPT, *options)) as cluster:
            environment = {"QUEUE_URL": queue.url, **UNLIMITED, **settings}
            with running_web(cluster.url, **environment) as api:
                workers = [start_worker(cluster.url, QUEUE_URL=queue.url) for _ in range(2)]
                try:
                    eventually(lambda: queue.ask("ZCARD", "workers") == len(workers), "the workers do not come up")
                    yield ClusterSite(cluster, queue, api, may_roll_back="WAIT_REPLICAS" not in settings)
                finally:
                    for worker in workers:
                        worker.kill()
                        worker.wait()
    finally:
        queue.kill()


def owner_of_games(site: ClusterSite) -> Node:
    """Return a master that has games."""
    return site.cluster.owner(SLOTS_WITH_GAMES[0])


def kill_a_master(site: ClusterSite) -> None:
    """End a master as a power cut would; when another has taken its place, start it again, as that one's replica."""
    lost = owner_of_games(site)
    lost.kill()
    site.cluster.wait_for_failover(SLOTS_WITH_GAMES[0], lost)
    lost.start()
    lost.wait()


def hang_a_master(site: ClusterSite) -> None:
    lost = owner_of_games(site)
    lost.hang()
    try:
        site.cluster.wait_for_failover(SLOTS_WITH_GAMES[0], lost)
    finally:
        lost.resume()


def move_slots(site: ClusterSite, way: str, most: int = 8) -> None:
    """Move a few slots that have games to another master, and back."""
    of = owner_of_games(site)
    to = next(node for node in site.cluster.masters() if node is not of)
    mine = [slot for slot in SLOTS_WITH_GAMES if slot in site.cluster.slots_of(of)][:most]
    site.cluster.move(mine, to, way)
    site.cluster.move(mine, of, way)


def empty_the_queue(site: ClusterSite) -> None:
    site.queue.ask("FLUSHALL")
