"""A cluster whose nodes speak TLS with the service and with each other."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

import pytest
import redis
import trustme

from service.operate import redis_server
from service.store.partitions import SLOTS
from tests.store.test_start import refusal
from tests.support.answers import eventually
from tests.support.cluster_node import HOST
from tests.support.servers import running_server
from tests.support.serving import PATIENCE, UNLIMITED, free_port, new_game, running_web

NODES = 2
# Of the service only processes speak TLS here: what a process leaves open when nodes end would be found in other tests.
LOST_MS = "60000"  # of silence: two masters on a busy machine would hold each other for lost


class Nodes(NamedTuple):
    url: str
    nodes: list[redis.Redis]


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
def cluster(authority: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nodes]:
    """Two nodes, each with half of the slots, which answer nobody without TLS."""
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
        yield Nodes(f"rediss+cluster://{HOST}:{ports[0]}", nodes)


def test_games_are_played_and_heard_of_on_a_cluster_with_tls(cluster: Nodes, authority: Path, redis_url: str) -> None:
    url = f"{cluster.url}?ssl_ca_certs={authority / 'ca.pem'}"
    with running_web(url, workers=1, QUEUE_URL=redis_url, **UNLIMITED) as api, ThreadPoolExecutor(1) as pool:
        for _ in range(6):
            game = new_game(api)
            player = game.decider()
            before = player.get(game.path).body
            hears = pool.submit(player.get, f"{game.path}?after={before['version']}&wait=60")
            assert player.play(game.path, before["legal_moves"][0]).status == 200
            assert hears.result().body["version"] > before["version"]
    assert all(node.dbsize() for node in cluster.nodes)


def test_a_certificate_that_is_not_believed_is_told_with_what_to_set(
    cluster: Nodes, redis_url: str, tmp_path: Path
) -> None:
    settings = {"REDIS_URL": cluster.url, "QUEUE_URL": redis_url}
    told = refusal(tmp_path, "worker", "gunicorn", "serve", **settings)
    assert told.startswith("REDIS_URL: the certificate of Redis is not believed")
    assert "add ssl_ca_certs=FILE to the address" in told
    done = subprocess.run(
        [sys.executable, "-m", "service.cli", "doctor"],
        env=os.environ | settings, capture_output=True, text=True, timeout=PATIENCE, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    (line,) = (line for line in done.stdout.splitlines() if line.startswith("FAIL"))
    assert "the certificate of Redis is not believed" in line
    assert line.endswith("add ssl_ca_certs=FILE to the address, with the certificate of whoever vouches for it")
