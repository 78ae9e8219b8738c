"""Tables for tests of commands: made by commands, without a store and without a clock."""

from typing import Any, cast

from engine import Game, Rules
from service.games.commands.clock import stand_in
from service.games.commands.lobby import join, open_table, start
from service.games.commands.play import play
from service.games.model import OPEN, Charter, Dice, Json, Moment, Progress, Secrets, Table, Viewer
from service.games.timing import BotTurn
from tests.support.answers import LAST_MOVE, NO_ACTION

HOST = Viewer(host=True)
NOBODY = Viewer()
SEED = "05" * 32  # seat 0 decides first
BEGAN = 1_800_000_000.0


def at(seconds: float = 0.0) -> Moment:
    return Moment(BEGAN + seconds, f"after {seconds} seconds")


def waiting(
    seats: list[str] | int = 3,
    joined: int = 0,
    position: Json | None = None,
    turn_seconds: int | None = None,
    sandbox: bool = False,
    **rules: Any,
) -> Table:
    """A table before its start, which so many players have joined."""
    seats = [OPEN] * seats if isinstance(seats, int) else seats
    game = Game.new(Rules(gnomes=len(seats), **rules), bytes.fromhex(SEED))
    game = game if position is None else Game.from_position(position | {"seed": SEED})
    charter = Charter(
        game.rules, "Friday", False, sandbox, turn_seconds, at().text, None, Dice.committed("5a" * 16, SEED)
    )
    secrets = Secrets(SEED, position, {"of the host": "host"}, opening=cast(tuple[Json, ...], tuple(game.opening)))
    table = open_table("i474xh9sanz8wtws", charter, game, secrets, seats, at()).after
    for number in range(joined):
        table = join(table, f"Gnome {number + 1}", None, f"of p{number + 1}", at()).after
    return table


def playing(seats: list[str] | int = 3, **wanted: Any) -> Table:
    """A table under way, with a player in each seat that was open."""
    count = seats if isinstance(seats, int) else seats.count(OPEN)
    return start(waiting(seats, joined=count, **wanted), HOST, None, at()).after


def finished() -> Table:
    table = playing(position=LAST_MOVE)
    return play(table, decider(table), [(NO_ACTION, "")], at()).after


def away() -> Table:
    """A table at which a bot has just decided for the player of seat 0, who must decide again."""
    table = playing(turn_seconds=60)
    turn = BotTurn(table.game.decider or 0, "captain", away=True)
    return stand_in(table, turn, {"type": "open_hatch", "to": hatch(table)}, at(61)).after


def hatch(table: Table) -> Any:
    """The first hatch that can be opened."""
    return next(move["to"] for move in table.game.legal_moves() if move["type"] == "open_hatch")


def player(table: Table, seat: int) -> Viewer:
    owner = table.lobby.seats[seat].player
    return Viewer(player=owner, seats=next(each.seats for each in table.lobby.players if each.id == owner))


def decider(table: Table) -> Viewer:
    return player(table, table.game.decider or 0)


def other(table: Table) -> Viewer:
    """A player who need not decide at the beginning."""
    return player(table, 1)


def types(progress: Progress) -> list[str]:
    return [event["type"] for event in progress.events]
