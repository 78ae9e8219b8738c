"""Decide whether a stand-in plays for an outside bot now, or the bot still may."""

from msgspec import Struct

from service import clock
from service.accounts import accounts, counting
from service.accounts.counting import Miss
from service.accounts.presence import Entry
from service.games import timing
from service.games.model import PLAYER, Table
from service.store.redis_client import Command
from service.store.store import Store

MARGIN_SECONDS = 0.25  # after the time for a decision is up, for an answer on its way
MOST_UNSENT_SECONDS = 30.0  # that a decision may wait where nobody else waits for it
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
    more."""
    decision = timing.decision_of_outsider(table.lobby, table.game)
    assert decision is not None, "the caller has looked"
    name, id_ = decision.account, decision.id_in(table.id)
    names, partition = store.names, store.names.partitions.of(table.id)
    asked = names.asked(partition, name)
    flat, connection, stored = store.redis.ask(*accounts.reading(name), ("HGET", asked, id_))
    account, now = accounts.read(name, flat), clock.now()
    if account is None or account.is_paused:
        return StandIn(name, "")
    is_here = accounts.is_here(connection)
    entry = Entry.read(stored) if stored else Entry(now)
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
        if not is_here or now >= entry.since + most:
            return StandIn(name, "")
    again: list[Command] = [("ZADD", names.due(partition), "XX", f"{until:.3f}", table.id)]
    if not stored:  # the store has lost it
        again += [("HSETNX", asked, id_, entry.written()), store.telling(asked, 1)]
    store.redis.ask(*again)
    return None


def note(store: Store, stand_in: StandIn) -> None:
    """Count that it has decided."""
    if stand_in.why:
        counting.miss(store, stand_in.account, stand_in.why)
