"""Turn a request into the environment that WSGI has for it, and what the application answers into bytes.

gunicorn does the same and more: it makes anew what is the same for each request of a connection, and sends the head of
an answer apart from its body.
"""

import os
import re
from functools import lru_cache
from time import time
from typing import Any

from gunicorn import util
from gunicorn.http import wsgi
from gunicorn.http.errors import ConfigurationProblem

from service.wire import Wire

_NOT_IN_A_VALUE = re.compile(r"[^\t\x20-\x7e\x80-\xff]")
_PORTS = {"http": "80", "https": "443"}


class Gateway:
    """One connection's side of WSGI."""

    def __init__(self, settings: Any, client: Any, peer: Any, name: Any):
        """`name` is that of the socket that the connection came in by: an address, or a path."""
        self._settings, self._client, self._peer, self._name = settings, client, peer, name
        self._always: Wire | None = None

    def environ(self, request: Any) -> Wire:
        """Return the environment of a request whose body was read."""
        environ = dict(self._of_connection())
        environ["wsgi.input"] = request.body
        environ["wsgi.url_scheme"] = request.scheme
        environ["REQUEST_METHOD"] = request.method
        environ["QUERY_STRING"] = request.query
        environ["RAW_URI"] = request.uri
        environ["SERVER_PROTOCOL"] = f"HTTP/{request.version[0]}.{request.version[1]}"
        environ["PATH_INFO"] = _path(request.path, environ["SCRIPT_NAME"])
        for name, value in request.headers:
            key = _key(name)
            environ[key] = f"{environ[key]},{value}" if key in environ else value
        if isinstance(self._name, str) and (host := environ.get("HTTP_HOST")):
            environ["SERVER_NAME"], environ["SERVER_PORT"] = [*host.split(":"), _PORTS[request.scheme]][:2]
        if request.proxy_protocol_info:
            environ |= wsgi.proxy_environ(request)
        return environ

    def _of_connection(self) -> Wire:
        if self._always is None:
            is_address = not isinstance(self._name, str)
            peer = self._peer
            self._always = wsgi.base_environ(self._settings) | {
                "wsgi.multithread": True,
                "gunicorn.socket": self._client,
                "SCRIPT_NAME": os.environ.get("SCRIPT_NAME", ""),
                "SERVER_NAME": self._name[0] if is_address else self._name,
                "SERVER_PORT": str(self._name[1]) if is_address else "",
                "REMOTE_ADDR": peer[0] if isinstance(peer, tuple) else os.fsdecode(peer),
            }
            if isinstance(peer, tuple):
                self._always["REMOTE_PORT"] = str(peer[1])
        return self._always

    def answer(self, request: Any) -> "Answer":
        return Answer(request, self._client, self._settings)


def _path(path: str, prefix: str) -> str:
    if not path.startswith(prefix):
        raise ConfigurationProblem(f"The path does not begin with SCRIPT_NAME, {prefix}")
    path = path.removeprefix(prefix)
    return str(util.unquote_to_wsgi_str(path)) if "%" in path else path


@lru_cache(256)
def _key(name: str) -> str:
    """Return what a header is called in an environment."""
    key = name.replace("-", "_")
    return key if key in ("CONTENT_TYPE", "CONTENT_LENGTH") else f"HTTP_{key}"


class Answer(wsgi.Response):  # type: ignore[misc]
    """An answer, of which the head goes out with the first piece of the body."""

    headers_sent: bool

    def process_headers(self, headers: list[tuple[str, str]]) -> None:
        if _NOT_IN_A_VALUE.search("".join([value for _, value in headers])):
            super().process_headers(headers)  # which refuses them
        for name, value in headers:
            kind = name.lower()
            if kind == "content-length":
                self.response_length = int(value)
            elif kind in util.hop_headers:
                continue
            self.headers.append((name, value))

    def write(self, arg: bytes) -> None:
        if self.headers_sent or self.chunked or self._omits_body:
            super().write(arg)
            return
        piece = arg if self.response_length is None else arg[: self.response_length]
        self.headers_sent = True
        self.sent = len(piece)
        _send(self.sock, self._head() + piece)

    def send_headers(self) -> None:
        if not self.headers_sent:
            _send(self.sock, self._head())
            self.headers_sent = True

    def _head(self) -> bytes:
        major, minor = self.req.version
        end = "close" if self.should_close() else "keep-alive"
        lines = [f"HTTP/{major}.{minor} {self.status}\r\nServer: {self.version}\r\nDate: {_date(int(time()))}\r\n"]
        lines.append(f"Connection: {end}\r\n")
        if self.chunked:
            lines.append("Transfer-Encoding: chunked\r\n")
        lines += [f"{name}: {value}\r\n" for name, value in self.headers]
        return ("".join(lines) + "\r\n").encode("latin-1")


def _send(sock: Any, data: bytes) -> None:
    """Send all: mostly the kernel takes it at once, and gevent needs not look how much it would."""
    sent = sock.send(data)
    if sent < len(data):
        sock.sendall(memoryview(data)[sent:])


@lru_cache(1)
def _date(second: int) -> str:
    return str(util.http_date(second))
