"""Games and those who hear of them while slots move and a master is lost."""

import json
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

import pytest

from service import clock
from service.store.cluster import ClusterClient, slot_of
from service.store.feed import Hub
from tests.games.test_api_streams_together import Heard, entry, stir
from tests.support.answers import NDJSON, eventually
from tests.support.cluster import AT_ONCE, KEY_BY_KEY, WAYS, Cluster, running_cluster
from tests.support.cluster_node import HOST, Node
from tests.support.desk import Desk
from tests.support.matching import id_of
from tests.support.serving import Seated, Wire, new_game

KEY = "a key that nobody will guess"


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    """Three masters, of which the first has a replica."""
    with running_cluster(3, 1) as made:
        yield made


@pytest.fixture
def desk(cluster: Cluster, redis_url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    for module in ("streams", "lines"):  # after which streams would look by themselves
        monkeypatch.setattr(f"service.games.{module}.BEAT_SECONDS", 3600)
    made = Desk(cluster.url, redis_url)
    made.clear_queues()
    yield made
    made.store.redis.close()
    clock.follow(None)


def slot_of_game(desk: Desk, game: Seated) -> int:
    return slot_of(desk.store.names.game(id_of(game.path)))


def owner_and_another(cluster: Cluster, slot: int) -> tuple[Node, Node]:
    owner = cluster.owner(slot)
    return owner, next(node for node in cluster.masters() if node is not owner)


class Listeners:
    """Those who hear several games over one connection, and put together what they are told. Whoever is told where to
    go on does so."""

    def __init__(self, desk: Desk, games: list[Seated]) -> None:
        self._desk, self._games = desk, games
        self.begun = 0  # streams
        self.states: Counter[str] = Counter()
        self.known: dict[str, int] = {}
        self.strange: list[Wire] = []
        self._stops = False
        threading.Thread(target=self._listen, daemon=True).start()
        eventually(lambda: len(self.known) == len(games))

    def _listen(self) -> None:
        while not self._stops:
            entries = [entry(game, after=self.known.get(id_of(game.path))) for game in self._games]
            heard = Heard(
                self._desk.api, *({name: at for name, at in each.items() if at is not None} for each in entries)
            )
            self.begun += 1
            for row in heard.rows():
                if row.strip():
                    self._hear(json.loads(row))

    def _hear(self, told: Wire) -> None:
        line, id_ = told["line"], told["game_id"]
        if line["type"] == "state":
            self.states[id_] += 1
        elif "version" in line and line["seq"] != self.known[id_] + 1:
            self.strange.append(told)
        self.known[id_] = told["seq"]

    def know_all(self) -> bool:
        return all(self.known[id_of(game.path)] == game.state["seq"] for game in self._games)

    def stop(self) -> None:
        self._stops = True
        for game in self._games:
            assert game.host.delete(game.path).status == 204


def test_a_redirect_is_followed_even_when_time_is_up(
    desk: Desk, cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A busy machine may take longer over the first round than an optional command waits."""
    client, slot = desk.store.redis, slot_of(KEY)
    client.ask(("SET", KEY, "here"))
    owner, other = owner_and_another(cluster, slot)
    monkeypatch.setattr("service.store.cluster.OPTIONAL_SECONDS", -1.0)
    for to in (other, owner):
        cluster.move([slot], to, KEY_BY_KEY)
        assert client.ask(("GET", KEY), optional=1) == [b"here"]


@pytest.mark.parametrize("way", WAYS)
def test_streams_of_many_games_go_on_while_slots_move(desk: Desk, cluster: Cluster, way: str) -> None:
    games = [new_game(desk.api) for _ in range(4)]
    listeners = Listeners(desk, games)
    for game in games[:2]:
        slot = slot_of_game(desk, game)
        owner, other = owner_and_another(cluster, slot)
        for to in (other, owner):
            cluster.move([slot], to, way)
            for each in games:
                stir(each)
            eventually(listeners.know_all, "who listens does not hear")
    listeners.stop()
    assert listeners.strange == []
    assert listeners.begun == 1
    assert all(listeners.states[id_of(game.path)] >= 3 for game in games[:2]), "each move is another epoch"


@pytest.mark.parametrize("fate", ["killed", "hung"])
def test_streams_go_on_when_a_replica_takes_over(desk: Desk, cluster: Cluster, fate: str) -> None:
    lost = next(node for node in cluster.masters() if cluster.replicas_of(node))
    games: list[Seated] = []
    while len(games) < 3 or not any(cluster.owner(slot_of_game(desk, game)) is lost for game in games):
        games.append(new_game(desk.api))
    game = next(game for game in games if cluster.owner(slot_of_game(desk, game)) is lost)
    listeners = Listeners(desk, games)
    cluster.wait_until_whole()
    if fate == "killed":
        lost.kill()
    else:
        lost.hang()
    cluster.wait_for_failover(slot_of_game(desk, game), lost)
    for each in games:
        eventually(partial(is_stirred, each), "a game stands still")
    eventually(listeners.know_all, "who listens does not hear")
    assert listeners.strange == []
    assert listeners.states[id_of(game.path)] >= 2, "what the master knew last may be lost"
    if fate == "killed":
        lost.start()
        lost.wait()
    else:
        lost.resume()
    cluster.wait_until_whole()
    listeners.stop()


def is_stirred(game: Seated) -> bool:
    try:
        stir(game)
    except (AssertionError, KeyError):  # refused, while nobody has its slot
        return False
    return True


def test_a_move_that_is_sent_again_finds_its_answer_where_its_slot_is_now(desk: Desk, cluster: Cluster) -> None:
    game = new_game(desk.api, seats=["open"] * 3)
    player, slot = game.decider(), slot_of_game(desk, game)
    owner, other = owner_and_another(cluster, slot)
    move, answers = player.get(game.path).body["legal_moves"][0], []
    for to in (other, owner, other, owner):
        answers.append(player.play(game.path, move, Idempotency_Key=KEY))
        cluster.move([slot], to, KEY_BY_KEY)
    assert [reply.status for reply in answers] == [200] * 4
    assert [reply.headers.get("idempotency-replayed") for reply in answers] == [None, "true", "true", "true"]
    assert all(reply.body == answers[0].body for reply in answers)


def test_a_game_that_is_half_moved_can_be_deleted_and_whoever_listens_is_told(desk: Desk, cluster: Cluster) -> None:
    game = new_game(desk.api)
    told: list[bytes] = []
    assert desk.api.app is not None
    stream = desk.api.app.test_client().get(f"{game.path}/events/stream", headers={"Accept": NDJSON})
    threading.Thread(target=lambda: told.extend(stream.iter_encoded()), daemon=True).start()
    eventually(lambda: told)
    with half_moved(desk, cluster, game):
        assert game.host.delete(game.path).status == 204
    eventually(lambda: b"game_deleted" in told[-1])
    assert desk.api.get(game.path).status == 404
    names, id_ = desk.store.names, id_of(game.path)
    assert desk.store.redis.ask(*(("EXISTS", name) for name in names.all_of_game(id_))) == [0] * 4


@contextmanager
def half_moved(desk: Desk, cluster: Cluster, game: Seated) -> Iterator[None]:
    """Have a game's hash at one node and its history at another, until soon after; then move all of it back."""
    slot = slot_of_game(desk, game)
    owner, other = owner_and_another(cluster, slot)
    other.ask("CLUSTER", "SETSLOT", slot, "IMPORTING", owner.id)
    owner.ask("CLUSTER", "SETSLOT", slot, "MIGRATING", other.id)
    owner.ask("MIGRATE", HOST, other.port, desk.store.names.game(id_of(game.path)), 0, 5000)
    moving = threading.Timer(0.5, lambda: cluster._move_by_keys(slot, owner, other))
    moving.start()
    try:
        yield
    finally:
        moving.join()
    cluster.move([slot], owner, AT_ONCE)


def test_a_change_waits_until_a_game_that_is_half_moved_is_together_again(desk: Desk, cluster: Cluster) -> None:
    """What has moved is asked for there (ASK), what has not is here, and both together are nowhere (TRYAGAIN)."""
    game = new_game(desk.api, seats=["open"] * 3)
    player = game.decider()
    with half_moved(desk, cluster, game):
        before = player.get(game.path)
        assert before.status == 200, "the hash has moved"
        assert desk.api.get(f"{game.path}/events").body["events"], "the history has not"
        assert player.play(game.path, before.body["legal_moves"][0]).status == 200
    assert player.get(game.path).body["version"] == before.body["version"] + 1


def test_what_was_sent_to_the_wrong_node_is_sent_again_with_its_wait(desk: Desk, cluster: Cluster) -> None:
    client, key = desk.store.redis, desk.store.names.counters(9)
    assert isinstance(client, ClusterClient)
    _, other = owner_and_another(cluster, slot_of(key))
    before = int(client.ask(("HINCRBY", key, "count:try", 0))[0])
    client.map.move(slot_of(key), (HOST, other.port))
    assert list(client.ask(("HINCRBY", key, "count:try", 1), ("WAIT", 0, 10))) == [before + 1, 0]


def test_a_moved_slot_has_another_epoch_and_whoever_waits_hears_of_it(desk: Desk, cluster: Cluster) -> None:
    game = new_game(desk.api, seats=["open"] * 3)
    id_, player = id_of(game.path), game.decider()
    etag = player.get(game.path).headers["etag"]
    slot = slot_of(desk.store.names.game(id_))
    hub = Hub(desk.store.redis)
    with hub.waiter(desk.store.names.topic(id_)) as waiter:
        assert waiter.wait(10)
        owner = cluster.owner(slot)
        cluster.move([slot], next(node for node in cluster.masters() if node is not owner), AT_ONCE)
        after = player.get(game.path)
        assert after.headers["etag"] != etag
        assert waiter.wait(10), "the subscription is made anew"
        while waiter.wait(0.5):
            pass
        assert player.play(game.path, after.body["legal_moves"][0]).status == 200
        assert waiter.wait(10)
    cluster.move([slot], owner, AT_ONCE)


def test_streams_hear_at_once_of_changes_and_of_what_players_show(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.games.streams.BEAT_SECONDS", 3600)  # after which they would look by themselves
    game = new_game(desk.api)
    assert desk.api.app is not None
    stream = desk.api.app.test_client().get(f"{game.path}/events/stream?kinds=all", headers={"Accept": NDJSON})
    told: list[bytes] = []
    threading.Thread(target=lambda: told.extend(stream.iter_encoded()), daemon=True).start()

    def is_told(what: bytes, times: int) -> bool:
        return b"".join(told).count(what) == times

    for number, kind in enumerate(("bot", "player", "bot"), 1):
        controller = {"kind": kind} | ({"bot": "sailor"} if kind == "bot" else {})
        assert game.host.put(f"{game.path}/seats/2/controller", controller).status == 200
        eventually(partial(is_told, b'"controller_changed"', number))
        assert game.players[1].put(f"{game.path}/seats/1/signal", {"says": "thanks"}).status == 200
        eventually(partial(is_told, b'"signal"', number))
    assert game.host.delete(game.path).status == 204
    eventually(lambda: b"game_deleted" in told[-1])


def test_who_waits_again_at_once_stays_subscribed(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """The answer to the end of a wait comes when the next one has begun, and is no sign that the slot has moved."""
    names = desk.store.names
    topic = names.topic(names.partitions.placed("a" * 16, 7))
    hub = Hub(desk.store.redis)
    with hub.waiter(topic) as waiter:
        assert waiter.wait(10)
    looks: list[float] = []
    assert isinstance(desk.store.redis, ClusterClient)
    monkeypatch.setattr(desk.store.redis.map, "refresh", looks.append)
    for _ in range(50):
        with hub.waiter(topic) as waiter:
            pass
    with hub.waiter(topic) as waiter:
        while waiter.wait(0.5):
            pass
        desk.store.redis.ask(desk.store.telling(topic, 1))
        assert waiter.wait(10)
    assert looks == []
