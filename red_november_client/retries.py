"""Decide when to try again, and when to give up: for requests and for streams."""

import math
import time
from collections.abc import Set

from red_november_client.errors import Refused, Unreachable

FIRST_PAUSE, LONGEST_PAUSE = 0.3, 5.0  # seconds; each is twice as long as the one before
LONGEST_ASKED = 60.0  # that a service may ask for of whoever would wait for ever
BUSY = frozenset({429, 502, 503, 504})  # answers of a service that may have room in a moment
BROKEN = BUSY | {500}  # of a stream, which is only read: it may be asked for again whatever happened
POINTLESS = frozenset({"newer_game", "store_full", "too_many_streams"})  # problems that a little waiting won't solve


class Retries:
    """Counts failures in a row, and says how long to wait before the next attempt, while there is patience."""

    def __init__(
        self,
        patience: float,
        statuses: Set[int] = BUSY,
        pointless: Set[str] = POINTLESS,
    ):
        self._patience, self._statuses, self._pointless = patience, statuses, pointless
        self.succeeded()

    def succeeded(self) -> None:
        """Begin anew: patience is for failures in a row."""
        self.failures, self.pause = 0, 0.0
        self._next_pause = FIRST_PAUSE
        self._ends = time.monotonic() + self._patience

    def fail(self, problem: Refused | Unreachable) -> int:
        """Count a failure, and return how many there were in a row. Raises the problem when it is final.

        It is final when waiting won't help, or would take longer than there is patience.
        """
        if not self._is_passing(problem):
            raise problem
        wanted = problem.retry_after if isinstance(problem, Refused) else None
        # As long as the service asks for, or twice as long as the last time.
        self.pause = wanted or self._next_pause
        self._next_pause = min(2 * self._next_pause, LONGEST_PAUSE)
        if math.isinf(self._patience):
            self.pause = min(self.pause, LONGEST_ASKED)
        if time.monotonic() + self.pause > self._ends:
            raise problem
        self.failures += 1
        return self.failures

    def _is_passing(self, problem: Refused | Unreachable) -> bool:
        if isinstance(problem, Unreachable):
            return True
        return problem.status in self._statuses and problem.code not in self._pointless
