"""The one HTTP client of the house, on asyncio: for bots, the terminal, matches on a server, `serve` and `doctor`.

It sends a request until it is answered, does nothing twice by that, and tells nobody but the service who is asking.
`blocking.py` is the same for programs without asyncio.
"""

import asyncio
import json
import os
import re
import secrets
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from email.message import Message
from typing import Any, NamedTuple, Self
from urllib.parse import urlencode, urljoin, urlsplit

from red_november_client.addresses import is_same_origin
from red_november_client.connections import BROKEN, Answer, Request, connections
from red_november_client.errors import Refused, Unreachable
from red_november_client.retries import Retries
from red_november_client.service_clock import ServiceClock, retry_after
from red_november_client.wire import Wire

ANSWER_SECONDS = 60.0  # the longest that the service makes anybody wait, and then some
SILENCE_SECONDS = 20.0  # of a stream, which says something every seven
PATIENCE_SECONDS = 30.0  # for a service that is away for a moment
NDJSON = "application/x-ndjson"
_MOST_REDIRECTS = 5
_READING = ("GET", "HEAD")
_REDIRECTS = (301, 302, 303, 307, 308)
_KEEPS_METHOD = (307, 308)


class Reply(NamedTuple):
    """What was answered, whatever its status."""

    status: int
    headers: Message
    body: bytes


@dataclass(frozen=True)
class Access:
    """Who asks which service, as somebody with a token or as nobody in particular, and how patiently."""

    server: str
    token: str | None = None
    api_key: str | None = None
    patience: float = PATIENCE_SECONDS
    on_wait: Callable[[], None] = lambda: None  # called once, when an answer takes more than one try
    answer_seconds: float = ANSWER_SECONDS
    clock: ServiceClock = field(default_factory=ServiceClock)

    def with_token(self, token: str | None) -> Self:
        return replace(self, token=token)


class AsyncClient(Access):
    """Asks a service, and waits for its answers without keeping others from their work."""

    async def get(self, path: str, **query: Any) -> Any:
        return await self._ask("GET", _with_query(path, query))

    async def post(self, path: str, body: Wire | None = None) -> Any:
        """Have something done once, however often it has to be sent: all tries have one Idempotency-Key."""
        return await self._ask("POST", path, body or {}, {"Idempotency-Key": secrets.token_hex(16)})

    async def patch(self, path: str, body: Wire) -> Any:
        return await self._ask("PATCH", path, body)

    async def put(self, path: str, body: Wire) -> Any:
        return await self._ask("PUT", path, body)

    async def delete(self, path: str) -> None:
        await self._ask("DELETE", path)

    async def lines(self, path: str, **query: Any) -> AsyncGenerator[Wire | None, None]:
        """Yield a stream's objects, and None for its signs of life. Raises Unreachable when it breaks."""
        try:
            answer = await self._open("GET", _with_query(path, query), None, {"Accept": NDJSON}, SILENCE_SECONDS)
            try:
                if not 200 <= answer.status < 300:
                    raise await _refused(answer)
                async with aclosing(_lines_of(answer)) as lines:
                    async for line in lines:
                        told = json.loads(line) if line.strip() else None
                        yield told if isinstance(told, dict) else None
            finally:
                answer.close()
        except BROKEN as error:
            raise Unreachable(self.server, _reason(error)) from error

    async def _ask(self, method: str, path: str, body: Wire | None = None, headers: Mapping[str, str] = {}) -> Any:
        retries = Retries(self.patience)
        while True:
            try:
                return await self._ask_once(method, path, body, headers)
            except (Refused, Unreachable) as error:
                if retries.fail(error) == 1:
                    self.on_wait()
            await asyncio.sleep(retries.pause)

    async def _ask_once(self, method: str, path: str, body: Wire | None, headers: Mapping[str, str]) -> Any:
        try:
            answer = await self._open(method, path, body, headers, self.answer_seconds)
            try:
                if not 200 <= answer.status < 300:
                    raise await _refused(answer)
                data = await answer.read()
                self.clock.note(answer.headers.get("Date"))
            finally:
                answer.close()
            return json.loads(data) if data else None
        except BROKEN as error:
            raise Unreachable(self.server, _reason(error)) from error

    async def _open(
        self, method: str, path: str, body: Wire | None, headers: Mapping[str, str], seconds: float
    ) -> Answer:
        secret: dict[str, str] = {}
        if self.token:
            secret["Authorization"] = f"Bearer {self.token}"
        if self.api_key:
            secret["X-API-Key"] = self.api_key
        told = {**headers, **secret}
        if body is not None:
            told["Content-Type"] = "application/json"
        data = None if body is None else json.dumps(body).encode()
        return await _follow(Request(method, f"{self.server}/v1{path}", told, data), seconds, bool(secret))


async def fetch(url: str, seconds: float) -> Reply:
    """Ask for an address once, as nobody in particular, and return the answer. Raises Unreachable."""
    try:
        answer = await _follow(Request("GET", url), seconds, False)
        try:
            return Reply(answer.status, answer.headers, await answer.read())
        finally:
            answer.close()
    except BROKEN as error:
        raise Unreachable(url, _reason(error)) from error


async def _follow(request: Request, seconds: float, is_secret: bool) -> Answer:
    """Ask, and follow a service that moves within its origin. Anywhere else goes only what anybody may ask.

    A refused redirect stays what it is: an answer with a status of 3xx.
    """
    for _ in range(_MOST_REDIRECTS):
        answer = await connections().ask(request, seconds)
        target = _target_of(request, answer, is_secret)
        if target is None:
            return answer
        answer.close()
        request = request._replace(url=target)
    return await connections().ask(request, seconds)


def _target_of(request: Request, answer: Answer, is_secret: bool) -> str | None:
    """Return where a redirect leads to that is followed."""
    location = answer.headers.get("Location")
    if answer.status not in _REDIRECTS or not location:
        return None
    try:
        target = urljoin(request.url, location)
        scheme = urlsplit(target).scheme
        is_near = is_same_origin(request.url, target)
    except ValueError:
        return None
    is_reading = request.method in _READING
    if scheme not in ("http", "https") or (request.url.startswith("https:") and scheme == "http"):
        return None
    if not is_near and (is_secret or not is_reading):
        return None
    return target if is_reading or answer.status in _KEEPS_METHOD else None


async def _lines_of(answer: Answer) -> AsyncGenerator[bytes, None]:
    """Yield the lines of an answer as they come."""
    rest = b""
    async with aclosing(answer.pieces()) as pieces:
        async for data in pieces:
            *lines, rest = (rest + data).split(b"\n")
            for line in lines:
                yield line
    yield rest


def _with_query(path: str, query: Mapping[str, object]) -> str:
    wanted = urlencode({name: value for name, value in query.items() if value is not None})
    return f"{path}?{wanted}" if wanted else path


async def _refused(answer: Answer) -> Refused:
    try:
        body = json.loads(await answer.read())
    except BROKEN:
        body = None
    return Refused(answer.status, body, retry_after(answer.headers), answer.headers.get("Location"))


def _reason(error: BaseException) -> str:
    """Say in the system's words why a connection failed; asyncio's name the call that did."""
    number = re.search(r"\[Errno (\d+)\]", str(error))
    if number:
        return os.strerror(int(number[1]))
    if isinstance(error, TimeoutError):
        return "no answer in time"
    return str(getattr(error, "strerror", None) or error or type(error).__name__)
