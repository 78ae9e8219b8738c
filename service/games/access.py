"""Find the table that a request is about, and commit and answer what it changes."""

import logging
import zlib
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import Any, Required, TypedDict

import orjson

from service.accounts import accounts
from service.callers import tokens
from service.callers.caller import Caller
from service.games import moved, renaming, retelling, stored, tables, timing, views
from service.games.model import Json, Moment, Progress, Seen, Table, Viewer
from service.games.viewers import admitted, no_such_game, no_token, viewer_of
from service.refusals import Fault, Problem, bad_header
from service.store import presence
from service.store.answers import Answered, KeyReused
from service.store.ids import ids_in, is_id
from service.store.redis_client import Command
from service.store.store import Conflict, Gone, Store, TooMany, Unconfirmed

log = logging.getLogger(__name__)

ATTEMPTS = 20  # at a commit, before others' changes win
_REPLAYED = {"Idempotency-Replayed": "true"}
GAMES_RETRY_SECONDS = 60  # until whoever has too many games may look whether one is over


class Wanted(TypedDict, total=False):
    """One of several games that somebody wants to see, and the token that they have of it."""

    game_id: Required[str]
    token: str | None
    after: int


@dataclass
class Answer:
    """The answer to a request."""

    status: int
    body: Json
    headers: dict[str, str]


def find(store: Store, game_id: str, caller: Caller) -> Seen:
    """Return the table and who is looking at it; raises a Problem where there is nothing for that caller to see."""
    if not is_id(game_id):
        raise no_such_game()
    commands: list[Command] = [("HMGET", store.names.game(game_id), *stored.FIELDS)]
    if caller.retry:  # read after the game: whoever sees the change that was made sees the answer to it, too
        commands.append(store.answers.asking(caller.retry))
    commands += accounts.verifying([caller.token])
    found = caller.meter.ask(store.redis, *commands, game_id=game_id)
    fields = found[0]
    if fields[0] is None:
        raise no_such_game()
    bot = accounts.verified(caller.token, caller.digest, found[-1])
    table, viewer = seen(game_id, fields, found.epoch, caller.digest, caller.invitation, bot)
    if caller.retry:
        try:
            store.answers.check(caller.retry, found[1])
        except KeyReused as error:
            raise key_reused() from error
    presence.note(store, game_id, viewer.player, table.seen)
    return Seen(table, viewer)


def find_all(store: Store, wanted: Sequence[Wanted], caller: Caller) -> list[Seen]:
    """Return tables and who is looking at each, read in one round trip. Raises the Problem of the first entry that
    there is nothing to see of, with a fault for each such entry."""
    ids = [entry["game_id"] if is_id(entry["game_id"]) else "" for entry in wanted]
    games = [("HMGET", store.names.game(game_id), *stored.FIELDS) for game_id in ids]
    found = caller.meter.ask(store.redis, *games, *accounts.verifying(entry.get("token") for entry in wanted))
    known_of_bots = iter(found[len(games) :])
    all_seen: list[Seen] = []
    problems: list[Problem] = []
    faults: list[Fault] = []
    for number, (entry, fields) in enumerate(zip(wanted, found, strict=False)):
        token = entry.get("token")
        known = next(known_of_bots) if accounts.holder_of(token) is not None else None
        try:
            if fields[0] is None:
                raise no_such_game()
            digest = tokens.digest(token) if token else ""
            bot = accounts.verified(token, digest, known)
            all_seen.append(seen(entry["game_id"], fields, found.epochs[number], digest, bot=bot))
        except Problem as problem:
            field = "game_id" if problem.code == "no_such_game" else "token"
            faults.append({"pointer": f"/games/{number}/{field}", "code": "value", "detail": problem.detail})
            problems.append(problem)
    if problems:
        raise Problem(problems[0].code, f"{faults[0]['pointer']}: {problems[0].detail}", faults)
    for table, viewer in all_seen:
        presence.note(store, table.id, viewer.player, table.seen)
    return all_seen


def seen(
    game_id: str, fields: Sequence[Any], epoch: str, digest: str, invitation: str | None = None, bot: str | None = None
) -> Seen:
    """Return a table as it was read, and who is looking at it; raises a Problem as `find` does. To whoever is invited
    a private game is there, for as long as they join it; an outside bot sees what its seats may."""
    table = stored.load(game_id, fields, epoch)
    if bot and (seats := timing.seats_of_outsider(table.lobby, bot)):
        return Seen(table, Viewer(seats=seats, token_digest=digest, bot=bot))
    if invitation and not digest and table.secrets.invitation(tokens.digest(invitation)):
        return Seen(table, Viewer())
    return Seen(table, admitted(viewer_of(table, digest), digest, table.charter.private, table.secrets.revoked))


def key_reused() -> Problem:
    detail = "Send another Idempotency-Key with another request."
    return bad_header("key_reused", "Idempotency-Key", "conflict", detail)


def too_many_games(most: int) -> Problem:
    detail = f"You have {most} games that are not over: finish or delete some. Those that nobody plays are forgotten."
    return Problem("too_many_games", detail, retry_seconds=GAMES_RETRY_SECONDS, policy="games")


def unconfirmed() -> Problem:
    detail = "A failure now could still undo it. Look again, or send the same Idempotency-Key again."
    return Problem("unconfirmed", detail, retry_seconds=1)


def need_token(caller: Caller) -> None:
    if not caller.token:
        raise no_token()


