"""Tables in the store, for whoever works on them without a request."""

import logging
from collections.abc import Mapping
from datetime import UTC, datetime

from msgspec.structs import replace
from redis.exceptions import RedisError

from service import clock
from service.accounts import counting
from service.accounts.names import account_of, seated
from service.accounts.presence import is_playing
from service.games import stored, timing
from service.games.model import BOT, FINISHED, PLAYER, Moment, Progress, Seat, Table
from service.queue import waiting
from service.queue.queueing import ADVICE, TURNS
from service.store import layouts
from service.store.store import Change, Store

log = logging.getLogger(__name__)

PRESENT_SECONDS = 120.0  # since a person at the table was heard of


def stamp(at: float) -> str:
    """Return a time for people to read."""
    return datetime.fromtimestamp(clock.on_the_wall(at), UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def moment(at: float) -> Moment:
    return Moment(at, stamp(at))


def now() -> Moment:
    return moment(clock.now())


def read(store: Store, game_id: str) -> Table | None:
    """Return the table; None when it is not there. Raises NewerLayout."""
    found = store.redis.ask(("HMGET", store.names.game(game_id), *stored.FIELDS))
    return stored.load(game_id, found[0], found.epoch) if found[0][0] is not None else None


def fetch(store: Store, game_id: str) -> Table | None:
    """Return the table for a worker; None when it is not there, or a later release has stored it: that release's
    workers look after it."""
    try:
        return read(store, game_id)
    except layouts.NewerLayout as error:
        log.warning("game %s %s", game_id, error)
        return None


def commit(store: Store, progress: Progress, at: float) -> Table:
    """Store what a worker has done, and return the table to go on from. Raises Conflict or Gone."""
    change = stored.change(progress, at)
    store.commit(change)
    count_game_over(store, progress)
    return committed(progress.after, change)


def committed(table: Table, change: Change) -> Table:
    """Return the table as it is in the store after that change."""
    return replace(table, mark=replace(table.mark, commit=change.id, outdated=False))


def class_of(seen: Mapping[str, float]) -> str:
    """Return the queue's class of a table: one with a person comes before bots among themselves."""
    at = clock.now()
    return waiting.SOON if any(at - heard < PRESENT_SECONDS for heard in seen.values()) else waiting.LATER


def offer(store: Store, game_id: str, creator: str, seen: Mapping[str, float]) -> bool:
    """Call a worker; False when one is called already. A game without a creator, of an early release, stands for
    itself."""
    return waiting.offer(store.queue_of(game_id), TURNS, game_id, class_of(seen), creator or game_id)


def call_host(store: Store, match_id: str) -> None:
    """Call a worker to look after the tables of a match: see `matches/hosting.py`. A call that fails is left to the
    sweeper."""
    try:
        waiting.offer(store.queue_of(match_id), ADVICE, f"host:{match_id}", waiting.LATER, match_id)
    except RedisError as error:
        log.warning("no worker called for match %s: %s", match_id, error)


def call_worker(store: Store, table: Table) -> bool:
    return offer(store, table.id, table.creator, table.seen)


def hint_if_due(store: Store, table: Table) -> None:
    """Call a worker if a bot must decide: an outside bot that is there was told by the change itself. That is made
    already, so a hint that fails is left to the sweeper."""
    if timing.is_for_bot(table.lobby, table.game):
        decision = timing.decision_of_outsider(table.lobby, table.game)
        try:
            if decision is None or not is_playing(store, decision.account):
                call_worker(store, table)
        except RedisError as error:
            log.warning("no hint for game %s: %s", table.id, error)


def count_game_over(store: Store, progress: Progress) -> None:
    """Count a game that has just ended for the outside bots in it. It is over already, so what fails is let be."""
    table = progress.after
    if table.status != FINISHED or not progress.is_new_status or table.charter.sandbox:
        return
    if table.played_for:
        call_host(store, table.played_for.match)
    result = table.game.result
    is_rescued = result is not None and result["crew"] == "rescued"
    for account in timing.outsiders(table.lobby):
        beside = [_kind_of(seat) for seat in table.lobby.seats if seat.bot != seated(account)]
        try:
            counting.game_over(store, account, beside, is_rescued)
        except RedisError as error:
            log.warning("game %s was not counted for %s: %s", table.id, account, error)


def _kind_of(seat: Seat) -> str:
    """Return whom an outside bot has played beside, in a word."""
    if seat.kind != BOT:
        return PLAYER
    return BOT if account_of(seat.bot) else seat.bot or timing.SUBSTITUTE
