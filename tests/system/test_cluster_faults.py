"""A service over a real cluster while masters are killed and hang, slots move and nodes join: nothing acknowledged is
lost, doubled or stuck."""

import time
from pathlib import Path

import pytest

from tests.support.cluster import AT_ONCE, KEY_BY_KEY
from tests.support.cluster_site import (
    SLOTS_WITH_GAMES,
    ClusterSite,
    cluster_site,
    empty_the_queue,
    hang_a_master,
    kill_a_master,
    move_slots,
    owner_of_games,
)

pytestmark = pytest.mark.thorough

SAFE = {"WAIT_REPLICAS": "1", "WAIT_MS": "3000"}
MIGRATING = ("--cluster-allow-replica-migration", "yes", "--cluster-migration-barrier", "1")
MOST_SILENT, AGAIN_WITHIN = 5.0, 20.0  # seconds


def a_node_joins(site: ClusterSite) -> None:
    """A master joins with a replica, and takes games."""
    of, joined = owner_of_games(site), site.cluster.add()
    site.cluster.add(replica_of=joined)
    mine = [slot for slot in SLOTS_WITH_GAMES if slot in site.cluster.slots_of(of)]
    site.cluster.move(mine[:4], joined, KEY_BY_KEY)
    site.cluster.move(mine[4:8], joined, AT_ONCE)


def test_nothing_is_lost_when_a_master_dies_and_slots_move(tmp_path: Path) -> None:
    def faults(site: ClusterSite) -> None:
        for fault in (
            kill_a_master,
            lambda site: move_slots(site, KEY_BY_KEY, 2),
            lambda site: move_slots(site, AT_ONCE, 2),
            empty_the_queue,
        ):
            site.trouble(fault)
        acknowledged = site.counts.acknowledged
        while site.counts.acknowledged < acknowledged + 10:
            time.sleep(0.1)

    with cluster_site(tmp_path, 3, 3, SAFE) as site:
        site.play(8, 40, faults)
        assert site.complaints == []
        assert site.found.compared > 0


@pytest.mark.soak
@pytest.mark.parametrize(
    ("replicas", "options", "settings"),
    [(3, (), {}), (3, (), SAFE), (4, MIGRATING, SAFE)],
    ids=["3 + 3 without WAIT", "3 + 3 with WAIT_REPLICAS=1", "3 + 4 with WAIT_REPLICAS=1"],
)
def test_a_hundred_games_go_on_through_every_fault(
    tmp_path: Path, replicas: int, options: tuple[str, ...], settings: dict[str, str]
) -> None:
    waits: dict[str, float] = {}

    def faults(site: ClusterSite) -> None:
        everything = {
            "a master is killed": kill_a_master,
            "slots move key by key": lambda site: move_slots(site, KEY_BY_KEY),
            "a master hangs": hang_a_master,
            "slots move at once": lambda site: move_slots(site, AT_ONCE),
            "the queue is emptied": empty_the_queue,
            "a node joins": a_node_joins,
            "another master is killed": kill_a_master,
        }
        for name, fault in everything.items():
            site.counts.longest = 0.0
            took = site.trouble(fault)
            time.sleep(10)  # of calm, in which whoever is stuck is seen
            waits[name] = site.counts.longest
            print(f"{name}: whole again after {took:.1f} s, longest without an answer {waits[name]:.1f} s", flush=True)

    with cluster_site(tmp_path, 3, replicas, settings, options) as site:
        site.play(100, 400, faults)
        print(f"{site.counts.acknowledged} moves acknowledged, {site.counts.again} requests sent again,", end=" ")
        print(f"{site.found.rolled_back} rolled back, {site.found.repeated} asked for again", flush=True)
        assert site.complaints == []
        if not settings:
            assert max(waits.values()) <= MOST_SILENT
        elif replicas > 3:
            assert max(waits.values()) <= AGAIN_WITHIN
