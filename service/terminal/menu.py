"""The legal moves as a menu: numbered, grouped by kind, and found again by what somebody types."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from rich.text import Text

from engine.enums import FIX_ITS, Action
from service.terminal.board import ALERT, QUIET
from service.terminal.speech import Speech
from service.wire import Wire
from service.words.catalogue import Catalogue

_WORD = re.compile(r"[^\W_]+")
_FIX_ITS = {Action(number).name.lower() for number in range(FIX_ITS)}
_ACTIONS = {action.name.lower() for action in Action}
_WAYS = {"open_hatch", "enter", "stay"}
_INDENT = 9
FIRST = 11  # number of the menu: those below are rooms


@dataclass(frozen=True)
class Entry:
    """A legal move, with its number in the menu and its name."""

    number: int
    move: Wire
    label: str

    @property
    def group(self) -> str:
        kind = self.move["type"]
        if kind in _WAYS:
            return "group_ways"
        if kind == "use_item":
            return "group_items"
        return "group_actions" if kind in _ACTIONS else "group_choice"

    @property
    def minutes(self) -> int | None:
        """Return the minutes of a fix-it action, which has an entry for each number of them; None for other moves."""
        return self.move["minutes"] if self.move["type"] in _FIX_ITS else None

    @property
    def name(self) -> str:
        return self.label if self.minutes is None else f"{self.label} {self.minutes}"

    @property
    def alias(self) -> str:
        """Return the move in the words of the API, which may be typed in every language."""
        values = [str(value) for name, value in self.move.items() if name not in ("cost", "chance")]
        return " ".join(values).replace("_", " ")


def entries(state: Wire, speech: Speech) -> list[Entry]:
    """Number the legal moves, so that groups and moves of a family stand together. Rooms have the numbers below."""
    phase = state["decision"]["kind"] if state["decision"] else None
    moves = [(move, speech.move(move, phase)) for move in state["legal_moves"]]
    found = [Entry(number, move, label) for number, (move, label) in enumerate(moves, 1)]
    order = ["group_ways", "group_items", "group_choice", "group_actions"]
    ranked = sorted(found, key=lambda entry: order.index(entry.group))
    return [Entry(number, entry.move, entry.label) for number, entry in enumerate(ranked, FIRST)]


def find(typed: str, offered: Sequence[Entry]) -> list[Entry]:
    """Return the entries that somebody may mean: one, if it is clear.

    Each word that was typed is the beginning of a word of the name, in the same order.
    """
    wanted = _words(typed)
    if not wanted:
        return []
    exact = [entry for entry in offered if wanted in (_words(entry.name), _words(entry.alias))]
    if exact:
        return exact
    return [entry for entry in offered if _begin(wanted, _words(entry.name)) or _begin(wanted, _words(entry.alias))]


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold().replace("’", "").replace("'", ""))


def _begin(wanted: Sequence[str], words: Sequence[str]) -> bool:
    rest = iter(words)
    return all(any(word == each if each.isdecimal() else word.startswith(each) for word in rest) for each in wanted)


def menu(offered: Sequence[Entry], speech: Speech, texts: Catalogue, width: int, rows: int | None = None) -> list[Text]:
    """Draw the menu: groups with a heading at the left, and their moves beside it.

    Where that takes more than `rows` lines, an action with many numbers of minutes shows the first and the last only.
    """
    lines = _menu(offered, speech, texts, width, False)
    return lines if rows is None or len(lines) <= rows else _menu(offered, speech, texts, width, True)


def _menu(offered: Sequence[Entry], speech: Speech, texts: Catalogue, width: int, is_short: bool) -> list[Text]:
    lines: list[Text] = []
    for group in dict.fromkeys(entry.group for entry in offered):
        heading = texts(group)
        for cells in _families([entry for entry in offered if entry.group == group], speech, is_short):
            lines += _flow(heading, cells, width)
            heading = ""
    return lines


def _families(group: Sequence[Entry], speech: Speech, is_short: bool) -> list[list[Text]]:
    """Return rows of cells. An action with several numbers of minutes has a row of its own, and its name once."""
    plain = [entry for entry in group if entry.minutes is None]
    rows = []
    for label in dict.fromkeys(entry.label for entry in group if entry.minutes is not None):
        family = [entry for entry in group if entry.label == label and entry.minutes is not None]
        cells = [_cell(entry, "", speech) for entry in family]
        if is_short and len(cells) > 2:
            cells = [cells[0], Text("…"), cells[-1]]
        rows.append([Text(f"{label}:"), *cells])
    return rows + ([[_cell(entry, entry.label, speech) for entry in plain]] if plain else [])


def _cell(entry: Entry, label: str, speech: Speech) -> Text:
    cell = Text().append(f"{entry.number}", "bold cyan")
    if label:
        cell.append(f" {label}", ALERT if entry.move["type"] == "abandon_comrades" else "")
    cost, work = entry.move.get("cost", 0), entry.minutes or 0
    if cost:  # water adds to it, and does not help
        cell.append(f" {work}+{cost - work}′" if cost > work > 0 else f" {cost}′", "yellow")
    if "chance" in entry.move:
        cell.append(f" {speech.percent(entry.move['chance'])}", QUIET if not label else "green3")
    return cell


def _flow(heading: str, cells: Sequence[Text], width: int) -> list[Text]:
    line = Text().append(f"{heading} " + " " * (_INDENT - cell_len(heading)), QUIET)
    lines, begins = [line], True
    for cell in cells:
        if not begins and line.cell_len + 2 + cell.cell_len > width:
            line = Text(" " * (_INDENT + 1))
            lines.append(line)
            begins = True
        line.append("" if begins else "  ").append_text(cell)
        begins = False
    return lines
