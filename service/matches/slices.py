"""A slice of a match, in a worker: games for a few seconds, and then it is others' turn.

Live games come first: between two decisions the worker does what live games want of it, and then goes on.
"""

import time
from collections.abc import Callable

import msgspec

from bots.arena.game import GameResult, play_game
from bots.arena.recorded import play_recorded
from bots.arena.series import game_seed
from engine import Rules
from service.matches import faults, recorded, scheduling, verdicts
from service.matches.model import Match, MatchStatus
from service.matches.packing import pack, unpack
from service.matches.plan import ALL, NONE
from service.matches.repository import (
    LEASE_SECONDS,
    Batch,
    Extra,
    GameRange,
    MatchRepository,
    RangeOutcome,
    Stored,
)
from service.store import counters, match_keys
from service.store.leases import Renewal
from service.store.match_keys import MatchNames
from service.store.own import own_store

SLICE_SECONDS = 4.0
MERGE_SECONDS = 0.5  # between writings of results
LOOK_SECONDS = 0.02  # between looks for live games


class _LiveGames:
    """What live games want of the worker that plays a slice."""

    def __init__(self) -> None:
        self.serve: Callable[[], object] = lambda: None
        self._looked = 0.0

    def __call__(self) -> None:
        """Do what waits, if it is time to look."""
        now = time.monotonic()
        if now - self._looked >= LOOK_SECONDS:
            self.serve()
            self._looked = time.monotonic()


_live_games = _LiveGames()


def serve_live_games_by(serve: Callable[[], object]) -> None:
    """Set what this process calls between decisions, so that live games need not wait for a slice to end."""
    _live_games.serve = serve


def play_slice(match_id: str) -> None:
    """Play games of a match for a few seconds, and call for the next slice. This is the job in the queue."""
    repository = MatchRepository(own_store())
    match = repository.fetch(match_id)
    if match is None or not match.status.is_playable:
        return
    counters.count(repository.store.redis, "match_slice")
    _Slice(repository, match).play()
    scheduling.schedule(repository, match_id)


def warm_up() -> None:
    """Load and touch what the first slice would otherwise pay for."""
    crew = ["sailor"] * Rules().gnomes
    pack([play_game(crew, Rules(), bytes(32))], crew)


class _Slice:
    """The games that one worker plays in a row."""

    def __init__(self, repository: MatchRepository, match: Match):
        self._repository, self._match = repository, match
        self._ends = time.monotonic() + SLICE_SECONDS
        self._limit = scheduling.slice_limit(repository.store.queue)

    def play(self) -> None:
        goes_on = True
        while goes_on and not self._must_end():
            held = self._repository.take_games(self._match.id, self._ends - time.monotonic(), self._limit)
            if held is None:
                return
            with _Lease(self._repository, self._match.id, held) as lease:
                goes_on = self._play(lease)

    def _play(self, lease: "_Lease") -> bool:
        """Play the games of a range, as far as there is time. False when the match wants no more of this slice."""
        last = lease.held.last
        games = _UnstoredGames(self._repository.store.names.match, self._match, lease.held)
        for number in range(lease.held.first, last):
            try:
                games.play(number)
            except Exception as error:  # noqa: BLE001 - told with the match, when it happens again
                return self._store(lease, games, RangeOutcome.RAISED, f"{type(error).__name__}: {error}")
            if number + 1 == last:
                return self._store(lease, games, RangeOutcome.CONTINUED)
            if self._must_end():
                self._store(lease, games, RangeOutcome.GIVEN_BACK)
                return False
            if games.seconds > MERGE_SECONDS:
                if not self._store(lease, games, RangeOutcome.CONTINUED) or lease.is_lost:
                    return lease.is_lost
                games = _UnstoredGames(self._repository.store.names.match, self._match, lease.held)
        return True

    def _must_end(self) -> bool:
        _live_games()
        return time.monotonic() > self._ends

    def _store(self, lease: "_Lease", games: "_UnstoredGames", outcome: RangeOutcome, error: str = "") -> bool:
        """Store what was played, and return whether there may be more to do in this slice."""
        status = lease.store(self._match, games.to_batch(outcome, error)).status
        if status == MatchStatus.RUNNING and self._match.plan.margin is not None:
            status = self._judge(games.series)
        return lease.is_lost or (status == MatchStatus.RUNNING and outcome != RangeOutcome.RAISED)

    def _judge(self, series: int) -> MatchStatus | None:
        """End a series that has its verdict, and return the status of the match."""
        plan = self._match.plan
        assert plan.margin is not None
        store = self._repository.store
        games = (store.names.match.of_series(self._match.id, match_keys.GAMES, series, each) for each in range(2))
        stored = store.redis.ask(*(("GET", key) for key in games))
        tables = [unpack(found, crew, plan.games) for found, crew in zip(stored, plan.series[series].crews)]
        settled = verdicts.settled_after(tables, plan.margin)
        return MatchStatus.RUNNING if settled is None else self._repository.settle_series(self._match, series, settled)


