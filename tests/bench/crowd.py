"""Many clients that hold a request open and read what comes."""

import resource
import selectors
import socket
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from urllib.parse import urlsplit

_SPARE_FILES = 200


@dataclass
class Crowd:
    """`told` counts those that have read something; a server that does not want to keep one waiting makes it `lost`."""

    told: set[int] = field(default_factory=set)
    lost: int = 0


@contextmanager
def waiting(base: str, requests: Sequence[bytes]) -> Iterator[Crowd]:
    """A connection each for these requests."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    if most < len(requests) + _SPARE_FILES:
        raise RuntimeError(f"{len(requests)} connections need more open files: ulimit -n")
    address = urlsplit(base)
    crowd, done, selector = Crowd(), threading.Event(), selectors.DefaultSelector()
    clients = []
    for request in requests:
        client = socket.create_connection((address.hostname, address.port))
        client.sendall(request)
        client.setblocking(False)
        selector.register(client, selectors.EVENT_READ)
        clients.append(client)
    reader = threading.Thread(target=_read, args=(crowd, selector, done))
    reader.start()
    try:
        yield crowd
    finally:
        done.set()
        reader.join()
        for client in clients:
            client.close()


def _read(crowd: Crowd, selector: selectors.BaseSelector, done: threading.Event) -> None:
    while not done.is_set():
        for key, _ in selector.select(0.2):
            client = key.fileobj
            assert isinstance(client, socket.socket)
            if client.recv(65536):
                crowd.told.add(key.fd)
            else:
                crowd.lost += 1
                selector.unregister(client)


def get(path: str, *headers: str) -> bytes:
    return "\r\n".join([f"GET {path} HTTP/1.1", "Host: localhost", *headers, "", ""]).encode()
