"""What workers do in games: play for bots, and for players whose time is up."""

import hashlib
import logging
import time
from typing import Self

import orjson
from redis.exceptions import RedisError

from bots.roster import ROSTER
from bots.safety import BLUEPRINT, Fault, any_of, choose_safely
from bots.skill import Crew
from engine import IllegalMove
from engine.shapes import Move
from service import clock
from service.accounts.names import account_of
from service.games import company, tables, timing
from service.games.commands import clock as commands
from service.games.company import Company
from service.games.model import PLAYER, Progress, Table
from service.games.tables import fetch
from service.games.timing import BotTurn
from service.outside import standing_in
from service.queue import probe, waiting
from service.queue.queueing import TURNS
from service.queue.waiting import Taken
from service.store import counters, keys
from service.store.counters import Thoughts
from service.store.own import own_store
from service.store.store import Conflict, Gone, Store

log = logging.getLogger(__name__)

THINK_SECONDS = 10.0  # the longest that a bot may think about a decision
TOGETHER_SECONDS = 0.02  # what bots do within it is told together: nobody could tell the difference
GO_ON_SECONDS = 2.0  # after which a worker puts a game back even if nobody else waits
BLUEPRINT_AFTER, ANYTHING_AFTER = 3, 5  # attempts at a decision that came to nothing
MOST_REPORTS = 1000


def take_turns(game_id: str | None = None) -> None:
    """Play in the next game until a player must decide or it is over; put it back when its slice of time is up and
    something else waits. A job of the release before names its game."""
    store = own_store()
    if game_id is not None and (table := fetch(store, game_id)):
        tables.call_worker(store, table)
    taken = waiting.take(store, TURNS)
    if taken is None:
        return
    with taken:
        if taken.item == probe.ITEM:
            probe.answer(store)
        elif table := _play(store, taken):
            taken.again = tables.class_of(table.seen)


def _play(store: Store, taken: Taken) -> Table | None:
    """Play slices of a game as long as nothing else waits; return the table if there is more to do."""
    ends = time.monotonic() + GO_ON_SECONDS
    while table := play_on(store, taken.item, waiting.SLICE_SECONDS[taken.class_], taken):
        if time.monotonic() > ends or waiting.anything(store):
            return table
    return None


def play_on(store: Store, game_id: str, seconds: float, taken: Taken | None = None) -> Table | None:
    """Return the table as it is when its slice ends, None when there is nothing to do for now."""
    ends = time.monotonic() + seconds
    together = TOGETHER_SECONDS
    while table := fetch(store, game_id):
        try:
            with Shift(store, table, taken, together) as shift:
                while shift.act():
                    if time.monotonic() > ends:
                        return shift.table
                return None
        except Conflict:  # somebody else's change came first: less is lost to the next if each decision is told at once
            together = 0.0
        except Gone:
            return None
    return None


