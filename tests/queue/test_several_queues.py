"""Jobs in two Redis beside a cluster: a worker serves the games of one of them, and nobody else's."""

from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from subprocess import Popen

import pytest

from service.queue.waiting import LATER
from service.store.partitions import OF_A_CLUSTER, Partitions
from tests.queue.test_fair_shares import finish, offer, serve, take
from tests.support.answers import eventually
from tests.support.cluster import running_cluster
from tests.support.cluster_node import Node
from tests.support.cluster_site import ALONE
from tests.support.desk import Desk
from tests.support.matching import id_of
from tests.support.serving import UNLIMITED, Client, Seated, new_game, running_redis, running_web, start_worker

PARTITIONS = Partitions(OF_A_CLUSTER)


@dataclass
class Site:
    url: str
    queues: list[Node]
    api: Client = field(default_factory=lambda: Client(""))

    @property
    def setting(self) -> str:
        return " ".join(queue.url for queue in self.queues)

    def work(self, stack: ExitStack, queue: int) -> "Popen[bytes]":
        """Start a worker for one of the queues."""
        worker = start_worker(self.url, QUEUE_URL=self.setting, QUEUE=str(queue))
        stack.callback(worker.wait)
        stack.callback(worker.kill)
        eventually(lambda: self.queues[queue].ask("ZCARD", "workers"), "the worker does not come up")
        return worker


@pytest.fixture
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with ExitStack() as stack:
        queues = [Node(tmp_path_factory.mktemp("queue"), ALONE) for _ in range(2)]
        for queue in queues:
            queue.start()
            stack.callback(queue.kill)
            queue.wait()
        cluster = stack.enter_context(running_cluster(2))
        made = Site(cluster.url, queues)
        made.api = stack.enter_context(running_web(cluster.url, workers=1, QUEUE_URL=made.setting, **UNLIMITED))
        yield made


def queue_of(game: Seated) -> int:
    return PARTITIONS.of(id_of(game.path)) % 2


def games_of_both(api: Client) -> list[Seated]:
    """Return games of bots, some of them in each queue."""
    made = [new_game(api, seats=["sailor"] * 3) for _ in range(4)]
    while len({queue_of(game) for game in made}) < 2:
        made.append(new_game(api, seats=["sailor"] * 3))
    return made


def is_over(game: Seated) -> bool:
    return bool(game.state["result"])


def test_a_worker_plays_what_waits_in_its_queue_and_a_queue_without_workers_waits(site: Site) -> None:
    games = games_of_both(site.api)
    with ExitStack() as stack:
        site.work(stack, 0)
        mine = [game for game in games if queue_of(game) == 0]
        eventually(lambda: all(map(is_over, mine)), "its games do not end")
        others = [game for game in games if queue_of(game) == 1]
        assert not any(map(is_over, others))
        assert site.queues[1].ask("ZCARD", "turns:since") == len(others)
        assert site.queues[0].ask("ZCARD", "turns:since") == 0
        site.queues[1].ask("FLUSHALL")
        site.work(stack, 1)
        eventually(lambda: all(map(is_over, others)), "what its queue lost is not found")


def test_what_a_caller_had_of_one_queue_counts_nothing_in_another(redis_url: str) -> None:
    with running_redis() as other:
        here, there = (Desk(redis_url, redis_url, other, queue=number) for number in range(2))
        for desk in (here, there):
            desk.clear_queues()
            for number in range(30):
                offer(desk, f"many {number}", "many")
            offer(desk, "single", "single")
        while (taken := take(here)).caller != "many":
            finish(taken, again=LATER)
        finish(taken, 1000, again=LATER)
        shares = [Counter(taken.caller for taken in serve(desk, 20)) for desk in (here, there)]
        assert shares[0] == {"single": 20}
        assert abs(shares[1]["many"] - shares[1]["single"]) <= 1
