"""The service over a real cluster: three masters, and a Redis beside them in which work waits."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from redis.exceptions import RedisError, ResponseError

from service import clock
from service.callers import tokens
from service.callers.limits import Meter
from service.config import Limit
from service.matches import opening, slices
from service.matches.repository import MatchRepository
from service.operate import redis_checks
from service.operate.kept import Kept
from service.store import cluster as cluster_client
from service.store import keys
from service.store.cluster import PATIENCE_SECONDS, ClusterClient, slot_of
from service.store.store import Store
from service.workers import jobs, questions
from service.workers.sweeper import Sweeper, sweep
from tests.support.answers import eventually, refused, take_part
from tests.support.cluster import Cluster, running_cluster
from tests.support.cluster_node import Node
from tests.support.desk import Desk
from tests.support.matching import id_of, new_match, work
from tests.support.serving import Client, Seated, new_game

KEY = "a key that nobody will guess"


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    with running_cluster(3) as made:
        yield made


@pytest.fixture
def desk(cluster: Cluster, redis_url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    made = Desk(cluster.url, redis_url)
    made.store.require()
    made.clear_queues()
    for module in (jobs, questions, slices, opening):
        monkeypatch.setattr(module, "own_store", lambda: made.store)
    yield made
    made.store.redis.close()
    clock.follow(None)


def all_partitions(store: Store) -> list[int]:
    return list(store.names.partitions.all)


def test_a_game_is_created_listed_played_replayed_forked_and_deleted(desk: Desk) -> None:
    game = new_game(desk.api, seats=["open", "sailor", "sailor"])
    assert game.path.endswith(listed(desk, "playing")[0]["id"])
    take_part(game, lambda _: jobs.take_turns())
    replay = desk.api.get(f"{game.path}/replay").body
    assert len(replay["moves"]) > 10
    assert len(desk.history(game.path)) == game.state["seq"]
    forked = desk.api.post(f"{game.path}/forks", {"version": 3}, Idempotency_Key=KEY)
    assert forked.status == 201
    assert game.host.delete(game.path).status == 204
    assert desk.api.get(game.path).status == 404
    assert Kept.read(desk.store, id_of(game.path)) is None


def decider(game: Seated) -> Client:
    return next(player for player in game.players if player.get(game.path).body["legal_moves"])


def listed(desk: Desk, status: str) -> list[Any]:
    desk.store.public_games._kept.clear()
    return list(desk.api.get(f"/v1/games?status={status}").body["games"])


def test_lists_are_merged_over_all_partitions_page_by_page(desk: Desk) -> None:
    made = [new_game(desk.api, start=False).path.rpartition("/")[2] for _ in range(30)]
    assert len({desk.store.names.partitions.of(id_) for id_ in made}) > 10
    found: list[str] = []
    cursor: str | None = ""
    desk.store.public_games._kept.clear()
    while cursor is not None:
        page = desk.api.get(f"/v1/games?status=waiting&limit=7{cursor and '&cursor=' + cursor}").body
        found += [card["id"] for card in page["games"]]
        cursor = page["next"]
    assert [id_ for id_ in found if id_ in made] == made[::-1]
    assert len(found) == len(set(found))


def test_the_first_page_is_kept_for_a_second(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    before = listed(desk, "waiting")
    new = new_game(desk.api, start=False).path.rpartition("/")[2]
    assert desk.api.get("/v1/games?status=waiting").body["games"] == before
    monkeypatch.setattr("service.store.public_games.KEPT_SECONDS", 0.0)
    assert desk.api.get("/v1/games?status=waiting").body["games"][0]["id"] == new


def test_a_repeated_creation_finds_its_game_and_a_repeated_fork_its_own(desk: Desk) -> None:
    """Neither is beside a game that the request names: what is made is in the partition of the key."""
    first, again = (desk.api.post("/v1/games", {"seats": ["open"] * 3}, Idempotency_Key=KEY) for _ in range(2))
    assert (first.body, again.headers["idempotency-replayed"]) == (again.body, "true")
    path = f"/v1/games/{first.body['game']['id']}"
    forks = [desk.api.post(f"{path}/forks", {}, Idempotency_Key=KEY) for _ in range(2)]
    assert forks[0].body == forks[1].body
    assert forks[0].body["game"]["id"] != first.body["game"]["id"]
    refused(desk.api.post(f"{path}/forks", {"version": 1}, Idempotency_Key=KEY), "key_reused")


def test_a_repeated_move_is_answered_as_before_and_a_key_is_known_beside_its_game_only(desk: Desk) -> None:
    games = [new_game(desk.api, seats=["open"] * 3) for _ in range(2)]
    player, path = decider(games[0]), games[0].path
    move = player.get(path).body["legal_moves"][0]
    first, again = (player.play(path, move, Idempotency_Key=KEY) for _ in range(2))
    assert first.status == 200
    assert first.body == again.body
    other = decider(games[1])
    legal = other.get(games[1].path).body["legal_moves"]
    assert other.play(games[1].path, legal[0], Idempotency_Key=KEY).status == 200


def test_a_rematch_is_another_game_and_its_answer_is_beside_the_old_one(desk: Desk) -> None:
    game = new_game(desk.api, seats=["open", "sailor", "sailor"])
    take_part(game, lambda _: jobs.take_turns())
    first, again = (game.players[0].post(f"{game.path}/rematch", {}, Idempotency_Key=KEY) for _ in range(2))
    assert first.status == 201, first.body
    assert first.body["game"]["id"] == again.body["game"]["id"]


def test_a_match_is_played_listed_and_its_games_are_opened_beside_it(desk: Desk) -> None:
    path, holder = new_match(desk.api, games=6)
    match = work(desk, path)
    assert match["status"] == "finished"
    assert desk.api.get("/v1/matches").body["matches"][0]["id"] == match["id"]
    asked = holder.post(f"{path}/games/3/crew/2", {})
    assert asked.status == 202
    questions.take_question()
    opened = holder.post(f"{path}/games/3/crew/2", {}).body["game_id"]
    partitions = desk.store.names.partitions
    assert partitions.of(opened) == partitions.of(match["id"])
    assert desk.api.get(f"/v1/games/{opened}").body["result"]
    assert holder.delete(path).status == 204
    assert desk.api.get(path).status == 404


def test_what_the_queue_lost_is_found_in_every_partition(desk: Desk) -> None:
    games = [new_game(desk.api, seats=["sailor"] * 3) for _ in range(4)]
    for game in games:
        names, id_ = desk.store.names, id_of(game.path)
        desk.store.redis.ask(("ZADD", names.due(names.partitions.of(id_)), 1, id_))
    desk.store.queue.delete(*desk.store.queue.keys("turns:*"), keys.jobs("turns"))
    assert sweep(desk.store, all_partitions(desk.store)) >= 4
    for game in games:
        assert float(desk.store.queue.ask(("ZSCORE", "turns:since", id_of(game.path)))[0])


def test_sweepers_share_the_partitions_and_tell_how_far_workers_are_behind(desk: Desk) -> None:
    desk.store.queue.delete(*(keys.sweeper(share) for share in range(8)), *map(keys.backlog, range(8)), keys.WORKERS)
    desk.store.queue.ask(("ZADD", keys.WORKERS, clock.now(), "one"), ("ZADD", keys.WORKERS, clock.now(), "two"))
    sweepers = [Sweeper(desk.store) for _ in range(2)]
    late = "a" * 16
    desk.store.redis.ask(("ZADD", desk.store.names.due(desk.store.names.partitions.of(late)), clock.now() - 100, late))
    for each in sweepers:
        each.look()
    held = [each._leases._held for each in sweepers]
    assert sorted(held[0] + held[1]) == list(range(8))
    assert len(held[0]) == len(held[1]) == 4
    swept = [part for share in range(8) for part in desk.store.served(share, 8)]
    assert sorted(swept) == all_partitions(desk.store)
    told = desk.store.queue.ask(("MGET", *map(keys.backlog, range(8))))[0]
    assert None not in told
    desk.store.queue.delete(*(keys.sweeper(share) for share in range(8)), *map(keys.backlog, range(8)), keys.WORKERS)


def test_a_caller_has_so_many_games_in_all_partitions_together(desk: Desk) -> None:
    few = Desk(desk.store._config.redis_url, *desk.store._config.queue_urls, games_per_caller=3)
    made = [few.api.post("/v1/games", {}) for _ in range(4)]
    counted = sum(reply.status == 201 for reply in made)
    assert counted <= 3
    refused(made[-1], "too_many_games")
    few.store.redis.close()


def test_tokens_that_no_game_knows_count_for_their_address_and_others_by_themselves(desk: Desk) -> None:
    game = new_game(desk.api, seats=["open"] * 3)
    client, limit = desk.store.redis, Limit(5, 60)
    known = tokens.digest(game.players[0].token or "")

    def left(token: str) -> int | None:
        meter = Meter("poll", limit, "of an address", token)
        meter.ask(client, game_id=id_of(game.path))
        return meter.left

    assert [left("a made-up one"), left("another"), left(known), left(known), left("a third")] == [4, 3, 4, 3, 2]


def test_a_script_for_two_slots_is_refused_whole(desk: Desk) -> None:
    """A key that is left empty is of a slot, too: so a script that wants none there is given the game's own."""
    client, names = desk.store.redis, desk.store.names
    for other in (names.counters(7), ""):
        with pytest.raises(ResponseError, match="slot"):
            client.ask(("EVAL", "return redis.call('SET', KEYS[1], 1)", 2, "try:{p3}", other))
    assert client.ask(("EXISTS", "try:{p3}")) == [0]


