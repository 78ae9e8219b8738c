"""A slice of a match, in a worker: games for a few seconds, and then it is others' turn.

Live games come first: a slice ends between two games as soon as a turn or advice waits that its worker could see to.
"""

import threading
import time
from collections.abc import Iterable
from types import TracebackType
from typing import Any

import orjson
from redis.exceptions import RedisError

from bots.arena import GameResult, play_game
from bots.series import FAULTS_TOLD, game_seed
from engine import Rules
from service import metrics, queueing
from service.jobs import own_store
from service.matches import keys, lanes, recorded, verdicts
from service.matches.packed import pack, unpack
from service.matches.plan import ALL, NONE
from service.matches.shelf import LEASE_SECONDS, PAUSED, RUNNING, Match, Played, Range, Shelf

SLICE_SECONDS = 4.0
MERGE_SECONDS = 0.5  # between writings of results
LOOK_SECONDS = 0.05  # between looks for live games
_live = {queueing.TURNS, queueing.ADVICE}  # the queues that go before, of those that this worker works through


def live_queues(names: Iterable[str]) -> None:
    """Of this process and its forks. Whoever plays nothing but matches need not look at others' queues."""
    _live.clear()
    _live.update(set(names) - {queueing.MATCHES})


def play_slice(match_id: str) -> None:
    shelf = Shelf(own_store())
    match = shelf.fetch(match_id)
    if match is None or match.is_over or match.state == PAUSED:
        return
    metrics.count(shelf.store.redis, "match_slice")
    _Slice(shelf, match).play()
    lanes.top_up(shelf, match_id)  # the next slice, or this one's, is whoever's turn it is


def warm_up() -> None:
    """What a slice would otherwise load or touch for the first time."""
    crew = ["sailor"] * Rules().gnomes
    pack([play_game(crew, Rules(), bytes(32))], crew)


class _Slice:
    def __init__(self, shelf: Shelf, match: Match):
        self._shelf, self._match = shelf, match
        self._ends = time.monotonic() + SLICE_SECONDS
        self._looked = 0.0
        self._lanes = lanes.most(shelf)

    def play(self) -> None:
        goes_on = True
        while goes_on and not self._must_end():
            held = self._shelf.take(self._match.id, self._ends - time.monotonic(), self._lanes)
            if held is None:
                return
            with _Lease(self._shelf, self._match.id, held) as lease:
                goes_on = self._play(lease)

    def _play(self, lease: "_Lease") -> bool:
        """The games of a range, as far as there is time; False when the match wants no more of it."""
        last = lease.held.last
        batch = _Batch(self._match, lease.held)
        for number in range(lease.held.first, last):
            try:
                batch.play(number)
            except Exception as error:  # noqa: BLE001 - told with the match, when it happens again
                return self._merge(lease, batch, "raised", f"{type(error).__name__}: {error}")
            if number + 1 == last:
                return self._merge(lease, batch, "on")
            if self._must_end():
                self._merge(lease, batch, "back")
                return False
            if batch.seconds > MERGE_SECONDS:
                if not self._merge(lease, batch, "on") or lease.is_lost:
                    return lease.is_lost
                batch = _Batch(self._match, lease.held)
        return True

    def _must_end(self) -> bool:
        now = time.monotonic()
        if now > self._ends:
            return True
        if now - self._looked < LOOK_SECONDS:
            return False
        self._looked = now
        return any(self._shelf.store.redis.ask(*(("LLEN", f"rq:queue:{name}") for name in _live)))

    def _merge(self, lease: "_Lease", batch: "_Batch", outcome: str, error: str = "") -> bool:
        """Whether there may be more to do in this slice."""
        state = lease.merge(self._match, batch.played(outcome, error))
        if state == RUNNING and self._match.plan.margin is not None:
            state = self._judge(batch.series)
        return lease.is_lost or (state == RUNNING and outcome != "raised")

    def _judge(self, series: int) -> str:
        plan = self._match.plan
        assert plan.margin is not None
        stored = self._shelf.store.redis.ask(
            *(("GET", keys.of_series(self._match.id, keys.GAMES, series, number)) for number in range(2))
        )
        tables = [unpack(found, crew, plan.games) for found, crew in zip(stored, plan.series[series].crews)]
        settled = verdicts.settled_after(tables, plan.margin)
        return RUNNING if settled is None else self._shelf.decide(self._match, series, settled)


class _Batch:
    """Games that are played, and not written yet."""

    def __init__(self, match: Match, held: Range):
        plan = match.plan
        self.series = held.series
        self._match, self._plan, self._upto = match, plan, held.first
        self._rules, self._crews = plan.series[held.series].rules, plan.series[held.series].crews
        self._results: list[list[GameResult]] = [[] for _ in self._crews]
        self._extras: list[tuple[str, str, int, bytes]] = []
        self._first, self._began = held.first, time.monotonic()

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._began

    def play(self, number: int) -> None:
        """The game of each line-up; none of them, if one raises."""
        seed = game_seed(self._plan.seed, number)
        played = [_played(crew, self._rules, seed, self._plan.keep) for crew in self._crews]
        for line_up, (result, moves) in enumerate(played):
            self._results[line_up].append(result)
            if moves:
                key = keys.of_series(self._match.id, keys.MOVES, self.series, line_up)
                self._extras.append(("hash", key, number, moves))
            for at, fault in enumerate(result.faults[:FAULTS_TOLD]):
                key = keys.of_series(self._match.id, keys.FAULTS, self.series, line_up)
                told = orjson.dumps({"seed": result.seed, **vars(fault), "number": number})
                self._extras.append(("zset", key, number, b"%02d" % at + told))
        self._upto = number + 1

    def played(self, outcome: str, error: str) -> Played:
        count = self._upto - self._first
        packed = [pack(results, crew) for results, crew in zip(self._results, self._crews)] if count else []
        return Played(self._upto, outcome, error, self.seconds / max(1, count), packed, self._extras)


def _played(crew: list[str], rules: Rules, seed: bytes, keep: str) -> tuple[GameResult, bytes | None]:
    """The game, and its moves if they are to be kept. Sailors are so quick that it pays to play a lost game twice."""
    if keep == NONE:
        return play_game(crew, rules, seed), None
    if set(crew) == {"sailor"} and keep != ALL:
        result = play_game(crew, rules, seed)
        if result.rescued:
            return result, None
    result, game = recorded.played(crew, rules, seed)
    return result, recorded.packed(game) if keep == ALL or not result.rescued else None


class _Lease:
    """A range that this worker has as long as he tells that he is at it."""

    def __init__(self, shelf: Shelf, match_id: str, held: Range):
        self._shelf, self._match_id = shelf, match_id
        self.held, self.is_lost = held, False
        self._done = threading.Event()

    def __enter__(self) -> "_Lease":
        threading.Thread(target=self._renew, daemon=True, name="lease").start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._done.set()

    def _renew(self) -> None:
        while not self._done.wait(LEASE_SECONDS / 3):
            try:
                self._shelf.renew(self._match_id, self.held)
            except RedisError:
                return

    def merge(self, match: Match, played: Played) -> str:
        state = self._shelf.merge(match, self.held, played)
        self.is_lost = state == "lost"
        held: Any = self.held
        self.held = Range(held.series, played.upto, held.last, 0, 0, held.holder)
        return state
