"""A match as a value: what was asked for, what its status is, and how far it is.

Nothing here knows Redis, a clock or a request. `transitions.py` has the moves from one status to the next, `records.py`
how a match is stored.
"""

import hashlib
from collections.abc import Mapping
from enum import StrEnum
from typing import Literal

import msgspec

from bots.arena.series import game_seed
from service.matches.plan import Plan


class MatchStatus(StrEnum):
    """The stations of a match's life. The order is the contract's."""

    QUEUED = "queued"  # no worker has come to it yet
    RUNNING = "running"
    PAUSED = "paused"
    FINISHED = "finished"
    CANCELLED = "cancelled"
    FAILED = "failed"  # a game of it can't be played

    @property
    def is_over(self) -> bool:
        """Return whether the match has this status for ever."""
        return self in _OVER

    @property
    def is_playable(self) -> bool:
        """Return whether workers may take games of a match of this status."""
        return self in _PLAYABLE


_OVER = frozenset({MatchStatus.FINISHED, MatchStatus.CANCELLED, MatchStatus.FAILED})
_PLAYABLE = frozenset({MatchStatus.QUEUED, MatchStatus.RUNNING})


class SeriesProgress(msgspec.Struct, frozen=True, kw_only=True):
    """The progress of the games with one number of gnomes."""

    taken: int = 0  # workers have taken all numbers below this one
    played: int = 0  # games, of all line-ups
    settled_after: int | None = None  # so many numbers gave the test its verdict
    seconds_per_number: float | None = None  # as the last batch took them


class Mark(msgspec.Struct, frozen=True):
    """A moment, and how many games were played by then."""

    at: float
    played: int


class Run(msgspec.Struct, frozen=True):
    """The time since a match last began to run. The recent pace is measured from the mark before the latest one."""

    since: float
    mark: Mark
    mark_before: Mark


class GameFailure(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The game that a match failed at."""

    series: int
    number: int
    error: str


class Outside(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a match with outside bots has been created with."""

    secret: str  # that its seeds are made of, in hexadecimal: those of other matches everybody can compute
    versions: Mapping[str, str]  # of the bots, by account


class Absence(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An outside bot that a match waits for."""

    why: "Why"
    since: float
    is_told: bool


Why = Literal["gone", "paused", "version", "deleted"]


class Match(msgspec.Struct, frozen=True, kw_only=True):
    """A match without its results. Times are seconds since 1970."""

    id: str
    epoch: str  # of the store: what it held may be an older state after a failure
    plan: Plan
    holder: str  # the hash of the token that may change it; "" when nobody may any more
    revoked: tuple[str, ...] = ()  # the hashes of the last tokens that might
    keep_seconds: int  # that it is kept after its last change
    created_at: float
    changed_at: float
    version: int = 1
    status: MatchStatus = MatchStatus.QUEUED
    started_at: float | None = None
    ended_at: float | None = None
    ran_seconds: float = 0.0  # in earlier runs
    run: Run | None = None  # while it is running
    played: int = 0  # games, of all series and line-ups
    series: tuple[SeriesProgress, ...]
    failure: GameFailure | None = None
    outside: Outside | None = None  # of a match with outside bots: its games are tables (see `hosting.py`)
    tables: tuple[str, ...] = ()  # the places of the games that are being played there
    absences: Mapping[str, Absence] = {}  # by account

    def seed_of(self, number: int) -> bytes:
        """Return the seed of a game, which is that of all line-ups."""
        if self.outside is None:
            return game_seed(self.plan.seed, number)
        return hashlib.sha256(f"{self.outside.secret} {self.plan.seed} {number}".encode()).digest()

    @property
    def is_over(self) -> bool:
        return self.status.is_over

    @property
    def is_complete(self) -> bool:
        """Return whether every series has its verdict, or all of its games."""
        return all(each.settled_after is not None or each.played == self.games_per_series for each in self.series)

    @property
    def games_per_series(self) -> int:
        return self.plan.games * len(self.plan.line_ups)

    @property
    def needless_games(self) -> int:
        """Return how many games need not be played any more, because a verdict came before them."""
        return sum(self.games_per_series - each.played for each in self.series if each.settled_after is not None)
