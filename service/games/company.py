"""Know who sits at a table and how well each of them plays, so that bots, advice and odds reckon with that crew.

Bots of ours are known by their names, and whoever is away by the bot that stands in. People and outside bots are
guessed from the turns that they made in this game so far (`bots/acquaintance.py`), which everybody at the table saw.
Nobody is told: a guess lives in the memory of a worker, and nowhere else. It follows from the events of the game alone,
so that every worker guesses alike.
"""

from collections import OrderedDict

import orjson

from bots.acquaintance import Acquaintance
from bots.skill import STRANGER, Crew, Guess, of_bot
from engine import Game, GameError
from service.accounts.names import account_of
from service.games import history, timing
from service.games.apply import fold
from service.games.model import BOT, OPEN, PLAYER, WAITING, Json, Lobby, Seat, Status, Table
from service.refusals import Problem
from service.store.store import Store

MOST_KEPT = 200  # games, of some kilobytes each


def crew_of(store: Store, table: Table) -> Crew:
    """Return how well each seat of a table plays. Only what must be guessed is looked for in the store."""
    return strangers(table.lobby) if is_known(table.lobby) else met(store, table).crew(table.lobby)


def is_known(lobby: Lobby) -> bool:
    """Return whether nobody's skill needs to be guessed, as bots of ours decide everywhere."""
    return all(_whose(seat) is None for seat in lobby.seats)


def strangers(lobby: Lobby) -> Crew:
    """Return how well each seat plays as far as that is known before the first move."""
    return [_known(seat) for seat in lobby.seats]


def _whose(seat: Seat) -> str | None:
    """Return the player or the outside bot who decides for a seat; None for a bot of ours, or nobody."""
    if seat.away or seat.kind == OPEN:
        return None
    return seat.player if seat.kind == PLAYER else seat.bot if account_of(seat.bot) else None


def _known(seat: Seat) -> Guess:
    """Return what is known of whoever decides for a seat without looking at what they did."""
    if seat.away:
        return of_bot(timing.STAND_IN if seat.kind == BOT else timing.SUBSTITUTE)
    return of_bot(seat.bot or timing.SUBSTITUTE) if seat.kind == BOT else STRANGER


class Company:
    """What the events of a game tell of those who play it. It can be asked at any time, and hear more later."""

    def __init__(self, table: Table) -> None:
        self._seq = 0  # events heard
        self._last = b""  # of them, as it is stored
        self._changed_at = ""
        self._game: Game | None = None
        self._is_lost = False  # it can't be played again any further
        seats = tuple(Seat.new(number, OPEN) for number in range(table.charter.rules.gnomes))
        self._lobby = Lobby(WAITING, seats, ())
        self._known = Acquaintance(table.charter.rules.hidden_hands)

    def crew(self, lobby: Lobby) -> Crew:
        """Return how well each seat plays."""
        seats = ((seat, _whose(seat)) for seat in lobby.seats)
        return [_known(seat) if who is None else self._known.guess(who) for seat, who in seats]

    @property
    def present(self) -> Crew:
        """Return the same for the table as it was after the last version heard."""
        return self.crew(self._lobby)

    @property
    def status(self) -> Status:
        """Return the table's status after the last version heard."""
        return self._lobby.status

    def catch_up(self, store: Store, table: Table) -> bool:
        """Hear what has happened since; return False if the table has another past, or is not as far yet."""
        if table.seq <= self._seq:
            return (table.seq, table.changed_at) == (self._seq, self._changed_at)
        stored = list(history.events(store, table, max(0, self._seq - 1)))
        if self._seq and stored.pop(0) != self._last:
            return False
        self._hear(table, stored)
        return True

    def _hear(self, table: Table, stored: list[bytes]) -> None:
        """Hear the events that come next, up to those of the table's version."""
        try:
            if not self._is_lost:
                told = map(orjson.loads, stored)
                for _, _, game in history.replayed(table, told, table.version, self._game, self.witness):
                    self._game = game
        except (Problem, GameError):  # it began under earlier rules, and goes otherwise: what is known by then stays
            self._is_lost = True
        self._seq, self._last, self._changed_at = table.seq, stored[-1], table.changed_at

    def witness(self, game: Game, told: list[Json]) -> None:
        """See a version happen: its events, and the game before them."""
        self._lobby = fold(self._lobby, told)
        event = history.choice(told)
        if event is not None and (who := _whose(self._lobby.seats[event["seat"]])):
            self._known.see(game, event["move"], who)


_kept: OrderedDict[tuple[str, str], Company] = OrderedDict()  # by game and epoch, the last one asked for comes last


def met(store: Store, table: Table) -> Company:
    """Return the company of a table as the store has it. Of a game that it knows, it reads only what is new."""
    key = table.id, table.mark.epoch
    company = _kept.pop(key, None)
    if company is None or not company.catch_up(store, table):
        company = Company(table)
        company.catch_up(store, table)
    _kept[key] = company
    while len(_kept) > MOST_KEPT:
        _kept.popitem(last=False)
    return company
