"""A table as JSON for whoever looks at it."""

from collections.abc import Sequence
from typing import Any

import orjson

from engine import redact
from service.narrator import Narrator
from service.tables import Table, Viewer, stamp

Wire = dict[str, Any]


def state(table: Table, viewer: Viewer) -> Wire:
    """Everything a client needs, in one object; the view's fields as in a position."""
    decider = table.game.decider
    seat = decider if decider in viewer.seats else next(iter(viewer.seats), None)
    seen = table.game.view(seat)
    seen["moves_played"] = seen.pop("version")
    about = {name: value for name, value in table.about.items() if name != "clock"}
    if not table.may_move(viewer):
        seen["legal_moves"] = []
    if table.status == "waiting":
        seen["decision"] = None
    elif seen["decision"]:
        seen["decision"]["deadline"] = _deadline(table)
    return {
        "id": table.id,
        "version": table.version,
        "seq": table.seq,
        "epoch": table.epoch,
        **about,
        "seats": [seat | {"last_seen": _last_seen(table, seat["player"])} for seat in table.seats],
        "dice": dice(table),
        "you": {"host": viewer.host, "player": viewer.player, "seats": viewer.seats},
        **seen,
    }


def _deadline(table: Table) -> str | None:
    deadline = table.about["clock"]["deadline"]
    return stamp(deadline) if deadline else None


def _last_seen(table: Table, player: str | None) -> str | None:
    at = table.seen.get(player or "")
    return stamp(at) if at else None


def dice(table: Table) -> Wire:
    """The promise from the start; what was promised, when the game is over."""
    revealed = table.secret["seed"] if table.status == "finished" else None
    return table.about["dice"] | {"seed": revealed}


def tag(version: int, epoch: str, label: str, present: int | None = None) -> str:
    """The version, in which past of the store, together with the view. What was is told otherwise than what is: nobody
    can move in it."""
    return f"{version}-{epoch}-{label}" + "-past" * (present is not None and version < present)


def etag(table: Table, viewer: Viewer) -> str:
    """Weak: who was last seen when may differ."""
    return f'W/"{tag(table.version, table.epoch, viewer.label)}"'


def event(stored: bytes, viewer: Viewer, narrator: Narrator | None = None) -> bytes:
    """An event as that viewer may know it. Few have a secret: the others pass as they were stored, where nobody tells
    them in words."""
    if b'"private":' not in stored and narrator is None:
        return stored
    known = redact(orjson.loads(stored), list(viewer.seats))
    return orjson.dumps(narrator.told(known) if narrator else known)


def events(stored: Sequence[bytes], viewer: Viewer, narrator: Narrator | None = None) -> bytes:
    return b"[" + b",".join(event(each, viewer, narrator) for each in stored) + b"]"
