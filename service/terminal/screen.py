"""Write everything to one place: a terminal with colours, or plain lines."""

import os
import sys
from collections.abc import Iterable, Mapping
from typing import TextIO

from rich.console import Console
from rich.text import Text

from service.terminal.board import WIDTH
from service.terminal.canvas import ASCII
from service.terminal.texts import harmless

_LEAST_WIDTH = 40


def is_plain(wanted: bool, stream: TextIO, environment: Mapping[str, str] = os.environ) -> bool:
    """Return whether to write plain lines: for scripts, pipes, simple terminals and who asks for it. `NO_COLOR` takes
    away the colours (no-color.org) and leaves the board."""
    if wanted or environment.get("TERM") == "dumb":
        return True
    return not (stream.isatty() and sys.stdin.isatty())


class Screen:
    """Writes texts, of which it takes out whatever a terminal would obey. Nothing is read as markup."""

    def __init__(self, plain: bool, stream: TextIO | None = None):
        self._stream = stream or sys.stdout
        self.is_terminal = self._stream.isatty()
        no_color = bool(os.environ.get("NO_COLOR"))
        self.console = Console(file=self._stream, highlight=False, markup=False, emoji=False, no_color=no_color)
        encoding = (getattr(self._stream, "encoding", None) or "ascii").lower()
        self._has_lines = encoding.replace("-", "").startswith("utf")
        if not self._has_lines and hasattr(self._stream, "reconfigure"):
            self._stream.reconfigure(errors="replace")
        self.plain = plain or self.console.width < WIDTH
        self._passing = False

    @property
    def width(self) -> int:
        """Return the columns that may be used: all but the last one, in which some terminals wrap."""
        return max(_LEAST_WIDTH, self.console.width - 1)

    @property
    def height(self) -> int:
        return self.console.height

    def say(self, *lines: str, style: str = "", indent: int = 0) -> None:
        """Write texts, a line each. In a terminal, those that are too long are wrapped at words."""
        for line in lines:
            text = Text().append(harmless(line), style or None)
            parts = [text] if self.plain else text.wrap(self.console, self.width - indent)
            self.show([Text(" " * indent).append_text(part) for part in parts])

    def show(self, lines: Iterable[Text]) -> None:
        """Write lines that are drawn already. What is too wide is cut off."""
        self.erase_note()
        for line in map(self.clean, lines):
            if self.plain:
                print(line.plain, file=self._stream)
            else:
                self.console.print(line, no_wrap=True, overflow="crop", crop=True)
        self._stream.flush()

    def clean(self, line: Text) -> Text:
        """Take out of a line whatever a terminal would obey, in case it was not done where the text came in."""
        if harmless(line.plain) != line.plain:
            line = Text(harmless(line.plain))
        if not self._has_lines:
            line = line.copy()
            line.plain = line.plain.translate(ASCII)
        return line

    def passing(self, text: str) -> None:
        """Show a note until the next line takes its place. There are none outside a terminal."""
        if self.plain or not self.is_terminal:
            return
        self.erase_note()
        line = self.clean(Text(harmless(text), "dim", no_wrap=True))
        line.truncate(self.width, overflow="ellipsis")
        self.console.print(line, end="")
        self._stream.flush()
        self._passing = True

    def prompt(self, text: str) -> None:
        """Ask for a line."""
        self.erase_note()
        if self.plain:
            self._stream.write(harmless(text) + ("" if self.is_terminal else "\n"))
        else:
            self.console.print(self.clean(Text(harmless(text), "bold")), end="")
        self._stream.flush()
        self._passing = self.is_terminal

    def answered(self) -> None:
        """Keep the line of a prompt, which ended with the player's own line break."""
        self._passing = False

    def erase_note(self) -> None:
        """Erase a passing note or an unanswered prompt."""
        if self._passing:
            self._stream.write("\r\x1b[K")
            self._passing = False
