"""Requests about a token itself: renew the one that is shown, or revoke it."""

from service.callers import tokens
from service.callers.caller import Caller
from service.games import tables
from service.games.access import Answer, answer_of_dead_token, answering, commit
from service.games.commands import rights as commands
from service.games.model import Table, Viewer
from service.store.store import Store

NOT_KEPT = {"Cache-Control": "no-store"}  # by caches


def renew(store: Store, game_id: str, caller: Caller) -> Answer:
    """Answer with a new token for what the shown one was for. A repeated request is answered as before, although it
    shows a token that is revoked by then."""
    return answer_of_dead_token(store, caller, lambda: _renew(store, game_id, caller))


@answering
def _renew(store: Store, table: Table, viewer: Viewer, caller: Caller) -> Answer:
    at, salt = tables.now(), tokens.new_salt()
    progress = commands.renew(table, viewer, tokens.digest(tokens.make(salt, caller.key)))
    return commit(store, caller, progress, at, lambda _: Answer(200, {}, NOT_KEPT), salt)


@answering
def revoke(store: Store, table: Table, viewer: Viewer, caller: Caller) -> Answer:
    at = tables.now()
    return commit(store, caller, commands.revoke(table, viewer, at), at, lambda _: Answer(204, {}, {}))
