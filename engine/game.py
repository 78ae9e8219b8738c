"""The façade: one object that is a game. Whatever stands above the engine uses it."""

import os
import zlib
from collections.abc import Iterable, Mapping
from typing import Self, cast

import numpy as np

from engine import moves, position, view, wire
from engine.compiled import doors
from engine.compiled.dice import key_of_seed
from engine.compiled.journal import SILENT, new_journal, rows
from engine.compiled.state import LAYOUT, STATE
from engine.enums import NOBODY
from engine.errors import BadBytes, BadRules, BadSeat, BadSeed, IllegalMove
from engine.invariants import Problem, problems
from engine.observation import conceal
from engine.preview import preview
from engine.rules import RULES_VERSION, Rules, rules_of
from engine.shapes import Event, Move, MoveObject, Position, Preview, Result, View

SEED_BYTES = 32
_MAGIC = b"RedN"
_HEADER = len(_MAGIC) + 1
_CHECKSUM = 4


def _record_of(stored: bytes) -> np.ndarray:
    """Return a record of its own. `ndarray.copy` takes 30 times as long, for it copies field by field."""
    return np.frombuffer(bytearray(stored), STATE)


class Game:
    """A game of Red November. `opening` holds what happened before the first decision."""

    def __init__(self, record: np.ndarray, rules: Rules, opening: list[Event] | None = None):
        self._record = record
        self.rules = rules
        self.opening = opening or []

    @classmethod
    def new(cls, rules: Rules | None = None, seed: bytes | None = None) -> Self:
        """Return a new game under a seed of 32 bytes; without one, the system's random numbers make it."""
        if rules is None:
            rules = Rules()
        if not isinstance(rules, Rules):
            raise BadRules("rules", "must be Rules", "type")
        if seed is None:
            seed = os.urandom(SEED_BYTES)
        if not isinstance(seed, bytes) or len(seed) != SEED_BYTES:
            raise BadSeed("seed", f"must be {SEED_BYTES} bytes", "length")
        record = position.lay_out(rules, key_of_seed(seed))
        doors.deal(record, (1 << rules.gnomes) - 1, SILENT)
        return cls(record, rules, position.begin(record, rules))

    @property
    def record(self) -> np.ndarray:
        """The array of one record that compiled code takes: the game's own, not a copy."""
        return self._record

    @property
    def version(self) -> int:
        """Moves played so far."""
        return int(self._record["version"][0])

    @property
    def rules_version(self) -> int:
        """The version of the rules under which the game began; it goes on under today's."""
        return int(self._record["rules_version"][0])

    @property
    def decider(self) -> int | None:
        """The seat that must decide now, None when the game is over."""
        seat = doors.decider(self._record)
        return None if seat == NOBODY else int(seat)

    @property
    def result(self) -> Result | None:
        """How the game ended, None while it goes on."""
        return view.result(view.plain(self._record), self.rules) if self.decider is None else None

    def legal_moves(self) -> list[Move]:
        """Return all moves of the decider, each with its cost and, if a die decides, its chance; none at the end."""
        return list(map(moves.told, *self._legal()))

    def is_legal(self, move: MoveObject) -> bool:
        """Return whether a move is legal now. Raise IllegalMove if there is no such move at all."""
        return moves.move_id(move) in self._legal()[0]

    def _legal(self) -> tuple[list[int], list[int], list[int]]:
        legal = moves.new_moves()
        count = doors.legal_moves(self._record, legal)
        ids, costs, chances = (legal[column][0, :count].tolist() for column in ("ids", "costs", "chances"))
        return ids, costs, chances

    def play(self, move: MoveObject) -> list[Event]:
        """Play a legal move and all that follows by itself; return what happened. IllegalMove changes nothing."""
        number = moves.move_id(move)
        partner, active = int(self._record["partner"][0]), int(self._record["active"][0])
        journal = new_journal()
        if not doors.play_if_legal(self._record, number, journal, moves.new_moves()):
            raise self._illegal(number)
        return wire.events(rows(journal), self.rules.hidden_hands, partner, active)

    def preview(self, move: MoveObject) -> Preview:
        """Return what the move would cost, its chance, what it changes for certain and which icons it triggers."""
        number = moves.move_id(move)
        ids, costs, chances = self._legal()
        if number not in ids:
            raise self._illegal(number)
        at = ids.index(number)
        return preview(self._record, number, moves.told(number, costs[at], chances[at]))

    def _illegal(self, number: int) -> IllegalMove:
        """Return the refusal of a move that is not legal now."""
        legal = self._legal()[0]
        if not legal:
            return IllegalMove("type", "the game is over")
        return IllegalMove(moves.odd_field(number, legal), f"not legal now, in phase {self._phase}")

    @property
    def _phase(self) -> str:
        return view.PHASE_NAMES[self._record["phase"][0]]

    def view(self, seat: int | None = None) -> View:
        """Return the game as a seat or a spectator may see it, with the seat's legal moves if it must decide."""
        self.check_seat(seat)
        decider = self.decider
        return {
            **view.visible(self._record, self.rules, seat),
            "decision": None if decider is None else {"seat": decider, "kind": self._phase},
            "legal_moves": self.legal_moves() if decider is not None and seat == decider else [],
            "result": self.result if decider is None else None,
        }

    def check_seat(self, seat: int | None) -> None:
        """Raise BadSeat unless this is the seat of a gnome, or None, a spectator."""
        if seat is not None and (type(seat) is not int or not 0 <= seat < self.rules.gnomes):
            raise BadSeat("seat", f"must be 0 to {self.rules.gnomes - 1}", "range")

    def position(self) -> Position:
        """Return everything as JSON, secrets included; `from_position` makes the same game of it."""
        board = view.whole(self._record, self.rules)
        whole = cast(Position, {**board, **view.chance(view.plain(self._record))})
        if self.result is not None:
            whole["cause"] = self.result["cause"]
        return whole

    @classmethod
    def from_position(cls, wanted: Mapping[str, object]) -> Self:
        """Return a game in any situation; what is left out is as at the start of a game. Raise BadPosition."""
        record, rules, opening = position.read(wanted)
        return cls(record, rules, opening)

    def to_bytes(self) -> bytes:
        """Return the game as it is stored: a magic word, the layout, the record and a checksum."""
        body = _MAGIC + bytes([LAYOUT]) + self._record.tobytes()
        return body + zlib.crc32(body).to_bytes(_CHECKSUM, "little")

    @classmethod
    def from_bytes(cls, stored: bytes) -> Self:
        """Return a stored game. Raise BadBytes for anything that `to_bytes` of this layout has not made."""
        if not isinstance(stored, bytes) or stored[: len(_MAGIC)] != _MAGIC:
            raise BadBytes("bytes", "are not a stored game")
        if stored[len(_MAGIC) : _HEADER] != bytes([LAYOUT]):
            raise BadBytes("layout", f"must be {LAYOUT}, this engine's")
        if len(stored) != _HEADER + STATE.itemsize + _CHECKSUM:
            raise BadBytes("bytes", f"must be {_HEADER + STATE.itemsize + _CHECKSUM}, not {len(stored)}")
        if zlib.crc32(stored[:-_CHECKSUM]).to_bytes(_CHECKSUM, "little") != stored[-_CHECKSUM:]:
            raise BadBytes("bytes", "are damaged: their checksum is another")
        record = _record_of(stored[_HEADER:-_CHECKSUM])
        try:
            rules = rules_of(record)
        except BadRules as error:
            raise BadBytes(f"rules/{error.field}", error.reason) from error
        if not 1 <= record["rules_version"][0] <= RULES_VERSION:
            raise BadBytes("rules_version", f"must be 1 to {RULES_VERSION}, the rules that this engine knows")
        if not doors.is_in_bounds(record):
            raise BadBytes("bytes", "hold a game that can't be")
        return cls(record, rules)

    def copy(self) -> "Game":
        """Return a game of its own that stands where this one stands."""
        return Game(_record_of(self._record.tobytes()), self.rules, self.opening)

    def problems(self) -> list[Problem]:
        """Return what is wrong with the game: nothing, unless somebody wrote to its record."""
        return problems(self._record)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and self._record.tobytes() == other._record.tobytes()

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return (
            f"<Game of {self.rules.gnomes} gnomes, turn {self._record[0].turn}, {self._phase}, version {self.version}>"
        )


def replay(rules: Rules, seed: bytes, moves_made: Iterable[MoveObject]) -> Game:
    """Return the game that the moves make under a seed, the same on every machine."""
    if not isinstance(moves_made, Iterable):
        raise IllegalMove("moves", "must be a list of moves", "type")
    game = Game.new(rules, seed)
    for move in moves_made:
        game.play(move)
    return game


def observe(game: Game, seat: int | None) -> Game:
    """Return the game as far as a seat or a spectator may know it: without the seed, hidden hands dealt anew."""
    game.check_seat(seat)
    seen = Game(_record_of(game.record.tobytes()), game.rules)
    conceal(seen.record, game.rules, seat)
    return seen
