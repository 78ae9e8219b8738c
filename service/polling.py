"""Looking at a game again and again, cheaply; and waiting for it to change."""

import time
from collections.abc import Callable
from typing import Any

import orjson
from flask import Response

from service import layouts, past, presence, tokens, views
from service.access import Caller, admitted, find, no_such_game
from service.feed import Hub
from service.narrator import Narrator
from service.store import Store, is_id
from service.tables import Viewer

JSON = "application/json"
PAST_SECONDS = 86400  # that an earlier version may be cached


def show(store: Store, hub: Hub, game_id: str, caller: Caller, known: Any, after: int | None, wait: float) -> Response:
    """The state; or 304 for whoever has it."""
    if wait and after is not None:
        wait_for(hub, game_id, wait, lambda: version_of(store, game_id, caller)[0] != after)
    if known:
        tag = views.tag(*version_of(store, game_id, caller))
        if known.contains_weak(tag):
            return Response(status=304, headers={"ETag": f'W/"{tag}"'})
    table, viewer = find(store, game_id, caller)
    body = orjson.dumps(views.state(table, viewer))
    return Response(body, 200, {"ETag": views.etag(table, viewer), "Cache-Control": "no-cache"}, mimetype=JSON)


def look_back(store: Store, game_id: str, caller: Caller, known: Any, version: int) -> Response:
    """The state as it was."""
    if known:
        present, epoch, label = version_of(store, game_id, caller)
        past.check(version, present)
        tag = views.tag(version, epoch, label, present)
        if known.contains_weak(tag):
            return Response(status=304, headers={"ETag": f'W/"{tag}"'} | caching(version, present))
    table, viewer = find(store, game_id, caller)
    body = orjson.dumps(views.state(past.table_at(store, table, version), viewer))
    etag = f'W/"{views.tag(version, table.epoch, viewer.label, table.version)}"'
    return Response(body, 200, {"ETag": etag} | caching(version, table.version), mimetype=JSON)


def caching(version: int, present: int) -> dict[str, str]:
    """The past stays as it is; but it is another one with another token."""
    kept = f"private, max-age={PAST_SECONDS}" if version < present else "no-cache"
    return {"Cache-Control": kept, "Vary": "Authorization"}


def version_of(store: Store, game_id: str, caller: Caller) -> tuple[int, str, str]:
    """The version, the epoch, and the label of the caller's view: all that a poll must know."""
    if not is_id(game_id):
        raise no_such_game()
    found = store.redis.ask(
        *caller.meter.commands(),
        ("HMGET", f"game:{game_id}", "version", "rights", "seen", layouts.FIELD),
        optional=caller.meter.sent,
    )
    caller.meter.read(found)
    version, rights, seen, layout = found[0]
    if version is None:
        raise no_such_game()
    layouts.check(layout)
    known = orjson.loads(rights)
    who = tokens.holder(caller.token, known["tokens"]) if caller.token else None
    viewer = None if caller.token and who is None else Viewer(who == tokens.HOST, who)
    admitted(viewer, caller.token, known["private"])
    presence.note(store, game_id, who if who != tokens.HOST else None, orjson.loads(seen or b"{}"))
    return int(version), found.epoch, who or "all"


def wait_for(hub: Hub, game_id: str, seconds: float, is_there: Callable[[], bool]) -> None:
    """Until it is there, or the time is up."""
    ends = time.monotonic() + seconds
    with hub.waiter(game_id) as waiter:
        while not hub.stopping and not is_there() and (left := ends - time.monotonic()) > 0:
            waiter.wait(left)


def events(
    store: Store, hub: Hub, game_id: str, caller: Caller, after: int, limit: int, wait: float, lang: str | None
) -> Response:
    """A page of the history."""
    table, viewer = find(store, game_id, caller)
    if wait and after == table.seq and table.status != "finished":
        wait_for(hub, game_id, wait, lambda: _seq(store, game_id) != after)
    found = store.events(game_id, after, limit + 1)
    page = found[:limit]
    head = b'{"events":' + views.events(page, viewer, Narrator(lang, table) if lang else None)
    following = after + len(page) if page else min(after, table.seq)  # the store may have lost what was told
    more = b"true" if len(found) > limit else b"false"
    tail = b',"next":%d,"more":%s,"epoch":"%s"}' % (following, more, table.epoch.encode())
    return Response(head + tail, mimetype=JSON, headers={"Cache-Control": "no-cache"})


def _seq(store: Store, game_id: str) -> int:
    seq: Any = store.redis.hget(f"game:{game_id}", "seq")
    if seq is None:
        raise no_such_game()
    return int(seq)
