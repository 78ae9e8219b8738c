"""The way from one Redis to a cluster, by the commands that deploy/README.md prints, with users and their passwords."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
import redis

from service.operate import redis_server
from tests.support.answers import eventually
from tests.support.cluster_node import HOST
from tests.support.desk import Desk
from tests.support.places import lines
from tests.support.releases import FOLDER
from tests.support.serving import DEPLOY, ROOT, free_port, new_game

pytestmark = pytest.mark.thorough

CLI = """\
#!{python}
import sys
import redis
words = sys.argv[1:]
assert words[:1] == ["-p"], words
with redis.Redis("127.0.0.1", int(words[1]), username="admin", password="{password}") as node:
    reply = node.execute_command(*words[2:])
print(reply.decode() if isinstance(reply, bytes) else reply)
"""


class Hand:
    """Somebody who types what is printed, with the addresses of this machine instead."""

    def __init__(self, folder: Path, stack: ExitStack):
        self.folder, self._stack = folder, stack
        self.ports = {f"10.0.0.{last}": free_port() for last in (5, 6, 7, 9)}
        self.buses = {address: free_port() for address in self.ports}
        (folder / "bin").mkdir()
        (folder / "bin/redis-server").symlink_to(redis_server.executable())
        path = f"{folder / 'bin'}:{Path(sys.executable).parent}:{os.environ['PATH']}"
        self.environment = {**os.environ, "PATH": path}
        self.servers: dict[str, subprocess.Popen[bytes]] = {}

    def run(self, commands: str) -> str:
        for address, port in self.ports.items():
            commands = commands.replace(f"-h {address}", f"-p {port}")
            commands = commands.replace(f"{address}:6379", f"{HOST}:{port}")
            commands = commands.replace(f"{address} 6379", f"{HOST} {port} {self.buses[address]}")
        commands = commands.replace("/etc/red-november", str(self.folder))
        done = subprocess.run(
            ["sh", "-euc", commands], cwd=self.folder, env=self.environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, (commands, done.stdout, done.stderr)
        return done.stdout

    def start(self, address: str, command: str) -> None:
        """Start a server as a line says, where `…` stands for what differs from one to another."""
        place = self.folder / address
        place.mkdir(exist_ok=True)
        differing = f"--port {self.ports[address]} --dir {place} --logfile log --cluster-port {self.buses[address]}"
        line = command.replace("/etc/red-november", str(self.folder)).replace("…", differing).replace("\\\n", " ")
        self.servers[address] = self._stack.enter_context(
            subprocess.Popen(line.split(), cwd=self.folder, env=self.environment)
        )
        self._stack.callback(self.servers[address].kill)
        url = self.url("admin", address)
        redis_server.wait_for(url, self.servers[address])
        with redis.Redis.from_url(url) as admin:
            admin.client_kill_filter(_type="normal")  # who has waited for it is connected still

    def stop(self, address: str) -> None:
        self.servers[address].terminate()
        self.servers[address].wait(60)

    def url(self, user: str, address: str) -> str:
        """Return the address of one server for a user, by the latest passwords."""
        kept = self.folder / "cluster"
        text = ((kept if kept.exists() else self.folder / "single") / f"{user}.env").read_text()
        found = re.search(r"redis://(.*)@", text)
        assert found
        return f"redis://{found[1]}@{HOST}:{self.ports[address]}/0"

    def setting(self, user: str, name: str) -> str:
        told = dict(line.split("=", 1) for line in (self.folder / f"cluster/{user}.env").read_text().splitlines())
        return told[name]


@pytest.fixture
def hand(tmp_path: Path) -> Iterator[Hand]:
    shutil.copytree(DEPLOY, tmp_path / "deploy", ignore=shutil.ignore_patterns("secrets"))
    with ExitStack() as stack:
        yield Hand(tmp_path, stack)


def printed() -> Iterator[str]:
    """Yield the blocks of commands of the chapter, in their order."""
    chapter = (
        (ROOT / "deploy/README.md").read_text().partition("## From one Redis to a cluster")[2].partition("\n## ")[0]
    )
    for block in re.findall(r"```sh\n(.*?)```", chapter, re.DOTALL):
        yield re.sub(r"^   ", "", block, flags=re.MULTILINE)


def test_the_printed_commands_lead_from_one_redis_to_three(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    passwords, rename, restart, join = printed()
    hand.run("deploy/make-secrets single 10.0.0.5:6379")
    hand.start("10.0.0.5", "redis-server deploy/redis.conf --aclfile /etc/red-november/single/users.acl …")
    hand.environment["REDIS_URL"] = hand.url("admin", "10.0.0.5")
    hand.run(f"red-november import {FOLDER / '0.1.0.ndjson'}")
    hand.run(rename)
    before = sorted(map(str, lines(hand.folder / "games.ndjson")[1:]))
    assert len(before) > 10
    hand.run(passwords)

    hand.stop("10.0.0.5")
    start, again = restart.rsplit("…\n", 1)
    hand.start("10.0.0.5", f"{start}…")
    hand.environment["REDIS_URL"] = hand.url("admin", "10.0.0.5")
    assert "slots given" in hand.run(again)
    hand.start("10.0.0.9", "redis-server deploy/redis.conf --aclfile /etc/red-november/cluster/users.acl …")
    for user in ("REDIS_URL", "QUEUE_URL"):
        hand.environment[user] = hand.setting("admin", user)
    desk = Desk(hand.setting("api", "REDIS_URL"), hand.setting("api", "QUEUE_URL"))
    game = new_game(desk.api)
    for address in ("10.0.0.6", "10.0.0.7"):
        hand.start(address, f"{start}…")
    password = re.search(r"^admin=(.*)$", (hand.folder / "cluster/passwords.env").read_text(), re.MULTILINE)
    assert password
    hand.environment["password"] = password[1]
    (hand.folder / "bin/valkey-cli").write_text(CLI.format(python=sys.executable, password=password[1]))
    (hand.folder / "bin/valkey-cli").chmod(0o755)

    *meeting, giving, following = join.rstrip().splitlines()
    joined = hand.run("\n".join(meeting) + "\necho $joined").split()[-1]
    hand.environment["joined"] = joined
    eventually(
        lambda: str(hand.run("valkey-cli -h 10.0.0.7 CLUSTER NODES")).count(" connected") == 3, "they do not meet"
    )
    hand.run(giving)
    eventually(lambda: "8192-16383" in _line_of(hand, joined), "the slots do not move")
    hand.run(following)
    eventually(lambda: "'master_link_status': 'up'" in hand.run("valkey-cli -h 10.0.0.7 INFO replication"), "no copy")

    move = game.decider().get(game.path).body["legal_moves"][0]
    assert game.decider().play(game.path, move).status == 200
    assert game.host.delete(game.path).status == 204
    hand.run("red-november export --output after.ndjson")
    assert sorted(map(str, lines(hand.folder / "after.ndjson")[1:])) == before
    desk.store.redis.close()


def _line_of(hand: Hand, node: str) -> str:
    told = hand.run("valkey-cli -h 10.0.0.5 CLUSTER NODES")
    return next((line for line in told.splitlines() if line.startswith(node)), "")
