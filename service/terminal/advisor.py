"""What players may ask for before they decide: advice, odds, a preview, the log."""

from collections.abc import Sequence

from rich.text import Text

from service.terminal.board import BOLD, QUIET
from service.terminal.followed_game import FollowedGame, Line
from service.terminal.menu import Entry
from service.terminal.panels import icons_met
from service.terminal.screen import Screen
from service.terminal.speech import Speech
from service.wire import Wire
from service.words.catalogue import Catalogue

WAIT_SECONDS = 10  # a request; there may be several
LOG_LINES = 15
_INDENT = 3
_BARS = "▁▂▃▄▅▆▇█"
_PRICE = ("cost", "chance")


class Advisor:
    """Answers what a player asks for, on the screen."""

    def __init__(self, game: FollowedGame, screen: Screen, speech: Speech, texts: Catalogue):
        self._game, self._screen, self._speech, self._texts = game, screen, speech, texts
        self._plans: list[Wire] = []
        self._plans_for = -1  # the moves that had been played
        self._log_at = 0

    def help(self, in_lobby: bool) -> None:
        asked = ["a", "a1", "o"] if self._game.state.get("advice", True) else []
        keys = [
            "about",
            "about_2",
            "moves",
            "names",
            "plan",
            "m",
            "p",
            *asked,
            "l",
            "b",
            *(["s"] if in_lobby else []),
            "q",
        ]
        self._screen.say(*(self._texts(f"help_{key}") for key in keys))
        if not self._screen.plain:
            self._screen.say(self._texts("help_board"), style=QUIET)

    # Advice

    def advise(self) -> None:
        texts = self._texts
        answer = self._asked(None)
        if answer is None:
            return
        self._plans, self._plans_for = answer["plans"], self._game.state["moves_played"]
        for number, plan in enumerate(self._plans, 1):
            self._screen.say(self._headline(number, plan), style=BOLD)
            self._screen.say(self._route(plan), indent=_INDENT)
        self._screen.say(texts("advice_how", playouts=answer["playouts"]), style=QUIET)

    def _asked(self, staged: Wire | None) -> Wire | None:
        """Ask a bot, and wait. Return its answer, or say that there is none."""
        game, texts = self._game, self._texts
        self._screen.passing(texts("advice_waits"))
        answer: Wire = game.client.post(f"{game.path}/advice", staged)
        while answer["status"] == "working":
            answer = game.client.get(f"{game.path}/advice/{answer['id']}", wait=WAIT_SECONDS)
        if answer["status"] == "done" and not answer["stale"] and answer["plans"]:
            return answer
        self._screen.say(texts("advice_none"))
        return None

    def weigh(self, moves: list[Wire]) -> None:
        """Tell how often the boat would be saved by these moves, beside a bot's best plan."""
        answer = self._asked({"moves": moves, "version": self._game.state["version"]})
        own = answer["own"] if answer else None
        if answer is None or own is None:
            return
        rates = [own["rescue_rate"], answer["plans"][0]["rescue_rate"]]
        if None in rates:
            self._screen.say(self._texts("weighed_nothing"))
            return
        key = "weighed_as_good" if own["as_good_as_best"] else "weighed"
        self._screen.say(self._texts(key, **dict(zip(("own", "best"), map(self._speech.percent, rates), strict=True))))

    def show(self, moves: list[Wire]) -> None:
        """Show these moves to the others at the table, as what the player would do."""
        state = self._game.state
        signal = f"{self._game.path}/seats/{state['decision']['seat']}/signal"
        self._game.client.put(signal, {"moves": moves, "version": state["version"]})
        self._screen.say(self._texts("shown"))

    def _headline(self, number: int, plan: Wire) -> str:
        if plan["rescue_rate"] is None:
            return self._texts("advice_only", number=number)
        return self._texts(
            "advice_plan",
            number=number,
            chance=self._speech.percent(plan["rescue_rate"]),
            error=self._speech.percent(plan["error"] or 0),
            deaths=self._speech.tenths(plan["deaths_per_game"] or 0),
        )

    def _route(self, plan: Wire) -> str:
        """Describe the moves of a plan. A way through hatches is one step."""
        moves = [move for move in plan["moves"] if move["type"] != "enter"]
        return " → ".join(self._speech.priced(move, self._game.state["phase"]) for move in moves or plan["moves"])

    def planned(self, number: int, offered: Sequence[Entry]) -> Entry | None:
        """Return the first move of a plan, or say why there is none for this decision."""
        texts, state = self._texts, self._game.state
        if not self._plans:
            self._screen.say(texts("advice_first"))
        elif self._plans_for != state["moves_played"]:
            self._screen.say(texts("advice_stale"))
        elif not 1 <= number <= len(self._plans):
            self._screen.say(texts("advice_which", number=number, last=len(self._plans)))
        else:
            wanted = _bare(self._plans[number - 1]["moves"][0])
            return next((entry for entry in offered if _bare(entry.move) == wanted), None)
        return None

    # Odds

    def odds(self) -> None:
        self._screen.passing(self._texts("odds_waits"))
        answer = self._game.client.get(f"{self._game.path}/odds", wait=WAIT_SECONDS)
        points = [point["rescue_rate"] for point in answer["points"]]
        if not points:
            self._screen.say(self._texts("odds_none"))
            return
        if self._screen.plain:
            self._screen.say(", ".join(map(self._speech.percent, points)))
        else:
            self._screen.show([sparkline(points, self._screen.width)])
        self._screen.say(self._texts("odds_now", chance=self._speech.percent(points[-1])))

    # Preview

    def preview(self, entry: Entry) -> None:
        game, texts = self._game, self._texts
        turn = {"moves": [entry.move], "version": game.state["version"]}
        answer: Wire = game.client.post(f"{game.path}/previews", turn)["previews"][0]
        self._screen.say(self._speech.priced(entry.move, game.state["phase"]), style=BOLD)
        self._events(answer["certain"])
        if "if_success" in answer:
            self._screen.say(texts("preview_chance", chance=self._speech.percent(answer.get("chance", 1))))
            for key, branch in (("preview_success", "if_success"), ("preview_failure", "if_failure")):
                if answer.get(branch):
                    self._screen.say(texts(key))
                    self._events(answer[branch])
        self._screen.say(texts("preview_ghost", minute=answer["ghost"]))
        self._screen.say(*icons_met(answer["triggers"], texts))

    def _events(self, events: Sequence[Wire]) -> None:
        for event in events:
            if event["type"] not in ("choice", "die_rolled"):
                self._screen.say(self._speech.sentence(event), indent=_INDENT)

    # The log

    def log(self, up: bool) -> None:
        lines = self._game.log
        end = self._log_at if up and self._log_at else len(lines)
        start = max(0, end - LOG_LINES)
        if not lines:
            self._screen.say(self._texts("log_empty"))
        for line in lines[start:end]:
            self.tell(line)
        if start == 0 and up:
            self._screen.say(self._texts("log_top"), style=QUIET)
        self._log_at = start

    def tell(self, line: Line) -> None:
        self._screen.say(line.text, style=line.style)


def sparkline(points: Sequence[float], width: int) -> Text:
    """Draw a bar for each turn, the latest at the right."""
    shown = points[-width:]
    return Text("".join(_BARS[min(len(_BARS) - 1, int(point * len(_BARS)))] for point in shown), "green3")


def _bare(move: Wire) -> Wire:
    return {name: value for name, value in move.items() if name not in _PRICE}
