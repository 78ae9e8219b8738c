"""What is known of a game that is followed: its latest state, and its log in words."""

from dataclasses import dataclass, field
from typing import Any

from service.terminal.client import Client, Wire
from service.terminal.following import FOUND, LOST, REFUSED
from service.terminal.speech import Speech
from service.terminal.texts import Texts, harmless

MOST_LINES = 5000


@dataclass(frozen=True)
class Line:
    """Of the log."""

    text: str
    style: str = ""


_STYLES = {
    "turn_began": "bold", "event_drawn": "dark_orange", "gnome_died": "bold red", "gnome_fainted": "red",
    "fire_started": "red", "room_flooded": "dodger_blue1", "track_advanced": "red", "token_placed": "bold red",
    "action_succeeded": "green3", "action_failed": "dark_orange", "game_over": "bold", "track_reset": "green3",
    "gnome_replaced": "green3",
}  # fmt: skip


@dataclass
class Known:
    """Fed with the lines of a stream. Whoever plays knows states from his own moves, too."""

    client: Client
    game_id: str
    speech: Speech
    texts: Texts
    state: Wire
    seq: int = 0  # of the latest event that was told
    log: list[Line] = field(default_factory=list)
    over: bool = False  # nothing more will come
    thinks: str | None = None  # what a bot is at, for a passing note

    def __post_init__(self) -> None:
        self.speech.see(self.state)

    @property
    def path(self) -> str:
        return f"/games/{self.game_id}"

    @property
    def is_told(self) -> bool:
        """All that led to the state was told."""
        return self.seq >= self.state["seq"]

    def learn(self, state: Wire) -> None:
        """A state from wherever; an older one than ours is passed by."""
        if state["epoch"] != self.state["epoch"] or state["version"] >= self.state["version"]:
            self.state = state
            self.speech.see(state)

    def take(self, line: Wire) -> list[Line]:
        """The lines of the log that come of it."""
        kind = line["type"]
        if kind == "state":
            return self._begin_anew(line)
        if kind in (LOST, FOUND):
            return self._note(self.texts(kind))
        if kind in (REFUSED, "game_deleted"):
            self.over = True
            gone = kind == "game_deleted" or line.get("code") == "no_such_game"
            return self._note(self.texts("game_deleted") if gone else harmless(str(line["detail"])))
        if line["seq"] <= self.seq:
            return []
        self.seq = line["seq"]
        if kind == "player_joined":
            self._name(line)
        self.over = self.over or kind == "game_over"
        self.thinks = self.speech.sentence(line) if kind == "bot_thinks" else None
        if not self.speech.is_news(line):
            return []
        return self._keep([Line(self.speech.sentence(line), _STYLES.get(kind, ""))])

    def _begin_anew(self, line: Wire) -> list[Line]:
        """With every connection the state comes again; another epoch may have lost what we know."""
        before = self.state
        self.learn(line["state"])
        if line["state"]["epoch"] == before["epoch"]:
            return []
        lost = line["state"]["version"] < before["version"]
        self.seq = line["seq"] - (line["state"]["status"] == "finished")
        return self._note(self.texts("rolled_back")) if lost else []

    def _name(self, joined: Wire) -> None:
        """His name is needed for what follows, before the next state brings it."""
        for seat in joined["seats"]:
            if seat < len(self.speech.names):
                self.speech.names[seat] = joined["name"]

    def _note(self, text: str) -> list[Line]:
        return self._keep([Line(text, "dim")])

    def _keep(self, lines: list[Line]) -> list[Line]:
        self.log += lines
        del self.log[:-MOST_LINES]
        return lines

    def catch_up(self) -> bool:
        """Fetches the state if events have overtaken it; whether it did."""
        if self.seq <= self.state["seq"] or (self.over and self.state["result"]):
            return False
        self.learn(self.client.get(self.path))
        return True

    def history(self, after: int = 0) -> list[Wire]:
        """All events from there on."""
        events: list[Wire] = []
        while True:
            page: dict[str, Any] = self.client.get(f"{self.path}/events", after=after, limit=1000)
            events += page["events"]
            after = page["next"]
            if not page["more"]:
                return events
