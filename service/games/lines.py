"""Lines of streams: how each form writes them, and how every stream ends."""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from redis.exceptions import RedisError

from service.callers.limits import StreamLease

log = logging.getLogger(__name__)

BEAT_SECONDS = 7  # a blank line, so that both ends notice a dead connection
NDJSON, SSE = "application/x-ndjson", "text/event-stream"


def reconnect(after: int) -> bytes:
    """Return what is told last when there is more to come from another server."""
    return b'{"type":"reconnect","after":%d}' % after


@dataclass(frozen=True)
class Format:
    """A form of stream: how to write a line."""

    line: Callable[[bytes, int | None], bytes]
    beat: bytes
    resume: bytes = b""  # before the line that says where to go on

    def reconnect(self, after: int) -> bytes:
        """Return the last line, when there is more to come from another server."""
        return self.resume + self.line(reconnect(after), None)


def _sse(data: bytes, seq: int | None) -> bytes:
    return (b"id: %d\n" % seq if seq is not None else b"") + b"data: " + data + b"\n\n"


FORMATS = {
    SSE: Format(_sse, b":\n\n", b"retry: 500\n"),
    NDJSON: Format(lambda data, _: data + b"\n", b"\n"),
}


@contextmanager
def ending(lease: StreamLease, what: str) -> Iterator[None]:
    """End a stream that fails with the store as if the service had stopped, and give its place back."""
    try:
        yield
    except RedisError as error:
        log.warning("a stream of %s ends: %s", what, error)
    finally:
        with suppress(RedisError):  # in time it is given back by itself
            lease.end()
