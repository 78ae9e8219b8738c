"""Partitions: where a game is, and how evenly a cluster is loaded."""

from collections import Counter

from redis.crc import key_slot

from service.store.ids import derived_id, is_id, new_id
from service.store.partitions import OF_A_CLUSTER, SLOTS, Partitions, tags

CLUSTER = Partitions(OF_A_CLUSTER)


def test_each_tag_lies_in_its_share_of_the_slots() -> None:
    slots = [key_slot(tag.encode()) for tag in tags(OF_A_CLUSTER)]
    assert [slot * OF_A_CLUSTER // SLOTS for slot in slots] == list(range(OF_A_CLUSTER))


def test_tags_stay_as_they_are_for_they_are_stored() -> None:
    assert tags(OF_A_CLUSTER)[:4] == ("p267", "p68", "p263", "p117")
    assert tags(4) == ("p3", "p2", "p1", "p0")


def test_new_games_are_spread_over_all_partitions() -> None:
    counted = Counter(CLUSTER.of(new_id()) for _ in range(256 * 40))
    assert len(counted) == OF_A_CLUSTER
    assert max(counted.values()) < 100


def test_a_partition_stays_as_it_is_for_games_are_stored_in_it() -> None:
    ids = ("aaaaaaaaaaaaaaaa", "aaaaaaaaaaaaaaab", "bbbbbbbbbbbbbbbb", "c1-a2a2a2a2a2a2a2a9")
    assert [CLUSTER.of(id_) for id_ in ids] == [0, 1, 33, 31]


def test_an_id_is_placed_in_the_partition_that_is_wanted_and_stays_as_it_is_elsewhere() -> None:
    id_ = derived_id("a game of a match")
    placed = [CLUSTER.placed(id_, partition) for partition in CLUSTER.all]
    assert [CLUSTER.of(each) for each in placed] == list(CLUSTER.all)
    assert all(is_id(each) and each[:14] == id_[:14] for each in placed)
    assert Partitions().placed(id_, 0) == id_


def test_a_single_redis_has_one_partition_without_a_tag() -> None:
    single = Partitions()
    assert (single.count, single.of(new_id()), single.prefix_of(new_id())) == (1, 0, "")
