"""One server of a cluster: started, asked, killed, hung and started again."""

import signal
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import redis

from service.operate import redis_server
from tests.support.answers import eventually
from tests.support.serving import free_port

HOST = "127.0.0.1"
SLOTS = 16384
FAILOVER_MS = 2000  # of silence, after which the others hold a node for dead
OPTIONS = {
    "--bind": HOST,
    "--save": "",
    "--appendonly": "no",
    "--loglevel": "notice",
    "--repl-diskless-sync-delay": "0",
    "--repl-ping-replica-period": "1",
    "--cluster-enabled": "yes",
    "--cluster-config-file": "nodes.conf",
    "--cluster-allow-replica-migration": "no",
    "--cluster-require-full-coverage": "no",
    "--cluster-replica-validity-factor": "0",
    "--maxmemory-policy": "noeviction",
}


@dataclass(frozen=True)
class Seen:
    """A node as another one sees it."""

    id: str
    port: int
    flags: frozenset[str]
    master: str  # the id of the one that it copies; "" for a master
    slots: frozenset[int]

    @property
    def is_master(self) -> bool:
        return "master" in self.flags

    @property
    def is_up(self) -> bool:
        return not self.flags & {"fail", "fail?", "noaddr", "handshake"}


@dataclass(eq=False)
class Node:
    folder: Path
    options: Sequence[str] = ()
    binary: str = field(default_factory=redis_server.executable)
    user: str = ""  # "name:password" of one who may do everything, where there are users
    port: int = field(default_factory=free_port)
    bus: int = field(default_factory=free_port)
    _process: "subprocess.Popen[bytes] | None" = None
    _hangs: bool = False

    def __post_init__(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        self.redis: redis.Redis = redis.Redis.from_url(self.url, protocol=2, socket_timeout=30)

    @property
    def url(self) -> str:
        return f"redis://{self.user and self.user + '@'}{HOST}:{self.port}/0"

    @property
    def id(self) -> str:
        return str(self.ask("CLUSTER", "MYID"))

    @property
    def is_running(self) -> bool:
        """Tell whether there is a process that could answer: one that hangs is none."""
        return self._process is not None and not self._hangs

    def start(self) -> None:
        """Start the server on its folder, for the first time or again."""
        given = [part for pair in OPTIONS.items() for part in pair]
        self._process = subprocess.Popen(
            [
                self.binary, "--port", str(self.port), "--cluster-port", str(self.bus), "--dir", str(self.folder),
                "--logfile", "log", "--cluster-node-timeout", str(FAILOVER_MS), *given, *self.options,
            ],
            stdout=subprocess.DEVNULL,
        )  # fmt: skip

    def wait(self) -> None:
        """Wait until it answers, with all that is in its log."""
        redis_server.wait_for(self.url, self._process)
        eventually(lambda: not self.redis.info("persistence")["loading"], "it does not load its log")

    def kill(self) -> None:
        """End it as a power cut would."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process, self._hangs = None, False
        self.redis.connection_pool.disconnect()

    def hang(self) -> None:
        """Stop it without ending it: it keeps its connections, and answers nobody."""
        self._signal(signal.SIGSTOP)
        self._hangs = True

    def resume(self) -> None:
        self._signal(signal.SIGCONT)
        self._hangs = False

    def _signal(self, number: int) -> None:
        assert self._process is not None, "it runs"
        self._process.send_signal(number)

    def ask(self, *command: Any) -> Any:
        """Run a command of this node alone; answers of bytes come as text."""
        reply = self.redis.execute_command(*command)
        return reply.decode() if isinstance(reply, bytes) else reply

    def view(self) -> list[Seen]:
        """Return all nodes as this one sees them. (A command of one word is one that redis-py leaves as it came.)"""
        return [_seen(line.split()) for line in str(self.ask("CLUSTER", "NODES")).splitlines()]

    def state(self) -> str:
        told = str(self.ask("CLUSTER", "INFO"))
        return next(line.partition(":")[2].strip() for line in told.splitlines() if line.startswith("cluster_state"))


def _seen(words: Sequence[str]) -> Seen:
    """Read a line of CLUSTER NODES: id, address, flags, master, pings, epoch, link, then slots and those under way."""
    id_, address, flags, master = words[:4]
    slots: set[int] = set()
    for part in words[8:]:
        if not part.startswith("["):
            first, _, last = part.partition("-")
            slots.update(range(int(first), int(last or first) + 1))
    port = int(address.partition("@")[0].rpartition(":")[2])
    return Seen(id_, port, frozenset(flags.split(",")), "" if master == "-" else master, frozenset(slots))
