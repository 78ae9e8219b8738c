"""Read requests from a connection: within a time, and no more than a request may have.

gunicorn reads for as long as something comes, and before the next request whatever is left of this one's body. One
connection that sends without an end then takes the whole process, which never comes to answer others.
"""

import io
import socket
import time
from typing import Any

import gevent
from gunicorn.http.body import Body, LengthReader
from gunicorn.http.errors import LimitRequestHeaders, NoMoreData
from gunicorn.http.unreader import SocketUnreader

from service.refusals import Problem

HEAD_BYTES = 64 * 1024
_FRAMING_BYTES = 16 * 1024  # that the framing of a chunked body may take
_PIECE = 1024  # of a chunked body, between which others have their turn
_CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"
_LINGER_SECONDS, _LINGER_BYTES = 2.0, 2**20


_HEAD_TOO_LARGE = LimitRequestHeaders("the head is too large")


class Late(Exception):
    """Raised when a request did not arrive in time."""


class Reader(SocketUnreader):  # type: ignore[misc]
    """Reads one connection, for gunicorn's parser."""

    def __init__(self, sock: Any):
        super().__init__(sock)
        self._ends = 0.0
        self._left = 0
        self._excess: Exception = Late()

    def allow(self, seconds: float, most: int, excess: Exception) -> None:
        """Allow so many seconds and bytes from here on; `excess` is raised when there is more."""
        self._ends = time.monotonic() + seconds
        self._left, self._excess = most, excess

    def chunk(self, size_hint: int | None = None) -> bytes:
        if self._left <= 0:
            raise self._excess
        seconds = self._ends - time.monotonic()
        if seconds <= 0:
            raise Late
        self.sock.settimeout(seconds)
        try:
            data: bytes = super().chunk(size_hint)
        except TimeoutError as error:
            raise Late from error
        self._left -= len(data)
        return data

    def begins(self, seconds: float) -> bool:
        """Wait for the first byte of a request. A client that sent it early lets others go first."""
        if self.buf.seek(0, io.SEEK_END):
            gevent.sleep(0)
            return True
        self.sock.settimeout(seconds)
        try:
            data = self.sock.recv(self.mxchunk)
        except TimeoutError:
            return False
        self.buf.write(data)
        return bool(data)


def read_head(parser: Any, seconds: float) -> Any:
    """Return the next request, without its body. Raises Late, or gunicorn's error for one that can't be read."""
    parser.unreader.allow(seconds, HEAD_BYTES, _HEAD_TOO_LARGE)
    return next(parser)


def read_body(request: Any, reader: Reader, most: int, seconds: float) -> None:
    """Read the whole body now, not when it is asked for. Raises a Problem if it is too large, Late, or gunicorn's error
    for a body that breaks off or can't be read."""
    body = request.body.reader
    if isinstance(body, LengthReader) and body.length == 0:
        request.body = io.BytesIO()
        return
    too_large = Problem("body_too_large", f"At most {most} bytes.")
    if isinstance(body, LengthReader) and body.length > most:
        raise too_large
    _go_on(request, reader.sock)
    reader.allow(seconds, most + _FRAMING_BYTES, too_large)
    if isinstance(body, LengthReader):
        wanted = body.length
        data = body.read(wanted)
        if len(data) < wanted:
            raise NoMoreData(data)
    else:
        data = _in_pieces(request.body, most, too_large)
    request.body = io.BytesIO(data)


def _go_on(request: Any, sock: Any) -> None:
    """Tell a client that asked first (`Expect: 100-continue`) to send the body."""
    if request._expected_100_continue:
        request._expected_100_continue = False
        sock.settimeout(None)
        sock.sendall(_CONTINUE)


def _in_pieces(body: Body, most: int, too_large: Problem) -> bytes:
    """Read the body piece by piece: chunks may be of one byte each, and take long."""
    data = b""
    while piece := body.read(_PIECE):
        data += piece
        if len(data) > most:
            raise too_large
        gevent.sleep(0)
    return data


def linger(sock: Any) -> None:
    """End a connection on which more may arrive. Closed at once it would be reset, and our last answer lost."""
    ends = time.monotonic() + _LINGER_SECONDS
    left = _LINGER_BYTES
    try:
        sock.shutdown(socket.SHUT_WR)
        while left > 0 and (seconds := ends - time.monotonic()) > 0:
            sock.settimeout(seconds)
            data = sock.recv(65536)
            if not data:
                return
            left -= len(data)
            gevent.sleep(0)
    except OSError:
        pass
