"""Requests about invitations: make, list and revoke them."""

from service.callers import tokens
from service.callers.caller import Caller
from service.games import tables
from service.games.access import Answer, answering, commit, find
from service.games.commands import invitations as commands
from service.games.model import Invitation, Json, Table, Viewer
from service.games.rights import NOT_KEPT
from service.games.viewers import need_host
from service.store.store import Store
from service.wire import Wire


@answering
def invite(store: Store, table: Table, viewer: Viewer, caller: Caller, wanted: Wire) -> Answer:
    """Make an invitation. Its token is in the answer, and never again."""
    at, salt = tables.now(), tokens.new_salt()
    digest = tokens.digest(tokens.make(salt, caller.key))
    progress = commands.invite(table, viewer, wanted.get("seat"), wanted["uses"], digest, at)
    body = {"invitation": _told(progress.after.secrets.invitations[-1])}
    headers = NOT_KEPT | {"Location": f"/v1/games/{table.id}/invitations"}
    return commit(store, caller, progress, at, lambda _: Answer(201, body, headers), salt)


def listing(store: Store, game_id: str, caller: Caller) -> Answer:
    """Answer with the invitations, the oldest first."""
    table, viewer = find(store, game_id, caller)
    need_host(viewer)
    return Answer(200, {"invitations": [_told(each) for each in table.secrets.invitations]}, NOT_KEPT)


@answering
def revoke(store: Store, table: Table, viewer: Viewer, caller: Caller, invitation_id: str) -> Answer:
    at, gone = tables.now(), Answer(204, {}, {})
    progress = commands.revoke(table, viewer, invitation_id, at)
    return commit(store, caller, progress, at, lambda _: gone) if progress.events else gone


def _told(invitation: Invitation) -> Json:
    return {
        "id": invitation.id,
        "seat": invitation.seat,
        "uses": invitation.uses,
        "created_at": invitation.created_at,
        "player_ids": list(invitation.players),
        "status": "revoked" if invitation.revoked else "open" if invitation.is_live else "used",
    }
