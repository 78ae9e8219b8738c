"""Decide whether a stand-in plays for an outside bot now, or the bot still may."""

from msgspec import Struct
from msgspec.structs import replace

from service import clock
from service.accounts import accounts, counting
from service.accounts.counting import Miss
from service.games import stored, timing
from service.games.model import PLAYER, Table
from service.store.asked import Entry
from service.store.redis_client import Command
from service.store.store import Store

MARGIN_SECONDS = 0.25  # after the time for a decision is up, for an answer on its way
MOST_UNSENT_SECONDS = 30.0  # that a decision may wait where nobody else waits for it
# KEYS 1 what the bot is asked  ARGV 1 the decision  2 what was noted of it  3 what shall be
_ASK_ANEW = 'if redis.call("HGET", KEYS[1], ARGV[1]) == ARGV[2] then redis.call("HSET", KEYS[1], ARGV[1], ARGV[3]) end'
MOST_ILLEGAL = 2  # answers to a decision: the first one may be corrected


class StandIn(Struct, frozen=True):
    """A stand-in that is to decide for an outside bot, and whether that is the bot's fault."""

    account: str
    why: Miss


def ends(entry: Entry, seconds: float) -> float:
    """Return when an answer comes too late."""
    return entry.sent + seconds + MARGIN_SECONDS


def wanted(store: Store, table: Table) -> StandIn | None:
    """Return the stand-in that is to decide now; None while the bot may. Then a worker looks again when it may not any
    more. A game that is played for a match waits for a bot that is not there, or is another version by now."""
    decision, known = timing.decision_of_outsider(table.lobby, table.game), stored.asked(table)
    assert decision is not None, "the caller has looked"
    assert known is not None, "it is the same decision"
    name, id_ = decision.account, decision.id_in(table.id)
    asked = store.names.asked(store.names.partitions.of(table.id), name)
    flat, connection, noted = store.redis.ask(*accounts.reading(name), ("HGET", asked, id_))
    account, now = accounts.read(name, flat), clock.now()
    is_here = accounts.is_here(connection)
    entry = Entry.read(noted) if noted else Entry(now, version=known.version)
    look_again = _LookAgain(store, table, asked, id_, noted, entry)
    if account is None or account.is_paused or (entry.is_for_match and not is_here):
        if not entry.is_for_match:
            return StandIn(name, "")
        look_again.when_it_is_back(now)
        return None
    if entry.version not in (None, account.terms.version):
        look_again.when_it_is_back(now)
        return None
    if entry.illegal >= MOST_ILLEGAL:
        return StandIn(name, "illegal")
    if entry.sent:
        until = ends(entry, account.terms.seconds)
        if now >= until:
            return StandIn(name, "late")
    else:
        until = now + timing.UNSENT_SECONDS
        people = any(seat.kind == PLAYER for seat in table.lobby.seats)
        most = timing.UNSENT_SECONDS if people else MOST_UNSENT_SECONDS
        if not entry.is_for_match and (not is_here or now >= entry.since + most):
            return StandIn(name, "")
    look_again.at(until)
    return None


class _LookAgain(Struct, frozen=True):
    """A worker's next look at a decision."""

    store: Store
    table: Table
    asked: str  # the key where the decision is noted
    id: str
    noted: bytes | None  # what is noted of it
    entry: Entry

    def at(self, until: float) -> None:
        """Look again then. What the store has lost is noted anew."""
        names = self.store.names
        due = names.due(names.partitions.of(self.table.id))
        again: list[Command] = [("ZADD", due, "XX", f"{until:.3f}", self.table.id)]
        if not self.noted:
            again += [("HSETNX", self.asked, self.id, self.entry.written()), self.store.telling(self.asked, 1)]
        self.store.redis.ask(*again)

    def when_it_is_back(self, now: float) -> None:
        """Let the bot have all of its time when it is back."""
        if self.noted and self.entry.sent:
            anew = replace(self.entry, sent=0.0).written()
            self.store.redis.ask(("EVAL", _ASK_ANEW, 1, self.asked, self.id, self.noted, anew))
        self.at(now + timing.UNSENT_SECONDS)


def note(store: Store, stand_in: StandIn) -> None:
    """Count that it has decided. A bot that is paused for it leaves its other decisions to the stand-in, too."""
    if stand_in.why and counting.miss(store, stand_in.account, stand_in.why):
        call_at_once(store, stand_in.account)


def call_at_once(store: Store, name: str) -> None:
    """Make all that a bot is asked due now: it is paused or deleted, and nobody waits for its time to be up."""
    names = store.names
    partitions = names.partitions.all
    found = store.redis.ask(*(("HKEYS", names.asked(each, name)) for each in partitions))
    now = f"{clock.now():.3f}"
    store.redis.ask(
        *(
            ("ZADD", names.due(partition), "XX", now, id_.decode().rpartition(".")[0])
            for partition, ids in zip(partitions, found, strict=True)
            for id_ in ids
        )
    )
