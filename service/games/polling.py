"""Look at a game again and again, cheaply, and wait for it to change."""

import time
from collections.abc import Callable

from flask import Response

from service.callers import tokens
from service.callers.caller import Caller
from service.callers.door import Attendance
from service.callers.limits import PAST_MS
from service.games import past, views
from service.games.access import Answer, find
from service.games.events import is_told
from service.games.model import FINISHED, Viewer
from service.games.narrator import Narrator
from service.games.stored import read_revoked, read_rights, read_seen
from service.games.viewers import admitted, no_such_game
from service.store import layouts, presence
from service.store.ids import is_id
from service.store.store import Store

JSON = "application/json"
PAST_SECONDS = 86400  # that an earlier version may be cached


def wait_for_version(store: Store, hub: Attendance, game_id: str, caller: Caller, after: int, seconds: float) -> None:
    """Wait until the game has another version than the caller, or the time is up."""
    wait_for(hub, store.names.topic(game_id), seconds, lambda: version_of(store, game_id, caller)[0] != after)


def validators(store: Store, game_id: str, caller: Caller) -> dict[str, str]:
    """Return the headers that tell the present state from others, without reading the game."""
    return {"ETag": f'W/"{views.tag(*version_of(store, game_id, caller))}"'}


def state(store: Store, game_id: str, caller: Caller, lang: str | None) -> Answer:
    """Answer with the state, as the caller may see it; with a language, legal moves in words."""
    table, viewer = find(store, game_id, caller)
    return Answer(
        200, views.state(table, viewer, lang), {"ETag": views.etag(table, viewer), "Cache-Control": "no-cache"}
    )


def validators_of_past(store: Store, game_id: str, caller: Caller, version: int) -> dict[str, str]:
    """Return the headers that tell an earlier state from others."""
    present, epoch, label = version_of(store, game_id, caller)
    past.check(version, present)
    return {"ETag": f'W/"{views.tag(version, epoch, label, present)}"'} | caching(version, present)


def past_state(store: Store, game_id: str, caller: Caller, version: int) -> Answer:
    """Answer with the state as it was, which takes a while to play again."""
    caller.meter.work.cost = PAST_MS
    table, viewer = find(store, game_id, caller)
    body = views.state(past.table_at(store, table, version), viewer)
    etag = f'W/"{views.tag(version, table.mark.epoch, viewer.label, table.version)}"'
    return Answer(200, body, {"ETag": etag} | caching(version, table.version))


def caching(version: int, present: int) -> dict[str, str]:
    """Return the headers for caches. The past stays as it is, but differs between tokens."""
    control = f"private, max-age={PAST_SECONDS}" if version < present else "no-cache"
    return {"Cache-Control": control, "Vary": "Authorization"}


def version_of(store: Store, game_id: str, caller: Caller) -> tuple[int, str, str]:
    """Return version, epoch, and the label of the caller's view, which are all that a poll needs."""
    if not is_id(game_id):
        raise no_such_game()
    reading = ("HMGET", store.names.game(game_id), "version", "rights", "seen", "revoked", layouts.FIELD)
    found = caller.meter.ask(store.redis, reading, game_id=game_id)
    version, rights, seen, revoked, layout = found[0]
    if version is None:
        raise no_such_game()
    layouts.check(layout)
    who = _admitted(rights, revoked, caller)
    presence.note(store, game_id, who if who != tokens.HOST else None, read_seen(seen))
    return int(version), found.epoch, who or "all"


def wait_for(hub: Attendance, topic: str, seconds: float, is_there: Callable[[], bool]) -> None:
    """Wait until it is there, or the time is up."""
    ends = time.monotonic() + seconds
    with hub.waiter(topic) as waiter:
        while not hub.stopping and not is_there() and (left := ends - time.monotonic()) > 0:
            waiter.wait(left)


def events(
    store: Store, hub: Attendance, game_id: str, caller: Caller, after: int, limit: int, wait: float,
    lang: str | None, all_kinds: bool,
) -> Response:  # fmt: skip
    """Answer with a page of the history."""
    table, viewer = find(store, game_id, caller)
    if wait and after == table.seq and table.status != FINISHED:
        wait_for(hub, store.names.topic(game_id), wait, lambda: _seq(store, game_id, caller) != after)
    found = store.events(game_id, after, limit + 1)
    page = found[:limit]
    told = [each for each in page if is_told(each, all_kinds)]
    head = b'{"events":' + views.events(told, viewer, Narrator(lang, table) if lang else None)
    following = after + len(page) if page else min(after, table.seq)  # the store may have lost what was told
    more = b"true" if len(found) > limit else b"false"
    tail = b',"next":%d,"more":%s,"epoch":"%s"}' % (following, more, table.mark.epoch.encode())
    return Response(head + tail, mimetype=JSON, headers={"Cache-Control": "no-cache"})


def _seq(store: Store, game_id: str, caller: Caller) -> int:
    ((seq, rights, revoked),) = store.redis.ask(("HMGET", store.names.game(game_id), "seq", "rights", "revoked"))
    if seq is None:
        raise no_such_game()
    _admitted(rights, revoked, caller)
    return int(seq)


def _admitted(rights: bytes, revoked: bytes | None, caller: Caller) -> str | None:
    """Return the host or the player whose token it is, by what is stored; None for a spectator. Raises a Problem for
    whoever may not look."""
    known = read_rights(rights)
    who = tokens.holder(caller.token, known.tokens) if caller.token else None
    viewer = None if caller.token and who is None else Viewer(who == tokens.HOST, who)
    admitted(viewer, caller.token, known.private, read_revoked(revoked) if viewer is None else ())
    return who
