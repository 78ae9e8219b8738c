"""Search for the best choice by trials, in slices of a few milliseconds, between which the clock is read.

A trial plays the choice, then the crew, until every gnome is some minutes on; there the network guesses how the game
will end with such a crew. When time is up, the best so far counts. `halving.py` says which choices are tried how often.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from time import monotonic

import numpy as np

from bots.budget import Budget
from bots.sailor.mind import new_mind
from bots.sailor.weights import WEIGHTS
from bots.search import contest as sheet
from bots.search import halving, network
from bots.search.contest import MOST_CHOICES, new_contest
from bots.skill import STRANGER, Crew
from engine import Game
from engine.compiled.journal import SILENT
from engine.compiled.state import new_records
from engine.enums import MAX_MINUTES, NOBODY, SEATS
from engine.moves import WIRE, move_id, new_moves
from engine.shapes import Move, MoveObject

NETWORK = network.read()
TO_THE_END = MAX_MINUTES + 1
SLICE_SECONDS = 0.01
DEATH_PRICE = 0.05  # of a comrade's death, in rescues of the crew
HUMAN_PRICE = 0.25  # of a human's; `halving.py` says what no rescue pays for


@dataclass
class Stakes:
    """What is at stake: the seat that decides, whether it is loyal, which deaths cost more, and who sits there.

    Without a crew, all are strangers.
    """

    seat: int | None  # None: a spectator, who knows no hidden hand
    loyal: bool = True
    humans: Sequence[int] = ()
    crew: Crew | None = None

    def prices(self) -> np.ndarray:
        prices = np.full(SEATS, DEATH_PRICE)
        prices[list(self.humans)] = HUMAN_PRICE
        return prices

    def guesses(self) -> np.ndarray:
        """Return how likely each skill is at each seat."""
        guesses = np.tile(STRANGER, (SEATS, 1))
        for seat, guess in enumerate(self.crew or ()):
            guesses[seat] = guess
        return guesses


@dataclass
class Choice:
    """Something that the decider can do: a plan for the turn, or a single move."""

    number: int
    start: int  # the number of a plan, or the id of a move
    planned: bool
    sums: np.ndarray = field(repr=False)  # what its trials came to

    @property
    def trials(self) -> int:
        return int(self.sums[sheet.TRIALS])

    @property
    def mean(self) -> float:
        """The mean utility of the trials."""
        return self._share(sheet.UTILITY)

    @property
    def rescued(self) -> float:
        """The share of trials with a rescue."""
        return self._share(sheet.RESCUED)

    @property
    def rescued_error(self) -> float:
        """The standard error of `rescued`. One more rescue and one more loss keep it honest if all trials end alike."""
        trials = self.trials + 1
        mean, square = ((self.sums[column] + 0.5) / trials for column in (sheet.RESCUED, sheet.RESCUED_SQUARED))
        return math.sqrt((square - mean * mean) / max(1, self.trials))

    @property
    def deaths(self) -> float:
        """The mean number of deaths in a game."""
        return self._share(sheet.DEATHS)

    def _share(self, column: int) -> float:
        return float(self.sums[column]) / max(1, self.trials)


class Search:
    """One decision, from candidates to verdict. `game` is an observation, whose dice and hidden hands are not real.

    One that need not tell chances leaves `rescued` and `deaths` of its choices at 0, and is a little quicker.
    """

    def __init__(self, game: Game, stakes: Stakes, seed: int, tells: bool = True) -> None:
        self.choices: list[Choice] = []
        self._game, self._record = game, game.record
        self._planned, self._mind = new_mind(), new_mind()
        self._work, self._moves = new_records(), new_moves()
        self._contest = new_contest()
        asked = self._contest[0]
        asked.seat, asked.loyal, asked.seed = NOBODY if stakes.seat is None else stakes.seat, stakes.loyal, seed
        asked.tells = tells
        asked.prices, asked.guesses = stakes.prices(), stakes.guesses()
        asked.hidden = bits(game.rules.hidden_seats(stakes.seat))
        asked.humans = bits(stakes.humans)
        self._speed = 10_000.0  # playouts a second, measured as it goes

    @property
    def playouts(self) -> int:
        """The playouts of all choices so far."""
        return int(self._contest["spent"][0])

    def run(self, budget: Budget, deadline: float = math.inf, judge_alone: bool = False) -> Choice:
        """Return the best choice found; one without alternatives is tried only if `judge_alone`, for its chances.

        `deadline` is a time of `time.monotonic`.
        """
        deadline = min(deadline, monotonic() + budget.seconds)
        self.begin(budget)
        if len(self.choices) > 1 or judge_alone:
            while monotonic() < deadline and self._go_on():
                pass
        return self.choices[self._step(halving.END)]

    def begin(self, budget: Budget) -> None:
        """Find the choices, and set out to try them."""
        asked = self._contest[0]
        asked.playouts, asked.most, asked.minutes = budget.playouts, budget.most, budget.minutes
        asked.candidates, asked.wide = min(budget.candidates, MOST_CHOICES), budget.wide
        self._step(halving.BEGIN)
        starts, planned = asked.start[: asked.count].tolist(), asked.planned[: asked.count].tolist()
        self.choices = [
            Choice(number, start, bool(by_plan), asked.sums[number])
            for number, (start, by_plan) in enumerate(zip(starts, planned, strict=True))
        ]

    def _go_on(self) -> bool:
        """Run playouts for a slice of time; return whether there are any left."""
        before, began = self.playouts, monotonic()
        left = self._step(halving.GO_ON, max(1, int(self._speed * SLICE_SECONDS)))
        self._speed = (self.playouts - before) / max(1e-6, monotonic() - began)
        return left > 0

    def _step(
        self, which: int, argument: int = 0, contest: np.ndarray | None = None, root: np.ndarray | None = None
    ) -> int:
        """Take a step of this search, or of one beside it, which begins elsewhere."""
        contest, root = self._contest if contest is None else contest, self._record if root is None else root
        return int(
            halving.step(
                which, contest, self._work, root, self._planned, self._mind, WEIGHTS, NETWORK, SILENT, self._moves,
                argument,
            )
        )  # fmt: skip

    def weigh(self, plan: Sequence[MoveObject], count: int, deadline: float = math.inf) -> Choice:
        """Return what somebody's own plan comes to in so many trials, under the dice that the choices met. All of its
        moves but the last are certain: they are played before, and each trial begins with the last."""
        game = self._game.copy()
        for move in plan[:-1]:
            game.play(move)
        aside = self._contest.copy()
        asked = aside[0]
        asked.count = asked.alive = asked.rounds = 1
        asked.round = asked.tried = asked.earlier = asked.spent = asked.most = 0
        asked.start[0], asked.planned[0], asked.order[0], asked.sums[0] = move_id(plan[-1]), 0, 0, 0.0
        asked.playouts = asked.each = max(1, count)
        left = 1
        while left and monotonic() < deadline:
            left = self._step(halving.GO_ON, max(1, int(self._speed * SLICE_SECONDS)), aside, game.record)
        return Choice(0, int(asked.start[0]), False, asked.sums[0])

    def wire(self, choice: Choice) -> list[Move]:
        """Return the moves of a choice as objects."""
        length = self._step(halving.WRITE, choice.number)
        return [WIRE[move].copy() for move in self._contest["line"][0, :length].tolist()]


def bits(seats: Sequence[int]) -> int:
    """Return a number with a bit for each seat."""
    return sum(1 << seat for seat in seats)
