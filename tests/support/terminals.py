"""Somebody at a terminal: `red-november` behind a pseudo-terminal of a given size."""

import codecs
import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from tests.support.serving import PATIENCE, Client, Seated

# The command, with its terminal as the one that Ctrl-C is typed at.
AT_TERMINAL = """
import fcntl, sys, termios
from service.cli import main
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
sys.exit(main(sys.argv[1:]))
"""
NEW_SCREEN = re.compile(r"\x1b\[(?:H|\?1049[hl])")
ESCAPES = re.compile(r"\x1b(?:\[[0-9;?]*[A-Za-z]|\][^\x07]*\x07|[()].|[=>])")
PROMPT = "(? for help): "
SECONDS = PATIENCE


class Terminal:
    """A program in a terminal of a given size: what it wrote, and the text of that without colours."""

    def __init__(self, arguments: list[str], environment: Mapping[str, str], columns: int = 80, rows: int = 24) -> None:
        ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.process = subprocess.Popen(
            [sys.executable, "-c", AT_TERMINAL, *arguments],
            stdin=theirs, stdout=theirs, stderr=theirs, env=dict(environment), start_new_session=True,
        )  # fmt: skip
        os.close(theirs)
        self._ours, self._read = ours, 0
        self.raw, self.text, self._rest = "", "", ""
        self._decode = codecs.getincrementaldecoder("utf-8")().decode

    def enter(self, text: str) -> None:
        os.write(self._ours, text.encode() + b"\n")

    def interrupt(self) -> None:
        os.write(self._ours, b"\x03")

    def expect(self, *wanted: str) -> str:
        """Reads on until one of these comes; answers what came since the last time, up to there."""
        ends = time.monotonic() + SECONDS
        while True:
            new = self.text[self._read :]
            found = [new.index(each) + len(each) for each in wanted if each in new]
            if found:
                self._read += min(found)
                return new[: min(found)]
            assert time.monotonic() < ends, f"none of {wanted} in {new[-3000:]!r}"
            assert self._more(), f"it ended before {wanted}: {new[-3000:]!r}"

    def _more(self) -> bool:
        if not select.select([self._ours], [], [], 1.0)[0]:
            return True
        try:
            data = os.read(self._ours, 65536)
        except OSError:  # how Linux tells that the other end is closed
            data = b""
        decoded = self._decode(data)
        self.raw += decoded
        *whole, last = (self._rest + decoded).replace("\r\n", "\n").rpartition("\x1b")
        is_whole = not whole[1] or ESCAPES.match("\x1b" + last)
        self._rest = "" if is_whole and not last.endswith("\r") else whole[1] + last
        known = "".join(whole) + last if not self._rest else whole[0]
        self.text += ESCAPES.sub("", NEW_SCREEN.sub("\n", known))
        return bool(data)

    def ended(self) -> int:
        ends = time.monotonic() + SECONDS
        while self._more():
            assert time.monotonic() < ends, f"it does not end: {self.raw[-2000:]!r}"
        return self.process.wait(PATIENCE)

    @property
    def lines(self) -> list[str]:
        """A passing note is overwritten from the line's beginning."""
        return [part for line in self.text.split("\n") for part in line.split("\r")]

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self._ours)


@contextmanager
def terminal(*arguments: str, environment: Mapping[str, str], columns: int = 80, rows: int = 24) -> Iterator[Terminal]:
    shown = Terminal(list(arguments), environment, columns, rows)
    try:
        yield shown
    finally:
        shown.close()


def playing(service: Client, *more: str) -> list[str]:
    return ["play", "--server", service.base, *more]


def joining(service: Client, game: Seated) -> list[str]:
    """Start the game, and return how its first player sits down to it."""
    game.host.post(f"{game.path}/start")
    return playing(service, "--join", game.path.rpartition("/")[2], "--token", str(game.players[0].token))
