"""Check what only a cluster has to be: looked at master by master, and of use when a part of it is lost."""

from collections.abc import Iterator

from redis import Redis
from redis.exceptions import RedisError

from service.operate.findings import Finding, ok, warn
from service.store.cluster import ClusterClient

_SETTING = "cluster-require-full-coverage"


def masters(client: ClusterClient) -> Iterator[tuple[str, Redis]]:
    """Yield the address of each master, and a client of it alone."""
    for node in client.map.masters():
        host, port = node.address
        yield f"{host}:{port}", Redis(connection_pool=node.pool)


def partial_service(client: ClusterClient) -> Finding:
    """Check that the cluster serves the slots that it has when it has lost some."""
    advice = f"set {_SETTING} no on each node"
    for address, master in masters(client):
        try:
            told = master.execute_command("CONFIG", "GET", _SETTING)  # type: ignore[no-untyped-call]
        except RedisError:
            return warn(f"{address}: {_SETTING} can't be read", f"see that it is no, or {advice}")
        if b"no" not in told:
            return warn(f"{address}: the cluster stops for all games when one shard is lost", advice)
    return ok("the cluster goes on with the shards that it has when one is lost")
