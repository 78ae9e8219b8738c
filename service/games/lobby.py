"""Requests around a game: join, leave, start, hand a seat over, delete."""

from collections.abc import Sequence

from service.accounts import admission
from service.callers import tokens
from service.callers.caller import Caller
from service.games import stored, tables, timing, views
from service.games.access import Answer, answering, commit, find, state_answer
from service.games.commands import advising, client_data
from service.games.commands import control as controlling
from service.games.commands import lobby as commands
from service.games.commands.invitations import need_invitation
from service.games.model import BOT, Moment, Progress, Table, Viewer
from service.games.viewers import need_host
from service.queue import waiting
from service.queue.pressure import refuse_debtors, refuse_new_work
from service.queue.queueing import TURNS
from service.store.store import Store
from service.wire import Wire

Wanted = Wire  # a body that its schema has checked


@answering
def join(store: Store, table: Table, viewer: Viewer, caller: Caller, wanted: Wanted) -> Answer:
    """Add a player. Their token is in the answer, and never again."""
    at, token_salt = tables.now(), tokens.new_salt()
    digest = tokens.digest(tokens.make(token_salt, caller.key))
    invited = need_invitation(table.secrets, tokens.digest(caller.invitation)) if caller.invitation else None
    progress, joined = commands.join_as(table, wanted, digest, at, invited)
    where = {"Location": f"/v1/games/{table.id}"}

    def told(_: Sequence[bytes]) -> Answer:
        body = {"game": views.state(progress.after, joined)}
        return Answer(201, body, {"ETag": views.etag(progress.after, joined)} | where)

    return commit(store, caller, progress, at, told, token_salt)


@answering
def leave(store: Store, table: Table, viewer: Viewer, caller: Caller, player_id: str) -> Answer:
    at = tables.now()
    return commit(store, caller, commands.leave(table, viewer, player_id, at), at, lambda _: Answer(204, {}, {}))


@answering
def start(store: Store, table: Table, viewer: Viewer, caller: Caller, wanted: Wanted) -> Answer:
    admission.check(store, caller.origin, [("/fill_with", wanted.get("fill_with"))])
    at = tables.now()
    progress = commands.start(table, viewer, wanted.get("fill_with"), at)
    if any(seat.kind == BOT for seat in progress.after.lobby.seats):
        refuse_new_work(store, caller, table.creator)
    return commit(store, caller, progress, at, lambda _: state_answer(progress.after, viewer))


@answering
def control(store: Store, table: Table, viewer: Viewer, caller: Caller, number: int, wanted: Wanted) -> Answer:
    """Hand a seat to a bot, or back to its player."""
    admission.check(store, caller.origin, [("/bot", wanted.get("bot"))])
    at = tables.now()
    progress = controlling.hand_over(table, viewer, number, wanted["kind"], wanted.get("bot"), at)
    if not progress.events:
        return state_answer(table, viewer)
    if wanted["kind"] == BOT:
        refuse_debtors(store, caller, table.creator)
    return commit(store, caller, progress, at, lambda _: state_answer(progress.after, viewer))


@answering
def change_game(store: Store, table: Table, viewer: Viewer, caller: Caller, wanted: Wanted) -> Answer:
    at = tables.now()
    progress = Progress.none(table)
    if "client_data" in wanted:
        progress = progress.then(client_data.change_of_game(table, viewer, wanted["client_data"], at))
    if "advice" in wanted:
        progress = progress.then(advising.allow(progress.after, viewer, wanted["advice"], at))
    return _changed(store, viewer, caller, progress, at)


@answering
def change_player(store: Store, table: Table, viewer: Viewer, caller: Caller, player_id: str, wanted: Wanted) -> Answer:
    at = tables.now()
    progress = client_data.change_of_player(table, viewer, player_id, wanted["client_data"], at)
    return _changed(store, viewer, caller, progress, at)


def _changed(store: Store, viewer: Viewer, caller: Caller, progress: Progress, at: Moment) -> Answer:
    if not progress.events:
        return state_answer(progress.after, viewer)
    return commit(store, caller, progress, at, lambda _: state_answer(progress.after, viewer))


def delete(store: Store, game_id: str, caller: Caller) -> Answer:
    table, viewer = find(store, game_id, caller)
    need_host(viewer)
    store.delete(game_id, table.creator, stored.asked(table), timing.outsiders(table.lobby))
    waiting.forget(store.queue_of(game_id), TURNS, game_id)
    return Answer(204, {}, {})
