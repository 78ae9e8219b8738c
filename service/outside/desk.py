"""What a bot has before it over one connection: what it was told of, and what waits.

Nothing is kept for the next connection: it begins with what is open. What is open is noted beside the games, by the
script that changes them, which also wakes whoever holds the connection.
"""

import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Final, Literal

from msgspec import Struct

from service import clock
from service.accounts import accounts
from service.accounts.model import BY_MISSES, Account
from service.games import stored, tables, timing
from service.games.model import Table
from service.outside.connection import RENEW_SECONDS, Connection
from service.outside.lines import STATE, Form, line
from service.outside.standing_in import ends
from service.store import keys
from service.store.asked import Entry
from service.store.layouts import NewerLayout
from service.store.redis_client import Command
from service.store.scripts import Script
from service.store.store import Store
from service.wire import Wire

KEPT_FOR_LIVE = 2  # decisions at once that matches leave to other games
DUE_SECONDS = 0.3  # after the time is up, for whoever holds the connection to call a worker before the sweeper does
TOGETHER = 32  # games that are read at once
_SEND = Script("outside/sending.lua")

Reason = Literal["late", "taken_back", "deleted", "paused"]
REASONS: Final = ("late", "taken_back", "deleted", "paused")
REPLACED: Wire = {"type": "replaced"}
RECONNECT: Wire = {"type": "reconnect"}


class Told(Struct, frozen=True):
    """A decision that the bot was told of over this connection."""

    game_id: str
    partition: int
    is_for_match: bool
    ends: float
    creator: str
    seen: dict[str, float]


