"""A real cluster for tests: masters and replicas as processes, that can be killed, hung, added to and rearranged.

It is made by commands, as `valkey-cli --cluster create` makes one, which no package brings.
"""

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from redis.exceptions import RedisError

from service.operate import redis_server
from tests.support.answers import eventually
from tests.support.cluster_node import HOST, SLOTS, Node, Seen

WAYS = KEY_BY_KEY, AT_ONCE = ("SETSLOT and MIGRATE", "MIGRATESLOTS")  # in which slots move; Redis has but the first
_KEYS_AT_ONCE = 100
_MIGRATE_MS = 10_000
# Of two masters neither takes over from the other: on a busy machine each only holds the other for lost, and stops.
_FOR_TWO = ("--cluster-node-timeout", "60000")


@dataclass(eq=False)
class Cluster:
    folder: Path
    options: Sequence[str] = ()
    binary: str = field(default_factory=redis_server.executable)
    user: str = ""  # "name:password" of one who may do everything, where there are users
    nodes: list[Node] = field(default_factory=list)

    @property
    def url(self) -> str:
        """Return the address of the service's settings, which names every node that there was when it is asked."""
        return self.url_of(self.user)

    def url_of(self, user: str) -> str:
        return f"redis+cluster://{user and user + '@'}" + ",".join(f"{HOST}:{node.port}" for node in self.nodes)

    def make(self, masters: int, replicas: int) -> None:
        """Start that many nodes and join them: each master has its equal part of the slots, replicas go round them."""
        made = [self._started() for _ in range(masters + replicas)]
        for number, node in enumerate(made):
            node.ask("CLUSTER", "SET-CONFIG-EPOCH", number + 1)
        for number, node in enumerate(made[:masters]):
            first, last = number * SLOTS // masters, (number + 1) * SLOTS // masters - 1
            node.ask("CLUSTER", "ADDSLOTSRANGE", first, last)
        self._introduce(*made)
        for number, replica in enumerate(made[masters:]):
            self._follow(replica, made[number % masters])
        self.wait_until_whole()

    def _started(self) -> Node:
        node = Node(self.folder / f"node-{len(self.nodes)}", self.options, self.binary, self.user)
        self.nodes.append(node)
        node.start()
        node.wait()
        return node

    def take_in(self, node: Node) -> None:
        """Make a node of the cluster that somebody else has started, with the slots and keys that it has."""
        self.nodes.append(node)

    def add(self, replica_of: Node | None = None) -> Node:
        """Start a node that joins: a replica, or a master without slots."""
        node = self._started()
        self._introduce(node)
        if replica_of is not None:
            self._follow(node, replica_of)
        self.wait_until_whole()
        return node

    def _introduce(self, *nodes: Node) -> None:
        """Let nodes meet the first one; the rest of the cluster hears of them from it."""
        for node in nodes:
            if node is not self.nodes[0]:
                node.ask("CLUSTER", "MEET", HOST, self.nodes[0].port, self.nodes[0].bus)
        eventually(self._all_know_all, "the nodes do not find each other")

    def _all_know_all(self) -> bool:
        views = [node.view() for node in self.nodes if node.is_running]
        return all(
            len(view) >= len(self.nodes) and not any("handshake" in each.flags for each in view) for view in views
        )

    @staticmethod
    def _follow(replica: Node, master: Node) -> None:
        replica.ask("CLUSTER", "REPLICATE", master.id)

    def wait_until_whole(self) -> None:
        """Wait until every node that runs holds the cluster for whole, and every replica has its master's data."""
        eventually(self._is_whole, "the cluster does not become whole")

    def _is_whole(self) -> bool:
        with suppress(RedisError):
            running = [node for node in self.nodes if node.is_running]
            return all(node.state() == "ok" and _is_in_step(node) for node in running) and self._agree(running)
        return False

    @staticmethod
    def _agree(running: Sequence[Node]) -> bool:
        """Tell whether all nodes know the same owners of all slots, and the same replicas of each."""
        maps = {frozenset((each.port, each.slots, each.master) for each in node.view()) for node in running}
        covered = sum(len(slots) for _, slots, _ in next(iter(maps)))
        return len(maps) == 1 and covered == SLOTS

    def seen(self) -> list[Seen]:
        """Return the nodes as the first one that answers sees them."""
        for node in self.nodes:
            with suppress(RedisError):
                if node.is_running:
                    return node.view()
        raise AssertionError("no node answers")

    def node_of(self, seen: Seen) -> Node:
        return next(node for node in self.nodes if node.port == seen.port)

    def masters(self) -> list[Node]:
        """Return the masters that are up, by the beginning of what they own; those without slots come last."""
        found = [each for each in self.seen() if each.is_master and each.is_up]
        return [self.node_of(each) for each in sorted(found, key=lambda each: min(each.slots, default=SLOTS))]

    def replicas_of(self, master: Node) -> list[Node]:
        return [self.node_of(each) for each in self.seen() if each.master == master.id and each.is_up]

    def owner(self, slot: int) -> Node:
        return self.node_of(next(each for each in self.seen() if each.is_master and slot in each.slots))

    def slots_of(self, node: Node) -> frozenset[int]:
        return next(each.slots for each in self.seen() if each.port == node.port)

    def wait_for_failover(self, slot: int, lost: Node) -> Node:
        """Wait until another node than the lost one owns a slot, and return that."""
        others = [node for node in self.nodes if node is not lost and node.is_running]

        def heir() -> Node | None:
            owners = {each.port for node in others for each in node.view() if each.is_master and slot in each.slots}
            return next((node for node in others if owners == {node.port}), None)

        return eventually(heir, "no replica takes over")

    def move(self, slots: Sequence[int], to: Node, way: str = KEY_BY_KEY) -> None:
        """Move slots of one node to another while both serve, in either way; return when all nodes know."""
        of = self.owner(slots[0])
        if way == KEY_BY_KEY:
            for slot in slots:
                self._move_by_keys(slot, of, to)
        else:
            self._move_by_stream(slots, of, to)
        eventually(lambda: self._knows_owner(slots, to), "the others do not hear of the new owner")

    def _move_by_keys(self, slot: int, of: Node, to: Node) -> None:
        """Move a slot key by key. Meanwhile it is at both: the old owner answers ASK for what it has given away."""
        to.ask("CLUSTER", "SETSLOT", slot, "IMPORTING", of.id)
        of.ask("CLUSTER", "SETSLOT", slot, "MIGRATING", to.id)
        while names := of.ask("CLUSTER", "GETKEYSINSLOT", slot, _KEYS_AT_ONCE):
            login = ("AUTH2", *self.user.split(":")) if self.user else ()
            of.ask("MIGRATE", HOST, to.port, "", 0, _MIGRATE_MS, *login, "KEYS", *names)
        for node in (to, of, *(each for each in self.masters() if each not in (of, to))):
            node.ask("CLUSTER", "SETSLOT", slot, "NODE", to.id)

    @staticmethod
    def _move_by_stream(slots: Sequence[int], of: Node, to: Node) -> None:
        """Move slots as Valkey 9 does, whole and at once: it sends a copy, then what changed, and hands over."""
        ranges = [part for slot in slots for part in ("SLOTSRANGE", slot, slot, "NODE", to.id)]
        if list(slots) == list(range(slots[0], slots[-1] + 1)):
            ranges = ["SLOTSRANGE", slots[0], slots[-1], "NODE", to.id]
        of.ask("CLUSTER", "MIGRATESLOTS", *ranges)
        eventually(lambda: not any(slot in each.slots for each in of.view() if each.id == of.id for slot in slots))

    def _knows_owner(self, slots: Sequence[int], to: Node) -> bool:
        wanted = set(slots)
        views = [node.view() for node in self.nodes if node.is_running]
        return all(any(each.port == to.port and wanted <= each.slots for each in view) for view in views)

    def stop(self) -> None:
        for node in self.nodes:
            node.kill()


def _is_in_step(node: Node) -> bool:
    """Tell whether a node is a master, or a replica that follows its own."""
    told = node.redis.info("replication")
    return told["role"] == "master" or told["master_link_status"] == "up"


@contextmanager
def running_cluster(
    masters: int = 3, replicas: int = 0, *, options: Sequence[str] = (), binary: str | None = None, user: str = ""
) -> Iterator[Cluster]:
    """Surround a test with a cluster of its own, of the server that comes with the service or of another."""
    with tempfile.TemporaryDirectory(prefix="rn-cluster-") as folder:
        both = (*_FOR_TWO, *options) if masters + replicas == 2 else options
        cluster = Cluster(Path(folder), both, binary or redis_server.executable(), user)
        try:
            cluster.make(masters, replicas)
            yield cluster
        finally:
            cluster.stop()
