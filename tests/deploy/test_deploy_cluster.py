"""A cluster with deploy/cluster.conf and the users that deploy/make-secrets makes for its nodes."""

import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import redis
from redis.exceptions import NoPermissionError

from service.operate import redis_server
from tests.support.answers import eventually, take_part
from tests.support.cluster import KEY_BY_KEY, Cluster, running_cluster
from tests.support.cluster_node import HOST
from tests.support.cluster_site import SLOTS_WITH_GAMES
from tests.support.serving import DEPLOY, UNLIMITED, Client, free_port, new_game, running_web, start_worker

USERS = ("api", "worker")


@dataclass
class Site:
    cluster: Cluster
    secrets: Path
    api: Client

    def setting(self, user: str, name: str) -> str:
        lines = (self.secrets / f"{user}.env").read_text().splitlines()
        return next(line.partition("=")[2] for line in lines if line.startswith(f"{name}="))

    def login(self, user: str) -> str:
        """Return name and password of a user."""
        return urlsplit(self.setting(user, "QUEUE_URL")).netloc.rpartition("@")[0]

    def refusals(self) -> list[str]:
        """Return what the nodes would not let somebody do."""
        told = [entry for node in self.cluster.nodes for entry in node.redis.acl_log()]
        return [f"{entry['username']}: {entry['reason']} {entry['object']}" for entry in told]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Three masters and three replicas, the Redis of the queues, an API and a worker, each with its own rights."""
    folder = tmp_path_factory.mktemp("site")
    secrets, port = folder / "secrets", free_port()
    made: list[str | Path] = [DEPLOY / "make-secrets", secrets, f"{HOST}:{port}", "a:1"]
    subprocess.run(made, check=True, capture_output=True)
    queue = subprocess.Popen(
        [redis_server.executable(), DEPLOY / "redis.conf", "--aclfile", secrets / "users.acl",
         "--port", str(port), "--dir", folder, "--logfile", "queue.log"],
    )  # fmt: skip
    options = (
        "--include", str(DEPLOY / "cluster.conf"), "--include", str(secrets / "replication.conf"),
        "--aclfile", str(secrets / "nodes.acl"),
    )  # fmt: skip
    site = Site(Cluster(folder), secrets, Client(""))
    try:
        redis_server.wait_for(site.setting("admin", "QUEUE_URL"), queue)
        with running_cluster(3, 3, options=options, user=site.login("admin")) as site.cluster:
            worker = start_worker(
                site.cluster.url_of(site.login("worker")), QUEUE_URL=site.setting("worker", "QUEUE_URL")
            )
            settings = {"QUEUE_URL": site.setting("api", "QUEUE_URL"), "WAIT_REPLICAS": "1", **UNLIMITED}
            try:
                with running_web(site.cluster.url_of(site.login("api")), **settings) as site.api:
                    yield site
            finally:
                worker.kill()
                worker.wait()
    finally:
        queue.kill()
        queue.wait()


def play(site: Site, moves: int = 3) -> None:
    """Play with a bot at the table, and follow the game by a long poll."""
    game = new_game(site.api, seats=["open", "sailor", "sailor"])
    take_part(game, lambda state: game.host.get(f"{game.path}?after={state['version']}&wait=20"), moves)


def test_api_and_worker_play_with_their_own_rights_while_slots_move_and_replicas_take_over(site: Site) -> None:
    play(site)
    owner = site.cluster.owner(SLOTS_WITH_GAMES[0])
    other = next(node for node in site.cluster.masters() if node is not owner)
    mine = [slot for slot in SLOTS_WITH_GAMES if slot in site.cluster.slots_of(owner)][:2]
    site.cluster.move(mine, other, KEY_BY_KEY)
    play(site)
    heir = site.cluster.replicas_of(owner)[0]
    heir.ask("CLUSTER", "FAILOVER")
    eventually(lambda: heir in site.cluster.masters(), "no replica takes over")
    site.cluster.wait_until_whole()
    play(site, 10)
    assert site.refusals() == []
    assert site.api.operator.get("/readyz").body["status"] == "ok"


@pytest.mark.parametrize("user", USERS)
def test_the_service_can_neither_harm_nor_rule_a_node(site: Site, user: str) -> None:
    name, _, password = site.login(user).partition(":")
    with redis.Redis(HOST, site.cluster.nodes[0].port, username=name, password=password) as client:
        for command in (
            "CLUSTER NODES", "CLUSTER FAILOVER", "CLUSTER FORGET x", "CLUSTER RESET", "CLUSTER DELSLOTS 1",
            "CLUSTER SETSLOT 1 STABLE", "CLUSTER MEET 1.2.3.4 5", "MIGRATE h 1 game:x 0 1", "KEYS *", "FLUSHALL",
            "CONFIG GET masterauth", "SHUTDOWN", "SPUBLISH foreign 1",
        ):  # fmt: skip
            with pytest.raises(NoPermissionError):
                client.execute_command(*command.split())
    for node in site.cluster.nodes:
        node.ask("ACL", "LOG", "RESET")
