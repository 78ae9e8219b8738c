"""Draw the gnomes: little figures with pointed hats, in the colours of their seats, numbered."""

from functools import lru_cache

from engine.enums import ROOMS, SEA, Room
from engine.moves import room_name
from service.picture import layout
from service.picture.colours import BEARD, GROG, NOSE, PALE, SEAT_COLOURS, SKIN, Palette
from service.picture.layout import Rect
from service.picture.svg import at, dot, group, path, text
from service.wire import Wire

_ABOVE = ((12, -38, 3.4), (15, -46, 3.1), (11, -53, 2.8), (17, -58, 2.6))  # his hat
_BESIDE = ((-14, -26, 3.4), (-7, -28, 3.1), (-17, -34, 2.8), (-9, -36, 2.6))
_WIDE = 27  # what a figure needs in one row
_TIGHTEST = 17.5  # between two of two rows, so that their numbers never touch
_SMALLEST = 0.7


def disc(seat: int, radius: float, size: float, line: str) -> str:
    """Draw a seat's number, which readers count from 1, on its colour."""
    colour, ink = SEAT_COLOURS[seat]
    return dot(0, 0, radius, colour, line, 1.5) + text(0, size * 0.36, str(seat + 1), size, ink, "middle", bold=True)


@lru_cache(maxsize=256)
def figure(seat: int, state: str, intoxication: int, crowded: bool, p: Palette) -> str:
    """Draw a gnome, feet on 0, 0. Who fainted lies on their back if there is room; the number stays upright."""
    if state == "alive":
        return standing(seat, state, intoxication, p) + _fumes(intoxication, _ABOVE)
    if crowded:
        return standing(seat, state, intoxication, p) + _fumes(intoxication, _ABOVE) + at(-26, -16, _snores(p))
    lying = f'<g transform="translate(-22 -10) rotate(90) scale(.86)">{_body(seat, state, intoxication, p)}</g>'
    return lying + at(-15, -10, disc(seat, 8.5, 12.5, p.line)) + _snores(p) + _fumes(intoxication, _BESIDE)


def _snores(p: Palette) -> str:
    return path("M11 -27h7l-7 9h7M21 -38h6l-6 8h6", "none", p.ink, 2.2)


def standing(seat: int, state: str, intoxication: int, p: Palette) -> str:
    return _body(seat, state, intoxication, p) + at(0, -7, disc(seat, 8.5, 12.5, p.line))


def _body(seat: int, state: str, intoxication: int, p: Palette) -> str:
    colour, _ = SEAT_COLOURS[seat]
    fainted = state != "alive"
    return "".join(
        [
            path("M-11 0C-14 -14 -11 -24 0 -25C11 -24 14 -14 11 0Z", colour, p.line, 1.5),
            path("M-9 2a5 4 0 1 1 8 0ZM1 2a5 4 0 1 1 8 0Z", p.line),
            dot(0, -28, 8.2, PALE if fainted else SKIN, p.line, 1.2),
            path("M-8 -28C-10 -20 -6 -14 0 -12C6 -14 10 -20 8 -28C5 -24 -5 -24 -8 -28Z", BEARD, p.line, 1),
            path("M-10.5 -31C-8 -40 -2 -46 3 -55C6 -46 10 -40 10.5 -31Q0 -35 -10.5 -31Z", colour, p.line, 1.5),
            _face(fainted, intoxication, p),
        ]
    )


def _face(fainted: bool, intoxication: int, p: Palette) -> str:
    if fainted:
        eyes = path("M-5 -31l3 3m0 -3l-3 3M2 -31l3 3m0 -3l-3 3", "none", "#3a2a20", 1.3)
    else:
        eyes = path("M-3.5 -30.500v1.5M3.5 -30.500v1.5", "none", "#2a1a12", 2, 'stroke-linecap="round"')
    return eyes + dot(0, -26.5, 2 + 0.45 * intoxication, NOSE if intoxication else SKIN, "#7a3b28", 0.8)


def _fumes(intoxication: int, spots: tuple[tuple[float, float, float], ...]) -> str:
    """Draw a bubble of grog for each level."""
    return "".join(dot(x, y, radius, GROG, "#5a3a08", 0.8) for x, y, radius in spots[:intoxication])


def places(count: int, rect: Rect) -> list[tuple[float, float, float]]:
    """Return feet and scale of each of so many in a space: in one row, or in two if they would stand too close.

    The row behind is set off by half a step, so that its numbers show between the hats of the row in front.
    """
    if not count:
        return []
    rows = 1 if rect.wide / count >= _WIDE else 2
    a_row = -(-count // rows)
    pitch = max(_TIGHTEST, min(34.0, rect.wide / (a_row + 0.5 * (rows - 1))))
    scale = 1.0 if rows == 1 else max(_SMALLEST, min(0.86, rect.high / 104))
    left = rect.x + rect.wide / 2 - (a_row - 1 + 0.5 * (rows - 1)) * pitch / 2
    spots = []
    for place in range(count):
        row, column = divmod(place, a_row)
        behind = row < rows - 1
        x = left + (column + (0 if behind or rows == 1 else 0.5)) * pitch
        spots.append((x, rect.bottom - (min(rect.high - 56 * scale, 53 * scale) if behind else 0), scale))
    return spots


def floor(room: int) -> Rect:
    """Return where gnomes stand in a room, clear of its doors and of its name."""
    if room == SEA:
        return layout.SEA_SPOT
    x, y, wide, high = layout.ROOMS[room]
    left = 32 if room == Room.ENGINE_ROOM else 11
    right = 32 if room == Room.CAPTAINS_CABIN else 11
    bottom = 7 + (layout.BILGE if room in layout.ROUND else 0)
    return Rect(x + left, y + 26, wide - left - right, high - 26 - bottom)


def crowd(state: Wire, marks: dict[int, str], p: Palette) -> str:
    """Draw everybody on the board. `marks` holds what is drawn over the heads of some seats."""
    gnomes = state["gnomes"]
    drawn = []
    for room in range(ROOMS):
        here = [
            seat
            for seat, gnome in enumerate(gnomes)
            if gnome["state"] in ("alive", "fainted") and gnome["room"] == room_name(room)
        ]
        for seat, (x, y, scale) in zip(here, places(len(here), floor(room)), strict=True):
            gnome = gnomes[seat]
            inner = figure(seat, gnome["state"], gnome["intoxication"], scale < 1, p)
            inner = inner + _mark(marks.get(seat), p) if scale == 1 else _halo(marks.get(seat), p) + inner
            drawn.append(
                group(
                    at(x, y, inner, scale),
                    gnome=seat,
                    place=room_name(room),
                    state=gnome["state"],
                    intoxication=gnome["intoxication"],
                )
            )
    return "".join(drawn)


def _mark(kind: str | None, p: Palette) -> str:
    """Draw an arrow over whoever must decide; a hollow one over the active gnome while another decides."""
    if kind is None:
        return ""
    fill, line = (p.notice, p.line) if kind == "decides" else ("none", p.notice)
    return path("M-8 -74H8V-68H12L0 -57L-12 -68H-8Z", fill, line, 1.8)


def _halo(kind: str | None, p: Palette) -> str:
    """Draw light around a gnome instead, in a crowd."""
    return path("M-15 4C-19 -20 -14 -46 3 -63C15 -46 19 -20 15 4Z", p.notice, p.line, 1.2) if kind == "decides" else ""
