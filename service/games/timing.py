"""Whose time runs, and who plays for those who let it run out."""

from typing import NamedTuple

from msgspec.structs import replace

from bots.roster import ROSTER
from engine import Game
from service.accounts.names import account_of
from service.games.model import BOT, PLAYER, PLAYING, STOPPED, Clock, Lobby

SUBSTITUTE = "captain"  # the bot that plays for players who are away, and in the seats of those who left
AWAY_SECONDS = 3.0  # that a player who is away is waited for: they may be back
REMIND_SHARE = 0.25  # of the time for a decision that is left when a player is reminded
SHORTEST_TO_REMIND = 10  # seconds; a shorter decision needs no reminder
STAND_IN = "sailor"  # the bot that plays for outside bots which are away: never a better one than they may be
UNSENT_SECONDS = 4.0  # that an outside bot's decision may wait to be sent to it
GRACE_SECONDS = 1.5  # after which a bot's decision that nobody took up is hinted at again
VISIBLE_PLAYOUTS = 2000  # a bot that plays fewer in its head has moved before anybody could read that it thinks


class BotTurn(NamedTuple):
    """A seat for which a bot must decide now."""

    seat: int
    bot: str
    away: bool = False  # because its player let the deadline pass


def decider(lobby: Lobby, game: Game) -> int | None:
    """Return the seat that must decide; None before the start and after the end."""
    return game.decider if lobby.status == PLAYING else None


def with_clock(lobby: Lobby, game: Game, seconds: int | None, at: float) -> Lobby:
    """Return the lobby with a clock that runs for whoever must decide. Only a new decision starts it anew."""
    number = decider(lobby, game)
    if number is None:
        return lobby if lobby.clock.of is None else replace(lobby, clock=STOPPED)
    seat = lobby.seats[number]
    of = (game.version, number, seat.kind)
    if lobby.clock.of == of:
        return lobby
    deadline = remind = None
    if seconds and seat.kind == PLAYER:
        allowed = min(seconds, AWAY_SECONDS) if seat.away else seconds
        deadline = at + allowed
        if allowed >= SHORTEST_TO_REMIND:
            remind = at + allowed * (1 - REMIND_SHARE)
    return replace(lobby, clock=Clock(of, deadline, remind))


def due(lobby: Lobby, game: Game, at: float) -> float | None:
    """Return when a worker should look after the game if nothing happens before."""
    seat = decider(lobby, game)
    if seat is None:
        return None
    if lobby.seats[seat].kind == BOT:
        return at + (GRACE_SECONDS if account_of(lobby.seats[seat].bot) is None else UNSENT_SECONDS)
    return lobby.clock.remind or lobby.clock.deadline


def is_for_bot(lobby: Lobby, game: Game) -> bool:
    seat = decider(lobby, game)
    return seat is not None and lobby.seats[seat].kind == BOT


class Decision(NamedTuple):
    """What an outside bot must decide."""

    account: str
    seat: int
    moves_played: int

    def id_in(self, game_id: str) -> str:
        """Return its id: the same until somebody has decided, whatever else happens at the table."""
        return f"{game_id}.{self.moves_played}"


def decision_of_outsider(lobby: Lobby, game: Game) -> Decision | None:
    """Return what an outside bot must decide now, if it is one of those whose turn it is."""
    seat = decider(lobby, game)
    if seat is None or lobby.seats[seat].kind != BOT:
        return None
    account = account_of(lobby.seats[seat].bot)
    return None if account is None else Decision(account, seat, game.version)


def seats_of_outsider(lobby: Lobby, account: str) -> tuple[int, ...]:
    """Return the seats that an outside bot plays."""
    return tuple(seat.seat for seat in lobby.seats if seat.kind == BOT and account_of(seat.bot) == account)


def outsiders(lobby: Lobby) -> list[str]:
    """Return the accounts of the outside bots that play seats."""
    found = (account_of(seat.bot) for seat in lobby.seats if seat.kind == BOT)
    return sorted({account for account in found if account is not None})


def bot_turn(lobby: Lobby, game: Game, at: float) -> BotTurn | None:
    """Return which bot must decide now; None while a player may decide."""
    seat = decider(lobby, game)
    if seat is None:
        return None
    if lobby.seats[seat].kind == BOT:
        return BotTurn(seat, lobby.seats[seat].bot or SUBSTITUTE)
    deadline = lobby.clock.deadline
    return BotTurn(seat, SUBSTITUTE, away=True) if deadline is not None and at >= deadline else None


def thinks(bot: str) -> bool:
    """Return whether a bot takes so long that people see it think."""
    return bot in ROSTER and ROSTER[bot].budget.most >= VISIBLE_PLAYOUTS
