"""The answer to moves: told once they are played, and made again for a repeated request.

What is stored for a repetition is a note of some bytes, as there is one for each move. With the game as it was at that
version it makes the same answer again: the game keeps its history for longer than notes are kept.
"""

import zlib
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta

import msgspec
import orjson
from msgspec import Struct
from msgspec.structs import replace

from engine.rules import RULES_VERSION
from service import clock
from service.games import past, stored, tables, views
from service.games.model import Clock, Json, Progress, Table, Viewer
from service.store.answers import Retry
from service.store.store import Conflict, Store

Told = tuple[Json, dict[str, str]]  # the body and the headers of an answer
BadNote = msgspec.DecodeError

_COMPRESSED = zlib.compress(b"")[:1]
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class Note(Struct, frozen=True, array_like=True):
    """What makes the answer to moves again, beside the game. Its times are milliseconds after the moves."""

    version: int  # of the game after them
    seq: int  # of the last event before them
    epoch: str
    game: str  # by which a note is put beside its game where that moves
    player: str
    minimal: bool
    deadline: int | None = None
    seen: tuple[int | None, ...] = ()  # when each player was last heard of


_pack = msgspec.msgpack.Encoder().encode
_notes = msgspec.msgpack.Decoder(Note)


def is_note(stored: bytes) -> bool:
    """Return whether this makes an answer again, and is no whole answer: those are compressed, and begin otherwise."""
    return stored[:1] != _COMPRESSED


def game_of(noted: bytes) -> str:
    """Return the id of the game that a note is about. Raises BadNote."""
    return _notes.decode(noted).game


def told(table: Table, events: Sequence[bytes], viewer: Viewer, minimal: bool) -> Told:
    """Return the answer to moves after which the table is like that, and which made those events."""
    known = orjson.Fragment(views.events(events, viewer))
    body: Json = {"version": table.version, "seq": table.seq, "events": known}
    if not minimal:
        body["game"] = views.state(table, viewer)
    headers = {"ETag": views.etag(table, viewer)}
    return body, headers | ({"Preference-Applied": "return=minimal"} if minimal else {})


def note(progress: Progress, viewer: Viewer, minimal: bool) -> bytes | None:
    """Return what makes the answer to these moves again; None where the past of the game can't be played again, as it
    began under earlier rules."""
    table = progress.after
    if table.game.rules_version < RULES_VERSION or viewer.player is None:
        return None
    made = Note(table.version, progress.before.seq, table.mark.epoch, table.id, viewer.player, minimal)
    if not minimal:
        at, deadline = _milliseconds(table.changed_at), table.lobby.clock.deadline
        heard = (table.seen.get(player.id) for player in table.lobby.players)
        made = replace(made, deadline=_after(at, deadline), seen=tuple(_after(at, when) for when in heard))
    return _pack(made)


def told_again(store: Store, game_id: str, retry: Retry, noted: bytes) -> Told | None:
    """Return the answer that was noted; None where the game is not there any more.

    All of it is read at once, from a Redis that has the note: another one, which takes over meanwhile, may know another
    past. Raises Conflict where the note is gone, and NewerLayout.
    """
    names = store.names
    found = store.redis.ask(
        store.answers.asking(retry),
        ("HMGET", names.game(game_id), *stored.FIELDS),
        ("LRANGE", names.events(game_id), 0, -1),
    )
    answered, fields, events = found
    if answered[1] != noted:
        raise Conflict
    if fields[0] is None:
        return None
    note = _notes.decode(noted)
    present = stored.load(game_id, fields, found.epoch)
    is_now = note.version == present.version
    table = present if is_now else past.played_to(present, note.version, events[: present.seq])
    player = table.lobby.player(note.player)
    assert player is not None, "only players move"
    at = _milliseconds(table.changed_at)
    then = replace(
        table,
        lobby=replace(table.lobby, clock=Clock(None, _time(at, note.deadline), None)),
        seen=_heard(table, at, note.seen),
        mark=replace(table.mark, epoch=note.epoch),
        is_past=False,
    )
    return told(then, events[note.seq : then.seq], Viewer(player=player.id, seats=player.seats), note.minimal)


def _heard(table: Table, at: int, seen: Sequence[int | None]) -> dict[str, float]:
    times: Mapping[str, float | None] = {
        player.id: _time(at, after) for player, after in zip(table.lobby.players, seen, strict=False)
    }
    return {player: when for player, when in times.items() if when is not None}


def _milliseconds(stamp: str) -> int:
    return (datetime.fromisoformat(stamp) - _EPOCH) // timedelta(milliseconds=1)


def _after(at: int, when: float | None) -> int | None:
    """Return the milliseconds from one time, as it is told, to another one."""
    return None if when is None else _milliseconds(tables.stamp(when)) - at


def _time(at: int, after: int | None) -> float | None:
    """Return a time that is told as so many milliseconds after another one."""
    return None if after is None else (at + after + 0.5) / 1000 - clock.on_the_wall(0.0)