def test_news_that_a_script_tells_in_another_slot_fail_when_all_is_written_so_they_are_told_beside_their_game(
    desk: Desk,
) -> None:
    client, names = desk.store.redis, desk.store.names
    script = "redis.call('SET', KEYS[1], 1, 'EX', 60) return redis.call('SPUBLISH', ARGV[1], 1)"
    here, there = names.counters(0) + ":try", names.counters(255)  # of the first master, and of the last
    with pytest.raises(ResponseError):
        client.ask(("EVAL", script, 1, here, keys.channel(there)))
    assert client.ask(("EXISTS", here)) == [1]
    for partition in all_partitions(desk.store):
        id_ = names.partitions.placed("a" * 16, partition)
        topics = (names.topic(id_), names.match.hash_of(id_), names.asked(partition, "bot:1"))
        assert {slot_of(keys.channel(topic)) for topic in topics} == {slot_of(names.game(id_))}


def test_a_cluster_is_asked_by_node_whatever_is_asked(desk: Desk) -> None:
    client, names = desk.store.redis, desk.store.names
    for each in names.partitions.all:
        client.ask(("SET", f"try:{names.partitions.prefixes[each]}x", each, "EX", 60))
    found = client.ask(*(("GET", f"try:{prefix}x") for prefix in names.partitions.prefixes))
    assert [int(value) for value in found] == all_partitions(desk.store)
    assert len(set(found.epochs)) == 3


