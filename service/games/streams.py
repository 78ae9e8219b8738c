"""Streams of a game: the state first, then each event as a line when it happens, until the game is over.

When the service stops, the last line says where to go on. When the store may have lost events that were sent, the state
comes again. A generator runs for as long as the client listens; it holds no Redis connection while it waits.
"""

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass

import orjson
from redis.exceptions import RedisError

from service.callers.door import Attendance
from service.callers.limits import StreamLease
from service.games import views
from service.games.events import kind_of
from service.games.model import FINISHED, Table, Viewer
from service.games.narrator import Narrator
from service.games.tables import fetch
from service.store import keys
from service.store.store import Store

log = logging.getLogger(__name__)

BEAT_SECONDS = 7  # a blank line, so that both ends notice a dead connection
PAGE = 500
NDJSON, SSE = "application/x-ndjson", "text/event-stream"


@dataclass(frozen=True)
class Format:
    """A form of stream: how to write a line."""

    line: Callable[[bytes, int | None], bytes]
    beat: bytes
    resume: bytes = b""  # before the line that says where to go on

    def reconnect(self, after: int) -> bytes:
        """Return the last line, when there is more to come from another server."""
        return self.resume + self.line(b'{"type":"reconnect","after":%d}' % after, None)


def _sse(data: bytes, seq: int | None) -> bytes:
    return (b"id: %d\n" % seq if seq is not None else b"") + b"data: " + data + b"\n\n"


FORMATS = {
    NDJSON: Format(lambda data, _: data + b"\n", b"\n"),
    SSE: Format(_sse, b":\n\n", b"retry: 500\n"),
}


def stream(
    store: Store,
    hub: Attendance,
    table: Table,
    viewer: Viewer,
    after: int | None,
    form: Format,
    lease: StreamLease,
    lang: str | None = None,
) -> Iterator[bytes]:
    """Yield lines from event `after` on, or from now on, with words if a language is given. Those of a finished game
    come at once."""
    first, game_id = _state(table, viewer), table.id
    last = table.seq - (table.status == FINISHED)  # the end is always told
    seq = last if after is None else min(after, last)
    with ending(lease, f"game {game_id}"):
        yield form.line(first, seq)
        epoch, narrator = table.mark.epoch, Narrator(lang, table) if lang else None
        del table, first  # a stream may be listened to for hours: it holds no more than it needs
        with hub.waiter(game_id) as waiter:
            while not hub.stopping:
                rights, found = asked = store.redis.ask(  # whoever leaves is told so, before their token is looked for
                    ("HGET", keys.game(game_id), "rights"), ("LRANGE", keys.events(game_id), seq, seq + PAGE - 1)
                )
                if asked.epoch != epoch and (now := fetch(store, game_id)):
                    epoch, seq = now.mark.epoch, now.seq - (now.status == FINISHED)
                    narrator = Narrator(lang, now) if lang else None
                    yield form.line(_state(now, viewer), seq)
                    continue
                seq, over, lines = _news(found, viewer, seq, form, narrator)
                if not over and (farewell := _farewell(rights, viewer)):
                    yield form.line(farewell, None)
                    return
                if lines:
                    yield lines
                if over:
                    return
                if len(found) < PAGE and not waiter.wait(BEAT_SECONDS):
                    lease.renew()
                    yield form.beat
    yield form.reconnect(seq)


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


def _state(table: Table, viewer: Viewer) -> bytes:
    return orjson.dumps({"type": "state", "seq": table.seq, "state": views.state(table, viewer)})


def _farewell(rights: bytes | None, viewer: Viewer) -> bytes:
    """Return the last line where the game or the viewer's token is not there any more, and nothing where they are."""
    if rights is None:
        return b'{"type":"game_deleted"}'
    return b"" if viewer.token_digest.encode() in rights else b'{"type":"token_revoked"}'


def _news(
    found: Sequence[bytes], viewer: Viewer, seq: int, form: Format, narrator: Narrator | None
) -> tuple[int, bool, bytes]:
    """Return the number of the last event, whether that was the end, and the lines."""
    ends = next((at for at, each in enumerate(found, 1) if _is_last(each, viewer)), None)
    sent = found[:ends]
    lines = [form.line(views.event(each, viewer, narrator), seq + 1 + at) for at, each in enumerate(sent)]
    return seq + len(sent), ends is not None, b"".join(lines)


def _is_last(event: bytes, viewer: Viewer) -> bool:
    """Return whether no event may follow: the game is over, or the viewer has left and may not know what those know who
    have their seats."""
    kind = kind_of(event)
    left = b'"player":"%s"' % (viewer.player or "").encode()
    return kind == b"game_over" or (kind == b"player_left" and left in event)
