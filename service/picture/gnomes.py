"""The gnomes: little figures with pointed hats, in the colours of their seats, numbered."""

from functools import lru_cache
from typing import Any

from engine.kinds import ROOMS, SEA, Room
from engine.moves import room_name
from service.picture import layout
from service.picture.colours import BEARD, GROG, NOSE, PALE, SEAT_COLOURS, SKIN, Palette
from service.picture.layout import Rect
from service.picture.svg import at, dot, group, path, text

Wire = dict[str, Any]

WIDE, HIGH = 30, 54  # of a figure, from its feet up
_ABOVE = ((12, -38, 3.4), (15, -46, 3.1), (11, -53, 2.8), (17, -58, 2.6))  # his hat
_BESIDE = ((-14, -26, 3.4), (-7, -28, 3.1), (-17, -34, 2.8), (-9, -36, 2.6))
_TIGHTEST = 19.5  # between two figures, so that their numbers never touch


def disc(seat: int, radius: float, size: float, line: str) -> str:
    """A seat's number, for readers from 1, on its colour."""
    colour, ink = SEAT_COLOURS[seat]
    return dot(0, 0, radius, colour, line, 1.5) + text(0, size * 0.36, str(seat + 1), size, ink, "middle", bold=True)


@lru_cache(maxsize=256)
def figure(seat: int, state: str, intoxication: int, p: Palette) -> str:
    """With the feet on 0, 0. One who has fainted lies on his back, but his number stands upright."""
    if state == "alive":
        return standing(seat, state, intoxication, p) + _fumes(intoxication, _ABOVE)
    lying = f'<g transform="translate(-22 -10) rotate(90) scale(.86)">{_body(seat, state, intoxication, p)}</g>'
    snores = path("M11 -27h7l-7 9h7M21 -38h6l-6 8h6", "none", p.ink, 2.2)
    return lying + at(-15, -10, disc(seat, 8.5, 12.5, p.line)) + snores + _fumes(intoxication, _BESIDE)


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
    """A bubble of grog for each level."""
    return "".join(dot(x, y, radius, GROG, "#5a3a08", 0.8) for x, y, radius in spots[:intoxication])


def places(count: int, rect: Rect) -> list[tuple[float, float, float]]:
    """Feet and scale of each of so many in a space: in one row, or in two if they would stand too close."""
    if count == 0:
        return []
    rows = 1 if rect.wide / count >= 27 else 2
    each = -(-count // rows)
    pitch = max(_TIGHTEST, min(34.0, rect.wide / each))
    scale = 1.0 if rows == 1 else min(0.88, rect.high / 100)
    spots = []
    for place in range(count):
        row, column = divmod(place, each)
        here = min(each, count - row * each)
        x = rect.x + rect.wide / 2 + (column - (here - 1) / 2) * pitch
        y = rect.bottom - (0 if row == rows - 1 else 45 * scale) + (0 if rows == 1 else 2)
        spots.append((x, y, scale))
    return spots


def floor(room: int) -> Rect:
    """Where gnomes stand in a room, clear of its doors and of its name."""
    if room == SEA:
        return layout.SEA_SPOT
    x, y, wide, high = layout.ROOMS[room]
    left = 24 if room == Room.ENGINE_ROOM else 11
    right = 24 if room == Room.CAPTAINS_CABIN else 11
    bottom = 62 if high > 140 else 7
    return Rect(x + left, y + 26, wide - left - right, high - 26 - bottom)


def crowd(state: Wire, marks: dict[int, str], p: Palette) -> str:
    """Everybody on the board, where he is. `marks` says of a seat what is drawn over his head."""
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
            inner = figure(seat, gnome["state"], gnome["intoxication"], p) + _mark(marks.get(seat), p)
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
    """An arrow over whoever must decide; a hollow one over the active gnome while another decides."""
    if kind is None:
        return ""
    fill = p.notice if kind == "decides" else "none"
    return path("M-8 -74H8V-68H12L0 -57L-12 -68H-8Z", fill, p.line if fill != "none" else p.notice, 1.8)
