"""The submarine from above, stern to the left: ten rooms with their hatches, and the sea around."""

from collections.abc import Sequence

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from service.terminal.canvas import Canvas
from service.wire import Wire
from service.words.catalogue import Catalogue

WIDTH = 79  # with the last column free, no terminal of 80 wraps
SEAT_STYLES = (
    "bold white on dark_green", "bold white on dark_blue", "bold black on dark_orange", "bold white on purple4",
    "bold black on cyan", "bold black on yellow", "bold white on deep_pink4", "bold black on grey82",
)  # fmt: skip
ALERT, QUIET, BOLD = "bold red", "dim", "bold"
_WALL, _OPEN, _BLOCKED, _SEA = "grey62", "bold bright_green", "bold white on red", "steel_blue1"
_WATER = {"none": "", "low": "white on dodger_blue3", "high": "white on navy_blue"}
_FIRE = "bold yellow on dark_red"
_SIGNS = {"low": "~", "high": "≈", "fire": "^"}

# Left, right and row of each room: rows share their walls, and rooms with a hatch between them share a piece of one.
_PLACES = {
    1: (0, 14, 1), 2: (9, 30, 0), 3: (4, 20, 2), 4: (20, 37, 2), 5: (27, 49, 1),
    6: (32, 43, 0), 7: (45, 61, 0), 8: (45, 68, 2), 9: (61, 78, 0), 10: (65, 78, 1),
}  # fmt: skip
# Where a hatch leads through a wall between two rows; a pair of walls is a shaft through the row between them.
_DOWN = {
    "1-2": (12, (1,)), "2-5": (28, (1,)), "5-6": (39, (1,)), "5-7": (47, (1,)), "9-10": (76, (1,)),
    "1-3": (12, (2,)), "4-5": (36, (2,)), "5-8": (47, (2,)), "8-10": (67, (2,)),
    "2-3": (17, (1, 2)), "2-4": (24, (1, 2)), "7-8": (59, (1, 2)), "8-9": (63, (1, 2)),
}  # fmt: skip
_ACROSS = {"3-4": (20, 2), "7-9": (61, 0)}  # a wall between neighbours of a row
_OUTSIDE = {6: (40, 0), 9: (72, 0), 3: (8, 3)}
_TITLES = {1: 2, 2: 11, 3: 6, 4: 26, 5: 30, 6: 34, 7: 48, 8: 49, 9: 64, 10: 66}


def gnome_chip(seat: int, gnome: Wire) -> tuple[str, str]:
    """Return a gnome's number and its style, with a mark for one that lies on the floor."""
    return f"{seat + 1}{'z' if gnome['state'] == 'fainted' else ''}", SEAT_STYLES[seat]


def board(state: Wire, texts: Catalogue, depth: int) -> list[Text]:
    """Draw the board in lines of at most WIDTH columns; each room has `depth` lines inside."""
    canvas = Canvas(WIDTH, 3 * (depth + 1) + 3, _WALL)
    tops = [1 + row * (depth + 1) for row in range(4)]
    for room, (left, right, row) in _PLACES.items():
        canvas.box(left, tops[row], right, tops[row + 1])
        _room(canvas, state, texts, room, (left + 1, tops[row] + 1, right - 1, tops[row] + depth))
    for room, column in _TITLES.items():
        title = texts(f"room_{room}") if f"room_{room}" in texts else ""
        canvas.put(column, tops[_PLACES[room][2]], f"{room} {title}".strip(), BOLD)
    _hatches(canvas, state, tops)
    _sea(canvas, state, texts, 3 * (depth + 1) + 2)
    return canvas.lines()


def _room(canvas: Canvas, state: Wire, texts: Catalogue, room: int, inside: tuple[int, int, int, int]) -> None:
    left, top, right, bottom = inside
    now = state["rooms"][str(room)]
    sign, style = ("fire", _FIRE) if now["fire"] else (now["water"], _WATER[now["water"]])
    if style:
        canvas.fill(left, top, right, bottom, style)
        canvas.put(left, top, _SIGNS[sign] * 2, style)
        if bottom > top:
            canvas.put(left, top, f"{_SIGNS[sign] * 2} {texts(sign)} {_SIGNS[sign] * 2}"[: right - left + 1], style)
    here = [seat for seat, gnome in enumerate(state["gnomes"]) if _is_in(gnome, room)]
    x, y = left + (3 if style and bottom == top else 0), bottom
    for seat in here:
        x = canvas.put(x, y, *gnome_chip(seat, state["gnomes"][seat]))
        x += 1 if len(here) < 5 else 0


def _is_in(gnome: Wire, room: int | str) -> bool:
    return gnome["room"] == room and gnome["state"] in ("alive", "fainted")


def _hatches(canvas: Canvas, state: Wire, tops: Sequence[int]) -> None:
    blocked = set(state["blocked_hatches"])
    for hatch, (column, walls) in _DOWN.items():
        is_blocked = hatch in blocked
        for wall in walls:
            _door(canvas, column, tops[wall], is_blocked)
        if len(walls) > 1:
            for y in range(tops[walls[0]] + 1, tops[walls[1]]):
                canvas.put(column, y, "╳" if is_blocked else "║", _BLOCKED if is_blocked else _OPEN)
    for hatch, (column, row) in _ACROSS.items():
        y = (tops[row] + tops[row + 1]) // 2
        canvas.put(column, y, "╳" if hatch in blocked else "═", _BLOCKED if hatch in blocked else _OPEN)
    for column, wall in _OUTSIDE.values():
        canvas.put(column - 1, tops[wall], "╴≈╶", _SEA)


def _door(canvas: Canvas, column: int, y: int, is_blocked: bool) -> None:
    """Draw a gap in a wall, or what blocks it."""
    canvas.put(column, y, "╳" if is_blocked else "║", _BLOCKED if is_blocked else _OPEN)


def _sea(canvas: Canvas, state: Wire, texts: Catalogue, bottom: int) -> None:
    """Draw the sea: gnomes outside swim above the boat, and below it the signs are explained."""
    canvas.put(0, 0, "~ " * (WIDTH // 2), _SEA)
    outside = [seat for seat, gnome in enumerate(state["gnomes"]) if _is_in(gnome, "sea")]
    x = canvas.put(2, 0, f" {texts('sea')} ", _SEA)
    for seat in outside:
        x = canvas.put(x, 0, *gnome_chip(seat, state["gnomes"][seat])) + 1
    canvas.put(0, bottom, "~ " * (WIDTH // 2), _SEA)
    legend = f" {texts('legend')} "
    canvas.put(max(2, WIDTH - cell_len(legend) - 2), bottom, legend, QUIET)


def fit(text: str, width: int) -> str:
    """Cut a text to so many columns, and mark that something is missing."""
    return text if cell_len(text) <= width else set_cell_size(text, width - 1) + "…"
