"""A cluster whose nodes speak TLS with the service and with each other."""

import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
import redis
import trustme

from service import clock
from service.operate import redis_server
from service.store.cluster import ClusterClient, slot_of
from service.store.feed import Hub
from service.store.partitions import SLOTS
from tests.support.answers import eventually, refused
from tests.support.cluster_node import HOST
from tests.support.desk import Desk
from tests.support.matching import id_of
from tests.support.servers import running_server
from tests.support.serving import free_port, new_game

NODES = 2
LOST_MS = "60000"  # of silence: two masters on a busy machine would hold each other for lost


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the certificate of whoever vouches for the nodes, and the nodes' own."""
    folder, issuer = tmp_path_factory.mktemp("certificates"), trustme.CA()
    made = issuer.issue_cert(HOST)
    issuer.cert_pem.write_to_path(str(folder / "ca.pem"))
    made.private_key_pem.write_to_path(str(folder / "key.pem"))
    made.cert_chain_pems[0].write_to_path(str(folder / "cert.pem"))
    return folder


@pytest.fixture(scope="module")
def address(authority: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of one node of two, each with half of the slots, which answer nobody without TLS."""
    binary = shutil.which("redis-server")
    if binary is None or redis_server.version_of(binary) < (7, 0):
        pytest.skip("left out: a cluster with TLS, for want of Redis 7 or newer; `apt-get install redis-server`")
    ports, buses = ([free_port() for _ in range(NODES)] for _ in range(2))
    with ExitStack() as stack:
        nodes = []
        for number, (port, bus) in enumerate(zip(ports, buses, strict=True)):
            options = {
                "tls-port": port, "cluster-port": bus, "cluster-enabled": "yes", "cluster-node-timeout": LOST_MS,
                "tls-cluster": "yes", "tls-replication": "yes", "tls-auth-clients": "no", "bind": HOST,
                "tls-ca-cert-file": authority / "ca.pem", "tls-cert-file": authority / "cert.pem",
                "tls-key-file": authority / "key.pem",
            }  # fmt: skip
            given = [str(part) for name, value in options.items() for part in (f"--{name}", value)]
            try:
                running = running_server(tmp_path_factory.mktemp("node"), *given, binary=binary)
                url, _ = stack.enter_context(running)
            except redis_server.NoRedis:
                pytest.skip("left out: a cluster with TLS, for want of a redis-server that has it")
            nodes.append(stack.enter_context(redis.Redis.from_url(url)))
            first, last = number * SLOTS // NODES, (number + 1) * SLOTS // NODES - 1
            nodes[number].execute_command("CLUSTER", "SET-CONFIG-EPOCH", number + 1)
            nodes[number].execute_command("CLUSTER", "ADDSLOTSRANGE", first, last)
        nodes[1].execute_command("CLUSTER", "MEET", HOST, ports[0], buses[0])
        told = [lambda node=node: b"cluster_state:ok" in node.execute_command("CLUSTER", "INFO") for node in nodes]
        eventually(lambda: all(is_whole() for is_whole in told), "the nodes do not find each other")
        yield f"rediss+cluster://{HOST}:{ports[0]}"


def test_games_are_played_and_heard_of_on_a_cluster_with_tls(address: str, authority: Path, redis_url: str) -> None:
    desk = Desk(f"{address}?ssl_ca_certs={authority / 'ca.pem'}", redis_url)
    client = desk.store.redis
    assert isinstance(client, ClusterClient)
    desk.store.require()
    games = [new_game(desk.api) for _ in range(6)]
    slots = [slot_of(desk.store.names.game(id_of(game.path))) for game in games]
    assert len({client.map.owner(slot) for slot in slots}) == NODES
    hub = Hub(client)
    for game in games:
        with hub.waiter(desk.store.names.topic(id_of(game.path))) as waiter:
            assert waiter.wait(10)
            while waiter.wait(0.5):
                pass
            player = game.decider()
            assert player.play(game.path, player.get(game.path).body["legal_moves"][0]).status == 200
            assert waiter.wait(10), "nobody hears of a move"
    client.close()
    clock.follow(None)


def test_a_node_that_nobody_vouches_for_is_not_believed(address: str, redis_url: str) -> None:
    desk = Desk(address, redis_url)
    client = desk.store.redis
    assert isinstance(client, ClusterClient)
    client.patience = 0.1
    refused(desk.api.get("/v1/games/aaaaaaaaaaaaaaaa"), "unavailable")
    clock.follow(None)