def test_a_node_that_does_not_know_a_script_is_sent_it(desk: Desk, cluster: Cluster) -> None:
    game = new_game(desk.api, seats=["open"] * 3)
    for node in cluster.nodes:
        node.ask("SCRIPT", "FLUSH")
    player = decider(game)
    assert player.play(game.path, player.get(game.path).body["legal_moves"][0]).status == 200


def test_a_cluster_that_does_not_come_back_is_given_up_after_a_while(
    desk: Desk, cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ClusterClient, "patience", 0.3)
    names = desk.store.names
    id_ = names.partitions.placed("a" * 16, 77)
    slot = slot_of(names.game(id_))
    owner = cluster.owner(slot)
    for node in cluster.nodes:
        node.ask("CLUSTER", "DELSLOTS", slot)
    try:
        refused(desk.api.get(f"/v1/games/{id_}"), "unavailable")
    finally:
        owner.ask("CLUSTER", "ADDSLOTS", slot)
        cluster.wait_until_whole()
    assert desk.api.get(f"/v1/games/{id_}").status == 404


def test_a_connection_that_was_closed_meanwhile_costs_nobody_an_answer(desk: Desk, cluster: Cluster) -> None:
    client, names = desk.store.redis, desk.store.names
    asked = [("HINCRBY", names.counters(each), "count:try", 0) for each in names.partitions.all]
    client.ask(*asked)
    for node in cluster.nodes:
        node.ask("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")
    assert len(client.ask(*asked)) == len(asked)


