"""A match as a line of a backup: what was asked for, how far it is, its results and rights; and checks that it is one.

What is stored is kept as it is, but for leases: whoever imports a match has other workers.
"""

import base64
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
import orjson

from engine import GameError
from service.matches import faults, packing, recorded, records
from service.matches.model import Match, MatchStatus
from service.matches.repository import Content, MatchRepository
from service.operate.kept import END_OF_TIME, Unreadable, converted, flattened, is_hex
from service.store import match_keys
from service.store.ids import is_id
from service.store.store import Store

_NOT_OF_SERIES = {
    "keep", "games", "series", "played", "version", "created", "changed", "ran", "state", "plan", "holder", "revoked",
    "since", "mark", "marked", "mark_before", "marked_before", "started", "ended", "error",
    "outside", "line_ups", "tabled", "tables", "absences",
}  # fmt: skip
_OF_SERIES = ("next", "played", "stop", "pace")
_TIMES = ("created", "changed", "since", "mark", "mark_before", "started", "ended")
_RANGE_PARTS = 5  # series, first, last, raised, died
_BROKEN = (GameError, msgspec.MsgspecError, ValueError, LookupError, TypeError, zlib.error)

# All that is kept of a match, at one moment, while others play on.
# KEYS 1 its hash  2 its open ranges  3 the list of matches  4.. what holds results  ARGV 1 its id  2.. their kinds
_READ = """
local found = {
  redis.call("HGETALL", KEYS[1]), redis.call("ZRANGE", KEYS[2], 0, -1), redis.call("ZSCORE", KEYS[3], ARGV[1])
}
for at = 4, #KEYS do
  local kind = ARGV[at - 2]
  if kind == "string" then found[at] = redis.call("GET", KEYS[at])
  elseif kind == "hash" then found[at] = redis.call("HGETALL", KEYS[at])
  else found[at] = redis.call("ZRANGE", KEYS[at], 0, -1, "WITHSCORES") end
end
return found
"""


