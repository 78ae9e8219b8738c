"""Show how far a long job is: by a bar on a terminal, by a line now and then elsewhere."""

import shutil
from collections.abc import Callable
from time import monotonic
from typing import TextIO

BAR = 24
REDRAW_SECONDS = 0.2
LINE_SECONDS = 15.0


class Progress:
    """Shows what is done, the rate and the time left, but not too often."""

    def __init__(self, total: int, unit: str, stream: TextIO, clock: Callable[[], float] = monotonic):
        self.done, self.total = 0, total
        self._unit, self._stream, self._clock = unit, stream, clock
        self._is_terminal = stream.isatty()
        self._began = self._shown = clock()

    def show(self, note: str = "") -> None:
        """Show the progress, unless it was shown a moment ago."""
        time = self._clock()
        if time - self._shown >= (REDRAW_SECONDS if self._is_terminal else LINE_SECONDS):
            self._shown = time
            self._stream.write(self._bar(note) if self._is_terminal else f"{self._line(note)}\n")
            self._stream.flush()

    def close(self) -> None:
        """Remove the bar."""
        if self._is_terminal:
            self._stream.write("\r\x1b[K")
            self._stream.flush()

    def _line(self, note: str) -> str:
        rate = self.done / max(1e-9, self._clock() - self._began)
        left = f"{_clock_time((self.total - self.done) / rate)} left" if self.done else "no idea how long"
        words = [f"{self.done}/{self.total} {self._unit}", f"{rate:.3g} a second", left, note]
        return ", ".join(word for word in words if word)

    def _bar(self, note: str) -> str:
        full = BAR * self.done // max(1, self.total)
        line = f"[{'#' * full}{'.' * (BAR - full)}] {self._line(note)}"
        return f"\r{line[: shutil.get_terminal_size().columns - 1]}\x1b[K"


def _clock_time(seconds: float) -> str:
    minutes, seconds = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
