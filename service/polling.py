"""Looking at a game again and again, cheaply; and waiting for it to change."""

import time
from collections.abc import Callable
from typing import Any

import orjson
from flask import Response

from service import tokens, views
from service.access import Caller, admitted, find, no_such_game
from service.feed import Hub
from service.store import Store, is_id
from service.tables import Viewer

JSON = "application/json"


def show(store: Store, hub: Hub, game_id: str, caller: Caller, known: Any, after: int | None, wait: float) -> Response:
    """The state; or 304 for whoever has it."""
    if wait and after is not None:
        _wait(hub, game_id, wait, lambda: _version(store, game_id, caller)[0] > after)
    if known:
        version, label = _version(store, game_id, caller)
        etag = f"{version}-{label}"
        if known.contains_weak(etag):
            return Response(status=304, headers={"ETag": f'"{etag}"'})
    table, viewer = find(store, game_id, caller)
    body = orjson.dumps(views.state(table, viewer))
    return Response(body, 200, {"ETag": views.etag(table.version, viewer), "Cache-Control": "no-cache"}, mimetype=JSON)


def _version(store: Store, game_id: str, caller: Caller) -> tuple[int, str]:
    """The version, and the label of the caller's view: all that a poll must know."""
    if not is_id(game_id):
        raise no_such_game()
    with store.redis.pipeline(transaction=False) as pipeline:
        caller.meter.count(pipeline)
        pipeline.hmget(f"game:{game_id}", "version", "rights")
        *counted, (version, rights) = pipeline.execute()
    caller.meter.read(counted)
    if version is None:
        raise no_such_game()
    known = orjson.loads(rights)
    who = tokens.holder(caller.token, known["tokens"]) if caller.token else None
    viewer = None if caller.token and who is None else Viewer(who == tokens.HOST, who)
    admitted(viewer, caller.token, known["private"])
    return int(version), who or "all"


def _wait(hub: Hub, game_id: str, seconds: float, is_there: Callable[[], bool]) -> None:
    ends = time.monotonic() + seconds
    with hub.waiter(game_id) as waiter:
        while not is_there() and (left := ends - time.monotonic()) > 0:
            waiter.wait(left)


def events(store: Store, hub: Hub, game_id: str, caller: Caller, after: int, limit: int, wait: float) -> Response:
    """A page of the history."""
    table, viewer = find(store, game_id, caller)
    if wait and after >= table.seq and table.status != "finished":
        _wait(hub, game_id, wait, lambda: bool(store.redis.llen(f"events:{game_id}") > after))
    found = store.events(game_id, after, limit + 1)
    page = found[:limit]
    head = b'{"events":' + views.events(page, viewer)
    tail = b',"next":%d,"more":%s}' % (after + len(page), b"true" if len(found) > limit else b"false")
    return Response(head + tail, mimetype=JSON, headers={"Cache-Control": "no-cache"})
