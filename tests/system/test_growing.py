"""From one Redis to a cluster without losing a game, in the steps of deploy/README.md."""

import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest

from service.cli import main
from service.config import BadConfig, Config
from service.matches import slices
from service.operate import repartition
from service.store import keys, start
from service.store.cluster import slot_of
from service.store.ids import derived_id
from service.store.redis_client import Client
from tests.support.cluster import AT_ONCE, KEY_BY_KEY, Cluster
from tests.support.cluster_node import Node
from tests.support.desk import Desk
from tests.support.matching import new_match, work
from tests.support.places import lines
from tests.support.releases import FOLDER
from tests.support.serving import Seated, new_game

pytestmark = pytest.mark.thorough

GAMES = 1000
SINGLE = ("--cluster-enabled", "no", "--appendonly", "yes")
KEPT = ("--appendonly", "yes")
CREATION = {"Idempotency_Key": "a key for a game that is made before"}
MOVE = {"Idempotency_Key": "a key for a move that is made before"}


@pytest.fixture
def node(tmp_path: Path) -> Iterator[Node]:
    """A single Redis that writes its log, as services have one."""
    made = Node(tmp_path / "first", SINGLE)
    made.start()
    made.wait()
    yield made
    made.kill()


def many_games(file: Path) -> Path:
    """Write a backup of so many games: those of a release again and again, under other ids."""
    head, *games, _ = (FOLDER / "0.1.0.ndjson").read_bytes().splitlines()
    copies = [head]
    for number in range(GAMES):
        game = games[number % len(games)]
        id_ = orjson.loads(game)["id"].encode()
        copies.append(game.replace(id_, derived_id("copy", str(number)).encode()))
    file.write_bytes(b"\n".join([*copies, b'{"end":%d}\n' % GAMES]))
    return file


def repartition_(node: Node, *more: str) -> int:
    """Stop whoever else uses this Redis, as this process does that has exported before, and then repartition it."""
    node.ask("CLIENT", "KILL", "TYPE", "normal")
    node.redis.connection_pool.disconnect()
    return main(["repartition", "256", "--redis-url", node.url, *more])


def leave(desk: Desk) -> None:
    desk.store.redis.close()
    desk.store.redis.connection_pool.disconnect()


def exported(url: str, file: Path) -> list[str]:
    assert main(["export", "--redis-url", url, "--output", str(file)]) == 0
    return sorted(json.dumps(line, sort_keys=True) for line in lines(file)[1:])


