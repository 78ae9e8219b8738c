"""Where everything is written to: a terminal with colours, or plain lines."""

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
    """Scripts, pipes and simple terminals get lines; so does whoever asks for no colours (https://no-color.org)."""
    if wanted or environment.get("NO_COLOR") or environment.get("TERM") == "dumb":
        return True
    return not (stream.isatty() and sys.stdin.isatty())


class Screen:
    """Nothing is ever read as markup, and whatever a terminal would obey is taken out of every text."""

    def __init__(self, plain: bool, stream: TextIO | None = None):
        self._stream = stream or sys.stdout
        self.is_terminal = self._stream.isatty()
        self.console = Console(file=self._stream, highlight=False, markup=False, emoji=False)
        encoding = (getattr(self._stream, "encoding", None) or "ascii").lower()
        self._has_lines = encoding.replace("-", "").startswith("utf")
        if not self._has_lines and hasattr(self._stream, "reconfigure"):
            self._stream.reconfigure(errors="replace")
        self.plain = plain or self.console.width < WIDTH
        self._passing = False

    @property
    def width(self) -> int:
        """Without the last column, in which some terminals wrap."""
        return max(_LEAST_WIDTH, self.console.width - 1)

    @property
    def height(self) -> int:
        return self.console.height

    def say(self, *lines: str, style: str = "", indent: int = 0) -> None:
        """A line each; in a terminal those too long are wrapped at words."""
        for line in lines:
            text = Text().append(harmless(line), style or None)
            parts = [text] if self.plain else text.wrap(self.console, self.width - indent)
            self.show([Text(" " * indent).append_text(part) for part in parts])

    def show(self, lines: Iterable[Text]) -> None:
        """As they are; what is too wide is cut off."""
        self.pass_by()
        for line in map(self.clean, lines):
            if self.plain:
                print(line.plain, file=self._stream)
            else:
                self.console.print(line, no_wrap=True, overflow="crop", crop=True)
        self._stream.flush()

    def clean(self, line: Text) -> Text:
        """The last gate: nothing gets by that was not cleaned where it came in."""
        if harmless(line.plain) != line.plain:
            line = Text(harmless(line.plain))
        if not self._has_lines:
            line = line.copy()
            line.plain = line.plain.translate(ASCII)
        return line

    def passing(self, text: str) -> None:
        """A note that the next line takes the place of; elsewhere than in a terminal there is none."""
        if self.plain or not self.is_terminal:
            return
        self.pass_by()
        line = self.clean(Text(harmless(text), "dim", no_wrap=True))
        line.truncate(self.width, overflow="ellipsis")
        self.console.print(line, end="")
        self._stream.flush()
        self._passing = True

    def prompt(self, text: str) -> None:
        self.pass_by()
        if self.plain:
            self._stream.write(harmless(text) + ("" if self.is_terminal else "\n"))
        else:
            self.console.print(self.clean(Text(harmless(text), "bold")), end="")
        self._stream.flush()
        self._passing = self.is_terminal

    def answered(self) -> None:
        """The line of a prompt ended with the user's own line break: it stays."""
        self._passing = False

    def pass_by(self) -> None:
        if self._passing:
            self._stream.write("\r\x1b[K")
            self._passing = False
