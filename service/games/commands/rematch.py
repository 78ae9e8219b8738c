"""Play again: the same crew, with the same tokens, in another game."""

from msgspec.structs import replace

from service.games.apply import advance
from service.games.commands.advising import allow
from service.games.commands.lobby import open_table, start
from service.games.events import PlayerJoined
from service.games.model import FINISHED, OPEN, Mark, Moment, Progress, Table, Viewer
from service.games.timing import SUBSTITUTE
from service.games.viewers import need_token
from service.refusals import Problem


def check(table: Table, viewer: Viewer) -> None:
    """Refuse whoever does not belong to the crew, and a game that is not over."""
    need_token(viewer)
    if table.status != FINISHED:
        raise Problem("not_over", "There is a rematch when it is over.", version=table.version)


def play_again(table: Table, new: Table, at: Moment, mark: Mark) -> Progress:
    """Begin a new game, which `new` has charter, game and seed of, with the crew of a table. Their tokens are theirs
    there, too. What clients keep with a game stays with the old one."""
    seats = [OPEN if seat.player else seat.bot or SUBSTITUTE for seat in table.lobby.seats]
    secrets = replace(new.secrets, tokens=table.secrets.tokens, joined=table.secrets.joined)
    progress = open_table(new.id, new.charter, new.game, secrets, seats, at, mark)
    for player in table.lobby.players:
        progress = progress.then(advance(progress.after, at, PlayerJoined(player.id, player.name, player.seats)))
    host = Viewer(host=True)
    progress = progress.then(allow(progress.after, host, table.lobby.advice, at))
    return progress.then(start(progress.after, host, None, at))


def name_rematch(table: Table, game_id: str, at: Moment) -> Progress:
    """Let a game that is over name the one that follows it. That is a new version, and no event: the last one is its
    end."""
    named = advance(table, at)
    return replace(named, after=replace(named.after, lobby=replace(named.after.lobby, rematch=game_id)))
