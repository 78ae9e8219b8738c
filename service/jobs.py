"""What workers do: play for bots and for those whose time is up, give advice, estimate odds."""

import hashlib
import logging
import time
from dataclasses import replace
from functools import cache
from typing import Any

import orjson

from bots.roster import ROSTER
from bots.safety import BLUEPRINT, Fault, any_of, choose_safely
from engine import IllegalMove
from service import advice, clock, metrics, odds, queueing, timing
from service.claims import Claim
from service.config import from_environment
from service.store import Change, Conflict, Gone, Store
from service.tables import Table, fetch
from service.timing import PLAYER, Stand

Wire = dict[str, Any]
log = logging.getLogger(__name__)

WAIT_FOR_JOB_SECONDS = 75.0  # longer than RQ waits for a job before it looks around
SLICE_SECONDS = 1.0  # a game's share of a worker, before others have their turn
THINK_SECONDS = 10.0  # the longest that a bot may think about a decision
BLUEPRINT_AFTER, ANYTHING_AFTER = 3, 5  # attempts at a decision that came to nothing
REPORTS, MOST_REPORTS = "reports", 1000
_TRIES_SECONDS = 3600


@cache
def own_store() -> Store:
    """Of this process and its forks."""
    config = replace(from_environment(), wait_replicas=0, wait_disk=False)  # nobody is told that a bot has moved
    return Store.connect(config, patience=WAIT_FOR_JOB_SECONDS)


def take_turns(game_id: str) -> None:
    """Plays on until a player must decide or the game is over; or hands the game on after its slice of time."""
    store = own_store()
    with Claim(store.redis, game_id) as claim:
        if not claim.held:
            return
        version = _play_on(store, game_id, time.monotonic() + SLICE_SECONDS)
    if version is not None:
        queueing.hint(store, game_id, version, attempt="next")


def _play_on(store: Store, game_id: str, ends: float) -> int | None:
    """The version at which the slice ended, None when there is nothing to do for now."""
    table = fetch(store, game_id)
    while table is not None:
        try:
            if not _act(store, table):
                return None
        except Conflict:  # somebody else's change came first
            table = fetch(store, game_id)
            continue
        except Gone:
            return None
        if time.monotonic() > ends:
            return table.version
    return None


def _act(store: Store, table: Table) -> bool:
    """A decision, or a reminder; False when there is neither."""
    now = clock.now()
    stand = timing.stand(table.about, table.game, now)
    if stand is not None:
        _decide(store, table, stand)
        return True
    if event := timing.reminder(table.about, table.game, now):
        table.tell(now, [event])
        _commit(store, table, table.change(now))
        return True
    return False


def _decide(store: Store, table: Table, stand: Stand) -> None:
    key = f"tries:{table.id}"
    tries, _ = store.redis.ask(("INCR", key), ("EXPIRE", key, _TRIES_SECONDS))
    turn = (int(table.game.record["turn"][0]), stand.seat)
    if timing.thinks(stand.bot) and table.thought_of != turn:
        _tell_thinking(store, table, stand)
        table.thought_of = turn
    began = time.perf_counter()
    moves, faults = _choose(table, stand, tries)
    seconds = time.perf_counter() - began
    for fault in faults:
        report(store, table, fault)
    _play(store, table, stand, moves)
    store.redis.ask(("DEL", key), *metrics.turn_noted(stand.bot, seconds))


def _tell_thinking(store: Store, table: Table, stand: Stand) -> None:
    """Everybody may know that a bot is at it."""
    now = clock.now()
    table.tell(now, [{"type": "bot_thinks", "seat": stand.seat, "bot": stand.bot}])
    _commit(store, table, table.change(now, only_moves=True))


def _choose(table: Table, stand: Stand, tries: int) -> tuple[list[Wire], list[Fault]]:
    """What the bot wants; what sailors would, or anything, after failures that left no trace but the count."""
    fault = Fault(stand.bot, stand.seat, table.game.version, f"attempt {tries} failed", BLUEPRINT)
    if tries > ANYTHING_AFTER:
        return [any_of(table.game.legal_moves())], [fault]
    name = BLUEPRINT if tries > BLUEPRINT_AFTER else stand.bot
    seed = hashlib.sha256(f"{table.id} {table.game.version}".encode()).digest()
    humans = [seat["seat"] for seat in table.seats if seat["kind"] == PLAYER]
    moves, faults = choose_safely(
        name, ROSTER[name], table.game, int.from_bytes(seed[:7], "little"),
        deadline=time.monotonic() + THINK_SECONDS, humans=humans,
    )  # fmt: skip
    return moves, faults + ([fault] if name != stand.bot else [])


def _play(store: Store, table: Table, stand: Stand, moves: list[Wire]) -> None:
    """Move by move, so that everybody sees him act. A plan ends with its first surprise; an absent player is played
    for but a decision at a time."""
    for number, move in enumerate(moves[:1] if stand.away else moves):
        now = clock.now()
        try:
            happened = table.game.play(move)
        except IllegalMove:
            if number == 0:
                raise
            return
        over = table.game.result is not None
        if over:
            table.about["status"] = "finished"
        if stand.away and not table.seats[stand.seat]["away"]:
            table.seats[stand.seat]["away"] = True
            happened = [{"type": "player_away", "seat": stand.seat}, *happened]
        table.tell(now, happened)
        _commit(store, table, table.change(now, moved=over, only_moves=not over and not stand.away))
        if over or table.game.decider != stand.seat:
            return


def _commit(store: Store, table: Table, change: Change) -> None:
    store.commit(change)
    table.committed(change)


def report(store: Store, table: Table, fault: Fault) -> None:
    """A bot that failed is written down; its game went on."""
    told = {"game": table.id, "version": table.version, "bot": fault.bot, "seat": fault.seat, "error": fault.error}
    log.error("bot %s failed in game %s: %s", fault.bot, table.id, fault.error)
    with store.redis.pipeline() as pipeline:
        pipeline.lpush(REPORTS, orjson.dumps(told | {"at": clock.now(), "played_by": fault.played_by}))
        pipeline.ltrim(REPORTS, 0, MOST_REPORTS - 1)
        pipeline.execute()
    metrics.count(store.redis, "bot_failed")


def advise(game_id: str, advice_id: str) -> None:
    advice.work_out(own_store(), game_id, advice_id)


def fill_odds(game_id: str) -> None:
    store = own_store()
    table = fetch(store, game_id)
    if table is not None:
        odds.fill(store, table)
