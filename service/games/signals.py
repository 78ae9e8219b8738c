"""What a seat shows the others at the moment: the plan that it has staged, or something that it points at, with a
preset word. It changes nothing, is no event, and is forgotten within a minute or two.

A plan is tried on what the seat itself sees, and told as it was sent: whoever plans to use an item shows that they hold
it. Nothing else of a hidden hand is looked at or told.
"""

import zlib
from collections.abc import Collection, Iterator
from math import ceil
from operator import itemgetter
from typing import NamedTuple

import orjson
from werkzeug.datastructures import ETags

from engine.shapes import Preview
from service import clock
from service.callers.caller import Caller
from service.callers.door import Attendance
from service.games.access import Answer, find
from service.games.commands.play import check_own_seat, check_seat, staged
from service.games.model import Json, Table
from service.games.narrator import Narrator
from service.games.play import Turn, check_version
from service.games.polling import wait_for
from service.games.tables import stamp
from service.refusals import invalid
from service.store import keys
from service.store.store import Store
from service.wire import Wire

PLAN_SECONDS, POINT_SECONDS = 60.0, 15.0  # that they are shown for
_KEEP_SECONDS = 75
_NOTHING: Json = {"moves": None, "points_at": None, "says": None}
_NOT_KEPT = {"Cache-Control": "no-store"}  # by caches


class Shown(NamedTuple):
    """What somebody wants to show."""

    plan: Turn | None
    points_at: Wire | None
    says: str | None


def show(store: Store, game_id: str, caller: Caller, seat: int, wanted: Shown) -> Answer:
    """Show something in place of what the seat has shown before."""
    table, viewer = find(store, game_id, caller)
    check_seat(table, seat)
    check_own_seat(viewer, seat)
    if wanted.points_at and wanted.points_at.get("seat", 0) >= len(table.lobby.seats):
        raise invalid("/points_at/seat", "range", f"must be 0 to {len(table.lobby.seats) - 1}")
    moves = None
    if wanted.plan:
        check_version(table, viewer, wanted.plan)
        moves = [_priced(preview) for preview in staged(table, viewer, seat, wanted.plan.pointed)]
    shown = {"moves": moves, "points_at": wanted.points_at, "says": wanted.says}
    stored = _publish(store, table, seat, shown, PLAN_SECONDS if moves else POINT_SECONDS)
    return Answer(200, _told(stored, clock.now()), _NOT_KEPT)


def _priced(preview: Preview) -> Json:
    """Return a move as the engine knows it, with its cost and chance: nothing else that the sender wrote."""
    chance = {"chance": preview["chance"]} if "chance" in preview else {}
    return {**preview["move"], "cost": preview["cost"], **chance}


def withdraw(store: Store, game_id: str, caller: Caller, seat: int) -> Answer:
    """Show nothing any more."""
    table, viewer = find(store, game_id, caller)
    check_seat(table, seat)
    check_own_seat(viewer, seat)
    _publish(store, table, seat, _NOTHING, 0)
    return Answer(204, {}, {})


def _publish(store: Store, table: Table, seat: int, shown: Json, seconds: float) -> bytes:
    at, key = clock.now(), store.names.signals(table.id)
    told = {"type": "signal", "seat": seat, "version": table.version, "at": stamp(at), **shown}
    stored = orjson.dumps(told | {"until": at + seconds if seconds else 0})
    store.redis.ask(
        ("HSET", key, seat, stored),
        ("EXPIRE", key, _KEEP_SECONDS),
        store.telling(store.names.topic(table.id), keys.SIGNALLED),
    )
    return stored


def listing(
    store: Store, hub: Attendance, game_id: str, caller: Caller, seconds: float, known: ETags, lang: str | None
) -> Answer:
    """Answer with what is shown. With a time to wait, wait for another tag than those that are known."""
    table, _ = find(store, game_id, caller)
    found: list[bytes] = []

    def look() -> bool:
        """Look again, as whoever may still look, and return whether there is anything else."""
        nonlocal found
        find(store, game_id, caller)
        found = store.redis.ask(("HVALS", store.names.signals(game_id)))[0]
        return not known.contains_weak(_tag(found))

    if not look() and seconds:
        wait_for(hub, store.names.topic(game_id), seconds, look, signals=True)
    narrator, now = Narrator(lang, table) if lang else None, clock.now()
    shown = [_told(each, now, narrator) for each in found]
    body = {"signals": sorted((each for each in shown if each["seconds"]), key=itemgetter("seat"))}
    return Answer(200, body, {"ETag": f'W/"{_tag(found)}"', "Cache-Control": "no-cache"})


def _tag(stored: Collection[bytes]) -> str:
    return f"{zlib.crc32(b''.join(sorted(stored))):08x}"


def _told(stored: bytes, now: float, narrator: Narrator | None = None) -> Json:
    """Return a signal with the seconds that are left of it; with a narrator in words, too."""
    signal: Json = orjson.loads(stored)
    signal["seconds"] = max(0, ceil(signal.pop("until") - now))
    return narrator.showing(signal) if narrator else signal


class Heard:
    """What a stream has told of the signals of a game."""

    def __init__(self) -> None:
        self.is_due = True  # to be read
        self._told: dict[int, bytes] = {}  # by seat

    def lines(self, stored: Collection[bytes], narrator: Narrator | None) -> Iterator[bytes]:
        """Yield what is new: at first what is shown, then what takes its place, and what is taken back."""
        self.is_due = False
        now = clock.now()
        for each in stored:
            signal = _told(each, now, narrator)
            before = self._told.get(signal["seat"])
            self._told[signal["seat"]] = each
            if each != before and (signal["seconds"] or before):
                yield orjson.dumps(signal)
