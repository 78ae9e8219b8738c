"""A game to look at: board, log and odds on one screen, or its log in lines."""

import os
import select
import sys
import termios
import time
import tty
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from rich.live import Live
from rich.text import Text

from service.terminal import plain
from service.terminal.asking import sparkline
from service.terminal.board import BOLD, QUIET
from service.terminal.client import Client, Refused, Unreachable, Wire
from service.terminal.ending import tell_end
from service.terminal.following import Follower
from service.terminal.known import Known, Line
from service.terminal.panels import frame
from service.terminal.screen import Screen
from service.terminal.speech import Speech
from service.terminal.texts import Texts

DONE, FAILED, INTERRUPTED = 0, 1, 130
_ODDS_WAIT = 5  # seconds, for those of a whole game
ODDS_SECONDS = 2.0  # between looks at odds that a worker is at
_LEAST_LOG = 5
_LAST_LINES = 3
_END_LINES = 12  # of the result, below the board


class Watch:
    def __init__(self, client: Client, game_id: str, screen: Screen, texts: Texts):
        self._client, self._screen, self._texts = client, screen, texts
        self._speech = Speech(texts.language)
        self._known = Known(client, game_id, self._speech, texts, client.get(f"/games/{game_id}"))
        self._live: Live | None = None
        self._points: list[Wire] = []
        self._odds_for, self._odds_due = -1, 0.0

    def run(self, pace: float | None) -> int:
        screen, known = self._screen, self._known
        screen.say(self._texts("watching", game=known.game_id), style=QUIET)
        if screen.plain and pace is None:
            screen.say(*plain.lines(known.state, self._speech, self._texts))
        follower = None
        try:
            with self._drawing(), _keys() as keys:
                now = known.state
                self._look_at_odds(told=True, wait=0 if pace is None else _ODDS_WAIT)
                self._retell(known.history(), pace)
                known.learn(now)
                follower = Follower(self._client, known.game_id, known.seq)
                self._draw()
                while not known.over:
                    if self._is_left(follower, keys):
                        return DONE
        except KeyboardInterrupt:
            return INTERRUPTED
        finally:
            if follower:
                follower.close()
        return self._end()

    @contextmanager
    def _drawing(self) -> Iterator[None]:
        """A screen of its own, which is given back in the end."""
        if self._screen.plain:
            yield
            return
        with Live(console=self._screen.console, screen=True, auto_refresh=False, get_renderable=self._picture) as live:
            self._live = live
            try:
                yield
            finally:
                self._live = None

    def _is_left(self, follower: Follower, keys: int | None) -> bool:
        """Waits a moment for whatever comes first."""
        ready, _, _ = select.select([follower.wake, *([] if keys is None else [keys])], [], [], 1.0)
        if keys in ready and os.read(keys, 64).lower().startswith((b"q", b"\x04")):
            return True
        before = self._known.state["turn"]
        told = [line for event in follower.take() for line in self._known.take(event)]
        self._known.catch_up()
        self._say(told)
        self._look_at_odds(told=self._known.state["turn"] != before)
        self._draw()
        return False

    def _say(self, lines: Sequence[Line]) -> None:
        if self._screen.plain:
            for line in lines:
                self._screen.say(line.text)

    def _retell(self, events: Sequence[Wire], pace: float | None) -> None:
        """What was before: at once and silently, or turn by turn with the board as it was."""
        turn: list[Wire] = []
        for event in [*events, None]:
            if turn and (event is None or event["type"] == "turn_began"):
                told = [line for each in turn for line in self._known.take(each)]
                if pace is not None:
                    self._look_back(turn[-1]["version"], pace, told)
                turn = []
            if event is not None:
                turn.append(event)

    def _look_back(self, version: int, pace: float, told: Sequence[Line]) -> None:
        known = self._known
        if not self._screen.plain:
            with suppress(Refused):  # an earlier release does not look back: the log goes without the board
                known.state = self._client.get(known.path, version=version)
        self._say(told)
        self._draw()
        time.sleep(pace)

    def _odds(self) -> list[float]:
        """Up to what is shown, which may be the past."""
        return [point["rescued"] for point in self._points if point["version"] <= self._known.state["version"]]

    def _look_at_odds(self, told: bool, wait: int = 0) -> None:
        """Asked for when a turn begins, and again until they are there."""
        state, now = self._known.state, time.monotonic()
        if state["status"] == "waiting" or self._odds_for == state["turn"] or (now < self._odds_due and not told):
            return
        self._odds_due = now + ODDS_SECONDS
        try:
            answer: dict[str, Any] = self._client.get(f"{self._known.path}/odds", wait=wait or None)
        except (Refused, Unreachable):
            return
        self._points = answer["points"]
        if answer["complete"]:
            self._odds_for = state["turn"]
            if self._screen.plain and self._points:
                self._screen.say(f"{self._texts('odds_title')}: {self._speech.percent(self._points[-1]['rescued'])}")

    # The picture

    def _draw(self) -> None:
        if self._live:
            self._live.refresh()

    def _picture(self) -> Text:
        """As many lines as the screen has: the log takes what the board leaves."""
        screen, known, texts = self._screen, self._known, self._texts
        width, height = screen.width, screen.height
        state = known.state
        title = f"{state['name'] or state['id']} · {texts('turn_line', turn=state['turn'])}"
        if state["decision"]:
            title += f" · {known.thinks or self._speech.decision(state)}"
        lines = [Text(title, BOLD)]
        lines += frame(state, self._speech, texts, width, height - _LEAST_LOG - 2)
        if odds := self._odds():
            line = Text().append(f"{texts('odds_title')} ", BOLD).append(f"{self._speech.percent(odds[-1])} ")
            lines.append(line.append_text(sparkline(odds, width - line.cell_len)))
        rest = max(_LAST_LINES, height - len(lines) - 1)
        lines.append(Text(f"── {texts('log_title')} " + "─" * (width - 5 - len(texts("log_title"))), QUIET))
        lines += [Text(line.text, line.style) for line in known.log[-rest + 1 :]]
        picture = Text("\n", no_wrap=True, overflow="ellipsis", end="").join(
            [self._cut(screen.clean(line), width) for line in lines[:height]]
        )
        picture.no_wrap, picture.end = True, ""
        return picture

    @staticmethod
    def _cut(line: Text, width: int) -> Text:
        line = line.copy()
        line.truncate(width, overflow="ellipsis")
        return line

    def _end(self) -> int:
        known, screen = self._known, self._screen
        known.catch_up()
        state = known.state
        if screen.plain:
            screen.say(*plain.lines(state, self._speech, self._texts))
        else:
            screen.show(frame(state, self._speech, self._texts, screen.width, screen.height - _END_LINES))
            for line in known.log[-_LAST_LINES:]:
                screen.say(line.text, style=line.style)
        if not state["result"]:
            return FAILED
        tell_end(screen, self._client, state, None, self._speech, self._texts)
        return DONE


@contextmanager
def _keys() -> Iterator[int | None]:
    """Keys as they are pressed, unseen; None where there is no keyboard."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        yield None
        return
    keyboard = sys.stdin.fileno()
    before = termios.tcgetattr(keyboard)
    tty.setcbreak(keyboard)
    try:
        yield keyboard
    finally:
        termios.tcsetattr(keyboard, termios.TCSADRAIN, before)
