"""A game that is followed: its latest state, and its log in words."""

from dataclasses import dataclass, field

from red_november_client.blocking import Client
from red_november_client.streams import FOUND, LOST
from service.terminal.following import REFUSED
from service.terminal.speech import Speech
from service.terminal.texts import harmless
from service.wire import Wire
from service.words.catalogue import Catalogue

MOST_LINES = 5000


@dataclass(frozen=True)
class Line:
    """A line of the log."""

    text: str
    style: str = ""


_STYLES = {
    "turn_began": "bold", "event_drawn": "dark_orange", "gnome_died": "bold red", "gnome_fainted": "red",
    "fire_started": "red", "room_flooded": "dodger_blue1", "track_advanced": "red", "token_placed": "bold red",
    "action_succeeded": "green3", "action_failed": "dark_orange", "game_over": "bold", "track_reset": "green3",
    "gnome_replaced": "green3",
}  # fmt: skip


@dataclass
class FollowedGame:
    """Learns from the lines of a stream, and from the states that players' own moves are answered with."""

    client: Client
    game_id: str
    speech: Speech
    texts: Catalogue
    state: Wire
    seq: int = 0  # of the latest event that is in the log
    log: list[Line] = field(default_factory=list)
    over: bool = False  # nothing more will come
    thinks: str | None = None  # what a bot is at, for a passing note

    def __post_init__(self) -> None:
        self.speech.see(self.state)

    @property
    def path(self) -> str:
        return f"/games/{self.game_id}"

    @property
    def is_up_to_date(self) -> bool:
        """Return whether the log has all that led to the state."""
        return self.seq >= self.state["seq"]

    def learn(self, state: Wire) -> None:
        """Take over a state, unless it is older than the one that is known."""
        if state["epoch"] != self.state["epoch"] or state["version"] >= self.state["version"]:
            self.state = state
            self.speech.see(state)

    def take(self, line: Wire) -> list[Line]:
        """Learn from a line of the stream, and return what it adds to the log."""
        kind = line["type"]
        if kind == "state":
            return self._begin_anew(line)
        if kind in (LOST, FOUND):
            return self._note(self.texts(kind))
        if kind in (REFUSED, "game_deleted"):
            self.over = True
            gone = kind == "game_deleted" or line.get("code") == "no_such_game"
            return self._note(self.texts("game_deleted") if gone else harmless(str(line["detail"])))
        if kind == "signal":
            return self._showing(line)
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

    def _showing(self, signal: Wire) -> list[Line]:
        """Tell what another player shows: a plan, something on the board, a word."""
        is_own = signal["seat"] in self.state["you"]["seats"]
        return [] if is_own or not signal.get("text") else self._note(harmless(signal["text"]))

    def _begin_anew(self, line: Wire) -> list[Line]:
        """Take over the state that begins each connection. In another epoch, events may be lost that the log has."""
        before = self.state
        self.learn(line["state"])
        if line["state"]["epoch"] == before["epoch"]:
            return []
        lost = line["state"]["version"] < before["version"]
        self.seq = line["seq"] - (line["state"]["status"] == "finished")
        return self._note(self.texts("rolled_back")) if lost else []

    def _name(self, joined: Wire) -> None:
        """Learn a player's name, which the next events need before a state brings it."""
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
        """Fetch the state if events have overtaken it. Return whether that was so."""
        if self.seq <= self.state["seq"] or (self.over and self.state["result"]):
            return False
        self.learn(self.client.get(self.path))
        return True

    def history(self, after: int = 0) -> list[Wire]:
        """Return all events after a number."""
        events: list[Wire] = []
        while True:
            page: Wire = self.client.get(f"{self.path}/events", after=after, limit=1000)
            events += page["events"]
            after = page["next"]
            if not page["more"]:
                return events
