"""The clusters that other tests use do what those tests rely on."""

from collections.abc import Iterator

import pytest
from redis.crc import key_slot

from tests.support.answers import eventually
from tests.support.cluster import WAYS, Cluster, running_cluster

KEYS = [f"key-{number}" for number in range(40)]


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    with running_cluster(masters=3, replicas=3) as made:
        for key in KEYS:
            made.owner(slot_of(key)).ask("SET", key, f"of {key}")
        yield made


def slot_of(key: str) -> int:
    return key_slot(key.encode())


def test_each_master_has_its_part_of_the_slots_and_a_replica(cluster: Cluster) -> None:
    masters = cluster.masters()
    assert len(masters) == 3
    assert [len(cluster.slots_of(node)) for node in masters] == [5461, 5461, 5462]
    assert [len(cluster.replicas_of(node)) for node in masters] == [1, 1, 1]


@pytest.mark.parametrize("way", WAYS)
def test_slots_move_with_their_keys(cluster: Cluster, way: str) -> None:
    first, second = cluster.masters()[:2]
    mine = sorted({slot_of(key) for key in KEYS} & cluster.slots_of(first))[:3]
    cluster.move(mine, second, way)
    assert {cluster.owner(slot) for slot in mine} == {second}
    for key in KEYS:
        if slot_of(key) in mine:
            assert second.ask("GET", key) == f"of {key}"
    cluster.move(mine, first, way)
    assert {cluster.owner(slot) for slot in mine} == {first}


def test_a_node_joins_and_takes_slots(cluster: Cluster) -> None:
    slot = slot_of(KEYS[0])
    before, joined = cluster.owner(slot), cluster.add()
    assert joined in cluster.masters()
    assert not cluster.slots_of(joined)
    cluster.move([slot], joined)
    assert joined.ask("GET", KEYS[0]) == f"of {KEYS[0]}"
    cluster.move([slot], before)


def test_a_replica_takes_over_from_a_master_that_is_killed_and_from_one_that_hangs(cluster: Cluster) -> None:
    slot = slot_of(KEYS[1])
    killed = cluster.owner(slot)
    killed.ask("WAIT", 1, 5000)
    killed.kill()
    heir = cluster.wait_for_failover(slot, killed)
    assert heir.ask("GET", KEYS[1]) == f"of {KEYS[1]}"
    killed.start()
    killed.wait()
    eventually(lambda: killed in cluster.replicas_of(heir))
    cluster.wait_until_whole()
    heir.hang()
    assert cluster.wait_for_failover(slot, heir) is killed
    assert killed.ask("GET", KEYS[1]) == f"of {KEYS[1]}"
    heir.resume()
    eventually(lambda: heir in cluster.replicas_of(killed))
    cluster.wait_until_whole()