def test_a_service_grows_into_a_cluster_and_loses_nothing(
    node: Node, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["import", "--redis-url", node.url, str(many_games(tmp_path / "many"))]) == 0
    desk = Desk(node.url)
    monkeypatch.setattr(slices, "own_store", lambda: desk.store)
    game = new_game(desk.api)
    move = game.decider().get(game.path).body["legal_moves"][0]
    played = game.decider().play(game.path, move, **MOVE).body
    mover = next(player for player in game.players if player.play(game.path, move, **MOVE).body == played)
    made = desk.api.post("/v1/games", {"seats": ["open"] * 3}, **CREATION).body
    match, _ = new_match(desk.api, games=100)
    leave(desk)
    before = exported(node.url, tmp_path / "before")
    assert len(before) == GAMES + 4

    capsys.readouterr()
    node.ask("CLIENT", "KILL", "TYPE", "normal")
    assert main(["repartition", "256", "--redis-url", node.url]) == 1
    assert "1 others are connected to this Redis" in capsys.readouterr().err
    assert repartition_(node, "--dry-run") == 0
    assert "nothing was changed" in capsys.readouterr().out
    assert exported(node.url, tmp_path / "dry") == before

    def broken_off(_: int) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as hurry:
        hurry.setattr(repartition, "_progress", broken_off)
        assert repartition_(node) == 1
    with pytest.raises(BadConfig, match="half of its names"):
        start.check(Client.connect(node.url), Config(redis_url=node.url))
    assert repartition_(node) == 0
    assert node.ask("GET", keys.PARTITIONS) == "256"
    assert not [key for key in node.redis.keys("*game*") if b"{" not in key]
    assert repartition_(node) == 1
    assert "has 256 partitions already" in capsys.readouterr().err

    node.kill()
    node.options = KEPT
    node.start()
    node.wait()
    assert repartition_(node, "--dry-run") == repartition_(node) == 0
    assert repartition_(node) == 0
    assert capsys.readouterr().out.splitlines()[-2].startswith("0 slots given")
    cluster, queue = Cluster(tmp_path, KEPT), Node(tmp_path / "queue", SINGLE)
    cluster.take_in(node)
    queue.start()
    queue.wait()
    try:
        cluster.wait_until_whole()
        monkeypatch.setenv("QUEUE_URL", queue.url)
        assert exported(cluster.url, tmp_path / "after") == before
        grown = Desk(cluster.url, queue.url)
        api = grown.api
        assert mover.token
        again = api.be(mover.token).play(game.path, move, **MOVE)
        assert (again.status, again.body["version"]) == (200, played["version"])
        repeated = api.post("/v1/games", {"seats": ["open"] * 3}, **CREATION)
        assert repeated.body["game"]["id"] == made["game"]["id"]
        assert repeated.headers["idempotency-replayed"] == "true"
        walk_live(cluster, grown, tmp_path, len(before))
        monkeypatch.setattr(slices, "own_store", lambda: grown.store)
        assert work(grown, match)["status"] == "finished"
        leave(grown)
    finally:
        queue.kill()
        cluster.stop()


def walk_live(cluster: Cluster, desk: Desk, folder: Path, count: int) -> None:
    """Let a node join, and move half of the partitions to it in both ways, while somebody plays all the time."""
    games: list[tuple[Seated, list[int]]] = [(new_game(desk.api), []) for _ in range(12)]
    calm = threading.Event()
    failed: list[Any] = []

    def play() -> None:
        while not calm.is_set():
            for game, versions in games:
                if game.state["decision"] is None:  # it is over
                    continue
                decider = game.decider()
                reply = decider.play(game.path, decider.get(game.path).body["legal_moves"][0])
                if reply.status != 200:
                    failed.append(reply.body)
                else:
                    versions.append(reply.body["game"]["version"])

    player = threading.Thread(target=play)
    player.start()
    try:
        first, joined = cluster.nodes[0], cluster.add()
        names = desk.store.names
        slots = sorted({slot_of(names.due(partition)) for partition in names.partitions.all})
        cluster.move(slots[:8], joined, KEY_BY_KEY)
        cluster.move(range(slots[100], slots[228]), joined, AT_ONCE)
        cluster.move(slots[:4], first, KEY_BY_KEY)
    finally:
        calm.set()
        player.join()
    assert failed == []
    assert joined.ask("DBSIZE") > GAMES
    for game, versions in games:
        assert versions == sorted(set(versions)), "no move was made twice"
        assert game.state["version"] == versions[-1]
        assert len(desk.history(game.path)) == desk.table(game.path).seq
    assert len(exported(cluster.url, folder / "moved")) == count + len(games)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["255", "--redis-url", "redis://127.0.0.1:1/0"], "a cluster has 256 partitions, not 255"),
        (["256", "--redis-url", "redis+cluster://127.0.0.1:1"], "a cluster has its partitions for good"),
        (["256", "--redis-url", "redis://127.0.0.1:1/3"], "a cluster has database 0 alone"),
        (["256", "--redis-url", "redis://127.0.0.1:1/0"], "Connection refused"),
    ],
)
def test_what_cant_be_is_refused_in_a_line(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["repartition", *arguments]) == 1
    told = capsys.readouterr().err
    assert words in told
    assert told.count("\n") == 1
