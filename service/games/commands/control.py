"""Decide who plays a seat."""

from service.games.apply import advance
from service.games.events import ControllerChanged
from service.games.model import FINISHED, PLAYER, Kind, Moment, Progress, Table, Viewer
from service.games.viewers import need_token
from service.refusals import Problem


def hand_over(table: Table, viewer: Viewer, number: int, kind: Kind, bot: str | None, at: Moment) -> Progress:
    """Hand a seat to a bot, or back to its player. It is no progress when they have it already."""
    need_token(viewer)
    seats = table.lobby.seats
    if not 0 <= number < len(seats):
        raise Problem("not_found", f"The seats are 0 to {len(seats) - 1}.")
    if not viewer.host and number not in viewer.seats:
        raise Problem("forbidden", "Only the host and the seat's player may do that.")
    if table.status == FINISHED:
        raise Problem("game_over", "Nobody plays any more.")
    if kind == PLAYER and seats[number].player is None:
        raise Problem("no_player", "Nobody has joined on this seat.")
    if (seats[number].kind, seats[number].bot) == (kind, bot):
        return Progress.none(table)
    return advance(table, at, ControllerChanged(number, kind, bot))
