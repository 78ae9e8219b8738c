"""What the time brings: reminders, and bots that decide."""

from engine.shapes import MoveObject
from service.games import timing
from service.games.apply import advance
from service.games.events import BotThinks, Event, PlayerAway, TimeIsShort
from service.games.model import Moment, Progress, Table
from service.games.timing import BotTurn
from service.refusals import Problem


def remind(table: Table, at: Moment) -> Progress:
    """Tell a player that their time is getting short, once a decision. It is no progress when it is not time yet."""
    clock, seat = table.lobby.clock, timing.decider(table.lobby, table.game)
    if seat is None or clock.remind is None or clock.deadline is None or at.seconds < clock.remind:
        return Progress.none(table)
    return advance(table, at, TimeIsShort(seat, max(0, round(clock.deadline - at.seconds))))


def think(table: Table, turn: BotTurn, at: Moment) -> Progress:
    """Tell everybody that a bot has begun to think."""
    return advance(table, at, BotThinks(turn.seat, turn.bot))


def stand_in(table: Table, turn: BotTurn, move: MoveObject, at: Moment) -> Progress:
    """Play a bot's move; whoever it stands in for is away from then on. Raises IllegalMove, and a Problem when that
    seat need not decide."""
    if timing.decider(table.lobby, table.game) != turn.seat:
        raise Problem("not_your_turn", f"Seat {turn.seat} need not decide.")
    game = table.game.copy()
    happened = game.play(move)
    leaving: list[Event] = [PlayerAway(turn.seat)] if turn.away and not table.lobby.seats[turn.seat].away else []
    return advance(table, at, *leaving, *happened, game=game)
