"""Tell who looks at a table, and what they must be to change it."""

from collections.abc import Collection

from service.callers import tokens
from service.games.model import Table, Viewer
from service.refusals import Problem


def viewer_of(table: Table, digest: str) -> Viewer | None:
    """Return who sent the token of that hash; None for a token that is not of this game."""
    if not digest:
        return Viewer()
    who = tokens.holder_of(digest, table.secrets.tokens)
    if who == tokens.HOST:
        return Viewer(host=True, token_digest=digest)
    player = table.lobby.player(who) if who else None
    return Viewer(player=player.id, seats=player.seats, token_digest=digest) if player else None


def admitted(viewer: Viewer | None, digest: str, private: bool, revoked: Collection[str]) -> Viewer:
    """Return the viewer; raises a Problem for a token of another game or one that is revoked, and for whoever has none
    of a private game: to them it does not exist."""
    if viewer is None and digest and digest in revoked:
        raise token_revoked()
    if private and (viewer is None or not digest):
        raise no_such_game()
    if viewer is None:
        raise Problem("bad_token", "It may be of another game.")
    return viewer


def token_revoked() -> Problem:
    return Problem("token_revoked", "Another one has taken its place, or whoever had it gave it up.")


def no_such_game() -> Problem:
    return Problem("no_such_game", "It never was, was deleted, was forgotten, or is private.")


def no_token() -> Problem:
    return Problem("no_token", "Send `Authorization: Bearer rn_…`.")


def need_token(viewer: Viewer) -> None:
    """Refuse spectators: they are whoever has sent no token. Bots only read: they answer what they are asked."""
    if viewer.bot:
        raise Problem("forbidden", "A bot's token reads its games, and answers what it is asked.")
    if not viewer.host and viewer.player is None:
        raise no_token()


def need_host(viewer: Viewer) -> None:
    need_token(viewer)
    if not viewer.host:
        raise Problem("forbidden", "Only the host's token may do that.")


def need_seat(viewer: Viewer) -> None:
    need_token(viewer)
    if not viewer.seats:
        raise Problem("forbidden", "This token has no seat.")
