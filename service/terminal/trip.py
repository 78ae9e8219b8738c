"""A trip: a room to go to and what to do there, chosen from what the gnome can reach, and confirmed once."""

from collections.abc import Sequence
from dataclasses import dataclass

from rich.text import Text

from service.terminal.board import BOLD, QUIET
from service.terminal.followed_game import FollowedGame
from service.terminal.menu import Entry, find, menu
from service.terminal.panels import icons_met
from service.terminal.screen import Screen
from service.terminal.speech import Speech
from service.wire import Wire
from service.words.catalogue import Catalogue

_INDENT = 3
_SILENT = ("choice", "die_rolled", "minutes_spent", "hatch_opened", "gnome_moved")
_GO_THERE = {"type": "go_there"}


@dataclass(frozen=True)
class Stop:
    """Something to do in a room by one of the ways there; without an action it is only gone to."""

    entry: Entry
    way: Wire
    action: Wire | None

    @property
    def moves(self) -> list[Wire]:
        return [*self.way["moves"], *([self.action] if self.action else [])]

    @property
    def minutes(self) -> int:
        return int(self.way["minutes"]) + (int(self.action.get("cost", 0)) if self.action else 0)


class Trip:
    """Asks for a room's ways and actions, lets the player choose one, and shows what they are about to do."""

    def __init__(self, game: FollowedGame, screen: Screen, speech: Speech, texts: Catalogue):
        self._game, self._screen, self._speech, self._texts = game, screen, speech, texts
        self._stops: list[Stop] = []
        self.chosen: Stop | None = None

    @property
    def is_open(self) -> bool:
        return bool(self._stops)

    def forget(self) -> None:
        self._stops, self.chosen = [], None

    @property
    def question(self) -> str:
        return self._texts("trip_sure" if self.chosen else "trip_which")

    def open(self, room: int | str) -> None:
        """Show what can be done in a room, or say that it is out of reach."""
        self.forget()
        state = self._game.state
        seat = state["decision"]["seat"]
        answer: Wire = self._game.client.get(f"{self._game.path}/seats/{seat}/reach")
        ways: list[Wire] = next((each["ways"] for each in answer["rooms"] if each["room"] == room), [])
        if not ways:
            self._screen.say(self._texts("trip_no_way", room=self._speech.room(room)))
        for way in ways:
            self._show(way, self._offer(way))

    def _offer(self, way: Wire) -> list[Entry]:
        """Number what can be done by a way, after what the ways before offer."""
        phase = self._game.state["phase"]
        found: list[tuple[Wire | None, str]] = [(None, self._texts("trip_go"))] if way["moves"] else []
        for action in way["actions"]:
            found += [(option["move"], self._speech.move(option["move"], phase)) for option in action["options"]]
        first = len(self._stops) + 1
        entries = [Entry(number, move or _GO_THERE, label) for number, (move, label) in enumerate(found, first)]
        self._stops += [Stop(entry, way, move) for entry, (move, _) in zip(entries, found, strict=True)]
        return entries

    def _show(self, way: Wire, offered: Sequence[Entry]) -> None:
        self._screen.say(f"{self._path(way)}: {self._speech.minutes(way['minutes'])}", style=BOLD)
        for event in way["certain"]:
            if event["type"] not in _SILENT:
                self._screen.say(self._speech.sentence(event), indent=_INDENT)
        self._screen.say(*icons_met(way["triggers"], self._texts), indent=_INDENT)
        if self._screen.plain:
            self._screen.say(*(self._line(entry) for entry in offered))
        else:
            self._screen.show(menu(offered, self._speech, self._texts, self._screen.width))
        helps = {help_["item"]: help_["bonus"] for action in way["actions"] for help_ in action["helps"]}
        if helps:
            items = ", ".join(f"{self._speech.item(item)} +{bonus}" for item, bonus in helps.items())
            self._screen.say(self._texts("trip_helps", items=items), style=QUIET)

    def _line(self, entry: Entry) -> str:
        named = entry.move is not _GO_THERE
        return f"{entry.number}. {self._speech.priced(entry.move, self._game.state['phase']) if named else entry.label}"

    def _path(self, way: Wire) -> str:
        """Write the rooms that a way leads through, and the items that it spends."""
        seat = self._game.state["decision"]["seat"]
        rooms = [self._game.state["gnomes"][seat]["room"], *(move["to"] for move in way["moves"] if "to" in move)]
        named = [self._texts("sea") if room == "sea" else str(room) for room in rooms]
        items = [self._speech.move(move) for move in way["moves"] if move["type"] == "use_item"]
        return ", ".join(["→".join(named), *items])

    def take(self, typed: str) -> list[Wire] | None:
        """Choose by what was typed, and then confirm. Return the moves to be played, once that is done."""
        if self.chosen is not None:
            sure, chosen = typed.casefold()[:1] in (self._texts("yes"), "y"), self.chosen
            self.forget()
            if sure:
                return chosen.moves
            self._screen.say(self._texts("trip_left"))
            return None
        found = self._found(typed)
        if len(found) == 1:
            self.chosen = found[0]
            self._screen.show([self._whole(found[0])])
        elif not typed or not found:
            self.forget()
            self._screen.say(self._texts("trip_left"))
        else:
            self._screen.say(self._texts("ambiguous", typed=typed), *(self._line(stop.entry) for stop in found))
        return None

    def _found(self, typed: str) -> list[Stop]:
        if typed.isdecimal():
            return [stop for stop in self._stops if str(stop.entry.number) == typed]
        entries = find(typed, [stop.entry for stop in self._stops])
        return [stop for stop in self._stops if stop.entry in entries]

    def _whole(self, stop: Stop) -> Text:
        """Say all of it in a line: the path, the action, the minutes, the chance."""
        parts = [self._path(stop.way), *([stop.entry.label] if stop.action else []), f"{stop.minutes}′"]
        if stop.action and "chance" in stop.action:
            parts.append(self._speech.percent(stop.action["chance"]))
        return Text(", ".join(parts), BOLD)
