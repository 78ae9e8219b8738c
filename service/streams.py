"""The history as a stream: the state first, then an event a line as it happens, until the game is over.

When the service is to stop, the last line says where to go on; when the store may have lost what was told, the state
comes again. A generator runs for as long as the client listens; it holds no Redis connection while it waits.
"""

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass

import orjson
from redis.exceptions import RedisError

from service import views
from service.feed import Hub
from service.limits import StreamLease
from service.narrator import Narrator
from service.store import Store
from service.tables import Table, Viewer, fetch

log = logging.getLogger(__name__)

BEAT_SECONDS = 7  # a blank line, so that both ends notice a dead connection
PAGE = 500
NDJSON, SSE = "application/x-ndjson", "text/event-stream"


@dataclass(frozen=True)
class Format:
    """How a line is written."""

    line: Callable[[bytes, int | None], bytes]
    beat: bytes
    resume: bytes = b""  # before the line that says where to go on

    def reconnect(self, after: int) -> bytes:
        """The last line, when there is more to come from another server."""
        return self.resume + self.line(b'{"type":"reconnect","after":%d}' % after, None)


def _sse(data: bytes, seq: int | None) -> bytes:
    return (b"id: %d\n" % seq if seq is not None else b"") + b"data: " + data + b"\n\n"


FORMATS = {
    NDJSON: Format(lambda data, _: data + b"\n", b"\n"),
    SSE: Format(_sse, b":\n\n", b"retry: 500\n"),
}


def stream(
    store: Store,
    hub: Hub,
    table: Table,
    viewer: Viewer,
    after: int | None,
    form: Format,
    lease: StreamLease,
    lang: str | None = None,
) -> Iterator[bytes]:
    """From event `after` on, or from now on; in words, too, if a language is given. A finished game is told to its last
    event at once."""
    first, game_id = _state(table, viewer), table.id
    last = table.seq - (table.status == "finished")  # the end is always told
    seq = last if after is None else min(after, last)
    with ending(lease, f"game {game_id}"):
        yield form.line(first, seq)
        epoch, narrator = table.epoch, Narrator(lang, table) if lang else None
        del table, first  # a stream may be listened to for hours: it holds no more than it needs
        with hub.waiter(game_id) as waiter:
            woken = False
            while not hub.stopping:
                (found,) = asked = store.redis.ask(("LRANGE", f"events:{game_id}", seq, seq + PAGE - 1))
                if asked.epoch != epoch and (now := fetch(store, game_id)):
                    epoch, seq = now.epoch, now.seq - (now.status == "finished")
                    narrator = Narrator(lang, now) if lang else None
                    yield form.line(_state(now, viewer), seq)
                    continue
                seq, over, lines = _news(found, viewer, seq, form, narrator)
                if lines:
                    yield lines
                elif woken and not store.redis.exists(f"game:{game_id}"):
                    yield form.line(b'{"type":"game_deleted"}', None)
                    over = True
                if over:
                    return
                if len(found) < PAGE:
                    woken = waiter.wait(BEAT_SECONDS)
                    if not woken:
                        lease.renew()
                        yield form.beat
    yield form.reconnect(seq)


@contextmanager
def ending(lease: StreamLease, what: str) -> Iterator[None]:
    """Around a stream: when the store fails it ends as when the service stops, and its place is given back."""
    try:
        yield
    except RedisError as error:
        log.warning("a stream of %s ends: %s", what, error)
    finally:
        with suppress(RedisError):  # in time it is given back by itself
            lease.end()


def _state(table: Table, viewer: Viewer) -> bytes:
    return orjson.dumps({"type": "state", "seq": table.seq, "state": views.state(table, viewer)})


def _news(
    found: Sequence[bytes], viewer: Viewer, seq: int, form: Format, narrator: Narrator | None
) -> tuple[int, bool, bytes]:
    """The last number told, whether that was the end, and the lines."""
    ends = next((at for at, each in enumerate(found, 1) if _is_last(each, viewer)), None)
    told = found[:ends]
    lines = [form.line(views.event(each, viewer, narrator), seq + 1 + at) for at, each in enumerate(told)]
    return seq + len(told), ends is not None, b"".join(lines)


def _is_last(event: bytes, viewer: Viewer) -> bool:
    """Whoever left has no token any more, and hears no more of what his seats may know."""
    left = b'"type":"player_left","player":"%s"' % (viewer.player or "").encode()
    return b'"type":"game_over"' in event or left in event
