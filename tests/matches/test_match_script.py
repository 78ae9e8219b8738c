"""The script in Redis and the model in Python: whatever happens to a match, both come to the same."""

import random
from collections import Counter
from collections.abc import Callable

import msgspec
import pytest

from service.matches import repository as repository_module
from service.matches import transitions
from service.matches.model import GameFailure, Match, MatchStatus
from service.matches.repository import Batch, GameRange, MatchRepository, RangeOutcome
from tests.support.desk import Desk, HeldClock
from tests.support.matching import id_of, new_match, repository_of

STEPS = 150
HISTORIES = 20


class Twins:
    """The same match twice: in Redis, and as a value that no store has seen."""

    def __init__(self, repository: MatchRepository, match: Match, clock: HeldClock, dice: random.Random) -> None:
        self.repository, self.model, self.clock, self.dice = repository, match, clock, dice
        self.held: list[GameRange] = []
        self.outcomes = dice.choice([list(RangeOutcome), [RangeOutcome.CONTINUED], [RangeOutcome.RAISED]])

    def take(self) -> None:
        taken = self.repository.take_games(self.model.id, self.dice.random() * 5, self.dice.randint(1, 3))
        if taken is not None:
            self.held.append(taken)
            self.model = transitions.take_games(self.model, taken.series, taken.last, self.clock.at)

    def store(self) -> None:
        if not self.held:
            return
        held = self.held.pop(self.dice.randrange(len(self.held)))
        size = held.last - held.first
        count = 0 if held.raised else self.dice.choice([0, size, self.dice.randint(0, size)])
        is_rest = count < size
        outcome = self.dice.choice(self.outcomes) if is_rest else RangeOutcome.CONTINUED
        batch = self._batch(held, count, outcome)
        stored = self.repository.store_batch(self.model, held, batch)
        raised = 0 if count else held.raised
        if outcome == RangeOutcome.RAISED and raised == 2 and not stored.is_lost:
            self.model = transitions.fail(self.model, GameFailure(held.series, batch.upto, "rum"), self.clock.at)
        else:
            counted = 0 if stored.is_lost else count
            self.model = transitions.record_games(self.model, held.series, counted, 0.5, self.clock.at)
        if is_rest and outcome == RangeOutcome.CONTINUED and stored.status == MatchStatus.RUNNING:
            self.held.append(msgspec.structs.replace(held, first=batch.upto, raised=raised))

    def _batch(self, held: GameRange, count: int, outcome: RangeOutcome) -> Batch:
        results = [b"\1" * count for _ in self.model.plan.line_ups] if count else []
        return Batch(
            upto=held.first + count, outcome=outcome, error="rum", seconds_per_number=0.5, results=results, extras=[]
        )

    def settle(self) -> None:
        series = self.dice.randrange(len(self.model.series))
        self.repository.settle_series(self.model, series, 3)
        self.model = transitions.settle_series(self.model, series, 3, self.clock.at)

    def change(self) -> None:
        states = [MatchStatus.PAUSED, MatchStatus.RUNNING, MatchStatus.CANCELLED]
        wanted = self.dice.choices(states, weights=(10, 30, 1))[0]
        try:
            after = transitions.change_status(self.model, wanted, self.clock.at)
        except transitions.MatchOver:
            after = None
        assert self.repository.change_status(self.model, wanted) is (after is not None)
        self.model = after or self.model

    def check(self) -> None:
        stored = self.repository.fetch(self.model.id)
        assert stored is not None
        assert _rounded(stored) == _rounded(self.model)


def _rounded(match: Match) -> Match:
    return msgspec.structs.replace(match, ran_seconds=round(match.ran_seconds, 3))


def test_the_script_and_the_model_agree(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(repository_module, "LEASE_SECONDS", 1e6)
    ends: Counter[str] = Counter()
    for seed in range(HISTORIES):
        dice, clock = random.Random(seed), HeldClock(monkeypatch)
        path, _ = new_match(desk.api, games=dice.randint(3, 40), gnomes=[3, 4], against=["cabin_boy"])
        match = repository_of(desk).fetch(id_of(path))
        assert match is not None
        twins = Twins(repository_of(desk), match, clock, dice)
        happenings: list[Callable[[], None]] = [twins.take, twins.store, twins.settle, twins.change]
        for _ in range(STEPS):
            clock.move(dice.choice([0, 1, 3, 12]))
            dice.choices(happenings, weights=(50, 60, 1, 10))[0]()
            twins.check()
        ends[twins.model.status] += 1
    assert {"finished", "failed", "cancelled"} <= set(ends), "the histories do not come to every end"
