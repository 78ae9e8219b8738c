"""Make the client that an address asks for."""

from service.store.cluster import ClusterClient
from service.store.redis_client import ANSWER_SECONDS, Client


def connect(url: str, patience: float = ANSWER_SECONDS) -> Client:
    """Return a client. Raises ValueError for an address that is none."""
    return (ClusterClient if is_cluster(url) else Client).connect(url, patience)


def is_cluster(url: str) -> bool:
    return "+cluster://" in url
