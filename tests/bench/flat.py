"""Flat Monte Carlo, the baseline: every choice gets as many trials as the others, and the best mean is taken."""

import math
from time import perf_counter

from bots.budget import Budget
from bots.search.search import Search, Stakes
from engine import Game
from engine.compiled import doors
from engine.compiled.journal import SILENT
from engine.compiled.state import new_records
from engine.enums import Cause
from engine.moves import WIRE, new_moves
from engine.shapes import Move


class EvenSearch(Search):
    """The search without its halving: all candidates are tried to the end."""

    def begin(self, budget: Budget) -> None:
        """Share all playouts out in a single round."""
        super().begin(budget)
        self._contest["rounds"] = 1
        self._contest["each"] = max(1, budget.playouts // len(self.choices))


class Thinker:
    """A seat taken by a search with a budget of its own."""

    def __init__(self, search: type[Search], budget: Budget) -> None:
        self._search, self._budget = search, budget

    def choose(self, observation: Game, seed: int = 0) -> list[Move]:
        seat = observation.decider
        assert seat is not None
        search = self._search(observation, Stakes(seat), seed)
        return search.wire(search.run(self._budget))


class Guesser:
    """Flat Monte Carlo at its barest: all legal moves, random games after each, until its time for the move is up.

    Random gnomes hardly ever save the boat, so a loss counts a little, too: the later, the more.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._moves, self._trial, self._end = new_moves(), new_records(), new_records()

    def choose(self, observation: Game, seed: int = 0) -> list[Move]:
        ends = perf_counter() + self._seconds
        legal = self._legal(observation)
        worth = dict.fromkeys(legal, 0.0)
        trial = 0
        while len(legal) > 1 and perf_counter() < ends:
            trial += 1
            for move in legal:
                worth[move] += self._try(observation, move, hash((seed, trial)) % 2**62)
        return [WIRE[max(legal, key=worth.__getitem__)].copy()]

    def _legal(self, observation: Game) -> list[int]:
        count = doors.legal_moves(observation.record, self._moves)
        return list(map(int, self._moves["ids"][0, :count]))

    def _try(self, observation: Game, move: int, seed: int) -> float:
        self._trial[0] = observation.record[0]
        self._trial["key"] = seed
        doors.play(self._trial, move, SILENT, self._moves)
        doors.play_randomly(self._end, self._trial, seed, 1, SILENT, self._moves)
        end = self._end[0]
        if end.cause == Cause.RESCUED:
            return 1.0
        left = max((int(end.minutes[seat]) for seat in range(end.gnomes)), default=0)
        return 0.5 * math.exp(-left / 15)
