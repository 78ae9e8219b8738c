"""HTTP/1.1 over asyncio: connections that are opened, asked, kept for a moment, and closed.

Within is neither retry nor redirect: `core.py` decides on both.
"""

import asyncio
import io
import ssl
import time
from base64 import b64encode
from collections.abc import AsyncGenerator, Coroutine, Mapping
from email.message import Message
from http.client import HTTPException, parse_headers
from typing import Any, NamedTuple
from urllib.parse import SplitResult, quote, unquote, urlsplit
from urllib.request import getproxies, proxy_bypass
from weakref import WeakKeyDictionary

from red_november_client.addresses import PORTS, is_this_machine

BROKEN = (OSError, EOFError, HTTPException, ValueError, asyncio.LimitOverrunError)  # a connection, or what came over it
IDLE_SECONDS = 4.0  # that a connection is kept: less than servers keep theirs
USER_AGENT = "red-november-client"
_PIECE_BYTES = 2**16
_IN_TARGETS = "%/:=&?~+!$,;'@()*[]"
_INTERIM = range(100, 200)
_WITHOUT_BODY = (204, 304)


class Request(NamedTuple):
    """What is asked of an address."""

    method: str
    url: str
    headers: Mapping[str, str] = {}
    data: bytes | None = None


class _Place(NamedTuple):
    """Where a connection leads to, and through which proxy."""

    scheme: str
    host: str
    port: int
    proxy: str | None


class _Line:
    """A connection."""

    def __init__(self, place: _Place, reader: asyncio.StreamReader, writer: asyncio.StreamWriter):
        self.place, self.reader, self.writer = place, reader, writer
        self.kept_since: float | None = None

    def close(self) -> None:
        self.writer.close()


class Answer:
    """What was answered: its head at once, its body as it comes. Whoever got it closes it."""

    def __init__(self, connections: "Connections", line: _Line, request: Request, seconds: float, head: bytes):
        first, _, fields = head.partition(b"\r\n")
        version, status, *_ = first.split(None, 2)
        if not version.startswith(b"HTTP/1."):
            raise ValueError("no HTTP")
        self.status = int(status)
        self.headers: Message = parse_headers(io.BytesIO(fields))
        self._connections, self._line, self._seconds = connections, line, seconds
        says = self.headers.get("Connection", "").lower()
        self._is_kept = "close" not in says and (version == b"HTTP/1.1" or "keep-alive" in says)
        self._is_whole = request.method == "HEAD" or self.status in _WITHOUT_BODY

    async def pieces(self) -> AsyncGenerator[bytes, None]:
        """Yield the body as it comes. Raises one of BROKEN when it ends before it is whole."""
        reader = self._line.reader
        if self._is_whole:
            return
        if "chunked" in self.headers.get("Transfer-Encoding", "").lower():
            while size := int((await self._within(reader.readuntil(b"\n"))).partition(b";")[0], 16):
                yield (await self._within(reader.readexactly(size + 2)))[:-2]
            while (await self._within(reader.readuntil(b"\n"))).strip():
                pass
        elif (length := self.headers.get("Content-Length")) is not None:
            left = int(length)
            while left > 0:
                piece = await self._within(reader.read(min(left, _PIECE_BYTES)))
                if not piece:
                    raise EOFError("the connection ended in the middle of an answer")
                left -= len(piece)
                yield piece
        else:
            self._is_kept = False
            while piece := await self._within(reader.read(_PIECE_BYTES)):
                yield piece
        self._is_whole = True

    async def read(self) -> bytes:
        return b"".join([piece async for piece in self.pieces()])

    def close(self) -> None:
        """Give the connection back, if all that was said on it was heard."""
        if self._is_whole and self._is_kept:
            self._connections.keep(self._line)
        else:
            self._line.close()

    async def _within(self, coming: Coroutine[Any, Any, bytes]) -> bytes:
        async with asyncio.timeout(self._seconds):
            return await coming


