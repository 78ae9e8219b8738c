"""Read the engine's records as earlier releases stored them, and bring them to the present layout."""

import zlib
from typing import Any

import numpy as np

from engine import BadBytes, Game, Rules
from engine.compiled.doors import can_escape, legal_moves
from engine.compiled.state import new_records
from engine.enums import EVENT_CHOICES, Phase
from engine.moves import ENTER, new_moves
from engine.rules import RULES_VERSION

_HEADER, _CHECKSUM = 5, 4  # bytes: a magic word and the layout; a checksum
_FIRST_RULES = 1

RECORD_1 = np.dtype(
    [
        ("key", "<u8", (2,)), ("rolls", "<u2", (9,)), ("version", "<u2"), ("turn", "<i2"),
        ("gnomes", "i1"), ("players", "i1"), ("edition", "i1"), ("less_deadly_dying", "i1"), ("crazed_gnomes", "i1"),
        ("greater_challenge", "i1"), ("minutes", "i1", (8,)), ("stack", "i1", (8,)), ("room", "i1", (8,)),
        ("condition", "i1", (8,)), ("intoxication", "i1", (8,)), ("drew_items_in", "i1", (8,)),
        ("hand", "i1", (8, 13)), ("water", "i1", (11,)), ("fire", "i1", (11,)), ("blocked", "i1", (15,)),
        ("track", "i1", (3,)), ("token", "i1", (4,)), ("captains_grog", "i1"), ("item_deck", "i1", (13,)),
        ("item_discard", "i1", (13,)), ("event_deck", "i1", (44,)), ("event_discard", "i1", (44,)),
        ("phase", "i1"), ("active", "i1"), ("ghost", "i1"), ("used", "i1", (13,)), ("icons_ignored", "i1"),
        ("began_at_sea", "i1"), ("beyond", "i1"), ("partner", "i1"), ("event_room", "i1"), ("hand_limit", "i1"),
        ("storm_left", "i1"), ("cause", "i1"), ("script_dice", "i1", (32,)), ("script_events", "i1", (32,)),
        ("script_items", "i1", (32,)), ("script_left", "i1", (3,)),
    ]
)  # fmt: skip


def from_1(stored: bytes) -> bytes:
    """Return a game of the first rules, to go on under the second from where it stands. Raises BadBytes."""
    old = np.frombuffer(_checked(stored, RECORD_1), RECORD_1)
    if old["phase"][0] > Phase.OVER:
        raise BadBytes("bytes", "hold a game that can't be")
    new = new_records()
    for name in RECORD_1.names or ():
        new[name] = old[name]
    new["rules_version"] = _FIRST_RULES if old["version"][0] else RULES_VERSION  # the set-up is the same in both
    new["hidden_hands"] = old["crazed_gnomes"]
    new["event_drawn"] = np.isin(old["phase"], EVENT_CHOICES)
    game = Game.from_bytes(Game(new, Rules()).to_bytes())  # which refuses what can't be
    _let_go_on(game.record)
    return game.to_bytes()


def _checked(stored: bytes, kind: np.dtype[Any]) -> bytes:
    body, checksum = stored[:-_CHECKSUM], stored[-_CHECKSUM:]
    if len(stored) != _HEADER + kind.itemsize + _CHECKSUM:
        raise BadBytes("bytes", f"must be {_HEADER + kind.itemsize + _CHECKSUM}, not {len(stored)}")
    if zlib.crc32(body).to_bytes(_CHECKSUM, "little") != checksum:
        raise BadBytes("bytes", "are damaged: their checksum is another")
    return body[_HEADER:]


def _let_go_on(record: np.ndarray[Any, Any]) -> None:
    """Ask gnomes once more who were on a way out of a fire that is no way any more; their turn ends where they are."""
    phase, legal = record["phase"][0], new_moves()
    if phase == Phase.ESCAPE and not can_escape(record):
        record["phase"] = Phase.WRAP_UP
    elif phase == Phase.ESCAPE_HATCH and ENTER not in legal["ids"][0, : legal_moves(record, legal)]:
        record["phase"] = Phase.HATCH
