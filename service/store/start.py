"""Check, before anything is written, that the settings fit the Redis that they name, and what is stored there."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import redis
from redis.exceptions import ConnectionError as Disconnected
from redis.exceptions import NoPermissionError, RedisError
from redis.exceptions import TimeoutError as Slow

from service.config import BadConfig, Config
from service.store import keys
from service.store.clients import is_cluster
from service.store.cluster import ClusterClient
from service.store.cluster_map import Node
from service.store.keys import Names
from service.store.partitions import SLOTS, Partitions
from service.store.redis_client import Client
from service.store.redis_faults import disbelief_of
from service.store.regrouping import UNFINISHED


def check_addresses(config: Config) -> None:
    """Check the addresses alone. Raises BadConfig."""
    if any(map(is_cluster, config.queue_urls)):
        raise BadConfig("QUEUE_URL: jobs can't wait in a cluster: name a single Redis, or some")
    if is_cluster(config.redis_url) and not config.queue_urls:
        raise BadConfig("QUEUE_URL: must name a Redis beside the cluster, for jobs can't wait in it")


@contextmanager
def believing(setting: str) -> Iterator[None]:
    """Raise BadConfig where the certificate of the Redis that a setting names is not believed."""
    try:
        yield
    except RedisError as error:
        if told := disbelief_of(error):
            raise BadConfig(": ".join((setting, *told))) from error
        raise


def check(client: Client, config: Config) -> None:
    """Compare the settings with what answers. Raises BadConfig, or RedisError where nothing does."""
    if isinstance(client, ClusterClient):
        _check_cluster(client, config)
    elif client.info("cluster").get("cluster_enabled"):
        raise BadConfig("REDIS_URL: a node of a cluster answers there: write redis+cluster:// for the whole of it")
    _check_partitions(client)


def check_queue(queue: Client) -> None:
    """Check that jobs can wait in a Redis that is there for them alone. Raises BadConfig or RedisError."""
    if queue.info("cluster").get("cluster_enabled"):
        raise BadConfig("QUEUE_URL: a node of a cluster answers there, and jobs can't wait in it: name a single Redis")


def _check_cluster(client: ClusterClient, config: Config) -> None:
    lacking = client.map.uncovered()
    if lacking:
        raise BadConfig(f"REDIS_URL: nobody in the cluster has {lacking} of the {SLOTS} slots: see CLUSTER NODES")
    for node in client.map.masters() if config.wait_replicas else ():
        with suppress(Disconnected, Slow):  # the others go on without it
            replicas = _replicas_of(node)
            if replicas < config.wait_replicas:
                master = "{}:{}".format(*node.address)
                told = f"the master {master} has {replicas} replicas, and changes wait for {config.wait_replicas}"
                raise BadConfig(f"WAIT_REPLICAS: {told}")


def _replicas_of(node: Node) -> int:
    """Ask a master itself: the map leaves out replicas of which the node that tells it has not heard lately."""
    with redis.Redis(connection_pool=node.pool) as master:
        info: Any = master.info("replication")
    return int(info["connected_slaves"])


def _check_partitions(client: Client) -> None:
    """Compare the number of partitions with the one that is stored, if one is."""
    count = client.names.partitions.count
    stored = None
    with suppress(NoPermissionError):  # users of the release before may not read it, and have one partition
        (stored,) = client.ask(("GET", keys.PARTITIONS))
    if stored is not None and stored.startswith(UNFINISHED):
        wanted = stored.removeprefix(UNFINISHED).decode()
        told = "what is stored has half of its names"
        raise BadConfig(f"REDIS_URL: {told}: run `red-november repartition {wanted}` to its end")
    if stored is not None and int(stored) != count:
        told = f"what is stored has {int(stored)} partitions, and is looked for in {count}"
        raise BadConfig(f"REDIS_URL: {told}: write redis+cluster:// for a cluster, and redis:// for a single Redis")
    untagged = [("EXISTS", key) for key in (Names(Partitions()).due(0), keys.COUNTERS)]
    if stored is None and count > 1 and any(client.ask(*untagged)):
        raise BadConfig(f"REDIS_URL: what is stored has 1 partition: run `red-november repartition {count}` first")


def note_partitions(client: Client) -> None:
    """Store the number of partitions in a cluster that is new."""
    count = client.names.partitions.count
    if count > 1:
        client.ask(("SET", keys.PARTITIONS, count, "NX"))
