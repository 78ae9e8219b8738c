"""A game to look at: board, log and odds on one screen, or its log in lines."""

import os
import select
import sys
import termios
import time
import tty
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

from rich.live import Live
from rich.text import Text

from red_november_client.blocking import Client
from red_november_client.errors import Refused, Unreachable
from service.terminal import plain
from service.terminal.advisor import sparkline
from service.terminal.board import BOLD, QUIET
from service.terminal.ending import show_end
from service.terminal.followed_game import FollowedGame, Line
from service.terminal.following import Follower
from service.terminal.panels import frame
from service.terminal.screen import Screen
from service.terminal.speech import Speech
from service.wire import Wire
from service.words.catalogue import Catalogue

DONE, FAILED, INTERRUPTED = 0, 1, 130
_ODDS_WAIT = 5  # seconds, for those of a whole game
ODDS_SECONDS = 2.0  # between looks at odds that a worker is at
_LEAST_LOG = 5
_LAST_LINES = 3
_END_LINES = 12  # of the result, below the board


class Watch:
    """Shows a game to somebody who does not play."""

    def __init__(self, client: Client, game_id: str, screen: Screen, texts: Catalogue):
        self._client, self._screen, self._texts = client, screen, texts
        self._speech = Speech(texts.language)
        self._game = FollowedGame(client, game_id, self._speech, texts, client.get(f"/games/{game_id}"))
        self._live: Live | None = None
        self._points: list[Wire] = []
        self._odds_for, self._odds_due = -1, 0.0

    def run(self, pace: float | None) -> int:
        """Watch until the game is over or left, and return the exit code.

        With a pace, show what happened before, so many seconds a turn.
        """
        screen, game = self._screen, self._game
        screen.say(self._texts("watching", game=game.game_id), style=QUIET)
        if screen.plain and pace is None:
            screen.say(*plain.lines(game.state, self._speech, self._texts))
        follower = None
        try:
            with self._drawing(), _keys() as keys:
                now = game.state
                self._look_at_odds(is_new=True, wait=0 if pace is None else _ODDS_WAIT)
                self._retell(game.history(), pace)
                game.learn(now)
                follower = Follower(self._client, game.game_id, game.seq, self._texts.language)
                self._draw()
                while not game.over:
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
        """Take over the screen of the terminal, and give it back in the end."""
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
        """Wait a moment for the game or a key. Return whether the watcher leaves."""
        ready, _, _ = select.select([follower.wake, *([] if keys is None else [keys])], [], [], 1.0)
        if keys in ready and os.read(keys, 64).lower().startswith((b"q", b"\x04")):
            return True
        before = self._game.state["turn"]
        lines = [line for event in follower.take() for line in self._game.take(event)]
        self._game.catch_up()
        self._say(lines)
        self._look_at_odds(is_new=self._game.state["turn"] != before)
        self._draw()
        return False

    def _say(self, lines: Sequence[Line]) -> None:
        if self._screen.plain:
            for line in lines:
                self._screen.say(line.text)

    def _retell(self, events: Sequence[Wire], pace: float | None) -> None:
        """Read what happened before: at once and silently, or turn by turn with the board as it was."""
        turn: list[Wire] = []
        for event in [*events, None]:
            if turn and (event is None or event["type"] == "turn_began"):
                lines = [line for each in turn for line in self._game.take(each)]
                if pace is not None:
                    self._look_back(turn[-1]["version"], pace, lines)
                turn = []
            if event is not None:
                turn.append(event)

    def _look_back(self, version: int, pace: float, lines: Sequence[Line]) -> None:
        game = self._game
        if not self._screen.plain:
            with suppress(Refused):  # an earlier release does not look back: the log goes without the board
                game.state = self._client.get(game.path, version=version)
        self._say(lines)
        self._draw()
        time.sleep(pace)

    def _odds(self) -> list[float]:
        """Return the odds up to the turn that is shown, which may be a past one."""
        return [point["rescue_rate"] for point in self._points if point["version"] <= self._game.state["version"]]

    def _look_at_odds(self, is_new: bool, wait: int = 0) -> None:
        """Ask for the odds when a turn begins, and again until they are there."""
        state, now = self._game.state, time.monotonic()
        if state["status"] == "waiting" or self._odds_for == state["turn"] or (now < self._odds_due and not is_new):
            return
        self._odds_due = now + ODDS_SECONDS
        try:
            answer: Wire = self._client.get(f"{self._game.path}/odds", wait=wait or None)
        except (Refused, Unreachable):
            return
        self._points = answer["points"]
        if answer["complete"]:
            self._odds_for = state["turn"]
            if self._screen.plain and self._points:
                self._screen.say(
                    f"{self._texts('odds_title')}: {self._speech.percent(self._points[-1]['rescue_rate'])}"
                )

    # The picture

    def _draw(self) -> None:
        if self._live:
            self._live.refresh()

    def _picture(self) -> Text:
        """Draw as many lines as the screen has: the log takes what the board leaves."""
        screen, game, texts = self._screen, self._game, self._texts
        width, height = screen.width, screen.height
        state = game.state
        title = f"{state['name'] or state['id']} · {texts('turn_line', turn=state['turn'])}"
        if state["decision"]:
            title += f" · {game.thinks or self._speech.decision(state)}"
        lines = [Text(title, BOLD)]
        lines += frame(state, self._speech, texts, width, height - _LEAST_LOG - 2)
        if odds := self._odds():
            line = Text().append(f"{texts('odds_title')} ", BOLD).append(f"{self._speech.percent(odds[-1])} ")
            lines.append(line.append_text(sparkline(odds, width - line.cell_len)))
        rest = max(_LAST_LINES, height - len(lines) - 1)
        lines.append(Text(f"── {texts('log_title')} " + "─" * (width - 5 - len(texts("log_title"))), QUIET))
        lines += [Text(line.text, line.style) for line in game.log[-rest + 1 :]]
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
        game, screen = self._game, self._screen
        game.catch_up()
        state = game.state
        if screen.plain:
            screen.say(*plain.lines(state, self._speech, self._texts))
        else:
            screen.show(frame(state, self._speech, self._texts, screen.width, screen.height - _END_LINES))
            for line in game.log[-_LAST_LINES:]:
                screen.say(line.text, style=line.style)
        if not state["result"]:
            return FAILED
        show_end(screen, self._client, state, None, self._speech, self._texts)
        return DONE


@contextmanager
def _keys() -> Iterator[int | None]:
    """Yield the keyboard, whose keys come as they are pressed and unseen; None where there is none."""
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
