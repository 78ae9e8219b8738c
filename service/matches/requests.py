"""What callers ask of matches: to begin one, to see it, to change and to delete it."""

import logging
import zlib
from itertools import islice
from typing import Any

import orjson
from flask import Response
from redis.exceptions import RedisError

from service import polling, tokens
from service.access import Answer, Caller, key_reused, need_token, replayed, unconfirmed, with_token
from service.config import Config
from service.creation import check_api_key
from service.errors import Problem
from service.feed import Hub
from service.listing import cursor_of, place_of
from service.matches import keys, lanes, views
from service.matches.plan import Plan
from service.matches.shelf import RUNNING, Match, Shelf
from service.store import Answered, KeyReused, Store, Unconfirmed, is_id, new_id

Wire = dict[str, Any]
log = logging.getLogger(__name__)

JSON = "application/json"


def create(store: Store, caller: Caller, wanted: Wire, config: Config, api_key: str | None) -> Answer:
    """A new match. Its token is told here, and never again."""
    caller.meter.now(store.redis)
    check_api_key(store, config, api_key)
    plan = Plan.read(wanted, config)
    shelf = Shelf(store)
    match = Match.new(new_id(store.cell), plan, config, store.redis.known_epoch())
    salt = tokens.new_salt()
    body: Wire = {"id": match.id, "match": views.whole(shelf, match)}
    headers = {"Location": f"/v1/matches/{match.id}", "ETag": views.etag(match)}
    kept = {"status": 202, "body": body, "headers": headers, "salt": salt.hex()}
    packed = zlib.compress(orjson.dumps(kept), 1) if caller.retry else b""
    try:
        shelf.create(match, tokens.digest(tokens.make(salt, caller.key)), caller.retry, packed, config.answer_seconds)
    except Answered as before:
        return with_token(replayed(store, caller, before.answer), caller.key)
    except KeyReused as error:
        raise key_reused() from error
    except Unconfirmed as error:
        raise unconfirmed() from error
    _call_workers(shelf, match)
    return with_token(Answer(202, body | {"salt": salt.hex()}, headers), caller.key)


def _call_workers(shelf: Shelf, match: Match) -> None:
    """What fails here is the sweeper's business, not the caller's."""
    try:
        lanes.top_up(shelf, match.id)
    except RedisError as error:
        log.warning("no workers called for match %s: %s", match.id, error)


def no_such_match() -> Problem:
    return Problem("no_such_match", "It never was, was deleted, or was forgotten.")


def find(store: Store, match_id: str, caller: Caller) -> tuple[Shelf, Match]:
    if not is_id(match_id):
        raise no_such_match()
    shelf = Shelf(store)
    match = shelf.fetch(match_id, caller.meter)
    if match is None:
        raise no_such_match()
    return shelf, match


def find_own(store: Store, match_id: str, caller: Caller) -> tuple[Shelf, Match]:
    """For whoever has its token."""
    need_token(caller)
    shelf, match = find(store, match_id, caller)
    if tokens.holder(caller.token or "", {match.facts["holder"]: tokens.HOST}) is None:
        headers = {"WWW-Authenticate": 'Bearer error="invalid_token"'}
        raise Problem("bad_token", "It may be of another match.", headers=headers)
    return shelf, match


def show(store: Store, hub: Hub, match_id: str, caller: Caller, known: Any, after: int | None, wait: float) -> Response:
    """The match; or 304 for whoever has it."""
    if wait and after is not None:
        channel = keys.channel_of(match_id)
        polling.wait_for(hub, channel, wait, lambda: _version(store, match_id, caller)[0] != after)
    if known:
        tag = views.tag(*_version(store, match_id, caller))
        if known.contains_weak(tag):
            return Response(status=304, headers={"ETag": f'"{tag}"'})
    shelf, match = find(store, match_id, caller)
    headers = {"ETag": views.etag(match), "Cache-Control": "no-cache"}
    return Response(orjson.dumps(views.whole(shelf, match)), 200, headers, mimetype=JSON)


def _version(store: Store, match_id: str, caller: Caller) -> tuple[int, str]:
    """And the epoch: all that a poll must know."""
    if not is_id(match_id):
        raise no_such_match()
    commands = caller.meter.commands()
    found = store.redis.ask(*commands, ("HGET", keys.hash_of(match_id), "version"), optional=caller.meter.sent)
    caller.meter.read(found)
    if found[0] is None:
        raise no_such_match()
    return int(found[0]), found.epoch


def list_matches(
    store: Store, caller: Caller, limit: int, state: str | None = None, cursor: str | None = None
) -> Answer:
    caller.meter.now(store.redis)
    listed = Shelf(store).listed(place_of(cursor) if cursor else None)
    found = list(islice((each for each in listed if state in (None, each[1].state)), limit + 1))
    page = found[:limit]
    following = cursor_of(page[-1][0], page[-1][1].id) if len(found) > limit else None
    body = {"matches": [views.card(match) for _, match in page], "next": following}
    return Answer(200, body, {"Cache-Control": "no-cache"})


def change(store: Store, match_id: str, caller: Caller, state: str) -> Answer:
    """Pauses it, lets it go on, cancels it."""
    shelf, match = find_own(store, match_id, caller)
    try:
        word = shelf.alter(match, state)
    except Unconfirmed as error:
        raise unconfirmed() from error
    after = shelf.fetch(match_id)
    if word == "gone" or after is None:
        raise no_such_match()
    if word == "over":
        raise Problem("match_over", f"It is {after.state}.")
    if state == RUNNING:
        _call_workers(shelf, after)
    return Answer(200, views.whole(shelf, after), {"ETag": views.etag(after)})


def delete(store: Store, match_id: str, caller: Caller) -> Answer:
    shelf, match = find_own(store, match_id, caller)
    shelf.delete(match)
    return Answer(204, {}, {})
