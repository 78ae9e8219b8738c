"""What callers ask of matches: to begin one, to see it, to change and to delete it."""

import logging
import os
import zlib

import orjson
from redis.exceptions import RedisError

from engine import SEED_BYTES
from service import clock
from service.accounts import accounts, admission
from service.callers import tokens
from service.callers.caller import Caller
from service.callers.door import Attendance
from service.config import Config
from service.games import polling, tables
from service.games.access import Answer, need_token, once, unconfirmed, with_token
from service.games.creation import check_api_key
from service.games.viewers import token_revoked
from service.matches import hosting, results, scheduling, transitions, views
from service.matches.model import Match, MatchStatus, Outside
from service.matches.plan import MatchRequest, Plan
from service.matches.repository import MatchRepository
from service.paging import place_of, search
from service.refusals import Problem
from service.store.store import Store, Unconfirmed

log = logging.getLogger(__name__)


def create(store: Store, caller: Caller, wanted: MatchRequest, config: Config, api_key: str | None) -> Answer:
    """Create a match. Its token is in the answer to its creation, and never again."""
    caller.meter.now(store.redis)
    check_api_key(store, config, api_key)
    caller.meter.work.check()
    plan = Plan.from_request(wanted, config)
    salt, match_id = tokens.new_salt(), store.answers.new_id(caller.retry)
    match = transitions.create(
        match_id,
        plan,
        holder=tokens.digest(tokens.make(salt, caller.key)),
        keep_seconds=config.match_keep_seconds,
        epoch=store.redis.known_epoch(store.names.match.hash_of(match_id)),
        now=round(clock.now(), 3),
        outside=_outside(store, caller, plan),
    )
    view = views.whole(match, results.none_yet(match.plan))
    headers = {"Location": f"/v1/matches/{match.id}", "ETag": views.etag(match)}
    repository = MatchRepository(store)
    remembered = _stored_answer(match, headers, salt) if caller.retry else b""
    before = once(store, caller, lambda: repository.create(match, caller.retry, remembered, config.answer_seconds))
    if before:
        return with_token(_retold(repository, before), caller.key)
    _call_workers(repository, match)
    return with_token(Answer(202, {"match": view, "salt": salt.hex()}, headers), caller.key)


def _outside(store: Store, caller: Caller, plan: Plan) -> Outside | None:
    """Return what is kept of a match with outside bots: they play it in the versions that they have now."""
    if not plan.outsiders:
        return None
    admission.check(
        store,
        caller.origin,
        [(f"{where}/{place}", bot) for where, crew in plan.pointed.items() for place, bot in enumerate(crew)],
    )
    accounts_ = accounts.fetch_all(store, plan.outsiders)
    return Outside(os.urandom(SEED_BYTES).hex(), {name: found.terms.version for name, (found, _) in accounts_.items()})


def _stored_answer(match: Match, headers: dict[str, str], salt: bytes) -> bytes:
    """Return what a repeated request is answered with: which match it is, as all the rest is stored with the match."""
    body = {"id": match.id, "match": {"epoch": match.epoch}}
    return zlib.compress(orjson.dumps({"status": 202, "body": body, "headers": headers, "salt": salt.hex()}), 1)


def _retold(repository: MatchRepository, answer: Answer) -> Answer:
    """Tell of a match as it was when it was created."""
    match = repository.fetch(answer.body["id"])
    if match is None:
        raise no_such_match()
    began = transitions.create(
        match.id,
        match.plan,
        holder=match.holder,
        keep_seconds=match.keep_seconds,
        epoch=answer.body["match"]["epoch"],
        now=match.created_at,
        outside=match.outside,
    )
    told = {"match": views.whole(began, results.none_yet(began.plan)), "salt": answer.body["salt"]}
    return Answer(answer.status, told, answer.headers)


def _call_workers(repository: MatchRepository, match: Match) -> None:
    """Enqueue slices. What fails here is the sweeper's business, not the caller's."""
    if match.outside is not None:
        tables.call_host(repository.store, match.id)
        return
    try:
        scheduling.schedule(repository, match.id)
    except RedisError as error:
        log.warning("no workers called for match %s: %s", match.id, error)


