"""Jobs on many processes: results in order, failures told, nobody left behind."""

import os
import signal
import time
from collections.abc import Callable

import pytest

from bots.arena.pool import JobFailed, all_cores, in_order


def square(number: int) -> int:
    return number * number


@pytest.mark.parametrize("processes", [1, 2, 5])
@pytest.mark.parametrize("count", [0, 1, 1000])
def test_results_come_in_the_order_of_their_numbers(processes: int, count: int) -> None:
    assert list(in_order(square, count, processes)) == [number * number for number in range(count)]


def test_slow_jobs_do_not_hold_up_the_others() -> None:
    def job(number: int) -> int:
        time.sleep(0.5 if number == 0 else 0)
        return os.getpid()

    workers = list(in_order(job, 50, 2))
    assert os.getpid() not in workers
    assert workers.count(workers[0]) == 1


def test_a_job_that_fails_is_told_after_the_results_before_it() -> None:
    def job(number: int) -> int:
        if number >= 3:
            raise ValueError(f"no {number}")
        return number

    results = in_order(job, 100, 2)
    assert [next(results) for _ in range(3)] == [0, 1, 2]
    with pytest.raises(JobFailed, match="number 3 failed: ValueError: no 3"):
        next(results)


@pytest.mark.parametrize("end", [lambda: os.kill(os.getpid(), signal.SIGKILL), lambda: os._exit(0)])
def test_a_process_that_dies_is_noticed(end: Callable[[], object]) -> None:
    def job(number: int) -> int:
        if number == 7:
            end()
        return number

    with pytest.raises(JobFailed, match="process"):
        list(in_order(job, 20, 2))


def is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def test_who_stops_listening_ends_the_processes_at_once() -> None:
    def job(number: int) -> int:
        time.sleep(0.2 if number < 2 else 60)
        return os.getpid()

    began = time.monotonic()
    results = in_order(job, 10, 2)
    workers = {next(results), next(results)}
    assert all(is_running(worker) for worker in workers)
    results.close()
    assert not any(is_running(worker) for worker in workers)
    assert time.monotonic() - began < 10


def test_a_tick_that_raises_ends_a_wait() -> None:
    def tick() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        list(in_order(lambda _: time.sleep(60), 2, 2, tick))


def test_interrupts_reach_the_parent_as_before() -> None:
    list(in_order(square, 3, 2))
    assert signal.pthread_sigmask(signal.SIG_BLOCK, []) == set()


def test_there_is_a_core() -> None:
    assert 1 <= all_cores() <= (os.cpu_count() or 1)