def answering(use_case: Callable[..., Answer]) -> Callable[..., Answer]:
    """Try again when somebody else's change came first; answer a repeated request as before."""

    def tried(store: Store, game_id: str, caller: Caller, *wanted: Any) -> Answer:
        for _ in range(ATTEMPTS):
            with suppress(Conflict):
                try:
                    table, viewer = find(store, game_id, caller)
                    answer = use_case(store, table, viewer, caller, *wanted)
                except Answered as before:
                    answer = replayed(store, caller, before.stored, game_id)
                return with_token(answer, caller.key)
        raise Problem("unavailable", "The game changes too fast.", retry_seconds=1)

    return tried


def once(store: Store, caller: Caller, commit: Callable[[], None], game_id: str = "") -> Answer | None:
    """Commit a change; return the answer that the same request had before, if it had one and so changes nothing."""
    try:
        commit()
    except Answered as before:
        return replayed(store, caller, before.stored, game_id)
    except KeyReused as error:
        raise key_reused() from error
    except Unconfirmed as error:
        raise unconfirmed() from error
    return None


def answer_before(store: Store, caller: Caller) -> Answer | None:
    """Return the answer that the same request had before, for requests that change nothing by a commit."""
    retry = caller.retry
    if retry is None:
        return None
    (answered,) = store.redis.ask(store.answers.asking(retry))
    return once(store, caller, lambda: store.answers.check(retry, answered))


def answer_of_dead_token(store: Store, caller: Caller, use_case: Callable[[], Answer]) -> Answer:
    """Return the answer to a request that revokes the token which it shows; the one that it had before, if it is
    repeated."""
    try:
        return use_case()
    except Problem as refused:
        before = answer_before(store, caller) if refused.code == "token_revoked" else None
        if before is None:
            raise
        return with_token(before, caller.key)


def remember(store: Store, caller: Caller, answer: Answer) -> Answer:
    """Remember the answer for when the request is repeated, and return it."""
    if caller.retry:
        store.answers.remember(
            caller.retry, _packed({"status": answer.status, "body": answer.body, "headers": answer.headers})
        )
    return answer


def replayed(store: Store, caller: Caller, kept: bytes, game_id: str = "") -> Answer:
    """Return the answer that the same request had before, when it is as safe as an answer must be. After its game is
    deleted nothing is told of it any more. Raises Conflict where another Redis has taken over that does not know it."""
    retry = caller.retry
    assert retry is not None, "no other answer is kept"
    try:
        store.confirm(retry)
    except Unconfirmed as error:
        raise unconfirmed() from error
    if moved.is_note(kept):
        again = moved.told_again(store, game_id, retry, kept)
        if again is None:
            raise no_such_game()
        return Answer(200, again[0], again[1] | _REPLAYED)
    remembered: Json = orjson.loads(zlib.decompress(kept))
    told = renaming.answer(remembered["body"])
    body: Json | None = told
    if "game" in remembered:
        body = retelling.with_names(store, remembered["game"], told)
    if body is None:
        raise no_such_game()
    body |= {"salt": remembered["salt"]} if "salt" in remembered else {}
    return Answer(remembered["status"], body, remembered["headers"] | _REPLAYED)


def named_in(kept: bytes) -> set[str]:
    """Return the ids of games and matches that a kept answer names; none of one that can't be told again."""
    try:
        return {moved.game_of(kept)} if moved.is_note(kept) else ids_in(zlib.decompress(kept))
    except (moved.BadNote, zlib.error):
        return set()


def _packed(answer: Json) -> bytes:
    return zlib.compress(orjson.dumps(answer), 1)


def with_token(answer: Answer, key: str) -> Answer:
    """Put a token into the answer, or two. They are made of a salt that is stored and a key that is not."""
    if "salt" in answer.body:
        salt = bytes.fromhex(answer.body.pop("salt"))
        if "player_token" in answer.body:
            answer.body["player_token"] = tokens.make(tokens.salt_of_player(salt), key)
        answer.body = {"token": tokens.make(salt, key), **answer.body}
    return answer


def commit(
    store: Store,
    caller: Caller,
    progress: Progress,
    at: Moment,
    tell: Callable[[Sequence[bytes]], Answer],
    token_salt: bytes | None = None,
    note: Callable[[], bytes | None] | None = None,
) -> Answer:
    """Store the progress and return the answer that counts: that of `tell`, which is given the events as they are
    stored, or the one that the same request had before.

    `note` makes what suffices to make the answer again; without it all of the answer is kept for a repeated request.
    """
    table, change = progress.after, stored.change(progress, at.seconds)
    change.is_limited = change.based_on is None
    answer = cache(lambda: tell(change.events))
    if caller.retry:
        change.answer = (note() if note else None) or _remembered(answer(), table, token_salt)

    def store_change() -> None:
        try:
            store.commit(change, caller.retry, meanwhile=answer)
        except Unconfirmed:  # the change is made
            tables.hint_if_due(store, table)
            raise

    try:
        before = once(store, caller, store_change, table.id)
    except Gone as error:
        raise no_such_game() from error
    except TooMany as error:
        raise too_many_games(store.games_per_caller) from error
    if before:
        return before
    tables.count_game_over(store, progress)
    tables.hint_if_due(store, table)
    if token_salt:
        answer().body["salt"] = token_salt.hex()
    return answer()


def _remembered(answer: Answer, table: Table, token_salt: bytes | None) -> bytes:
    """Return all of an answer, to be stored."""
    body = retelling.without_names(answer.body)
    remembered = {"status": answer.status, "body": body, "headers": answer.headers, "game": table.id}
    return _packed(remembered | ({"salt": token_salt.hex()} if token_salt else {}))


def state_answer(table: Table, viewer: Viewer) -> Answer:
    return Answer(200, views.state(table, viewer), {"ETag": views.etag(table, viewer)})
