"""Keep a process at work: a fork of this one, which is warm, so that the next is there at once when it ends.

The fork does one job after the other, and says until when each may take. It is killed when that moment has passed: bots
compute in native code, which nothing else can interrupt.
"""

import logging
import mmap
import os
import signal
import struct
import time
from collections.abc import Callable

from service.processes import end_with_parent

log = logging.getLogger(__name__)

LOOK_SECONDS = 0.1
STEADY_SECONDS = 5.0  # at work for so long, and the next is started without a pause
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 10.0
_AT = struct.Struct("d")


class Deadline:
    """Until when the present job may take, in memory that a process shares with its forks."""

    def __init__(self) -> None:
        self._memory = mmap.mmap(-1, _AT.size)

    def begin(self, seconds: float) -> None:
        _AT.pack_into(self._memory, 0, time.monotonic() + seconds)

    def end(self) -> None:
        _AT.pack_into(self._memory, 0, 0.0)

    @property
    def is_set(self) -> bool:
        return bool(self._at)

    @property
    def has_passed(self) -> bool:
        return 0 < self._at < time.monotonic()

    @property
    def _at(self) -> float:
        return float(_AT.unpack_from(self._memory)[0])


class WorkProcess:
    """Runs `work` in a fork, again and again. `work` returns the exit code; with `once`, 0 means that all is done."""

    def __init__(self, work: Callable[[], int], deadline: Deadline, once: bool = False):
        self._work, self._deadline, self._once = work, deadline, once
        self._pid = 0
        self._stopping = 0  # signals that asked to stop
        self._pause = 0.0

    def run(self) -> int:
        """Keep a fork at work until a signal asks to stop; a second one does not wait for its job."""
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._stop)
        while True:
            began = time.monotonic()
            status = self._run_fork()
            if self._stopping or (self._once and status == 0):
                return 0
            self._rest(time.monotonic() - began)

    def _run_fork(self) -> int:
        """Start a fork and wait until it ends; return the status that the system gives it."""
        self._deadline.end()
        ask_kernel = end_with_parent()
        self._pid = os.fork()
        if self._pid == 0:
            self._be_fork(ask_kernel)
        if self._stopping:  # by a signal that came while there was no fork
            self._send(signal.SIGTERM)
        while True:
            ended, status = os.waitpid(self._pid, os.WNOHANG)
            if ended:
                self._pid = 0
                return status
            if self._deadline.has_passed:
                log.error("a job takes too long, its process is killed")
                self._send(signal.SIGKILL)
                self._deadline.end()
            time.sleep(LOOK_SECONDS)

    def _be_fork(self, ask_kernel: Callable[[], None]) -> None:
        code = 1
        try:
            os.setpgrp()  # Ctrl-C reaches the parent, which stops the fork in order
            for number in (signal.SIGINT, signal.SIGTERM):
                signal.signal(number, signal.SIG_DFL)
            ask_kernel()
            code = 0 if self._stopping else self._work()
        except Exception:
            log.exception("a process at work ended")
        finally:
            os._exit(code)

    def _rest(self, lived: float) -> None:
        if lived > STEADY_SECONDS:
            self._pause = 0.0
            return
        self._pause = min(2 * self._pause or FIRST_PAUSE, LONGEST_PAUSE)
        ends = time.monotonic() + self._pause
        while time.monotonic() < ends and not self._stopping:
            time.sleep(LOOK_SECONDS)

    def _stop(self, *_: object) -> None:
        self._stopping += 1
        self._send(signal.SIGTERM if self._stopping == 1 else signal.SIGKILL)

    def _send(self, number: int) -> None:
        if self._pid:
            os.kill(self._pid, number)