class Shift:
    """A worker's work in one game, until somebody else changes it.

    What bots do is told in one commit where nobody could tell the difference: the moves of a plan, and decisions that
    follow each other in the blink of an eye. Each move is a version of its own all the same. It is told before a player
    must decide and before a bot thinks so long that people see it, and decision by decision in a game over which a
    worker died, so that the next one knows how far it came.
    """

    def __init__(self, store: Store, table: Table, taken: Taken | None = None, together: float = TOGETHER_SECONDS):
        self.table = table  # with what is not told yet
        self._store, self._taken = store, taken
        self._together = together if self._tries == 1 else 0.0
        self._untold = Progress.none(table)
        self._has_decided = False  # in what is untold
        self._since = 0.0  # when the first of that was done
        self._thinking: tuple[int, int] | None = None  # turn and seat that a bot was last said to think about
        self._company: Company | None = None
        self._thoughts = Thoughts()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Tell what is untold, unless something went wrong, and count what bots did, if Redis is there."""
        try:
            if kind is None:
                self._tell()
        finally:
            if not (kind and issubclass(kind, RedisError)):
                names = self._store.names
                counts = self._thoughts.commands(names.counters(names.partitions.of(self.table.id)))
                if self._taken:
                    self._taken.count(counts)
                else:
                    self._store.redis.ask(*counts)

    @property
    def _tries(self) -> int:
        """Return how often the next decision was attempted, this time included."""
        return 1 + (self._taken.deaths if self._taken else 0)

    def act(self) -> bool:
        """Decide for a bot, or remind a player; False when there is neither to do. Raises Conflict or Gone."""
        turn = timing.bot_turn(self.table.lobby, self.table.game, clock.now())
        if turn is None:
            reminder = commands.remind(self.table, tables.now())
            self._add(reminder)
            self._tell()
            return bool(reminder.events)
        if account_of(turn.bot) is not None:
            return self._stand_in(turn)
        if time.monotonic() - self._since > self._together:
            self._tell()
        self._decide(turn)
        return True

    def _stand_in(self, turn: BotTurn) -> bool:
        """Decide for an outside bot that does not, once it has been asked; False while it may."""
        self._tell()
        stand_in = standing_in.wanted(self._store, self.table)
        if stand_in is None:
            return False
        self._decide(turn._replace(bot=timing.STAND_IN, away=True))
        self._tell()
        standing_in.note(self._store, stand_in)
        return True

    def _add(self, progress: Progress) -> None:
        """Go on from there, and tell it later."""
        if not self._untold.events:
            self._since = time.monotonic()
        self._untold = self._untold.then(progress)
        self.table = progress.after

    def _tell(self) -> None:
        """Commit what is untold."""
        if self._untold.events:
            self.table = tables.commit(self._store, self._untold, clock.now())
            self._untold = Progress.none(self.table)
            if self._taken and self._has_decided:
                self._taken.forget_deaths()
            self._has_decided = False

    def _decide(self, turn: BotTurn) -> None:
        if timing.thinks(turn.bot):
            self._tell_thought(turn)
        began = time.perf_counter()
        moves, faults = _choose(self.table, turn, self._tries, self._crew(turn))
        self._thoughts.note(turn.bot, time.perf_counter() - began)
        for fault in faults:
            report(self._store, self.table, fault)
        self._follow(turn, moves)
        self._has_decided = True

    def _crew(self, turn: BotTurn) -> Crew | None:
        """Return how well each seat plays, for a bot that thinks about it. People do nothing while this shift lasts, so
        that they are looked at once."""
        lobby = self.table.lobby
        if not ROSTER[turn.bot].budget.playouts:
            return None
        if company.is_known(lobby):
            return company.strangers(lobby)
        if self._company is None:
            self._company = company.met(self._store, self._untold.before)
        return self._company.crew(lobby)

    def _tell_thought(self, turn: BotTurn) -> None:
        """Tell what is untold, and, once a turn, that the bot begins to think."""
        place = (int(self.table.game.record["turn"][0]), turn.seat)
        if self._thinking != place:
            self._add(commands.think(self.table, turn, tables.now()))
            self._thinking = place
        self._tell()

    def _follow(self, turn: BotTurn, moves: list[Move]) -> None:
        """Play move by move. A plan ends with its first surprise. For a player who is away the bot decides once, and
        the player may be back for the next decision."""
        for number, move in enumerate(moves[:1] if turn.away else moves):
            try:
                self._add(commands.stand_in(self.table, turn, move, tables.now()))
            except IllegalMove:
                if number == 0:
                    raise
                return
            if timing.decider(self.table.lobby, self.table.game) != turn.seat:
                return


def _choose(table: Table, turn: BotTurn, tries: int, crew: Crew | None) -> tuple[list[Move], list[Fault]]:
    """Return the bot's moves; those of a simpler bot, or any, after attempts that left no trace but their count."""
    fault = Fault(turn.bot, turn.seat, table.game.version, f"attempt {tries} failed", BLUEPRINT)
    if tries > ANYTHING_AFTER:
        return [any_of(table.game.legal_moves())], [fault]
    name = BLUEPRINT if tries > BLUEPRINT_AFTER else turn.bot
    seed = hashlib.sha256(f"{table.id} {table.game.version}".encode()).digest()
    humans = [seat.seat for seat in table.lobby.seats if seat.kind == PLAYER]
    moves, faults = choose_safely(
        name, ROSTER[name], table.game, int.from_bytes(seed[:7], "little"),
        deadline=time.monotonic() + THINK_SECONDS, humans=humans, crew=crew,
    )  # fmt: skip
    return moves, faults + ([fault] if name != turn.bot else [])


def report(store: Store, table: Table, fault: Fault) -> None:
    """Write down that a bot failed. Its game goes on."""
    told = {"game": table.id, "version": table.version, "bot": fault.bot, "seat": fault.seat, "error": fault.error}
    log.error("bot %s failed in game %s: %s", fault.bot, table.id, fault.error)
    told |= {"at": clock.now(), "played_by": fault.played_by}
    store.redis.ask(("LPUSH", keys.REPORTS, orjson.dumps(told)), ("LTRIM", keys.REPORTS, 0, MOST_REPORTS - 1))
    counters.count(store.redis, "bot_failed")