class Desk:
    """What is before a bot over one connection, and what is told of it."""

    def __init__(self, store: Store, account: Account, form: Form = STATE):
        self._store, self._account, self._form = store, account, form
        self._connection = Connection(store, account.name)
        self._asked: dict[int, dict[str, Entry]] = {}  # by partition, as it was read last
        self._told: dict[str, Told] = {}
        self._up: set[str] = set()  # decisions whose time is up, and which a stand-in has not made yet
        self._elsewhere: set[str] = set()  # decisions in games that a later release has stored
        partitions = store.names.partitions.all
        self._partition_of = {store.names.asked(each, account.name): each for each in partitions}
        self._unread = set(partitions)
        self._renewed = 0.0
        self.is_over = False

    @property
    def topics(self) -> list[str]:
        return [keys.account(self._account.name), *self._partition_of]

    @property
    def open(self) -> int:
        """Return how many decisions the bot has before it."""
        return len(self._told)

    def begin(self) -> None:
        self._connection.open()
        self._renewed = time.monotonic()

    def leave(self, seconds: float) -> None:
        self._connection.leave(round(seconds))

    @property
    def patience(self) -> float:
        """Return how long there is nothing to do if nothing happens."""
        renew = self._renewed + RENEW_SECONDS - time.monotonic()
        return min([renew, *(each.ends - clock.now() for each in self._told.values())])

    def look(self, woken: set[str]) -> Iterator[Wire]:
        """Yield what there is to tell, now that these topics have news."""
        self._unread |= {self._partition_of[topic] for topic in woken if topic in self._partition_of}
        if keys.account(self._account.name) in woken or time.monotonic() - self._renewed >= RENEW_SECONDS:
            yield from self._look_at_account()
        if self.is_over or self._account.is_paused:
            return
        self._read_asked()
        yield from self._take_back()
        yield from self._end_late()
        yield from self._send()
        if self._elsewhere:
            self.is_over = True
            yield RECONNECT

    def _look_at_account(self) -> Iterator[Wire]:
        """Go on only if this is the newest connection of a bot that is neither gone nor paused."""
        flat, is_newest = self._store.redis.ask(accounts.reading(self._account.name)[0], self._connection.renewing())
        self._renewed = time.monotonic()
        account = accounts.read(self._account.name, flat)
        if account is None or not is_newest or account.digest != self._account.digest:
            self.is_over = True
            yield from self._withdraw(list(self._told), "deleted") if account is None else [REPLACED]
            return
        if self._account.is_paused and not account.is_paused:
            self._unread = set(self._store.names.partitions.all)
        self._account = account
        if account.is_paused:
            yield from self._withdraw(list(self._told), "paused")
            self._up.clear()
            self.is_over = account.pause == BY_MISSES

    def _read_asked(self) -> None:
        partitions, self._unread = sorted(self._unread), set()
        names, name = self._store.names, self._account.name
        replies = self._store.redis.ask(*(("HGETALL", names.asked(each, name)) for each in partitions))
        for partition, flat in zip(partitions, replies, strict=True):
            pairs = zip(flat[::2], flat[1::2], strict=True)
            self._asked[partition] = {id_.decode(): Entry.read(entry) for id_, entry in pairs}
            if not flat:
                del self._asked[partition]

    def _is_asked(self, id_: str, partition: int) -> bool:
        return id_ in self._asked.get(partition, ())

    def _take_back(self) -> Iterator[Wire]:
        """Tell of decisions that are open no more, unless the bot has made them."""
        self._up = {id_ for id_ in self._up if any(id_ in asked for asked in self._asked.values())}
        self._forget_made()
        gone = self._gone()
        if not gone:
            return
        names = self._store.names
        found = self._store.redis.ask(*(("HMGET", names.game(told.game_id), *stored.FIELDS) for _, told in gone))
        for (id_, told), fields, epoch in zip(gone, found, found.epochs, strict=True):
            reason: Reason | None = None
            with suppress(NewerLayout):
                table = stored.load(told.game_id, fields, epoch) if fields[0] is not None else None
                reason = _reason(table, _moves(id_))
            if reason is None:
                del self._told[id_]
            else:
                yield from self._withdraw([id_], reason)

    def _gone(self) -> list[tuple[str, Told]]:
        return [(id_, told) for id_, told in self._told.items() if not self._is_asked(id_, told.partition)]

    def _forget_made(self) -> None:
        """Forget decisions that the bot has made, which is nearly always why they are open no more: for that no game
        needs to be loaded."""
        gone, names = self._gone(), self._store.names
        found = self._store.redis.ask(*(("HMGET", names.game(told.game_id), *stored.ANSWERED) for _, told in gone))
        for (id_, _), fields in zip(gone, found, strict=True):
            if stored.has_answered(fields, _moves(id_)):
                del self._told[id_]

    def _end_late(self) -> Iterator[Wire]:
        """Tell of decisions whose time is up, and call workers to make them."""
        now = clock.now()
        for id_, told in [each for each in self._told.items() if now >= each[1].ends]:
            self._up.add(id_)
            yield from self._withdraw([id_], "late")
            tables.offer(self._store, told.game_id, told.creator, told.seen)

    def _withdraw(self, ids: Sequence[str], reason: Reason) -> Iterator[Wire]:
        for id_ in ids:
            del self._told[id_]
            yield {"type": "withdrawn", "id": id_, "reason": reason}

    def _send(self) -> Iterator[Wire]:
        """Tell of as many decisions as the bot may have: those that it knows from an earlier connection, then those
        that have waited longest. Matches leave some of them to other games, and ask no other version of the bot."""
        terms = self._account.terms
        waiting = [
            (entry.sent == 0, entry.since, id_, partition, entry.is_for_match)
            for partition, asked in self._asked.items()
            for id_, entry in asked.items()
            if not (id_ in self._told or id_ in self._up or id_ in self._elsewhere)
            and entry.version in (None, terms.version)
        ]
        free = terms.open - len(self._told)
        if free <= 0 or not waiting:
            return
        waiting.sort()
        for_matches = most_for_matches(terms.open) - sum(each.is_for_match for each in self._told.values())
        chosen: list[tuple[str, int]] = []
        for _, _, id_, partition, is_for_match in waiting:
            if len(chosen) < free and (not is_for_match or for_matches > 0):
                chosen.append((id_, partition))
                for_matches -= is_for_match
        for first in range(0, len(chosen), TOGETHER):
            yield from self._send_some(chosen[first : first + TOGETHER])

    def _send_some(self, chosen: Sequence[tuple[str, int]]) -> Iterator[Wire]:
        store, names, name = self._store, self._store.names, self._account.name
        now, seconds = clock.now(), self._account.terms.seconds
        until = ends(Entry(now, now), seconds) + DUE_SECONDS
        commands: list[Command] = []
        for id_, partition in chosen:
            game_id = id_.rpartition(".")[0]
            asked, due = names.asked(partition, name), names.due(partition)
            commands.append(("HMGET", names.game(game_id), *stored.FIELDS))
            commands.append(("EVAL", _SEND.text, 2, asked, due, id_, game_id, f"{now:.3f}", f"{until:.3f}"))
        found = store.redis.ask(*commands)
        for (id_, partition), fields, entry, epoch in zip(
            chosen, found[::2], found[1::2], found.epochs[::2], strict=True
        ):
            try:
                table = stored.load(id_.rpartition(".")[0], fields, epoch) if fields[0] is not None else None
            except NewerLayout:  # a process of the later release, which reads it, may have the next connection
                self._elsewhere.add(id_)
                continue
            decision = timing.decision_of_outsider(table.lobby, table.game) if table else None
            if table is None or decision is None or entry is None or decision.id_in(table.id) != id_:
                self._unread.add(partition)  # it has changed meanwhile
                if table is None:
                    store.redis.ask(("HDEL", names.asked(partition, name), id_))
                continue
            noted = Entry.read(entry)
            told = Told(table.id, partition, noted.is_for_match, ends(noted, seconds), table.creator, table.seen)
            if told.ends <= now:
                self._up.add(id_)
                continue
            self._told[id_] = told
            yield line(table, decision, self._account, round(1000 * (noted.sent + seconds - now)), self._form)


def most_for_matches(most: int) -> int:
    """Return how many decisions of matches a bot may have at once, of so many in all."""
    return max(1, most - KEPT_FOR_LIVE)


def _moves(id_: str) -> int:
    """Return how many moves were played before a decision."""
    return int(id_.rpartition(".")[2])


def _reason(table: Table | None, moves: int) -> Reason | None:
    """Return why a decision is not the bot's any more; None if the bot has made it."""
    if table is None:
        return "deleted"
    if any(after == moves for after, _ in table.answered):
        return None
    return "late" if table.game.version > moves else "taken_back"