class Connections:
    """The connections of one event loop. Those that are done with are kept for a moment, for who asks next."""

    def __init__(self) -> None:
        self._kept: dict[_Place, list[_Line]] = {}
        self._tls: ssl.SSLContext | None = None

    async def ask(self, request: Request, seconds: float) -> Answer:
        """Send a request, and return the answer's head. Raises one of BROKEN.

        A connection that was kept may have ended meanwhile: then it is sent once more over another one. What must not
        be done twice has an Idempotency-Key, or is recognized by what it says.
        """
        place = _place_of(request.url)
        async with asyncio.timeout(seconds):
            line = self._take(place)
            if line is not None:
                try:
                    return await self._ask_over(line, request, seconds)
                except (EOFError, ConnectionError):
                    pass
            return await self._ask_over(await self._open(place), request, seconds)

    async def reach(self, url: str, seconds: float) -> None:
        """Connect, and keep the connection for what is asked next. Raises one of BROKEN."""
        async with asyncio.timeout(seconds):
            self.keep(await self._open(_place_of(url)))

    async def _ask_over(self, line: _Line, request: Request, seconds: float) -> Answer:
        try:
            line.writer.write(_bytes_of(request, line.place))
            await line.writer.drain()
            while True:
                head = await line.reader.readuntil(b"\r\n\r\n")
                answer = Answer(self, line, request, seconds, head)
                if answer.status not in _INTERIM:
                    return answer
        except BaseException:
            line.close()
            raise

    def keep(self, line: _Line) -> None:
        line.kept_since = time.monotonic()
        self._kept.setdefault(line.place, []).append(line)
        asyncio.get_running_loop().call_later(IDLE_SECONDS, self._close_old)

    async def close(self) -> None:
        """Close what is kept, and wait until it is."""
        kept = [line for lines in self._kept.values() for line in lines]
        self._kept.clear()
        for line in kept:
            line.close()
        await asyncio.gather(*(line.writer.wait_closed() for line in kept), return_exceptions=True)

    def _take(self, place: _Place) -> _Line | None:
        lines = self._kept.get(place, [])
        while lines:
            line = lines.pop()
            if not line.reader.at_eof() and not line.writer.is_closing():
                return line
            line.close()
        return None

    def _close_old(self) -> None:
        ends = time.monotonic() - IDLE_SECONDS
        for lines in self._kept.values():
            while lines and (lines[0].kept_since or 0) <= ends:
                lines.pop(0).close()

    async def _open(self, place: _Place) -> _Line:
        if place.proxy is None:
            secure = self._context() if place.scheme == "https" else None
            reader, writer = await asyncio.open_connection(place.host, place.port, ssl=secure)
            return _Line(place, reader, writer)
        proxy = urlsplit(place.proxy)
        secure = self._context() if proxy.scheme == "https" else None
        reader, writer = await asyncio.open_connection(proxy.hostname, proxy.port or PORTS[proxy.scheme], ssl=secure)
        line = _Line(place, reader, writer)
        if place.scheme == "https":
            try:
                await self._tunnel(line, proxy)
            except BaseException:
                line.close()
                raise
        return line

    async def _tunnel(self, line: _Line, proxy: SplitResult) -> None:
        place = line.place
        target = f"[{place.host}]:{place.port}" if ":" in place.host else f"{place.host}:{place.port}"
        said = [f"CONNECT {target} HTTP/1.1", f"Host: {target}", *_credentials(proxy), "", ""]
        line.writer.write("\r\n".join(said).encode())
        status = (await line.reader.readuntil(b"\r\n\r\n")).split(None, 2)[1]
        if status != b"200":
            raise ConnectionError(f"the proxy answers {status.decode(errors='replace')}")
        await line.writer.start_tls(self._context(), server_hostname=place.host)

    def _context(self) -> ssl.SSLContext:
        self._tls = self._tls or ssl.create_default_context()
        return self._tls


_OF_LOOPS: "WeakKeyDictionary[asyncio.AbstractEventLoop, Connections]" = WeakKeyDictionary()


def connections() -> Connections:
    """Return those of the running loop."""
    return _OF_LOOPS.setdefault(asyncio.get_running_loop(), Connections())


def _place_of(url: str) -> _Place:
    parts = urlsplit(url)
    host = parts.hostname or ""
    if parts.scheme not in PORTS or not host:
        raise ValueError(f"{url!r} is no address of a service")
    proxy = None
    if not is_this_machine(host) and not proxy_bypass(host):  # a proxy's localhost is another
        proxy = getproxies().get(parts.scheme)
    if proxy and "://" not in proxy:
        proxy = f"http://{proxy}"
    return _Place(parts.scheme, host, parts.port or PORTS[parts.scheme], proxy or None)


def _bytes_of(request: Request, place: _Place) -> bytes:
    parts = urlsplit(request.url)
    name = place.host.encode("idna").decode() if not place.host.isascii() else place.host
    host = f"[{name}]" if ":" in name else name
    if place.port != PORTS[place.scheme]:
        host = f"{host}:{place.port}"
    target = quote(parts.path or "/", safe=_IN_TARGETS)
    if parts.query:
        target += "?" + quote(parts.query, safe=_IN_TARGETS)
    through = []
    if place.proxy and place.scheme == "http":
        target, through = f"http://{host}{target}", _credentials(urlsplit(place.proxy))
    lines = [f"{request.method} {target} HTTP/1.1", f"Host: {host}", f"User-Agent: {USER_AGENT}", *through]
    lines += [f"{name}: {value}" for name, value in request.headers.items()]
    if request.data is not None:
        lines.append(f"Content-Length: {len(request.data)}")
    if not all(line.isprintable() for line in lines):
        raise ValueError("a header has a letter that can't be sent")
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + (request.data or b"")


def _credentials(proxy: SplitResult) -> list[str]:
    if proxy.username is None:
        return []
    pair = f"{unquote(proxy.username)}:{unquote(proxy.password or '')}"
    return [f"Proxy-Authorization: Basic {b64encode(pair.encode()).decode()}"]