def no_such_match() -> Problem:
    return Problem("no_such_match", "It never was, was deleted, or was forgotten.")


def find(store: Store, match_id: str, caller: Caller) -> tuple[MatchRepository, Match]:
    """Return a match for whoever asks. Raises a Problem when there is none."""
    repository = MatchRepository(store)
    match = repository.fetch(match_id, caller.meter)
    if match is None:
        raise no_such_match()
    return repository, match


def find_own(store: Store, match_id: str, caller: Caller) -> tuple[MatchRepository, Match]:
    """Return a match for whoever has its token."""
    need_token(caller)
    repository, match = find(store, match_id, caller)
    if tokens.digest(caller.token or "") in match.revoked:
        raise token_revoked()
    if tokens.holder(caller.token or "", {match.holder: tokens.HOST}) is None:
        raise Problem("bad_token", "It may be of another match.")
    return repository, match


def wait_for_version(store: Store, hub: Attendance, match_id: str, caller: Caller, after: int, seconds: float) -> None:
    """Wait until the match has another version than the caller, or the time is up."""
    topic = store.names.match.hash_of(match_id)
    polling.wait_for(hub, topic, seconds, lambda: _version(store, match_id, caller)[0] != after)


def validators(store: Store, match_id: str, caller: Caller) -> dict[str, str]:
    """Return the headers that tell the present state of the match from others, without reading it whole."""
    return {"ETag": f'"{views.tag(*_version(store, match_id, caller))}"'}


def show(store: Store, match_id: str, caller: Caller) -> Answer:
    """Answer with the match."""
    repository, match = find(store, match_id, caller)
    view = views.whole(match, results.read(repository, match))
    return Answer(200, {**view}, {"ETag": views.etag(match), "Cache-Control": "no-cache"})


def _version(store: Store, match_id: str, caller: Caller) -> tuple[int, str]:
    """Return the version and the epoch of a match. Raises a Problem when there is none."""
    found = MatchRepository(store).fetch_version(match_id, caller.meter)
    if found is None:
        raise no_such_match()
    return found


def list_matches(
    store: Store, caller: Caller, limit: int, status: str | None = None, cursor: str | None = None
) -> Answer:
    """Answer with a page of matches, the latest first."""
    caller.meter.now(store.redis)
    listed = MatchRepository(store).listed(place_of(cursor))
    page, following = search(listed, limit, lambda match: status in (None, match.status))
    body = {"matches": [views.summary(match) for match in page], "next": following}
    return Answer(200, body, {"Cache-Control": "no-cache"})


def update(store: Store, match_id: str, caller: Caller, status: str) -> Answer:
    """Pause a match, let it go on, or cancel it."""
    repository, match = find_own(store, match_id, caller)
    wanted = MatchStatus(status)
    try:
        transitions.change_status(match, wanted, clock.now())
        is_changed = repository.change_status(match, wanted)
    except transitions.MatchOver as error:
        raise _match_over(error.status) from error
    except Unconfirmed as error:
        raise unconfirmed() from error
    after = repository.fetch(match_id)
    if after is None:
        raise no_such_match()
    if not is_changed:  # it came to its end in the meantime
        raise _match_over(after.status)
    if wanted == MatchStatus.RUNNING:
        _call_workers(repository, after)
    if wanted == MatchStatus.CANCELLED:
        hosting.drop(store, after)
    return Answer(200, {**views.whole(after, results.read(repository, after))}, {"ETag": views.etag(after)})


def _match_over(status: MatchStatus) -> Problem:
    return Problem("match_over", f"It is {status}.")


def delete(store: Store, match_id: str, caller: Caller) -> Answer:
    """Delete a match and its results."""
    repository, match = find_own(store, match_id, caller)
    repository.delete(match)
    hosting.drop(store, match)
    return Answer(204, {}, {})
