"""The legal moves as a menu: numbered, grouped by kind, and found again by what somebody types."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from rich.text import Text

from engine.kinds import FIX_ITS, Action
from service.terminal.board import ALERT, QUIET
from service.terminal.client import Wire
from service.terminal.speech import Speech
from service.terminal.texts import Texts

_WORD = re.compile(r"[^\W_]+")
_FIX_ITS = {Action(number).name.lower() for number in range(FIX_ITS)}
_ACTIONS = {action.name.lower() for action in Action}
_WAYS = {"open_hatch", "enter", "stay"}
_INDENT = 9


@dataclass(frozen=True)
class Entry:
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
        """Of a fix-it action, which comes once for every number of minutes."""
        return self.move["minutes"] if self.move["type"] in _FIX_ITS else None

    @property
    def name(self) -> str:
        return self.label if self.minutes is None else f"{self.label} {self.minutes}"

    @property
    def alias(self) -> str:
        """As it is on the wire, in every language."""
        values = [str(value) for name, value in self.move.items() if name not in ("cost", "chance")]
        return " ".join(values).replace("_", " ")


def entries(state: Wire, speech: Speech) -> list[Entry]:
    """In an order that has groups and families together."""
    phase = state["decision"]["kind"] if state["decision"] else None
    moves = [(move, speech.move(move, phase)) for move in state["legal_moves"]]
    found = [Entry(number, move, label) for number, (move, label) in enumerate(moves, 1)]
    order = ["group_ways", "group_items", "group_choice", "group_actions"]
    ranked = sorted(found, key=lambda entry: order.index(entry.group))
    return [Entry(number, entry.move, entry.label) for number, entry in enumerate(ranked, 1)]


def find(typed: str, offered: Sequence[Entry]) -> list[Entry]:
    """Those that it may mean: one, if it is clear. Every word typed begins one of the name's, in their order."""
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


def menu(offered: Sequence[Entry], speech: Speech, texts: Texts, width: int, rows: int | None = None) -> list[Text]:
    """Groups with a heading at the left, their moves flowing beside it. What needs more than `rows` lines tells of an
    action that comes with many minutes only the first and the last."""
    lines = _menu(offered, speech, texts, width, False)
    return lines if rows is None or len(lines) <= rows else _menu(offered, speech, texts, width, True)


def _menu(offered: Sequence[Entry], speech: Speech, texts: Texts, width: int, is_short: bool) -> list[Text]:
    lines: list[Text] = []
    for group in dict.fromkeys(entry.group for entry in offered):
        heading = texts(group)
        for cells in _families([entry for entry in offered if entry.group == group], speech, is_short):
            lines += _flow(heading, cells, width)
            heading = ""
    return lines


def _families(group: Sequence[Entry], speech: Speech, is_short: bool) -> list[list[Text]]:
    """Rows of cells. An action that comes with several numbers of minutes has a row of its own, named once."""
    plain = [entry for entry in group if entry.minutes is None]
    rows = []
    for label in dict.fromkeys(entry.label for entry in group if entry.minutes is not None):
        family = [entry for entry in group if entry.label == label and entry.minutes is not None]
        told = [_cell(entry, "", speech) for entry in family]
        if is_short and len(told) > 2:
            told = [told[0], Text("…"), told[-1]]
        rows.append([Text(f"{label}:"), *told])
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
