"""Search for the best choice by trials under the same dice, dropping the worse half each round (sequential halving).

A trial plays the choice, then sailors at all seats, until every gnome is some minutes on; there the network guesses how
the game will end. Trial n of every choice has the same key, so that all meet the same cards and rolls. What the sailor
thinks of a choice is believed until the trials know better: the sailor's own is given up only on evidence. The clock is
read between slices of a few milliseconds; when time is up, the best so far counts.
"""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from time import monotonic

import numpy as np

from bots.budget import Budget
from bots.sailor.mind import new_mind
from bots.sailor.weights import WEIGHTS
from bots.search import belief, network, trials
from engine import Game
from engine.compiled import doors
from engine.compiled.journal import SILENT
from engine.compiled.state import new_records
from engine.enums import MAX_MINUTES, SEATS, Action, Phase
from engine.moves import WIRE, new_moves
from engine.shapes import Move

NETWORK = network.read()
TO_THE_END = MAX_MINUTES + 1
SLICE_SECONDS = 0.01
PER_DESTINATION_AND_ACTION = 2
DEATH_PRICE = 0.05  # of a comrade's death, in rescues of the crew
HUMAN_PRICE = 0.25  # of a human's, whom no plan may sacrifice
SELFISH = (int(Action.ABANDON_COMRADES), int(Action.ATTACK_GNOME))
LONGEST_TURN = 64  # moves; above what a plan can need


@dataclass
class Stakes:
    """What is at stake: the seat that decides, whether it is loyal, and which deaths cost more."""

    seat: int
    loyal: bool = True
    humans: Sequence[int] = ()

    def prices(self) -> np.ndarray:
        prices = np.full(SEATS, DEATH_PRICE)
        prices[list(self.humans)] = HUMAN_PRICE
        return prices


@dataclass
class Choice:
    """Something that the decider can do: a plan for the turn, or a single move. Its sums are a row of `try_out`."""

    moves: list[int]
    plan: int  # its number among the plans, or -1
    minutes_behind: float | None = None  # the sailor's own choice, by the sailor's rating
    sums: np.ndarray = field(default_factory=lambda: np.zeros(trials.RESULTS))

    @property
    def trials(self) -> int:
        return int(self.sums[0])

    @property
    def mean(self) -> float:
        """The mean utility of the trials."""
        return self._share(1)

    @property
    def error(self) -> float:
        """The standard error of the mean."""
        return math.sqrt(max(0.0, self._share(2) - self.mean**2) / max(1, self.trials))

    @property
    def rescued(self) -> float:
        """The share of trials with a rescue."""
        return self._share(3)

    @property
    def rescued_error(self) -> float:
        """The standard error of `rescued`. One more rescue and one more loss keep it honest if all trials end alike."""
        trials = self.trials + 1
        mean, square = (self.sums[3] + 0.5) / trials, (self.sums[4] + 0.5) / trials
        return math.sqrt((square - mean * mean) / max(1, self.trials))

    @property
    def deaths(self) -> float:
        """The mean number of deaths in a game."""
        return self._share(5)

    @property
    def lead(self) -> float:
        """How much better than the sailor's own choice it is believed to be."""
        return self._belief()[0]

    @property
    def promise(self) -> float:
        """How good it may still turn out to be."""
        lead, spread = self._belief()
        return lead + spread

    def _belief(self) -> tuple[float, float]:
        return belief.update(*belief.expect(self.minutes_behind), self.sums[0], self.sums[6], self.sums[7])

    def _share(self, column: int) -> float:
        return float(self.sums[column]) / max(1, self.trials)


