"""Streams of games: the state first, then each event as a line when it happens, until the game is over.

When the service stops, the last line says where to go on. When the store may have lost events that were sent, the state
comes again. A generator runs for as long as the client listens; it holds no Redis connection while it waits.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import orjson

from service.callers.door import Attendance
from service.callers.limits import StreamLease
from service.games import views
from service.games.events import is_told, kind_of
from service.games.lines import BEAT_SECONDS, Format, ending, reconnect
from service.games.model import FINISHED, Table, Viewer
from service.games.narrator import Narrator
from service.games.signals import Heard
from service.games.tables import fetch
from service.store import keys
from service.store.redis_client import Command
from service.store.store import Store

PAGE = 500  # events that are read at once
TOGETHER = 8  # games that are read at once

Told = tuple[int | None, bytes]  # the number to go on after, None where it is as before; and the line as JSON


class Listener:
    """What one viewer hears of a game. It is kept for hours, and so holds no more than it needs."""

    def __init__(
        self,
        store: Store,
        table: Table,
        viewer: Viewer,
        after: int | None,
        lang: str | None = None,
        all_kinds: bool = False,
    ):
        """Begin after event `after`, or now. Events of a finished game come at once; its end is always told."""
        self.game_id = table.id
        self.seq = _latest(table) if after is None else min(after, _latest(table))
        self.is_over = False
        self.has_more = True  # to read, before there is anything to wait for
        self._store, self._viewer, self._lang, self._all_kinds = store, viewer, lang, all_kinds
        self._epoch = table.mark.epoch
        self._narrator = Narrator(lang, table) if lang else None
        self._signals = Heard() if all_kinds else None

    @property
    def topic(self) -> str:
        return self._store.names.topic(self.game_id)

    def wake(self, signalled: bool) -> None:
        """Note that there may be news, of signals too, or of them alone."""
        if self._signals:
            self._signals.is_due |= signalled

    def commands(self) -> list[Command]:
        """Return what reads the news of the game; whoever leaves is told so before their token is looked for."""
        names = self._store.names
        read: list[Command] = [
            ("HGET", names.game(self.game_id), "rights"),
            ("LRANGE", names.events(self.game_id), self.seq, self.seq + PAGE - 1),
        ]
        if self._viewer.bot:
            read.append(("HGET", keys.account(self._viewer.bot), "digest"))
        if self._signals and self._signals.is_due:
            read.append(("HVALS", names.signals(self.game_id)))
        return read

    def read(self, replies: Sequence[Any], epoch: str) -> list[Told]:
        """Return the lines that the replies to `commands` come to."""
        rights, found, *signals = replies
        known = signals.pop(0) if self._viewer.bot else rights
        if epoch != self._epoch and (now := fetch(self._store, self.game_id)):
            return [self._begin_anew(now)]
        ends = next((at for at, each in enumerate(found, 1) if _is_last(each, self._viewer)), None)
        self.is_over = ends is not None
        if (self._viewer.bot or not self.is_over) and (farewell := _farewell(rights, known, self._viewer)):
            self.is_over = True
            return [(None, farewell)]
        sent = found[:ends]
        told = [
            (self.seq + at, views.event(each, self._viewer, self._narrator))
            for at, each in enumerate(sent, 1)
            if is_told(each, self._all_kinds)
        ]
        self.seq += len(sent)
        self.has_more = len(found) == PAGE
        if self._signals and signals and not self.is_over:
            return [*told, *((None, line) for line in self._signals.lines(signals[0], self._narrator))]
        return list(told)

    def _begin_anew(self, now: Table) -> Told:
        """Begin again in a store that may have lost events."""
        self._epoch, self.seq = now.mark.epoch, _latest(now)
        self._narrator = Narrator(self._lang, now) if self._lang else None
        self.has_more = True
        return self.seq, state_line(now, self._viewer)


def state_line(table: Table, viewer: Viewer) -> bytes:
    """Return the first line of a stream, as JSON."""
    return orjson.dumps({"type": "state", "seq": table.seq, "state": views.state(table, viewer)})


def stream(
    store: Store, hub: Attendance, listener: Listener, first: bytes, form: Format, lease: StreamLease
) -> Iterator[bytes]:
    """Yield the lines of one game, `first` before all others."""
    with ending(lease, f"game {listener.game_id}"):
        yield form.line(first, listener.seq)
        del first
        with hub.waiter(listener.topic, signals=True) as waiter:
            while not hub.stopping:
                listener.wake(bool(waiter.take_signalled()))
                for _, told in _news(store, [listener]):
                    yield b"".join(form.line(line, seq) for seq, line in told)
                if listener.is_over:
                    return
                lease.renew()
                if not listener.has_more and not waiter.wait(BEAT_SECONDS):
                    yield form.beat
    yield form.reconnect(listener.seq)


def stream_together(
    store: Store, hub: Attendance, listeners: Sequence[Listener], firsts: list[bytes], lease: StreamLease
) -> Iterator[bytes]:
    """Yield the lines of many games over one connection, each with its game and with the number to go on after."""
    with ending(lease, f"{len(listeners)} games"):
        for listener in listeners:
            yield _addressed(listener, [(listener.seq, firsts.pop(0))])
        with hub.waiter(*(listener.topic for listener in listeners), signals=True) as waiter:
            due = listeners
            while listeners and not hub.stopping:
                for listener, told in _news(store, due):
                    yield _addressed(listener, told)
                listeners = [each for each in listeners if not each.is_over]
                lease.renew()
                woken, signalled = waiter.take(), waiter.take_signalled()
                due = [each for each in listeners if each.has_more or each.topic in woken]
                for each in due:
                    each.wake(each.topic in signalled)
                if listeners and not due and not waiter.wait(BEAT_SECONDS):
                    yield b"\n"
                    due = listeners
    yield b"".join(_addressed(listener, [(None, reconnect(listener.seq))]) for listener in listeners)


def _news(store: Store, due: Sequence[Listener]) -> Iterator[tuple[Listener, list[Told]]]:
    """Yield what there is to tell of each game, some games in one round trip."""
    for first in range(0, len(due), TOGETHER):
        group = due[first : first + TOGETHER]
        wanted = [listener.commands() for listener in group]
        asked = store.redis.ask(*(command for commands in wanted for command in commands))
        begins = 0
        for listener, commands in zip(group, wanted, strict=True):
            replies = asked[begins : begins + len(commands)]
            if told := listener.read(replies, asked.epochs[begins]):
                yield listener, told
            begins += len(commands)


def _addressed(listener: Listener, told: Sequence[Told]) -> bytes:
    game_id = listener.game_id.encode()
    return b"".join(
        b'{"game_id":"%s","seq":%d,"line":%s}\n' % (game_id, listener.seq if seq is None else seq, line)
        for seq, line in told
    )


def _latest(table: Table) -> int:
    """Return the number of the last event that need not be told."""
    return table.seq - (table.status == FINISHED)


def _farewell(rights: bytes | None, known: bytes | None, viewer: Viewer) -> bytes:
    """Return the last line where the game or the viewer's token is not there any more, and nothing where they are.
    `known` has the hash of the token: the rights of the game, or what is stored of an outside bot."""
    if rights is None:
        return b'{"type":"game_deleted"}'
    return b"" if viewer.token_digest.encode() in (known or b"") else b'{"type":"token_revoked"}'


def _is_last(event: bytes, viewer: Viewer) -> bool:
    """Return whether no event may follow: the game is over, or the viewer has left and may not know what those know who
    have their seats. A bot may have lost its seat wherever one has changed hands: it comes again, if it has not."""
    kind = kind_of(event)
    if viewer.bot and kind in (b"player_joined", b"controller_changed"):
        return True
    left = b'"player":"%s"' % (viewer.player or "").encode()
    return kind == b"game_over" or (kind == b"player_left" and left in event)
