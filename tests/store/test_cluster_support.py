"""The clusters that other tests use do what those tests rely on."""

from collections.abc import Iterator

import pytest
from redis.crc import key_slot

from service import clock
from service.operate import redis_server
from tests.support.answers import eventually
from tests.support.cluster import KEY_BY_KEY, WAYS, Cluster, running_cluster
from tests.support.desk import Desk
from tests.support.servers import server_named
from tests.support.serving import new_game

KEYS = [f"key-{number}" for number in range(40)]


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    with running_cluster(masters=3, replicas=3) as made:
        for key in KEYS:
            made.owner(slot_of(key)).ask("SET", key, f"of {key}")
        yield made


def slot_of(key: str) -> int:
    """Return the slot of a key, by its tag where it has one, as Redis counts it."""
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


def test_games_go_on_on_a_cluster_of_the_redis_on_path_while_their_slots_move(redis_url: str) -> None:
    server = server_named("on PATH")
    if redis_server.version_of(server) < (7, 0):
        pytest.skip("left out: a cluster of the server on PATH, for want of Redis 7 or newer")
    with running_cluster(2, binary=server) as cluster:
        desk = Desk(cluster.url, redis_url)
        games = [new_game(desk.api) for _ in range(6)]
        for game in games:
            slot = slot_of(desk.store.names.game(game.path.rpartition("/")[2]))
            of, other = cluster.owner(slot), next(node for node in cluster.masters() if node is not cluster.owner(slot))
            cluster.move([slot], other, KEY_BY_KEY)
            played = game.decider().play(game.path, game.decider().get(game.path).body["legal_moves"][0])
            assert played.status == 200
            assert game.state["version"] == played.body["version"]
            assert cluster.owner(slot) is other is not of
        desk.store.redis.close()
        clock.follow(None)
