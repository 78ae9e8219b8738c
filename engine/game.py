"""The façade: one object that is a game. Whatever stands above the engine goes through here."""

import os
import zlib
from collections.abc import Iterable
from typing import Any

import numpy as np

from engine import doors, moves, position, view, wire
from engine.checks import Problem, is_in_bounds, problems, rules_of
from engine.dice import key_of_seed
from engine.errors import BadBytes, BadRules, BadSeat, BadSeed, IllegalMove
from engine.journal import SILENT, new_journal, rows
from engine.kinds import NOBODY
from engine.observe import conceal
from engine.preview import preview
from engine.rules import Rules
from engine.state import LAYOUT, STATE

Wire = dict[str, Any]

SEED_BYTES = 32
_MAGIC = b"RedN"
_HEADER = len(_MAGIC) + 1
_CHECKSUM = 4


class Game:
    """A game of Red November. `opening` holds what happened before the first decision."""

    def __init__(self, record: np.ndarray, rules: Rules, opening: list[Wire] | None = None):
        self._record = record
        self.rules = rules
        self.opening = opening or []

    @classmethod
    def new(cls, rules: Rules | None = None, seed: bytes | None = None) -> "Game":
        """A game under a seed of 32 bytes; without one, the system's chance gives it."""
        if rules is None:
            rules = Rules()
        if not isinstance(rules, Rules):
            raise BadRules("rules", "must be Rules")
        if seed is None:
            seed = os.urandom(SEED_BYTES)
        if not isinstance(seed, bytes) or len(seed) != SEED_BYTES:
            raise BadSeed("seed", f"must be {SEED_BYTES} bytes")
        record = position.lay_out(rules, key_of_seed(seed))
        doors.deal(record, (1 << rules.gnomes) - 1, SILENT)
        return cls(record, rules, position.begin(record, rules))

    @property
    def record(self) -> np.ndarray:
        """The array of one record that compiled code takes; the game's own, not a copy."""
        return self._record

    @property
    def version(self) -> int:
        """Moves played so far."""
        return int(self._record["version"][0])

    @property
    def decider(self) -> int | None:
        """The seat that must decide now, None when the game is over."""
        seat = doors.decider(self._record)
        return None if seat == NOBODY else int(seat)

    @property
    def result(self) -> Wire | None:
        return view.result(view.plain(self._record), self.rules) if self.decider is None else None

    def legal_moves(self) -> list[Wire]:
        """All moves of the decider, each with its cost and, where a die decides, its chance; empty only when over."""
        ids, costs, chances = self._legal()
        legal = []
        for number, cost, chance in zip(ids, costs, chances, strict=True):
            move = dict(moves.WIRE[number])
            move["cost"] = cost
            if chance != NOBODY:
                move["chance"] = chance / 100
            legal.append(move)
        return legal

    def _legal(self) -> tuple[list[int], list[int], list[int]]:
        legal = moves.new_moves()
        count = doors.legal_moves(self._record, legal)
        ids, costs, chances = (legal[column][0, :count].tolist() for column in ("ids", "costs", "chances"))
        return ids, costs, chances

    def play(self, move: Wire) -> list[Wire]:
        """Plays a legal move and all that follows by itself; returns what happened. IllegalMove changes nothing."""
        number = self._checked(move)
        partner, active = (int(self._record["partner"][0]), int(self._record["active"][0]))
        journal = new_journal()
        doors.play(self._record, number, journal, moves.new_moves())
        return wire.events(rows(journal), self.rules.has_secret_hands, partner, active)

    def preview(self, move: Wire) -> Wire:
        """What the move would cost, its chance, what it changes for certain and what its minutes trigger."""
        number = self._checked(move)
        known = next(legal for legal in self.legal_moves() if moves.move_id(legal) == number)
        return preview(self._record, number, known)

    def _checked(self, move: Wire) -> int:
        number = moves.move_id(move)
        legal = self._legal()[0]
        if number not in legal:
            if not legal:
                raise IllegalMove("type", "the game is over")
            raise IllegalMove(moves.odd_field(number, legal), f"not legal now, in phase {self._phase}")
        return number

    @property
    def _phase(self) -> str:
        return view.PHASE_NAMES[self._record["phase"][0]]

    def view(self, seat: int | None = None) -> Wire:
        """The game as a seat may see it, or a spectator: JSON-ready, with the seat's legal moves if it must decide."""
        if seat is not None:
            self._check_seat(seat)
        seen = view.visible(self._record, self.rules, seat)
        decider = self.decider
        seen["decision"] = None if decider is None else {"seat": decider, "kind": self._phase}
        mine = decider is not None and seat is not None and seat == decider
        seen["legal_moves"] = self.legal_moves() if mine else []
        seen["result"] = self.result
        return seen

    def _check_seat(self, seat: int) -> None:
        if type(seat) is not int or not 0 <= seat < self.rules.gnomes:
            raise BadSeat("seat", f"must be 0 to {self.rules.gnomes - 1}")

    def position(self) -> Wire:
        """Everything, secrets too, as JSON; `from_position` makes the same game of it."""
        whole = view.visible(self._record, self.rules, None, see_all=True) | view.chance(view.plain(self._record))
        if self.result is not None:
            whole["cause"] = self.result["cause"]
        return whole

    @classmethod
    def from_position(cls, wanted: Wire) -> "Game":
        """Any situation; what is left out takes the value it has at the start of a game. Raises BadPosition."""
        record, rules, opening = position.read(wanted)
        return cls(record, rules, opening)

    def to_bytes(self) -> bytes:
        body = _MAGIC + bytes([LAYOUT]) + self._record.tobytes()
        return body + zlib.crc32(body).to_bytes(_CHECKSUM, "little")

    @classmethod
    def from_bytes(cls, stored: bytes) -> "Game":
        if not isinstance(stored, bytes) or stored[: len(_MAGIC)] != _MAGIC:
            raise BadBytes("bytes", "are not a stored game")
        if stored[len(_MAGIC) : _HEADER] != bytes([LAYOUT]):
            raise BadBytes("layout", f"must be {LAYOUT}, this engine's")
        if len(stored) != _HEADER + STATE.itemsize + _CHECKSUM:
            raise BadBytes("bytes", f"must be {_HEADER + STATE.itemsize + _CHECKSUM}, not {len(stored)}")
        if zlib.crc32(stored[:-_CHECKSUM]).to_bytes(_CHECKSUM, "little") != stored[-_CHECKSUM:]:
            raise BadBytes("bytes", "are damaged: their checksum is another")
        record = np.frombuffer(stored[_HEADER:-_CHECKSUM], STATE).copy()
        try:
            rules = rules_of(record)
        except BadRules as error:
            raise BadBytes(f"rules/{error.field}", error.reason) from error
        if not is_in_bounds(record):
            raise BadBytes("bytes", "hold a game that can't be")
        return cls(record, rules)

    def copy(self) -> "Game":
        return Game(self._record.copy(), self.rules, self.opening)

    def problems(self) -> list[Problem]:
        """What is wrong with the game: empty, unless somebody wrote to its record."""
        return problems(self._record)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and self._record.tobytes() == other._record.tobytes()

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return (
            f"<Game of {self.rules.gnomes} gnomes, turn {self._record[0].turn}, {self._phase}, version {self.version}>"
        )


def replay(rules: Rules, seed: bytes, played: Iterable[Wire]) -> Game:
    """The game that those moves make under that seed, the same on every machine."""
    if not isinstance(played, Iterable):
        raise IllegalMove("moves", "must be a list of moves")
    game = Game.new(rules, seed)
    for move in played:
        game.play(move)
    return game


def observe(game: Game, seat: int | None) -> Game:
    """The game as far as a seat, or a spectator, may know it: no seed, and hidden hands dealt anew."""
    if seat is not None:
        game._check_seat(seat)
    seen = Game(game.record.copy(), game.rules)
    conceal(seen.record, game.rules, seat)
    return seen
