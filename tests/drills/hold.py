"""Connections that are held: by one address, as many as it can get, each in one of the ways to hold one."""

import resource
import selectors
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

from tests.drills.raw import LOCAL, connect, head

_PAUSE = 0.005  # between two connections that are opened: an attacker is no faster on a machine of two cores
_ENDLESS = b"x" * 65536
LARGE = "/openapi.yaml"


@dataclass(frozen=True)
class Target:
    """Where to, and a game that anybody may look at."""

    base: str
    game: str = "/v1/games/none"
    version: int = 0


def _silent(client: socket.socket, target: Target) -> None:
    """Says nothing at all."""


def _half_head(client: socket.socket, target: Target) -> None:
    client.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: ")


def _half_body(client: socket.socket, target: Target) -> None:
    client.sendall(head("POST", "/v1/games", Content_Type="application/json", Content_Length=200) + b'{"name":')


def _idle(client: socket.socket, target: Target) -> None:
    client.sendall(head("GET", "/healthz"))


def _stream(client: socket.socket, target: Target) -> None:
    client.sendall(head("GET", f"{target.game}/events/stream", Accept="application/x-ndjson"))


def _wait(client: socket.socket, target: Target) -> None:
    client.sendall(head("GET", f"{target.game}?after={target.version}&wait=30"))


def _gone(client: socket.socket, target: Target) -> None:
    _wait(client, target)
    client.close()


def _unread(client: socket.socket, target: Target) -> None:
    """Asks for much and takes nothing."""
    client.sendall(head("GET", LARGE) * 50)


def _endless(client: socket.socket, target: Target) -> None:
    """The first of a hundred gigabytes; `keep_on` sends the others."""
    client.sendall(head("POST", "/v1/games", Content_Type="application/json", Content_Length=10**11) + _ENDLESS)


KINDS: dict[str, Callable[[socket.socket, Target], None]] = {
    "silent": _silent,
    "half a head": _half_head,
    "half a body": _half_body,
    "idle": _idle,
    "stream": _stream,
    "wait": _wait,
    "gone": _gone,
    "unread": _unread,
    "endless": _endless,
}


@dataclass
class Held:
    """What an attacker has."""

    clients: list[socket.socket] = field(default_factory=list)
    opened: int = 0
    lost: int = 0  # that the service would not have, or ended


@contextmanager
def holding(
    target: Target, kind: str, count: int, source: str = LOCAL, again: bool = False, pause: float = 0.0
) -> Iterator[Held]:
    """So many connections of a kind, opened one after another before it goes on. With `again`, those that the service
    ends are opened anew all the while."""
    soft, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, most), most))
    held, done = Held(), threading.Event()
    for _ in range(count):
        _open(held, target, kind, source)
        time.sleep(pause)
    keeper = threading.Thread(target=_keep_on, args=(held, target, kind, source, again, done))
    keeper.start()
    try:
        yield held
    finally:
        done.set()
        keeper.join()
        for client in held.clients:
            client.close()


def _open(held: Held, target: Target, kind: str, source: str) -> None:
    try:
        client = connect(target.base, source, timeout=5)
    except OSError:
        held.lost += 1
        return
    held.opened += 1
    if kind == "unread":
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    try:
        KINDS[kind](client, target)
    except OSError:
        held.lost += 1
        client.close()
        return
    if kind != "gone":
        client.setblocking(False)
        held.clients.append(client)


def _keep_on(held: Held, target: Target, kind: str, source: str, again: bool, done: threading.Event) -> None:
    """Notices those that the service ended. Between any two that are opened anew there is a pause."""
    selector = selectors.DefaultSelector()
    if kind == "unread":
        done.wait()  # the service's kernel gives them up without a word
    for each in held.clients:
        selector.register(each, _wanted(kind))
    while not done.is_set():
        for key, _ in selector.select(0.1) if held.clients else ():
            client = key.fileobj
            assert isinstance(client, socket.socket)
            if _is_open(client, kind):
                continue
            selector.unregister(client)
            held.clients.remove(client)
            held.lost += 1
            client.close()
            if again and not done.wait(_PAUSE):
                _open_again(held, target, kind, source, selector)
        if kind == "gone" and again:
            _open(held, target, kind, source)
        if done.wait(_PAUSE):
            return


def _open_again(held: Held, target: Target, kind: str, source: str, selector: selectors.BaseSelector) -> None:
    before = len(held.clients)
    _open(held, target, kind, source)
    for client in held.clients[before:]:
        selector.register(client, _wanted(kind))


def _wanted(kind: str) -> int:
    return selectors.EVENT_READ | (selectors.EVENT_WRITE if kind == "endless" else 0)


def _is_open(client: socket.socket, kind: str) -> bool:
    try:
        if kind == "endless":
            with suppress(BlockingIOError):
                client.send(_ENDLESS)
        while client.recv(65536):
            pass
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False