@dataclass
class Search:
    """One decision, from candidates to verdict. `game` is an observation, whose dice and hidden hands are not real."""

    game: Game
    stakes: Stakes
    seed: int
    choices: list[Choice] = field(default_factory=list)
    playouts: int = 0

    def __post_init__(self) -> None:
        self._record = self.game.record
        self._planned, self._mind = new_mind(), new_mind()
        self._work, self._moves = new_records(), new_moves()
        self._hidden = sum(1 << seat for seat in self.game.rules.hidden_seats(self.stakes.seat))
        self._speed = 10_000.0  # playouts a second, measured as it goes

    def run(self, budget: Budget, deadline: float = math.inf, judge_alone: bool = False) -> Choice:
        """Return the best choice found; one without alternatives is tried only if `judge_alone`, for its chances.

        `deadline` is a time of `time.monotonic`.
        """
        deadline = min(deadline, monotonic() + budget.seconds)
        self.choices = self._candidates(budget.candidates)
        if len(self.choices) > 1 or judge_alone:
            self._halve(budget, deadline)
        return self._verdict()

    def _candidates(self, most: int) -> list[Choice]:
        """Return the sailor's choice, then the other plans of a turn, or all legal moves of any other decision."""
        legal = self._legal()
        self._planned["turn"] = -1
        own = trials.sailor_move(self._record, self._planned, WEIGHTS, self._as_moves(legal), len(legal))
        plans = self._best_plans(most) if self._record["phase"][0] == Phase.MOVEMENT and len(legal) > 1 else []
        if plans:
            score = self._planned["score"][0].tolist()
            return [Choice(self._expand(plan), plan, score[plans[0]] - score[plan]) for plan in plans]
        return [Choice([move], -1) for move in [own, *(move for move in legal if move != own)][:most]]

    def _legal(self) -> list[int]:
        count = doors.legal_moves(self._record, self._moves)
        return self._moves["ids"][0, :count].tolist()

    def _as_moves(self, legal: list[int]) -> np.ndarray:
        moves = new_moves()
        moves["ids"][0, : len(legal)] = legal
        return moves

    def _best_plans(self, most: int) -> list[int]:
        """Return plans by rating, but few of a kind, so that the search sees different ones, and selfish ones early."""
        own, count = int(self._planned["plan"][0]), int(self._planned["count"][0])
        if own < 0:
            return []
        dest, action = (self._planned[name][0, :count].tolist() for name in ("dest", "action"))
        order = np.argsort(-self._planned["score"][0, :count], kind="stable").tolist()
        selfish = [] if self.stakes.loyal else [plan for plan in order if action[plan] in SELFISH]
        kinds: Counter[tuple[int, int]] = Counter()
        chosen: list[int] = []
        for plan in [own, *selfish, *order]:
            kind = (dest[plan], action[plan])
            betrayal = self.stakes.loyal and kind[1] in SELFISH
            if plan not in chosen and not betrayal and kinds[kind] < PER_DESTINATION_AND_ACTION:
                kinds[kind] += 1
                chosen.append(plan)
                if len(chosen) == most:
                    break
        return chosen

    def _expand(self, plan: int) -> list[int]:
        """Return the moves of a plan, up to its action or its first surprise."""
        trial = self.game.copy().record
        mind = self._planned.copy()
        mind["plan"], mind["tries"] = plan, 0
        turn = trial["turn"][0]
        moves: list[int] = []
        legal = new_moves()
        while trial["turn"][0] == turn and trial["phase"][0] in (Phase.MOVEMENT, Phase.HATCH):
            count = doors.legal_moves(trial, legal)
            moves.append(trials.sailor_move(trial, mind, WEIGHTS, legal, count))
            if len(moves) == LONGEST_TURN:
                break
            doors.play(trial, moves[-1], SILENT, self._moves)
        return moves

    def _halve(self, budget: Budget, deadline: float) -> None:
        """Halve the choices. The sailor's own stays to the end, as the others are measured by their lead over it."""
        own, *others = self.choices
        rounds = max(1, math.ceil(math.log2(len(self.choices))))
        done = 0
        for _ in range(rounds):
            each = max(1, budget.playouts // (rounds * (1 + len(others))))
            if not self._try([own, *others], done, each, budget.minutes, deadline):
                return
            done += each
            others = sorted(others, key=lambda choice: -choice.promise)[: max(1, len(others) // 2)]

    def _try(self, alive: list[Choice], first: int, each: int, horizon: int, deadline: float) -> bool:
        """Try each choice that many more times, in slices; return False when time ran out."""
        sums = np.array([choice.sums for choice in alive])
        start = np.array([choice.moves[0] if choice.plan < 0 else choice.plan for choice in alive])
        by_plan = np.array([choice.plan >= 0 for choice in alive], np.int64)
        prices = self.stakes.prices()
        done = 0
        while done < each and monotonic() < deadline:
            slice_ = min(each - done, max(1, int(self._speed * SLICE_SECONDS / len(alive))))
            began = monotonic()
            trials.try_out(
                self._work, self._record, self._planned, self._mind, WEIGHTS, NETWORK, start, by_plan, self.seed,
                first + done, slice_, horizon, prices, self.stakes.seat, self.stakes.loyal, self._hidden, SILENT,
                self._moves, sums,
            )  # fmt: skip
            done += slice_
            self.playouts += slice_ * len(alive)
            self._speed = slice_ * len(alive) / max(1e-6, monotonic() - began)
        for choice, row in zip(alive, sums, strict=True):
            choice.sums = row
        return done >= each

    def _verdict(self) -> Choice:
        own, *others = self.choices
        best = max(others, key=lambda choice: choice.lead, default=own)
        return best if best.trials and best.lead > 0 else own

    def wire(self, choice: Choice) -> list[Move]:
        """Return the moves of a choice as objects."""
        return [WIRE[move].copy() for move in choice.moves]
