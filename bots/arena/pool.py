"""Run numbered jobs on forked processes, and give their results in the order of the numbers.

The parent is warm, so its children compile and load nothing. A worker takes the next numbers by itself, as many as
fill a tenth of a second, so that quick jobs cost little traffic and slow ones are spread evenly.
"""

import multiprocessing
import os
import signal
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkProcess
from time import perf_counter
from typing import Any, Generic, TypeVar

Result = TypeVar("Result")
Job = Callable[[int], Result]

BATCH_SECONDS = 0.1
TICK_SECONDS = 0.2
_FORK = multiprocessing.get_context("fork")


class JobFailed(Exception):
    """A job raised, or its process died."""


@dataclass
class _Failure:
    number: int
    error: str


def all_cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def in_order(
    job: Job[Result], count: int, processes: int, tick: Callable[[], None] = lambda: None
) -> Generator[Result]:
    """Yield the results of jobs 0 to count - 1. Closing the generator, or an interrupt, ends the processes at once.

    `tick` is called a few times a second while results are awaited, and may raise to stop. The first job that fails,
    by number, raises JobFailed after the results before it.
    """
    import bots.arena.all_sailors  # noqa: PLC0415 - as in `roster.py`
    import bots.search.search  # noqa: F401, PLC0415 - before the first fork

    workers: dict[Connection, ForkProcess] = {}
    taken = _FORK.Value("q", 0)
    try:
        with _interrupts_blocked():  # Ctrl-C is the parent's business
            for _ in range(min(processes, count)):
                _hire(workers, job, count, taken)
        yield from _Sorter[Result](workers, count, tick).results()
    finally:
        for reader, worker in workers.items():
            worker.kill()
            worker.join()
            reader.close()


@contextmanager
def _interrupts_blocked() -> Iterator[None]:
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _hire(workers: dict[Connection, ForkProcess], job: Job[Result], count: int, taken: Any) -> None:
    reader, writer = _FORK.Pipe(duplex=False)
    worker = _FORK.Process(target=_work, args=(job, count, taken, writer, [*workers, reader]), daemon=True)
    worker.start()
    writer.close()  # so that the worker's death ends the pipe
    workers[reader] = worker


def _work(job: Job[Result], count: int, taken: Any, writer: Connection, inherited: Sequence[Connection]) -> None:
    """Work through batches until none is left, or until the parent is gone and the pipe breaks."""
    for reader in inherited:
        reader.close()
    batch = 1
    while True:
        with taken.get_lock():
            first = taken.value
            taken.value = last = min(count, first + batch)
        if first == count:
            return
        began = perf_counter()
        done = [_done(job, number) for number in range(first, last)]
        seconds = perf_counter() - began
        try:
            writer.send((first, done))
        except OSError:
            return
        batch = max(1, min(2 * batch, int(len(done) * BATCH_SECONDS / seconds)))


def _done(job: Job[Result], number: int) -> Result | _Failure:
    try:
        return job(number)
    except Exception as error:  # noqa: BLE001 - the parent raises it
        return _Failure(number, f"{type(error).__name__}: {error}")


class _Sorter(Generic[Result]):
    """Takes batches in the order in which they arrive, and gives results in the order of their numbers."""

    def __init__(self, workers: dict[Connection, ForkProcess], count: int, tick: Callable[[], None]):
        self._workers, self._count, self._tick = workers, count, tick
        self._busy = list(workers)
        self._early: dict[int, Result | _Failure] = {}

    def results(self) -> Iterator[Result]:
        for due in range(self._count):
            while due not in self._early:
                self._receive()
            result = self._early.pop(due)
            if isinstance(result, _Failure):
                raise JobFailed(f"number {result.number} failed: {result.error}")
            yield result

    def _receive(self) -> None:
        if not self._busy:
            raise JobFailed("the processes ended before their work")
        for reader in wait(self._busy, TICK_SECONDS):
            assert isinstance(reader, Connection)
            try:
                first, done = reader.recv()
            except (EOFError, OSError):
                self._dismiss(reader)
            else:
                self._early.update(enumerate(done, first))
        self._tick()

    def _dismiss(self, reader: Connection) -> None:
        """Forget a worker that has ended. Raise JobFailed if it was killed, as its jobs are lost."""
        self._busy.remove(reader)
        worker = self._workers[reader]
        worker.join()
        if worker.exitcode != 0:
            raise JobFailed(f"a process died (exit code {worker.exitcode})")
