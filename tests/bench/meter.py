"""What something costs, by looks at Redis, the web processes and the workers before and after."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import redis

from service.store import keys
from tests.bench.load import Server, microseconds


@dataclass(frozen=True)
class Cost:
    """Of something that was done: what Redis executed, how often it was asked, microseconds, bytes."""

    commands: float
    asked: float
    redis: float
    web: float
    workers: float
    log: float
    memory: float

    def _with(self, other: "Cost | float", act: Callable[[Any, Any], Any]) -> "Cost":
        theirs = np.array([*vars(other).values()]) if isinstance(other, Cost) else other
        return Cost(*map(float, act(np.array([*vars(self).values()]), theirs)))

    def __add__(self, other: "Cost") -> "Cost":
        return self._with(other, np.add)

    def __sub__(self, other: "Cost") -> "Cost":
        return self._with(other, np.subtract)

    def __mul__(self, times: float) -> "Cost":
        return self._with(times, np.multiply)

    def __truediv__(self, count: float) -> "Cost":
        return self._with(count, np.divide)


class Meter:
    """Looks at Redis, the web processes and the workers before and after."""

    def __init__(self, url: str, web: Server, workers: Sequence[int] = ()) -> None:
        self.url, self.web, self.redis = url, web, redis.Redis.from_url(url)
        self._workers = workers

    def watching(self, workers: Sequence[int]) -> "Meter":
        return Meter(self.url, self.web, workers)

    def now(self) -> Cost:
        info: Any = self.redis.info()
        return Cost(
            info["total_commands_processed"],
            info["total_reads_processed"],
            1e6 * (info["used_cpu_sys"] + info["used_cpu_user"]),
            sum(map(microseconds, [self.web.pid, *self.web.workers])),
            sum(map(microseconds, [*self._workers, *self._at_work()])),
            info["aof_current_size"] + info.get("aof_buffer_length", 0),
            info["used_memory"],
        )

    def _at_work(self) -> list[int]:
        """The forks of workers."""
        told = [Path(f"/proc/{pid}/task/{pid}/children").read_text() for pid in self._workers]
        return [int(pid) for pids in told for pid in pids.split()]

    def of(self, work: Callable[[], object]) -> Cost:
        before = self.now()
        work()
        return self.now() - before

    def decisions(self, bot: str) -> tuple[int, float]:
        """Of that bot so far, and the seconds of its searches."""
        found: Any = self.redis.hgetall(keys.COUNTERS)
        counts = [int(value) for name, value in found.items() if name.startswith(b"turns:%s:" % bot.encode())]
        return sum(counts), float(found.get(b"turn_seconds:%s" % bot.encode(), 0))


def proportional_set(pid: int) -> int:
    """Bytes of memory; what is shared by n counts an n-th."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return 1024 * next(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
