"""What is typed, a line at a time, without ever waiting for it alone."""

import os
import select
from collections.abc import Sequence

from service.terminal.texts import harmless

END = "\x04"  # nothing more will come


class Keyboard:
    """Reads whole lines, which the terminal lets people edit; from pipes and files as well."""

    def __init__(self, fd: int = 0):
        self._fd = fd
        self._lines: list[str] = []
        self._rest = b""
        self._ended = False

    @property
    def is_terminal(self) -> bool:
        return os.isatty(self._fd)

    def wait(self, wake: Sequence[int], seconds: float | None, may_type: bool = True) -> str | None:
        """Return the next line, or END; None when something else wakes the caller, or the time is up."""
        if may_type and self._lines:
            return self._lines.pop(0)
        if may_type and self._ended:
            return END
        ready, _, _ = select.select([*([self._fd] if may_type else []), *wake], [], [], seconds)
        if self._fd not in ready:
            return None
        self._read()
        return self._lines.pop(0) if self._lines else END if self._ended else None

    def _read(self) -> None:
        try:
            data = os.read(self._fd, 65536)
        except OSError:  # a terminal that is gone
            data = b""
        *whole, self._rest = (self._rest + data).split(b"\n")
        if not data:
            self._ended = True
            whole, self._rest = ([self._rest] if self._rest else []), b""
        self._lines += [harmless(line.decode(errors="replace")).strip() for line in whole]
