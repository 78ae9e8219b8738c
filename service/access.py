"""Who asks for which table, and how a change of it is committed and answered."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from redis.exceptions import RedisError

from service import presence, queueing, timing, tokens, views
from service.errors import Problem
from service.limits import Meter
from service.store import Answered, Change, Conflict, Gone, KeyReused, Retry, Store, Unconfirmed, is_id
from service.tables import FIELDS, Table, Viewer

Wire = dict[str, Any]
log = logging.getLogger(__name__)

ATTEMPTS = 20  # at a commit, before others' changes win


@dataclass(frozen=True)
class Caller:
    """Whoever sent the request."""

    token: str | None
    meter: Meter
    retry: Retry | None = None
    key: str = ""  # the Idempotency-Key itself, which tokens are made of


@dataclass
class Answer:
    """What a request is answered: a status, a body, headers."""

    status: int
    body: Wire
    headers: dict[str, str]


def find(store: Store, game_id: str, caller: Caller) -> tuple[Table, Viewer]:
    """The table and who is looking at it; raises a Problem where there is nothing for that caller to see."""
    if not is_id(game_id):
        raise no_such_game()
    commands = [*caller.meter.commands(), ("HMGET", f"game:{game_id}", *FIELDS)]
    if caller.retry:  # read after the game: whoever sees the change that was made sees the answer to it, too
        commands.append(store.asking_for_answer(caller.retry))
    found = store.redis.ask(*commands, optional=caller.meter.sent)
    caller.meter.read(found)
    stored = found[0]
    if stored[0] is None:
        raise no_such_game()
    table = Table.load(game_id, stored, found.epoch)
    viewer = admitted(table.viewer(caller.token), caller.token, table.private)
    if caller.retry:
        try:
            store.check_answered(caller.retry, found[1])
        except KeyReused as error:
            raise key_reused() from error
    presence.note(store, game_id, viewer.player, table.seen)
    return table, viewer


def admitted(viewer: Viewer | None, token: str | None, private: bool) -> Viewer:
    """A private game is not there for whoever has no token of it."""
    if private and (viewer is None or not token):
        raise no_such_game()
    if viewer is None:
        headers = {"WWW-Authenticate": 'Bearer error="invalid_token"'}
        raise Problem("bad_token", "It may be of another game.", headers=headers)
    return viewer


def no_such_game() -> Problem:
    return Problem("no_such_game", "It never was, was deleted, was forgotten, or is private.")


def key_reused() -> Problem:
    return Problem("key_reused", "Send another Idempotency-Key with another request.")


def unconfirmed() -> Problem:
    detail = "A failure now could still undo it. Look again, or send the same Idempotency-Key again."
    return Problem("unconfirmed", detail, headers={"Retry-After": "1"})


def need_host(viewer: Viewer, caller: Caller) -> None:
    need_token(caller)
    if not viewer.host:
        raise Problem("forbidden", "Only the host's token may do that.")


def need_token(caller: Caller) -> None:
    if not caller.token:
        raise Problem("no_token", "Send `Authorization: Bearer rn_…`.", headers={"WWW-Authenticate": "Bearer"})


def answering(use_case: Callable[..., Answer]) -> Callable[..., Answer]:
    """Tries again when somebody else's change came first; answers a repeated request as before."""

    def tried(store: Store, game_id: str, caller: Caller, *wanted: Any) -> Answer:
        for _ in range(ATTEMPTS):
            try:
                table, viewer = find(store, game_id, caller)
                return with_token(use_case(store, table, viewer, caller, *wanted), caller.key)
            except Answered as before:
                return with_token(replayed(store, caller, before.answer), caller.key)
            except Conflict:
                continue
        raise Problem("unavailable", "The game changes too fast.", headers={"Retry-After": "1"})

    return tried


def replayed(store: Store, caller: Caller, kept: Wire) -> Answer:
    """What the same request was answered before; as safe as an answer must be."""
    if caller.retry:
        try:
            store.confirm(caller.retry)
        except Unconfirmed as error:
            raise unconfirmed() from error
    body = kept["body"] | ({"salt": kept["salt"]} if "salt" in kept else {})
    return Answer(kept["status"], body, kept["headers"] | {"Idempotency-Replayed": "true"})


def with_token(answer: Answer, key: str) -> Answer:
    """Tokens are made of a salt that is kept and a key that is not."""
    if "salt" in answer.body:
        answer.body = {"token": tokens.make(bytes.fromhex(answer.body.pop("salt")), key), **answer.body}
    return answer


def commit(
    store: Store, caller: Caller, table: Table, change: Change, answer: Answer, token_salt: bytes | None = None
) -> Answer:
    """The answer that counts: this one, or the one that the same request was given before."""
    if caller.retry:
        kept = {"status": answer.status, "body": answer.body, "headers": answer.headers}
        change.answer = kept | ({"salt": token_salt.hex()} if token_salt else {})
    try:
        store.commit(change, caller.retry)
    except Answered as before:
        return replayed(store, caller, before.answer)
    except KeyReused as error:
        raise key_reused() from error
    except Gone as error:
        raise no_such_game() from error
    except Unconfirmed as error:
        hint_if_due(store, table)
        raise unconfirmed() from error
    hint_if_due(store, table)
    if token_salt:
        answer.body["salt"] = token_salt.hex()
    return answer


def hint_if_due(store: Store, table: Table) -> None:
    """Calls a worker. The change is made already: a hint that fails is the sweeper's business, not the caller's."""
    if timing.is_for_bot(table.about, table.game):
        try:
            queueing.hint(store, table.id, table.version)
        except RedisError as error:
            log.warning("no hint for game %s: %s", table.id, error)


def state_answer(table: Table, viewer: Viewer, status: int = 200) -> Answer:
    return Answer(status, views.state(table, viewer), {"ETag": views.etag(table, viewer)})