class _UnstoredGames:
    """Games that are played, and not stored yet."""

    def __init__(self, names: MatchNames, match: Match, held: GameRange):
        plan, self._names = match.plan, names
        self.series = held.series
        self._match, self._plan, self._upto = match, plan, held.first
        self._rules, self._crews = plan.series[held.series].rules, plan.series[held.series].crews
        self._results: list[list[GameResult]] = [[] for _ in self._crews]
        self._extras: list[Extra] = []
        self._first, self._began = held.first, time.monotonic()

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._began

    def play(self, number: int) -> None:
        """Play the game of each line-up; keep none of them if one raises."""
        seed = game_seed(self._plan.seed, number)
        played = [_play(crew, self._rules, seed, self._plan.keep) for crew in self._crews]
        for line_up, (result, moves) in enumerate(played):
            self._results[line_up].append(result)
            if moves:
                key = self._names.of_series(self._match.id, match_keys.MOVES, self.series, line_up)
                self._extras.append(Extra("hash", key, number, moves))
            for fault in faults.encode(result, number):
                key = self._names.of_series(self._match.id, match_keys.FAULTS, self.series, line_up)
                self._extras.append(Extra("zset", key, number, fault))
        self._upto = number + 1

    def to_batch(self, outcome: RangeOutcome, error: str) -> Batch:
        count = self._upto - self._first
        return Batch(
            upto=self._upto,
            outcome=outcome,
            error=error,
            seconds_per_number=self.seconds / max(1, count),
            results=[pack(results, crew) for results, crew in zip(self._results, self._crews)] if count else [],
            extras=self._extras,
        )


def _play(crew: list[str], rules: Rules, seed: bytes, keep: str) -> tuple[GameResult, bytes | None]:
    """Play a game, and return its moves if they are to be kept.

    Sailors are so quick that it pays to play a game that they lost a second time for its moves.
    """
    if keep == NONE:
        return play_game(crew, rules, seed, between=_live_games), None
    if set(crew) == {"sailor"} and keep != ALL:
        result = play_game(crew, rules, seed)
        if result.rescued:
            return result, None
    result, game = play_recorded(crew, rules, seed, _live_games)
    return result, recorded.packed(move for move, _ in game.moves) if keep == ALL or not result.rescued else None


class _Lease(Renewal):
    """A range that this worker has as long as a thread of its own renews the lease."""

    def __init__(self, repository: MatchRepository, match_id: str, held: GameRange):
        super().__init__(LEASE_SECONDS, self._renew_range)
        self._repository, self._match_id = repository, match_id
        self.held = held

    def _renew_range(self) -> bool:
        """Renew the lease. Only storing a batch tells whether it is lost: until then the range may just have moved."""
        self._repository.renew_lease(self._match_id, self.held)
        return True

    def store(self, match: Match, batch: Batch) -> Stored:
        """Store a batch, and go on with what is left of the range."""
        stored = self._repository.store_batch(match, self.held, batch)
        self.is_lost = stored.is_lost
        self.held = msgspec.structs.replace(self.held, first=batch.upto, raised=0, died=0)
        return stored
