"""HTTP as bytes: half of it, too much of it, and what no library would send."""

import json
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

PATIENCE = 20.0  # seconds
LOCAL = "127.0.0.1"
HOST = "games.example.org"


@dataclass
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@contextmanager
def connection(base: str, source: str = LOCAL, timeout: float = PATIENCE) -> Iterator[socket.socket]:
    """From any address of this machine: on Linux all of 127.0.0.0/8 are."""
    with connect(base, source, timeout) as client:
        yield client


def connect(base: str, source: str = LOCAL, timeout: float = PATIENCE) -> socket.socket:
    parts = urlsplit(base)
    return socket.create_connection((parts.hostname, parts.port or 80), timeout, (source, 0))


def head(method: str, path: str, **headers: Any) -> bytes:
    """A request without its body. A header's name in capitals is sent as it is."""
    told = {"Host": HOST} | {name if name.isupper() else name.replace("_", "-"): each for name, each in headers.items()}
    lines = "".join(f"{name}: {value}\r\n" for name, value in told.items())
    return f"{method} {path} HTTP/1.1\r\n{lines}\r\n".encode()


def post(path: str, body: bytes, **headers: Any) -> bytes:
    return head("POST", path, Content_Type="application/json", Content_Length=len(body), **headers) + body


def chunked(path: str, *pieces: bytes, end: bytes = b"0\r\n\r\n") -> bytes:
    chunks = b"".join(b"%x\r\n%b\r\n" % (len(piece), piece) for piece in pieces)
    return head("POST", path, Content_Type="application/json", Transfer_Encoding="chunked") + chunks + end


def answers(client: socket.socket) -> list[Answer]:
    """All that is said until the connection ends, or is reset."""
    data, ends = b"", time.monotonic() + PATIENCE
    try:
        while piece := client.recv(65536):
            data += piece
            if time.monotonic() > ends:
                raise TimeoutError("it goes on and on")
    except ConnectionResetError:
        pass
    return list(_parsed(data))


def answer(client: socket.socket) -> Answer:
    """The next one, of a connection that may go on."""
    data = b""
    ends = time.monotonic() + PATIENCE
    while time.monotonic() < ends:
        piece = client.recv(65536)
        data += piece
        if not piece or _is_whole(data):
            break
    (found,) = _parsed(data)
    return found


def ask(base: str, *sent: bytes, source: str = LOCAL, close: bool = False) -> list[Answer]:
    """What is answered to these bytes, until the connection ends; `close` tells that nothing more will come."""
    with connection(base, source) as client:
        for piece in sent:
            client.sendall(piece)
        if close:
            client.shutdown(socket.SHUT_WR)
        return answers(client)


def _is_whole(data: bytes) -> bool:
    top, separator, rest = data.partition(b"\r\n\r\n")
    return bool(separator) and len(rest) >= int(_headers(top).get("content-length", 0))


def _headers(top: bytes) -> dict[str, str]:
    pairs = (line.partition(": ") for line in top.decode("latin-1").split("\r\n")[1:])
    return {name.lower(): value for name, _, value in pairs}


def _parsed(data: bytes) -> Iterator[Answer]:
    while data:
        top, separator, rest = data.partition(b"\r\n\r\n")
        assert separator, data[:200]
        headers, status = _headers(top), int(top.split(b" ", 2)[1])
        size = int(headers.get("content-length", 0 if status == 100 else len(rest)))
        yield Answer(status, headers, rest[:size])
        data = rest[size:]
