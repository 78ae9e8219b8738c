"""`red-november repartition`: prepare what a single Redis holds for a cluster, while the service is stopped."""

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from redis.exceptions import RedisError

from service.config import BadConfig
from service.games.access import named_in
from service.locate import UNREADABLE_ADDRESS, add_redis_url, config_of
from service.store import clients, keys
from service.store.cluster import slot_of
from service.store.partitions import OF_A_CLUSTER, SLOTS
from service.store.redis_client import Client
from service.store.regrouping import UNFINISHED, Regrouping

_COPIES = {"S", "M"}  # flags of connections between servers
_WORDS_OF_A_NODE = 8  # in CLUSTER NODES, before its slots
_AT_ONCE = 1000  # keys of a slot, in which beside a few budgets there is one
_PATIENCE = 60.0  # seconds that a slow Redis may take for a batch
_NEXT = """\
Next: restart this Redis with `cluster-enabled yes`, and run the same command again, which gives it all slots."""
_LAST = """\
Next: start the service with REDIS_URL=redis+cluster://… and QUEUE_URL. Nodes join and slots move while it is on."""


class Refused(Exception):
    """Nothing was changed; the message says why."""


def add_repartition(parser: argparse.ArgumentParser) -> None:
    parser.description = "Stop API and workers before. What is stopped in the midst goes on when it is started again."
    parser.add_argument("partitions", type=int, metavar="PARTITIONS", help=f"{OF_A_CLUSTER}, which a cluster has")
    parser.add_argument("--dry-run", action="store_true", help="say what there is to do, and change nothing")
    add_redis_url(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    try:
        client = _connected(options)
        _check_number(client, options.partitions)
        if client.info("cluster").get("cluster_enabled"):
            print(f"{_give_slots(client, options.dry_run):,} slots given\n{_LAST}")
            return 0
        _check_alone(client)
        work = Regrouping(client, options.partitions, named_in)
        if options.dry_run:
            print(f"{_told(work.count())}: nothing was changed")
            return 0
        work.run(_progress)
    except (BadConfig, Refused, RedisError) as error:
        return _complain(str(error))
    except KeyboardInterrupt:
        return _complain("stopped in the midst: the service can't start until the same command has come to its end")
    print(f"{_told(work.done)}\n{_NEXT}")
    return 0


def _connected(options: argparse.Namespace) -> Client:
    config = replace(config_of(options), wait_replicas=0, wait_disk=False)
    if clients.is_cluster(config.redis_url):
        raise Refused("a cluster has its partitions for good: name the single Redis that is to become its first node")
    try:
        return clients.connect(config.redis_url, _PATIENCE)
    except ValueError:
        raise Refused(UNREADABLE_ADDRESS) from None


def _check_number(client: Client, wanted: int) -> None:
    if client.connection_pool.connection_kwargs.get("db"):
        raise Refused("a cluster has database 0 alone, and this is another")
    if wanted != OF_A_CLUSTER:
        raise Refused(f"a cluster has {OF_A_CLUSTER} partitions, not {wanted}")


def _give_slots(client: Client, is_dry: bool) -> int:
    """Give a server that has become the first node of a cluster the slots that it has no keys in: those in which it has
    some it has taken when it started. Return how many they are. Raises Refused."""
    mark = ("CLUSTER", "GETKEYSINSLOT", slot_of(keys.PARTITIONS), _AT_ONCE)  # it answers no GET as yet
    names, told, listed = client.ask(mark, ("CLUSTER", "INFO"), ("CLUSTER", "NODES"))
    if keys.PARTITIONS.encode() not in names:
        raise Refused("what is stored has its old names: restart this Redis without `cluster-enabled`, and begin there")
    if b"cluster_known_nodes:1\r" not in told:
        raise Refused("this is a node of several: slots are moved by their own commands")
    gaps, following = [], 0
    for first, last in _slots(listed.decode()):
        if first > following:
            gaps.append((following, first - 1))
        following = last + 1
    if following < SLOTS:
        gaps.append((following, SLOTS - 1))
    if gaps and not is_dry:
        client.ask(("CLUSTER", "ADDSLOTSRANGE", *(slot for gap in gaps for slot in gap)))
    return sum(last - first + 1 for first, last in gaps)


def _slots(listed: str) -> Iterator[tuple[int, int]]:
    """Yield the ranges of slots that the only node has, in their order: the last words of its line."""
    for word in listed.split()[_WORDS_OF_A_NODE:]:
        first, _, last = word.partition("-")
        yield int(first), int(last or first)


def _check_alone(client: Client) -> None:
    """Check that nobody else is at work, and that there is something to do. Raises Refused."""
    me, listed, stored = client.ask(("CLIENT", "ID"), ("CLIENT", "LIST"), ("GET", keys.PARTITIONS))
    if stored is not None and not stored.startswith(UNFINISHED):
        raise Refused(f"what is stored has {stored.decode()} partitions already")
    others = [each for each in map(_words, listed.decode().splitlines()) if each["id"] != str(me)]
    users = [each for each in others if not _COPIES & set(each.get("flags", ""))]
    if users:
        who = ", ".join(sorted({f"{each.get('user', '?')} at {each.get('addr', '?')}" for each in users})[:3])
        told = f"{len(users)} others are connected to this Redis ({who})"
        raise Refused(f"{told}: stop API, workers and whatever measures it")


def _words(line: str) -> dict[str, str]:
    return {name: value for name, _, value in (word.partition("=") for word in line.split())}


def _told(work: Counter[str]) -> str:
    return ", ".join(f"{work[kind]:,} {what}" for kind, what in _WHAT.items())


_WHAT = {
    "renamed": "keys renamed",
    "split": "lists split",
    "copied": "answers put beside what they are about",
    "dropped": "hints dropped",
}


def _complain(reason: str) -> int:
    print(f"red-november: {reason}", file=sys.stderr)
    return 1


def _progress(keys_done: int) -> None:
    if sys.stderr.isatty():
        print(f"\r{keys_done:,} keys ", end="", file=sys.stderr, flush=True)
