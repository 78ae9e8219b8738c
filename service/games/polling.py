"""Look at a game again and again, cheaply, and wait for it to change."""

import time
from collections.abc import Callable, Sequence
from typing import Any

from flask import Response

from service.accounts.accounts import holder_of
from service.callers import tokens
from service.callers.caller import Caller
from service.callers.door import Attendance
from service.callers.limits import PAST_MS
from service.games import past, views
from service.games.access import Answer, find, seen
from service.games.events import is_told
from service.games.model import FINISHED, Seen, Viewer
from service.games.narrator import Narrator
from service.games.stored import FIELDS, read_revoked, read_rights, read_seen
from service.games.viewers import admitted, no_such_game
from service.store import layouts, presence
from service.store.ids import is_id
from service.store.store import Store

JSON = "application/json"
_POLLED = ("version", "rights", "seen", "revoked", layouts.FIELD)
PAST_SECONDS = 86400  # that an earlier version may be cached


def later(store: Store, hub: Attendance, game_id: str, caller: Caller, after: int, seconds: float) -> Seen:
    """Wait until the game has another version than the caller, or the time is up; return it as it was read last."""
    look = Look(store, game_id, caller)
    wait_for(hub, store.names.topic(game_id), seconds, lambda: look.version() != after)
    return look.seen()


def validators(store: Store, game_id: str, caller: Caller) -> dict[str, str]:
    """Return the headers that tell the present state from others, without reading the game."""
    return {"ETag": f'W/"{views.tag(*version_of(store, game_id, caller))}"'}


def validators_of(seen: Seen) -> dict[str, str]:
    """Return the same of a game that was read."""
    return {"ETag": views.etag(*seen)}


def state(seen: Seen, lang: str | None) -> Answer:
    """Answer with the state, as the viewer may see it; with a language, legal moves in words."""
    return Answer(200, views.state(*seen, lang), {"ETag": views.etag(*seen), "Cache-Control": "no-cache"})


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
    look = Look(store, game_id, caller, _POLLED)
    return look.version(), look.epoch, look.who or "all"


class Look:
    """Looks at a game, as often as it is asked for its version, and makes a table only of what it read last."""

    def __init__(self, store: Store, game_id: str, caller: Caller, names: Sequence[str] = FIELDS):
        if not is_id(game_id):
            raise no_such_game()
        self._store, self._game_id, self._caller = store, game_id, caller
        self._names, self._reading = names, ("HMGET", store.names.game(game_id), *names)
        self._fields: Sequence[Any] = ()
        self.epoch = ""
        self.who: str | None = None
        self._found: Seen | None = None  # by an outside bot, whose rights are not the game's to tell

    def version(self) -> int:
        """Read the game, and return its version. Raises a Problem for whoever may not look."""
        if holder_of(self._caller.token):
            self._found = find(self._store, self._game_id, self._caller)
            self.epoch, self.who = self._found.table.mark.epoch, self._found.viewer.label
            return self._found.table.version
        found = self._caller.meter.ask(self._store.redis, self._reading, game_id=self._game_id)
        self._fields, self.epoch = found[0], found.epoch
        fields = dict(zip(self._names, self._fields, strict=True))
        if fields["version"] is None:
            raise no_such_game()
        layouts.check(fields[layouts.FIELD])
        who = self.who = _admitted(fields["rights"], fields["revoked"], self._caller)
        presence.note(self._store, self._game_id, who if who != tokens.HOST else None, read_seen(fields["seen"]))
        return int(fields["version"])

    def seen(self) -> Seen:
        """Return the game that was read last, and who looks at it."""
        if not self._fields and self._found is None:
            self.version()
        if self._found is not None:
            return self._found
        return seen(self._game_id, self._fields, self.epoch, self._caller.digest)


def wait_for(hub: Attendance, topic: str, seconds: float, is_there: Callable[[], bool], signals: bool = False) -> None:
    """Wait until it is there, or the time is up. What is there may come with `signals`, which change nothing."""
    ends = time.monotonic() + seconds
    with hub.waiter(topic, signals=signals) as waiter:
        while not hub.stopping and not is_there() and (left := ends - time.monotonic()) > 0:
            waiter.wait(left)


def events(
    store: Store, hub: Attendance, game_id: str, caller: Caller, after: int, limit: int, wait: float,
    lang: str | None, all_kinds: bool,
) -> Response:  # fmt: skip
    """Answer with a page of the history."""
    table, viewer = find(store, game_id, caller)
    found = store.events(game_id, after, limit + 1)
    if wait and not found and after == table.seq and table.status != FINISHED:

        def look() -> bool:
            """Read the page again, and return whether there is anything on it."""
            found[:] = _page(store, game_id, caller, after, limit + 1)
            return bool(found)

        wait_for(hub, store.names.topic(game_id), wait, look)
    page = found[:limit]
    told = [each for each in page if is_told(each, all_kinds)]
    head = b'{"events":' + views.events(told, viewer, Narrator(lang, table) if lang else None)
    following = after + len(page) if page else min(after, table.seq)  # the store may have lost what was told
    more = b"true" if len(found) > limit else b"false"
    tail = b',"next":%d,"more":%s,"epoch":"%s"}' % (following, more, table.mark.epoch.encode())
    return Response(head + tail, mimetype=JSON, headers={"Cache-Control": "no-cache"})


def _page(store: Store, game_id: str, caller: Caller, after: int, most: int) -> list[bytes]:
    """Return events, read in one round trip with who may see them. Raises a Problem for whoever may not."""
    if holder_of(caller.token):
        find(store, game_id, caller)
        return store.events(game_id, after, most)
    (rights, revoked), found = store.redis.ask(
        ("HMGET", store.names.game(game_id), "rights", "revoked"),
        ("LRANGE", store.names.events(game_id), after, after + most - 1),
    )
    if rights is None:
        raise no_such_game()
    _admitted(rights, revoked, caller)
    return list(found)


def _admitted(rights: bytes, revoked: bytes | None, caller: Caller) -> str | None:
    """Return the host or the player whose token it is, by what is stored; None for a spectator. Raises a Problem for
    whoever may not look."""
    known = read_rights(rights)
    who = tokens.holder_of(caller.digest, known.tokens) if caller.digest else None
    viewer = None if caller.digest and who is None else Viewer(who == tokens.HOST, who)
    admitted(viewer, caller.digest, known.private, read_revoked(revoked) if viewer is None else ())
    return who
