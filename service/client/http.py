"""The one HTTP client of the service: for the terminal, matches on a server, `serve` and `doctor`.

It needs nothing but the standard library. It sends a request until it is answered, does nothing twice by that, and
tells nobody but the service who is asking.
"""

import http.client
import json
import secrets
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field, replace
from email.message import Message
from typing import Any

from service.client.addresses import is_same_origin, is_this_machine
from service.client.errors import Refused, Unreachable
from service.client.retries import Retries
from service.client.service_clock import ServiceClock, retry_after
from service.wire import Wire

ANSWER_SECONDS = 60.0  # the longest that the service makes anybody wait, and then some
SILENCE_SECONDS = 20.0  # of a stream, which says something every seven
PATIENCE_SECONDS = 30.0  # for a service that is away for a moment
NDJSON = "application/x-ndjson"
_SECRET_HEADERS = ("Authorization", "X-api-key")  # as urllib writes them
_PIECE_BYTES = 2**16
_READING = ("GET", "HEAD")
_KEEPS_METHOD = (307, 308)
_BROKEN = (OSError, http.client.HTTPException, ValueError)  # a connection, or what came over it


@dataclass(frozen=True)
class Reply:
    """What was answered, whatever its status."""

    status: int
    headers: Message
    body: bytes


@dataclass(frozen=True)
class Client:
    """Asks a service as somebody with a token, or as nobody in particular."""

    server: str
    token: str | None = None
    api_key: str | None = None
    patience: float = PATIENCE_SECONDS
    on_wait: Callable[[], None] = lambda: None  # called once, when an answer takes more than one try
    answer_seconds: float = ANSWER_SECONDS
    clock: ServiceClock = field(default_factory=ServiceClock)

    def with_token(self, token: str | None) -> "Client":
        return replace(self, token=token)

    def get(self, path: str, **query: Any) -> Any:
        return self._ask("GET", _with_query(path, query))

    def post(self, path: str, body: Wire | None = None) -> Any:
        """Have something done once, however often it has to be sent: all tries have one Idempotency-Key."""
        return self._ask("POST", path, body or {}, {"Idempotency-Key": secrets.token_hex(16)})

    def patch(self, path: str, body: Wire) -> Any:
        return self._ask("PATCH", path, body)

    def delete(self, path: str) -> None:
        self._ask("DELETE", path)

    def lines(self, path: str, **query: Any) -> Iterator[Wire | None]:
        """Yield a stream's objects, and None for its signs of life. Raises Unreachable when it breaks."""
        headers = {"Accept": NDJSON}
        try:
            with closing(self._open("GET", _with_query(path, query), None, headers, SILENCE_SECONDS)) as reply:
                for line in _lines_of(reply):
                    told = json.loads(line) if line.strip() else None
                    yield told if isinstance(told, dict) else None
        except urllib.error.HTTPError as error:
            raise _refused(error) from error
        except _BROKEN as error:
            raise Unreachable(self.server, _reason(error)) from error

    def _ask(self, method: str, path: str, body: Wire | None = None, headers: dict[str, str] | None = None) -> Any:
        retries = Retries(self.patience)
        while True:
            try:
                with closing(self._open(method, path, body, headers or {}, self.answer_seconds)) as reply:
                    data = reply.read()
                    self.clock.note(reply.headers.get("Date"))
                return json.loads(data) if data else None
            except urllib.error.HTTPError as error:
                problem: Refused | Unreachable = _refused(error)
            except _BROKEN as error:
                problem = Unreachable(self.server, _reason(error))
            if retries.fail(problem) == 1:
                self.on_wait()
            retries.wait()

    def _open(
        self, method: str, path: str, body: Wire | None, headers: dict[str, str], seconds: float
    ) -> http.client.HTTPResponse:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{self.server}/v1{path}", data, dict(headers), method=method)
        if data is not None:
            request.add_header("Content-Type", "application/json")
        if self.token:
            request.add_header("Authorization", f"Bearer {self.token}")
        if self.api_key:
            request.add_header("X-API-Key", self.api_key)
        return _open(request, seconds)


def fetch(url: str, seconds: float) -> Reply:
    """Ask for an address once, as nobody in particular, and return the answer. Raises Unreachable."""
    try:
        with closing(_open(urllib.request.Request(url), seconds)) as reply:
            return Reply(reply.status, reply.headers, reply.read())
    except urllib.error.HTTPError as error:
        with error:
            return Reply(error.code, error.headers, _read(error))
    except _BROKEN as error:
        raise Unreachable(url, _reason(error)) from error


class _Redirects(urllib.request.HTTPRedirectHandler):
    """Follows a service that moves within its origin. Anywhere else goes only what anybody may ask.

    A refused redirect stays what it is: an answer with a status of 3xx.
    """

    max_redirections = 5

    def redirect_request(
        self, req: urllib.request.Request, fp: Any, code: int, msg: str, headers: Any, newurl: str
    ) -> urllib.request.Request | None:
        method, target = req.get_method(), urllib.parse.urlsplit(newurl)
        if target.scheme not in ("http", "https") or (req.full_url.startswith("https:") and target.scheme == "http"):
            return None
        is_open = method in _READING and not any(req.has_header(name) for name in _SECRET_HEADERS)
        if not is_open and not is_same_origin(req.full_url, newurl):
            return None
        if method not in _READING and code not in _KEEPS_METHOD:
            return None
        return urllib.request.Request(newurl, req.data, dict(req.headers), method=method)


class _Proxies(urllib.request.ProxyHandler):
    """Asks this machine itself: a proxy's localhost is another."""

    def proxy_open(self, req: urllib.request.Request, proxy: str, type: str) -> Any:  # noqa: A002 - urllib's name
        host = urllib.parse.urlsplit(req.full_url).hostname or ""
        return None if is_this_machine(host) else super().proxy_open(req, proxy, type)


def _open(request: urllib.request.Request, seconds: float) -> http.client.HTTPResponse:
    reply: http.client.HTTPResponse = urllib.request.build_opener(_Redirects(), _Proxies()).open(
        request, timeout=seconds
    )
    return reply


def _lines_of(reply: http.client.HTTPResponse) -> Iterator[bytes]:
    """Yield the lines of an answer as they come. Raises IncompleteRead when it ends before it is whole.

    The answer's own `readline` takes a connection that is cut between two chunks for the end.
    """
    rest = b""
    while data := reply.read1(_PIECE_BYTES):
        *lines, rest = (rest + data).split(b"\n")
        yield from lines
    if reply.length:  # that should still come
        raise http.client.IncompleteRead(rest, reply.length)
    yield rest


def _with_query(path: str, query: Mapping[str, object]) -> str:
    wanted = urllib.parse.urlencode({name: value for name, value in query.items() if value is not None})
    return f"{path}?{wanted}" if wanted else path


def _refused(error: urllib.error.HTTPError) -> Refused:
    with error:
        try:
            body = json.loads(error.read())
        except _BROKEN:
            body = None
        return Refused(error.code, body, retry_after(error.headers), error.headers.get("Location"))


def _read(error: urllib.error.HTTPError) -> bytes:
    try:
        return error.read()
    except _BROKEN:
        return b""


def _reason(error: Exception) -> str:
    reason = getattr(error, "reason", None) or error
    return str(getattr(reason, "strerror", None) or reason or type(error).__name__)
