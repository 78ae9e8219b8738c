"""What the operating system does for processes that belong together."""

import ctypes
import os
import signal
import sys
from collections.abc import Callable

_PR_SET_PDEATHSIG = 1  # of prctl(2)
_libc = ctypes.CDLL(None) if sys.platform == "linux" else None


def end_with_parent(number: int = signal.SIGTERM) -> Callable[[], None]:
    """Return what a new process calls so that it gets a signal when its parent dies, however that dies (Linux only)."""
    parent = os.getpid()

    def ask_kernel() -> None:
        if _libc is not None:
            _libc.prctl(_PR_SET_PDEATHSIG, number)
            if os.getppid() != parent:  # it died before we asked
                os._exit(1)

    return ask_kernel
