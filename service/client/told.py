"""Decisions as a service tells them to an outside bot, made of a game that no service keeps."""

from engine import Game
from service.accounts.model import Account, Terms
from service.accounts.names import seated
from service.games import timing
from service.games.model import PLAYING, Charter, Dice, Lobby, Mark, Seat, Secrets, Table
from service.games.tables import stamp
from service.outside.lines import STATE, Form, line
from service.wire import Wire

NAME = "mybot"
_ACCOUNT = Account(NAME, "", 0.0, Terms(), "", "")
_BEGAN = stamp(1_780_000_000.0)
_NO_PROMISE = Dice("0" * 32, "0" * 64)


def decision(game: Game, game_id: str, milliseconds: int, form: Form = STATE) -> Wire:
    """Return what a bot is told that must decide. The game may be what its seat sees of one."""
    table = _table(game, game_id)
    asked = timing.decision_of_outsider(table.lobby, game)
    assert asked is not None, "somebody must decide"
    return line(table, asked, _ACCOUNT, milliseconds, form)


def _table(game: Game, game_id: str) -> Table:
    charter = Charter(game.rules, "", False, True, None, _BEGAN, None, _NO_PROMISE)
    seats = tuple(Seat.new(seat, seated(NAME)) for seat in range(game.rules.gnomes))
    lobby = Lobby(PLAYING, seats, ())
    return Table(
        game_id, charter, lobby, game, Secrets("", None, {}), 2 + game.version, 0, _BEGAN, mark=Mark(epoch="0")
    )
