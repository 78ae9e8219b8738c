"""What workers do in games: play for bots, and for players whose time is up."""

import hashlib
import logging
import time
from typing import Self

import orjson
from redis.exceptions import RedisError

from bots.roster import ROSTER
from bots.safety import BLUEPRINT, Fault, any_of, choose_safely
from engine import IllegalMove
from engine.shapes import Move
from service import clock
from service.games import tables, timing
from service.games.commands import clock as commands
from service.games.model import PLAYER, Moment, Progress, Table
from service.games.tables import fetch
from service.games.timing import BotTurn
from service.queue import probe, waiting
from service.queue.queueing import TURNS
from service.store import counters, keys
from service.store.own import own_store
from service.store.redis_client import Command
from service.store.store import Conflict, Gone, Store

log = logging.getLogger(__name__)

THINK_SECONDS = 10.0  # the longest that a bot may think about a decision
BLUEPRINT_AFTER, ANYTHING_AFTER = 3, 5  # attempts at a decision that came to nothing
MOST_REPORTS = 1000
_TRIES_SECONDS = 3600


def take_turns(game_id: str | None = None) -> None:
    """Play in the next game until a player must decide or it is over; put it back when its slice of time is up. A job
    of the release before names its game."""
    store = own_store()
    if game_id is not None and (table := fetch(store, game_id)):
        tables.call_worker(store, table)
    taken = waiting.take(store, TURNS)
    if taken is None:
        return
    with taken:
        if taken.item == probe.ITEM:
            probe.answer(store)
        elif table := play_on(store, taken.item, waiting.SLICE_SECONDS[taken.class_]):
            taken.again = tables.class_of(table.seen)


def play_on(store: Store, game_id: str, seconds: float) -> Table | None:
    """Return the table as it is when its slice ends, None when there is nothing to do for now."""
    ends = time.monotonic() + seconds
    while table := fetch(store, game_id):
        try:
            with Shift(store, table) as shift:
                while shift.act():
                    if time.monotonic() > ends:
                        return shift.table
                return None
        except Conflict:  # somebody else's change came first
            continue
        except Gone:
            return None
    return None


class Shift:
    """A worker's work in one game, until somebody else changes it."""

    def __init__(self, store: Store, table: Table):
        self.table = table
        self._store = store
        self._thinking: tuple[int, int] | None = None  # turn and seat that a bot was last said to think about
        self._uncounted: list[Command] = []  # what counts the last decision
        self._counters = store.names.counters(store.names.partitions.of(table.id))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Count the last decision, and forget the attempts at it, if Redis is there."""
        if self._uncounted and not (kind and issubclass(kind, RedisError)):
            self._store.redis.ask(("DEL", self._store.names.tries(self.table.id)), *self._uncounted)

    def act(self) -> bool:
        """Decide for a bot, or remind a player; False when there is neither to do. Raises Conflict or Gone."""
        at = tables.now()
        turn = timing.bot_turn(self.table.lobby, self.table.game, at.seconds)
        if turn is not None:
            self._decide(turn)
            return True
        return self._commit(commands.remind(self.table, at), at)

    def _commit(self, progress: Progress, at: Moment) -> bool:
        if progress.events:
            self.table = tables.commit(self._store, progress, at.seconds)
        return bool(progress.events)

    def _decide(self, turn: BotTurn) -> None:
        tries = self._count_attempt()
        place = (int(self.table.game.record["turn"][0]), turn.seat)
        if timing.thinks(turn.bot) and self._thinking != place:
            at = tables.now()
            self._commit(commands.think(self.table, turn, at), at)
            self._thinking = place
        began = time.perf_counter()
        moves, faults = _choose(self.table, turn, tries)
        seconds = time.perf_counter() - began
        for fault in faults:
            report(self._store, self.table, fault)
        self._play(turn, moves)
        self._uncounted = counters.turn_noted(self._counters, turn.bot, seconds)

    def _count_attempt(self) -> int:
        """Note in Redis that a decision is attempted, since it may take this process down; return how often it was.

        What the decision before it took is counted on the same way.
        """
        key, before = self._store.names.tries(self.table.id), self._uncounted
        if not before:
            return int(self._store.redis.ask(("INCR", key), ("EXPIRE", key, _TRIES_SECONDS))[0])
        self._uncounted = []
        self._store.redis.ask(*before, ("SET", key, 1, "EX", _TRIES_SECONDS))
        return 1

    def _play(self, turn: BotTurn, moves: list[Move]) -> None:
        """Play move by move, so that everybody sees the bot act. A plan ends with its first surprise. For a player who
        is away the bot decides once, and the player may be back for the next decision."""
        for number, move in enumerate(moves[:1] if turn.away else moves):
            at = tables.now()
            try:
                progress = commands.stand_in(self.table, turn, move, at)
            except IllegalMove:
                if number == 0:
                    raise
                return
            self._commit(progress, at)
            if timing.decider(self.table.lobby, self.table.game) != turn.seat:
                return


def _choose(table: Table, turn: BotTurn, tries: int) -> tuple[list[Move], list[Fault]]:
    """Return the bot's moves; those of a simpler bot, or any, after attempts that left no trace but their count."""
    fault = Fault(turn.bot, turn.seat, table.game.version, f"attempt {tries} failed", BLUEPRINT)
    if tries > ANYTHING_AFTER:
        return [any_of(table.game.legal_moves())], [fault]
    name = BLUEPRINT if tries > BLUEPRINT_AFTER else turn.bot
    seed = hashlib.sha256(f"{table.id} {table.game.version}".encode()).digest()
    humans = [seat.seat for seat in table.lobby.seats if seat.kind == PLAYER]
    moves, faults = choose_safely(
        name, ROSTER[name], table.game, int.from_bytes(seed[:7], "little"),
        deadline=time.monotonic() + THINK_SECONDS, humans=humans,
    )  # fmt: skip
    return moves, faults + ([fault] if name != turn.bot else [])


def report(store: Store, table: Table, fault: Fault) -> None:
    """Write down that a bot failed. Its game goes on."""
    told = {"game": table.id, "version": table.version, "bot": fault.bot, "seat": fault.seat, "error": fault.error}
    log.error("bot %s failed in game %s: %s", fault.bot, table.id, fault.error)
    told |= {"at": clock.now(), "played_by": fault.played_by}
    store.redis.ask(("LPUSH", keys.REPORTS, orjson.dumps(told)), ("LTRIM", keys.REPORTS, 0, MOST_REPORTS - 1))
    counters.count(store.redis, "bot_failed")
