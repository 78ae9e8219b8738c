"""The process at work: it is replaced when it ends, killed when a job takes too long, and stopped in order."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from tests.support.answers import eventually

HEAD = """
import os, time
from service.workers.work_process import Deadline, WorkProcess
deadline = Deadline()
def work():
    print("at work", os.getpid(), flush=True)
"""
FOREVER = """
    time.sleep(600)
    return 0
raise SystemExit(WorkProcess(work, deadline).run())
"""
TOO_LONG = """
    with deadline.job(0.1):
        time.sleep(600)
    return 0
raise SystemExit(WorkProcess(work, deadline).run())
"""
ONCE = """
    return 0 if os.path.exists("second") else (open("second", "w").close(), os.kill(os.getpid(), 9))
raise SystemExit(WorkProcess(work, deadline, once=True).run())
"""
RAISES = """
    if os.path.exists("second"):
        return 0
    open("second", "w").close()
    raise ValueError("oh no")
raise SystemExit(WorkProcess(work, deadline, once=True).run())
"""
PATIENT = """
    import signal
    signal.signal(signal.SIGTERM, lambda *_: os.write(1, b"heard\\n"))  # print may be under way
    os.write(1, b"deaf\\n")
    time.sleep(600)
    return 0
raise SystemExit(WorkProcess(work, deadline).run())
"""


@contextmanager
def running(code: str, folder: object) -> Iterator["subprocess.Popen[str]"]:
    process = subprocess.Popen(
        [sys.executable, "-c", HEAD + code],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=str(folder), start_new_session=True,
        env={**os.environ, "PYTHONPATH": str(Path.cwd())},
    )  # fmt: skip
    try:
        yield process
    finally:
        process.kill()
        for pid in _forks:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        _forks.clear()
        process.communicate()


_forks: list[int] = []


def next_pid(process: "subprocess.Popen[str]") -> int:
    assert process.stdout is not None
    words = process.stdout.readline().split()
    assert words[:2] == ["at", "work"]
    _forks.append(int(words[2]))
    return _forks[-1]


def is_there(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_a_process_that_dies_is_replaced(tmp_path: object) -> None:
    with running(FOREVER, tmp_path) as process:
        first = next_pid(process)
        os.kill(first, signal.SIGKILL)
        assert next_pid(process) != first


def test_a_process_whose_job_takes_too_long_is_killed_and_replaced(tmp_path: object) -> None:
    with running(TOO_LONG, tmp_path) as process:
        first = next_pid(process)
        assert next_pid(process) != first
        assert not is_there(first)


@pytest.mark.parametrize("code", [ONCE, RAISES], ids=["killed", "raised"])
def test_what_is_done_once_is_tried_until_it_is_done(tmp_path: object, code: str) -> None:
    with running(code, tmp_path) as process:
        assert next_pid(process) != next_pid(process)
        assert process.wait(60) == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_stops_both_processes(tmp_path: object, number: signal.Signals) -> None:
    with running(FOREVER, tmp_path) as process:
        fork = next_pid(process)
        process.send_signal(number)
        assert process.wait(60) == 0
        assert not is_there(fork)


def test_a_second_signal_does_not_wait_for_the_job(tmp_path: object) -> None:
    with running(PATIENT, tmp_path) as process:
        fork = next_pid(process)
        assert process.stdout is not None
        assert process.stdout.readline() == "deaf\n"
        process.send_signal(signal.SIGTERM)
        assert process.stdout.readline() == "heard\n"
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 0
        assert not is_there(fork)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a process that its parent died")
def test_the_fork_ends_with_its_parent(tmp_path: object) -> None:
    with running(FOREVER, tmp_path) as process:
        fork = next_pid(process)
        process.kill()
        eventually(lambda: not is_there(fork))
