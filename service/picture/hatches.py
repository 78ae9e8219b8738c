"""Draw the hatches: a door with a wheel, an open one, or one nailed up. They differ in shape, not only in colour."""

from functools import lru_cache

from service.picture import layout
from service.picture.colours import Palette
from service.picture.layout import Door
from service.picture.svg import at, box, dot, group, path


@lru_cache(maxsize=128)
def hatch(name: str, state: str, p: Palette) -> str:
    """Draw a hatch; `state` is closed, open or blocked."""
    shapes = {"closed": _closed, "open": _open, "blocked": _blocked}
    inner = shapes[state](p)
    turned = inner if door(name).upright else f'<g transform="rotate(90)">{inner}</g>'
    return group(at(*place(name), turned), hatch=name, state=state)


def door(name: str) -> Door:
    """Return where a hatch is in the walls, by its name."""
    return layout.DOORS.get(name) or layout.EXTERIOR_DOORS[name]


def place(name: str) -> tuple[float, float]:
    """Return where a hatch is drawn. One in a wall stands lower than its middle, clear of the names beside it."""
    x, y, upright = door(name)
    return x, y + (20 if upright else 0)


def _frame(p: Palette, inside: str) -> str:
    return box(-9, -23, 18, 46, p.hull_shade, p.line, 6) + box(-5.5, -19, 11, 38, inside, p.line, 4)


def _closed(p: Palette) -> str:
    wheel = f'<circle r="6.5" fill="{p.door}" stroke="{p.line}" stroke-width="4.5"/>'
    wheel += f'<circle r="6.5" fill="none" stroke="{p.on_danger}" stroke-width="2"/>'
    return _frame(p, p.door) + wheel + path("M-6 0H6M0 -6V6", "none", p.on_danger, 1.8)


def _open(p: Palette) -> str:
    """Draw an open hatch, with light that falls through it."""
    leaf = path("M6 -19L19 -25V13L6 19Z", p.door, p.line, 1.5)
    rays = path("M-13 -15L-21 -20M-14 0H-23M-13 15L-21 20", "none", p.door_open, 3, 'stroke-linecap="round"')
    return _frame(p, p.door_open) + leaf + rays


def _blocked(p: Palette) -> str:
    plank = "M-4.5 -25H4.5V25H-4.5Z"
    nails = "".join(dot(0, y, 1.5, p.plank_line) for y in (-20, 20))
    boards = "".join(
        f'<g transform="rotate({turn})">{path(plank, p.plank, p.plank_line, 2)}{nails}</g>' for turn in (-42, 42)
    )
    return _frame(p, p.hull_shade) + boards + dot(0, 0, 2.2, p.plank_line)