@contextmanager
def without(cluster: Cluster, lost: Node) -> Iterator[None]:
    """Let a master be dead for a while, and all others know; it comes back with nothing but its slots."""
    lost.kill()
    cluster.nodes.remove(lost)
    try:
        eventually(lambda: all(has_lost(node, lost) for node in cluster.nodes))
        yield
    finally:
        lost.start()
        lost.wait()
        cluster.take_in(lost)
        cluster.wait_until_whole()


def has_lost(node: Node, lost: Node) -> bool:
    return "fail" in next(each for each in node.view() if each.port == lost.port).flags


@contextmanager
def rounds(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Any]]:
    """Tell what was sent to nodes, round by round."""
    sent: list[Any] = []
    once = ClusterClient._round

    def noted(client: ClusterClient, *what: Any) -> Any:
        sent.append(what)
        return once(client, *what)

    with monkeypatch.context() as patch:
        patch.setattr(ClusterClient, "_round", noted)
        yield sent


# A cluster is given ten seconds to rearrange itself. In the short form it has less, as nothing takes its place here.
@pytest.mark.parametrize("patience", [1.0, pytest.param(PATIENCE_SECONDS, marks=pytest.mark.soak)])
def test_what_is_lost_takes_nothing_else_with_it(
    desk: Desk, cluster: Cluster, monkeypatch: pytest.MonkeyPatch, patience: float
) -> None:
    """A master without a replica is gone, the one that has slot 0: games elsewhere are played, listed and swept."""
    monkeypatch.setattr(ClusterClient, "patience", patience)
    monkeypatch.setattr(cluster_client, "OPTIONAL_SECONDS", patience / 10)
    limited = Desk(desk.store._config.redis_url, *desk.store._config.queue_urls, limits={"poll": Limit(1000, 60)})
    games: list[Seated] = []
    owners: list[Node] = []
    lost = cluster.owner(0)
    while len(set(owners)) < len(cluster.masters()):
        games.append(new_game(desk.api, seats=["open"] * 3))
        owners.append(cluster.owner(slot_of(desk.store.names.game(id_of(games[-1].path)))))
    left = [game for game, owner in zip(games, owners, strict=True) if owner is not lost]
    with without(cluster, lost):
        for game in left:
            player = decider(game)
            assert limited.api.get(game.path).status == 200, "whoever counts in the lost part is not counted"
            assert player.play(game.path, player.get(game.path).body["legal_moves"][0]).status == 200
        told = {card["id"] for card in listed(desk, "playing")}
        assert told & {id_of(game.path) for game in left}
        for game in games:
            if game not in left:
                refused(desk.api.get(game.path), "unavailable")
        sweep(desk.store, all_partitions(desk.store))
        assert MatchRepository(desk.store).list_playable(all_partitions(desk.store)) == []
        assert desk.api.operator.get("/readyz").status == 200
        told_by_number = desk.api.operator.get("/metrics").body.decode()
        assert "red_november_store_up 1.0" in told_by_number
        assert "red_november_games{" in told_by_number
        assert "red_november_events_total" not in told_by_number, "less than before would look like a restart"
        wrong = [each.what for each in redis_checks.check(desk.store, desk.store._config) if each.level != "ok"]
        assert any(f":{lost.port}" in each for each in wrong), wrong
        there = desk.store.names.game(id_of(next(game for game in games if game not in left).path))
        with rounds(monkeypatch) as sent:
            (reply,) = desk.store.redis.ask(("HGET", there, "version"), optional=1)
        assert isinstance(reply, RedisError)
        assert len(sent) == 1, "others have waited for it already"
    for game in games:
        assert desk.api.get(game.path).status == (200 if game in left else 404)
    limited.store.redis.close()
