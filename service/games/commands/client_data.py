"""Keep what clients want to keep with a game: the host's for all of it, and each player's own."""

from service.callers import tokens
from service.games.apply import advance
from service.games.events import ClientDataChanged
from service.games.model import FINISHED, Json, Moment, Progress, Table, Viewer
from service.games.viewers import need_host, need_token
from service.refusals import Problem


def change_of_game(table: Table, viewer: Viewer, data: Json | None, at: Moment) -> Progress:
    """Keep the host's data with the game. It is no progress when they are kept already."""
    need_host(viewer)
    return _change(table, None, data, at)


def change_of_player(table: Table, viewer: Viewer, player_id: str, data: Json | None, at: Moment) -> Progress:
    """Keep a player's own data. It is no progress when they are kept already."""
    need_token(viewer)
    if table.lobby.player(player_id) is None:
        raise Problem("not_found", "There is no such player.")
    if viewer.player != player_id:
        raise Problem("forbidden", "Only the player may do that.")
    return _change(table, player_id, data, at)


def _change(table: Table, player: str | None, data: Json | None, at: Moment) -> Progress:
    if table.lobby.client_data.get(player or tokens.HOST) == data:
        return Progress.none(table)
    if table.status == FINISHED:
        raise Problem("game_over", "What clients kept with it stays as it is.")
    return keep(table, player, data, at)


def keep(table: Table, player: str | None, data: Json | None, at: Moment) -> Progress:
    """Keep data with a game, or with a player of it; None where there are none any more."""
    return advance(table, at, ClientDataChanged(player, data))
