"""Renew and revoke tokens. Neither is a change of the game that anybody sees: it makes no version, and no event."""

from collections.abc import Mapping

from msgspec.structs import replace

from service.games.commands.lobby import leave
from service.games.model import FINISHED, Moment, Progress, Secrets, Table, Viewer
from service.games.viewers import need_token

REMEMBERED = 20  # revoked tokens of a game whose holders are told what became of them


def renew(table: Table, viewer: Viewer, digest: str) -> Progress:
    """Put a new token, which has that digest, in the place of the one that the viewer has shown."""
    need_token(viewer)
    secrets = table.secrets
    tokens = _without(secrets.tokens, viewer) | {digest: secrets.tokens[viewer.token_digest]}
    return Progress(table, replace(table, secrets=_revoking(secrets, tokens, viewer)))


def revoke(table: Table, viewer: Viewer, at: Moment) -> Progress:
    """Make the token that the viewer has shown worthless. A player leaves with it, unless the game is over."""
    need_token(viewer)
    progress = Progress.none(table)
    if viewer.player is not None and table.status != FINISHED:
        progress = leave(table, viewer, viewer.player, at)
    secrets = progress.after.secrets
    left = _revoking(secrets, _without(secrets.tokens, viewer), viewer)
    return replace(progress, after=replace(progress.after, secrets=left))


def _without(tokens: Mapping[str, str], viewer: Viewer) -> dict[str, str]:
    return {digest: who for digest, who in tokens.items() if digest != viewer.token_digest}


def _revoking(secrets: Secrets, tokens: Mapping[str, str], viewer: Viewer) -> Secrets:
    revoked = (*secrets.revoked, viewer.token_digest)[-REMEMBERED:]
    return replace(secrets, tokens=tokens, revoked=revoked)