@dataclass(frozen=True)
class KeptMatch:
    id: str
    fields: dict[str, str]  # of its hash, by name
    open: list[str]  # ranges that are begun: series, first, last, how often raised, how often died
    games: dict[str, str]  # packed results in base64, by series and line-up
    faults: dict[str, list[list[Any]]]  # likewise: each fault, and the number of its game
    moves: dict[str, dict[str, str]]  # likewise: packed moves in base64, by the number of their game
    odd: dict[str, str]  # games that another release played otherwise
    listed: int  # its place in the list of matches

    @classmethod
    def read(cls, store: Store, match_id: str) -> "KeptMatch | None":
        """Read it at one moment, while others play on. None when it is not there (any more). Raises Unreadable."""
        try:
            match = MatchRepository(store).fetch(match_id)
        except _BROKEN as error:
            raise Unreadable(f"is stored in a way that can't be read: {error}") from error
        if match is None:
            return None
        names = store.names.match
        cells = _cells(match)
        places = [(kind, *cell) for kind in match_keys.KINDS for cell in cells]
        read = [
            names.hash_of(match_id),
            names.open_of(match_id),
            names.created(store.names.partitions.of(match_id)),
            names.odd_of(match_id),
            *(names.of_series(match_id, *place) for place in places),
        ]
        kinds = ["hash", *(match_keys.TYPES[kind] for kind, _, _ in places)]
        ((fields, ranges, listed, odd, *found),) = store.redis.ask(("EVAL", _READ, len(read), *read, match_id, *kinds))
        if not fields:
            return None
        held = {place: value for place, value in zip(places, found, strict=True) if value}

        def of_kind(wanted: str) -> dict[str, Any]:
            return {f"{series}:{line_up}": value for (kind, series, line_up), value in held.items() if kind == wanted}

        return cls(
            match_id,
            _texts(fields),
            sorted(member.decode().rpartition(":")[0] for member in ranges),
            {cell: _encoded(packed) for cell, packed in of_kind(match_keys.GAMES).items()},
            {
                cell: [[fault.decode(), int(number)] for fault, number in zip(told[::2], told[1::2])]
                for cell, told in of_kind(match_keys.FAULTS).items()
            },
            {
                cell: {str(number): _encoded(moves) for number, moves in sorted(zip(map(int, told[::2]), told[1::2]))}
                for cell, told in of_kind(match_keys.MOVES).items()
            },
            _texts(odd),
            int(listed or match.created_at * 1e6),
        )

    @classmethod
    def of_line(cls, told: Any) -> "KeptMatch":
        """Return the match of a line of JSON. Raises Unreadable."""
        kept = converted(told, cls, "match")
        if not isinstance(told, dict) or told.keys() != cls.__annotations__.keys():
            raise Unreadable(f"must have {', '.join(cls.__annotations__)}")
        if not is_id(kept.id):
            raise Unreadable("has an id that is none of ours")
        return kept

    def line(self) -> bytes:
        return orjson.dumps({"match": self})

    def match(self) -> Match:
        """Return the match that a worker or a web process would make of it. Raises Unreadable."""
        try:
            match = records.decode(self.id, flattened(self.fields), "")
            if match is None:
                raise Unreadable("has no fields")
            self._check_fields(match)
            _check_counts(match)
            for number, series in enumerate(match.plan.series):
                self._check_series(match, number, series.crews)
            self._check_extras(match)
        except Unreadable:
            raise
        except _BROKEN as error:
            raise Unreadable(f"lacks what a match has: {error}") from error
        return match

    def check(self) -> str:
        """Check the match, and return its status. Raises Unreadable."""
        return self.match().status.value

    def _check_fields(self, match: Match) -> None:
        numbered = {f"{name}:{number}" for name in _OF_SERIES for number in range(len(match.plan.gnomes))}
        if unknown := self.fields.keys() - _NOT_OF_SERIES - numbered:
            raise Unreadable(f"contains unknown field `{min(unknown)}`")
        for name in _TIMES:
            if name in self.fields and not 0 <= float(self.fields[name]) < END_OF_TIME:
                raise Unreadable(f"has a time that can't be: {self.fields[name]}")
        if not all(is_hex(digest) for digest in (match.holder, *match.revoked)):
            raise Unreadable("has a token of nobody")
        if (match.status == MatchStatus.FAILED) != (match.failure is not None):
            raise Unreadable(f"can't be {match.status.value}")

    def _check_series(self, match: Match, number: int, crews: Sequence[Sequence[str]]) -> None:
        """Check that what counts as played is there, and that whatever is not played will be."""
        progress, games = match.series[number], match.plan.games
        waiting = set[int]()
        for series, first, last in self._ranges():
            if series == number:
                if not 0 <= first < last <= progress.taken or not waiting.isdisjoint(range(first, last)):
                    raise Unreadable(f"has a range of games that can't be open: {first} to {last} of series {series}")
                waiting.update(range(first, last))
        lacking, played = set[int](), 0
        for line_up, crew in enumerate(crews):
            causes = self._rows(f"{number}:{line_up}", crew, games)["cause"]
            played += int((causes != packing.UNPLAYED).sum())
            lacking.update((causes[: progress.taken] == packing.UNPLAYED).nonzero()[0].tolist())
        if played < progress.played:
            raise Unreadable(f"has {played} results of series {number}, and should have {progress.played}")
        lost = lacking - waiting
        if lost and match.outside is None and not (match.is_over or progress.settled_after is not None):
            raise Unreadable(f"has games of series {number} that nobody played and nobody will: {min(lost)}")
        if match.is_over and waiting:
            raise Unreadable(f"is {match.status.value}, and has games to play")

    def _rows(self, cell: str, crew: Sequence[str], games: int) -> packing.Table:
        packed = _decoded(self.games.get(cell, ""))
        size = packing.layout(crew).itemsize
        if len(packed) % size or len(packed) > games * size:
            raise Unreadable(f"has results of another size than they can be in {cell}")
        rows = packing.unpack(packed, crew, games)
        packing.check(rows, len(crew))
        return rows

    def _ranges(self) -> list[tuple[int, int, int]]:
        found = []
        for each in self.open:
            parts = each.split(":")
            if len(parts) != _RANGE_PARTS or not all(part.isdecimal() for part in parts):
                raise Unreadable(f"has an open range that is none: {each}")
            found.append((int(parts[0]), int(parts[1]), int(parts[2])))
        return found

    def _check_extras(self, match: Match) -> None:
        cells = {f"{series}:{line_up}" for series, line_up in _cells(match)}
        if strange := {*self.games, *self.faults, *self.moves} - cells:
            raise Unreadable(f"has results of a series that it has not: {min(strange)}")
        if any(series >= len(match.series) for series, _, _ in self._ranges()):
            raise Unreadable("has open ranges of a series that it has not")
        numbers = range(match.plan.games)
        for told in self.faults.values():
            for fault, number in told:
                if number not in numbers or faults.decode(fault.encode())[0] != number:
                    raise Unreadable("has a fault of a game that it has not")
        for kept in self.moves.values():
            for game, moves in kept.items():
                if int(game) not in numbers:
                    raise Unreadable("has moves of a game that it has not")
                recorded.unpacked(_decoded(moves))

    def put(self, store: Store, now: float) -> None:
        """Store the match as it was: one that was running goes on, under workers of the new place. Raises Conflict when
        it is there already, and Unreadable."""
        match, names = self.match(), store.names.match
        contents = [Content("hash", names.odd_of(self.id), [part for pair in self.odd.items() for part in pair])]
        for cell, packed in self.games.items():
            contents.append(Content("string", _key(store, self.id, match_keys.GAMES, cell), [_decoded(packed)]))
        for cell, told in self.faults.items():
            scored = [part for fault, number in told for part in (number, fault)]
            contents.append(Content("zset", _key(store, self.id, match_keys.FAULTS, cell), scored))
        for cell, kept in self.moves.items():
            numbered = [part for number, moves in kept.items() for part in (number, _decoded(moves))]
            contents.append(Content("hash", _key(store, self.id, match_keys.MOVES, cell), numbered))
        free = [part for each in self.open for part in (0, f"{each}:")]  # nobody has a lease on it
        contents.append(Content("zset", names.open_of(self.id), free))
        fields = records.resumed(self.fields, now) if match.run else self.fields
        MatchRepository(store).restore(match, self.listed, fields, contents)


