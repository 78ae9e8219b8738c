"""A drawing of walls, hatches and short texts, character by character."""

from dataclasses import dataclass, field

from rich.cells import cell_len
from rich.text import Text

UP, DOWN, LEFT, RIGHT = 1, 2, 4, 8
_WALLS = {
    UP: "│", DOWN: "│", UP | DOWN: "│", LEFT: "─", RIGHT: "─", LEFT | RIGHT: "─",
    DOWN | RIGHT: "╭", DOWN | LEFT: "╮", UP | RIGHT: "╰", UP | LEFT: "╯",
    UP | DOWN | RIGHT: "├", UP | DOWN | LEFT: "┤", LEFT | RIGHT | DOWN: "┬", LEFT | RIGHT | UP: "┴",
    UP | DOWN | LEFT | RIGHT: "┼",
}  # fmt: skip
_PLAIN = {
    "-": "─–",
    "|": "│",
    "+": "╭╮╰╯├┤┬┴┼",
    "#": "║█",
    "=": "═",
    "X": "╳",
    ".": "░·…",
    ">": "▶→",
    "*": "●",
    "o": "○",
}
_PLAIN |= {" ": "╴╶\u00a0", "~": "≈", "'": "′’", "x": "×", '"': "“”„«»"}
ASCII = str.maketrans({each: plain for plain, all_of_it in _PLAIN.items() for each in all_of_it})


@dataclass
class Canvas:
    """Takes walls, backgrounds and texts in any order: walls join where they meet, and texts lie on top."""

    width: int
    height: int
    wall_style: str = ""
    _walls: dict[tuple[int, int], int] = field(default_factory=dict)
    _cells: dict[tuple[int, int], tuple[str, str]] = field(default_factory=dict)

    def box(self, left: int, top: int, right: int, bottom: int) -> None:
        """Draw four walls, which join those that are there."""
        for x in range(left, right + 1):
            for y in (top, bottom):
                self._join(x, y, (LEFT if x > left else 0) | (RIGHT if x < right else 0))
        for y in range(top, bottom + 1):
            for x in (left, right):
                self._join(x, y, (UP if y > top else 0) | (DOWN if y < bottom else 0))

    def _join(self, x: int, y: int, sides: int) -> None:
        self._walls[x, y] = self._walls.get((x, y), 0) | sides

    def fill(self, left: int, top: int, right: int, bottom: int, style: str) -> None:
        """Fill an area with a background. What is put there later lies on it."""
        for y in range(top, bottom + 1):
            for x in range(left, right + 1):
                self._cells[x, y] = (" ", style)

    def put(self, x: int, y: int, text: str, style: str = "") -> int:
        """Write one line, and return the column after it. Without a style it has that of what it lies on."""
        for each in text:
            width = cell_len(each)
            if width == 0 or x + width > self.width:
                continue
            under = self._cells.get((x, y), ("", ""))[1]
            self._cells[x, y] = (each, style or under)
            for extra in range(1, width):
                self._cells[x + extra, y] = ("", style or under)
            x += width
        return x

    def lines(self) -> list[Text]:
        """Return the drawing, line by line."""
        drawn = []
        for y in range(self.height):
            line = Text(no_wrap=True)
            for x in range(self.width):
                if (x, y) in self._cells:
                    line.append(*self._cells[x, y])
                elif (x, y) in self._walls:
                    line.append(_WALLS[self._walls[x, y]], self.wall_style)
                else:
                    line.append(" ")
            line.rstrip()
            drawn.append(line)
        return drawn
