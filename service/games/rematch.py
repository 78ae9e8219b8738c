"""Requests for a rematch: the same crew, the same seats and bots, the same tokens, other dice."""

import os

from msgspec.structs import replace

from engine import SEED_BYTES, Game
from service.callers.caller import Caller
from service.config import Config
from service.games import stored, tables, views
from service.games.access import Answer, answering, commit, too_many_games
from service.games.commands import rematch as commands
from service.games.creation import SALT_BYTES, check_api_key
from service.games.model import BOT, Dice, Mark, Moment, Secrets, Table, Viewer
from service.games.viewers import no_such_game, viewer_of
from service.queue.pressure import refuse_new_work
from service.store.ids import derived_id
from service.store.store import Conflict, Store, TooMany


@answering
def rematch(store: Store, table: Table, viewer: Viewer, caller: Caller, config: Config, api_key: str | None) -> Answer:
    """Answer with the rematch: a new one, or the one that somebody of the crew has asked for before."""
    commands.check(table, viewer)
    if table.lobby.rematch is not None:
        return _told(_fetched(store, table.lobby.rematch), caller, 200)
    check_api_key(store, config, api_key)
    if any(seat.kind == BOT for seat in table.lobby.seats):
        refuse_new_work(store, caller)
    at = tables.now()
    answer = _told(_begun(store, table, caller, at), caller, 201)
    return commit(store, caller, commands.name_rematch(table, answer.body["game"]["id"], at), at, lambda _: answer)


def _begun(store: Store, table: Table, caller: Caller, at: Moment) -> Table:
    """Return the new game. Its id follows from that of the old one, so of two who ask at once both are told the same,
    and who asks again after a failure between the two commits goes on with what is there."""
    seed, charter = os.urandom(SEED_BYTES), table.charter
    dice = Dice.committed(os.urandom(SALT_BYTES).hex(), seed.hex())
    game = Game.new(charter.rules, seed)
    charter = replace(charter, sandbox=False, created_at=at.text, forked_from=None, dice=dice)
    secrets = Secrets(seed.hex(), None, {}, opening=tuple({**event} for event in game.opening))
    game_id = derived_id(f"rematch of {table.id}")
    wanted = replace(table, id=game_id, charter=charter, game=game, secrets=secrets)
    mark = Mark(epoch=store.redis.known_epoch(store.names.game(game_id)), creator=caller.origin)
    progress = commands.play_again(table, wanted, at, mark)
    change = stored.change(progress, at.seconds)
    change.is_limited = True
    try:
        store.commit(change)
    except Conflict:
        return _fetched(store, wanted.id)
    except TooMany as error:
        raise too_many_games(store.games_per_caller) from error
    begun = tables.committed(progress.after, change)
    tables.hint_if_due(store, begun)
    return begun


def _fetched(store: Store, game_id: str) -> Table:
    found = tables.fetch(store, game_id)
    if found is None:
        raise no_such_game()
    return found


def _told(table: Table, caller: Caller, status: int) -> Answer:
    """Answer with the new game as the caller sees it: their token is known there."""
    viewer = viewer_of(table, caller.digest) or Viewer()
    headers = {"ETag": views.etag(table, viewer)}
    if status == 201:
        headers["Location"] = f"/v1/games/{table.id}"
    return Answer(status, {"game": views.state(table, viewer)}, headers)
