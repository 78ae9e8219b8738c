"""The service over HTTP, with nothing but the standard library."""

import email.utils
import http.client
import json
import secrets
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

Wire = dict[str, Any]

ANSWER_SECONDS = 60  # the longest that the service makes anybody wait, and then some
SILENCE_SECONDS = 20  # of a stream, which says something every seven
PATIENCE_SECONDS = 30.0  # for a service that is away for a moment
FIRST_SECONDS = 3.0  # for one that may not be there at all
FIRST_PAUSE, LONGEST_PAUSE = 0.3, 5.0
_LOCAL = {"127.0.0.1", "localhost", "::1"}
_AGAIN = {429, 502, 503, 504}
_NEVER_AGAIN = {"newer_game", "store_full", "too_many_streams"}  # waiting a little won't help


class Unreachable(Exception):
    """Nobody answers at that address, or somebody else does."""

    def __init__(self, server: str, reason: str):
        self.server, self.reason = server, reason
        super().__init__(f"{server}: {reason}")


class Refused(Exception):
    """The service's answer, and it is no: its detail, in one line."""

    def __init__(self, status: int, body: Any):
        self.status = status
        self.body: Wire = body if isinstance(body, dict) else {}
        self.code = str(self.body.get("code", ""))
        super().__init__(str(self.body.get("detail") or self.body.get("title") or f"HTTP {status}"))


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A token is for this service: it does not follow to wherever somebody points."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


@dataclass
class Clock:
    """How far the service's clock is ahead of ours: deadlines are told by its."""

    ahead: float = 0.0

    def left(self, deadline: str) -> int:
        """Seconds until then, not below 0."""
        ends = datetime.fromisoformat(deadline.replace("Z", "+00:00"))
        return max(0, round((ends - datetime.now(UTC)).total_seconds() - self.ahead))

    def note(self, date: str | None) -> None:
        """The Date of an answer, which has whole seconds."""
        parsed = email.utils.parsedate_tz(date or "")
        if parsed:
            ahead = email.utils.mktime_tz(parsed) + 0.5 - time.time()
            self.ahead = ahead if abs(ahead) > 1 else 0.0


@dataclass(frozen=True)
class Client:
    """Somebody with a token, or nobody in particular."""

    server: str
    token: str | None = None
    api_key: str | None = None
    patience: float = PATIENCE_SECONDS
    on_wait: Callable[[], None] = lambda: None  # told once, when an answer takes more than one try
    clock: Clock = field(default_factory=Clock)

    def be(self, token: str | None) -> "Client":
        return replace(self, token=token)

    def get(self, path: str, **query: Any) -> Any:
        wanted = urllib.parse.urlencode({name: value for name, value in query.items() if value is not None})
        return self._ask("GET", f"{path}?{wanted}" if wanted else path)

    def post(self, path: str, body: Wire | None = None) -> Any:
        """Done once, however often it has to be sent: all tries have one Idempotency-Key."""
        return self._ask("POST", path, body or {}, {"Idempotency-Key": secrets.token_hex(16)})

    def delete(self, path: str) -> None:
        self._ask("DELETE", path)

    def lines(self, path: str, after: int | None) -> Iterator[Wire | None]:
        """A stream's objects, and None for its signs of life. Ends with the connection, whatever it ends of."""
        query = "" if after is None else f"?after={after}"
        try:
            with closing(
                self._open("GET", path + query, None, {"Accept": "application/x-ndjson"}, SILENCE_SECONDS)
            ) as reply:
                for line in reply:
                    told = json.loads(line) if line.strip() else None
                    yield told if isinstance(told, dict) else None
        except urllib.error.HTTPError as error:
            raise _refused(error) from error
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise Unreachable(self.server, _reason(error)) from error

    def _ask(self, method: str, path: str, body: Wire | None = None, headers: dict[str, str] | None = None) -> Any:
        ends, pause, told = time.monotonic() + self.patience, FIRST_PAUSE, False
        while True:
            try:
                with closing(self._open(method, path, body, headers or {}, ANSWER_SECONDS)) as reply:
                    data = reply.read()
                    self.clock.note(reply.headers.get("Date"))
                return json.loads(data) if data else None
            except urllib.error.HTTPError as error:
                problem: Exception = _refused(error)
                wait = _retry_after(error) or pause
                final = error.code not in _AGAIN or getattr(problem, "code", "") in _NEVER_AGAIN
            except (OSError, http.client.HTTPException, ValueError) as error:
                problem, wait, final = Unreachable(self.server, _reason(error)), pause, False
            if final or time.monotonic() + wait > ends:
                raise problem
            if not told:
                self.on_wait()
                told = True
            time.sleep(wait)
            pause = min(2 * pause, LONGEST_PAUSE)

    def _open(self, method: str, path: str, body: Wire | None, headers: dict[str, str], seconds: float) -> Any:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{self.server}/v1{path}", data, dict(headers), method=method)
        if data is not None:
            request.add_header("Content-Type", "application/json")
        if self.token:
            request.add_header("Authorization", f"Bearer {self.token}")
        if self.api_key:
            request.add_header("X-API-Key", self.api_key)
        handlers: list[Any] = [_NoRedirect()]
        if request.host.rpartition(":")[0].strip("[]") in _LOCAL or request.host in _LOCAL:
            handlers.append(urllib.request.ProxyHandler({}))  # a proxy's localhost is another
        return urllib.request.build_opener(*handlers).open(request, timeout=seconds)


def address(text: str) -> str:
    """What somebody typed as the service's address. Raises ValueError."""
    parts = urllib.parse.urlsplit(text if "://" in text else f"http://{text}")
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
        raise ValueError(f"{text!r} is no address of a service")
    _ = parts.port  # raises ValueError where it is none
    return f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/').removesuffix('/v1')}"


def meet(server: str, patience: float | None = None) -> None:
    """Raises Unreachable unless a service of our kind is there, without waiting for long."""
    try:
        if "rooms" in Client(server, patience=FIRST_SECONDS if patience is None else patience).get("/rules"):
            return
    except Refused as error:
        if error.code:  # it is one, and busy
            return
        raise Unreachable(server, str(error)) from error
    except TypeError:
        pass
    raise Unreachable(server, "?")


def answers(server: str) -> bool:
    try:
        meet(server, 0)
    except Unreachable:
        return False
    return True


def _refused(error: urllib.error.HTTPError) -> Refused:
    with error:
        try:
            return Refused(error.code, json.loads(error.read()))
        except (OSError, http.client.HTTPException, ValueError):
            return Refused(error.code, None)


def _retry_after(error: urllib.error.HTTPError) -> float | None:
    """Seconds, or a date, as a proxy may put it."""
    told = error.headers.get("Retry-After", "")
    if told.isdecimal():
        return float(told)
    parsed = email.utils.parsedate_tz(told)
    return None if parsed is None else max(0.0, email.utils.mktime_tz(parsed) - time.time())


def _reason(error: Exception) -> str:
    reason = getattr(error, "reason", None) or error
    return str(getattr(reason, "strerror", None) or reason or type(error).__name__)
