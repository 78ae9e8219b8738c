"""The façade under whatever a client may do to it, in any order: hypothesis looks for a sequence that breaks it."""

import json
import random
from typing import Any, cast

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from engine import BadSeat, Game, IllegalMove, Rules, observe, replay
from engine.shapes import Move
from tests.support.playing import CREWS, VARIANTS, Wire, bare, every_move, wild_position

EVERY_MOVE = every_move()
JUNK: list[Any] = [None, True, -1, 0, 11, 1.5, "", "everything", [], {}, ["grog"], {"seat": 1}, 10**30, float("nan")]

numbers = st.integers(0, 10**6)
junk = st.sampled_from(JUNK)
is_on = precondition(lambda self: self.game.decider is not None)


class Client(RuleBasedStateMachine):
    """A client that plays, errs, stores, restores and looks."""

    game: Game

    @initialize(
        variant=st.sampled_from(VARIANTS), crew=st.sampled_from(CREWS), seed=st.binary(min_size=32, max_size=32)
    )
    def begin(self, variant: Wire, crew: tuple[int, int], seed: bytes) -> None:
        self.options = Rules(*crew, **variant)
        self.seed = seed
        self.game = Game.new(self.options, seed)
        self.played: list[Move] | None = []

    @rule(number=numbers)
    def go_somewhere_wild(self, number: int) -> None:
        self.game = Game.from_position(wild_position(self.options, random.Random(number)))
        self.played = None

    @is_on
    @rule(number=numbers)
    def play(self, number: int) -> None:
        legal = self.game.legal_moves()
        move = legal[number % len(legal)]
        version = self.game.version
        happened = self.game.play(move)
        assert happened[0]["type"] == "choice"
        assert json.loads(json.dumps(happened)) == happened
        assert self.game.version == version + 1
        if self.played is not None:
            self.played.append(move)

    def refuse(self, move: Any) -> None:
        before = self.game.to_bytes()
        for attempt in (self.game.play, self.game.preview):
            with pytest.raises(IllegalMove):
                attempt(move)
        assert self.game.to_bytes() == before

    @rule(number=numbers)
    def try_what_is_not_legal_now(self, number: int) -> None:
        legal = [bare(move) for move in self.game.legal_moves()]
        illegal = [move for move in EVERY_MOVE if move not in legal]
        self.refuse(illegal[number % len(illegal)])

    @rule(move=junk)
    def try_no_move_at_all(self, move: Any) -> None:
        self.refuse(move)

    @rule(number=numbers, field=numbers, value=junk)
    def try_a_move_with_a_damaged_field(self, number: int, field: int, value: Any) -> None:
        move = dict(EVERY_MOVE[number % len(EVERY_MOVE)])
        name = list(move)[field % len(move)]
        if value not in range(11):
            self.refuse(move | {name: value})
        del move[name]
        self.refuse(move)

    @rule(number=numbers, value=junk)
    def try_a_move_with_a_field_too_many(self, number: int, value: Any) -> None:
        move = (self.game.legal_moves() or EVERY_MOVE)[number % len(self.game.legal_moves() or EVERY_MOVE)]
        self.refuse(move | {"haste": value})

    @rule()
    def store_and_load(self) -> None:
        again = Game.from_bytes(self.game.to_bytes())
        assert again == self.game
        self.game = again

    @rule()
    def write_down_the_position_and_set_it_up(self) -> None:
        again = Game.from_position(json.loads(json.dumps(self.game.position())))
        assert again == self.game
        self.game = again

    @rule(number=numbers)
    def observe(self, number: int) -> None:
        before = self.game.to_bytes()
        seat = number % self.game.rules.gnomes
        seen = observe(self.game, seat)
        assert seen.decider == self.game.decider
        if seat == self.game.decider:
            assert seen.legal_moves() == self.game.legal_moves()
            seen.play(seen.legal_moves()[0])
        assert self.game.to_bytes() == before

    @is_on
    @rule(number=numbers)
    def preview(self, number: int) -> None:
        before = self.game.to_bytes()
        legal = self.game.legal_moves()
        move = legal[number % len(legal)]
        told = self.game.preview(bare(move))
        assert told["cost"] == move["cost"]
        assert told.get("chance") == move.get("chance")
        assert json.loads(json.dumps(told)) == told
        assert self.game.to_bytes() == before

    @rule()
    def look(self) -> None:
        before = self.game.to_bytes()
        for seat in (None, *range(self.game.rules.gnomes)):
            view = self.game.view(seat)
            assert json.loads(json.dumps(view)) == view
        for stranger in (-1, self.game.rules.gnomes, "0", 0.0, True):
            with pytest.raises(BadSeat):
                self.game.view(cast(Any, stranger))
            with pytest.raises(BadSeat):
                observe(self.game, cast(Any, stranger))
        assert self.game.to_bytes() == before

    @rule()
    def play_a_copy(self) -> None:
        before = self.game.to_bytes()
        copy = self.game.copy()
        for _ in range(5):
            if copy.decider is not None:
                copy.play(copy.legal_moves()[-1])
        assert self.game.to_bytes() == before

    @rule()
    def play_it_all_again(self) -> None:
        if self.played is not None:
            assert replay(self.options, self.seed, self.played) == self.game

    @invariant()
    def is_sound(self) -> None:
        assert self.game.problems() == []
        assert bool(self.game.legal_moves()) == (self.game.decider is not None) == (self.game.result is None)


def check(examples: int, steps: int, **more: Any) -> None:
    run_state_machine_as_test(
        Client,
        settings=settings(
            max_examples=examples,
            stateful_step_count=steps,
            deadline=None,
            suppress_health_check=list(HealthCheck),
            **more,
        ),
    )


def test_no_sequence_of_calls_breaks_a_game() -> None:
    check(examples=50, steps=50, derandomize=True, database=None)


@pytest.mark.soak
def test_no_long_sequence_of_calls_breaks_a_game() -> None:
    check(examples=1500, steps=100)