def _check_counts(match: Match) -> None:
    series, played = len(match.plan.gnomes), sum(each.played for each in match.series)
    if len(match.series) != series:
        raise Unreadable(f"has {len(match.series)} series, and should have {series}")
    if match.played != played:
        raise Unreadable(f"has {match.played} games in all, and {played} in its series")
    if match.version < 1 or match.keep_seconds < 1 or match.ran_seconds < 0:
        raise Unreadable("has a number that can't be")
    for each in match.series:
        if not 0 <= each.taken <= match.plan.games or not 0 <= each.played <= match.games_per_series:
            raise Unreadable("has played more games than it has")
    if match.status == MatchStatus.FINISHED and not match.is_complete:
        raise Unreadable("can't be finished")


def _cells(match: Match) -> list[tuple[int, int]]:
    return [(series, line_up) for series in range(len(match.series)) for line_up in range(len(match.plan.line_ups))]


def _key(store: Store, match_id: str, kind: str, cell: str) -> str:
    series, line_up = map(int, cell.split(":"))
    return store.names.match.of_series(match_id, kind, series, line_up)


def _texts(fields: Sequence[bytes]) -> dict[str, str]:
    return dict(sorted((name.decode(), value.decode()) for name, value in zip(fields[::2], fields[1::2])))


def _encoded(value: bytes) -> str:
    return base64.b64encode(value).decode()


def _decoded(text: str) -> bytes:
    return base64.b64decode(text, validate=True)
