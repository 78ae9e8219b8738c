"""Draw what never moves: the sea and its bed, and the hull with its tower, periscope and screw."""

from typing import NamedTuple

from service.picture import layout
from service.picture.colours import Palette
from service.picture.svg import at, box, dot, num, path

_SEA = layout.SEA_AREA
_BUBBLES = ((96, 330, 5), (84, 300, 7), (102, 268, 4), (90, 236, 6), (905, 300, 4), (918, 262, 6), (640, 150, 4))
_MORE_BUBBLES = ((655, 132, 6), (370, 160, 4), (384, 138, 5), (180, 590, 5), (194, 572, 3), (868, 590, 4))


def sea(p: Palette, theme: str) -> str:
    """Draw the sea behind the boat. Gradients are named by the theme, so that pictures of both may share a page."""
    x, y, wide, high = _SEA
    stops = f'<stop offset="0" stop-color="{p.sea_top}"/><stop offset="1" stop-color="{p.sea_deep}"/>'
    parts = [
        f'<defs><linearGradient id="rn-sea-{theme}" x1="0" y1="0" x2="0" y2="1">{stops}</linearGradient></defs>',
        box(x, y, wide, high, f"url(#rn-sea-{theme})"),
        _rays(p),
        path(
            f"M{x} 592Q150 560 250 588T430 584T640 590T800 574T941 592V{y + high}H{x}Z",
            p.seabed_far,
        ),
        path(f"M{x} 612Q140 592 240 608T470 604T700 612T860 598T941 610V{y + high}H{x}Z", p.seabed),
    ]
    parts += [_weed(each, p) for each in (112, 126, 812, 830, 846)]
    parts += [
        f'<circle cx="{cx}" cy="{cy}" r="{radius}" fill="none" stroke="{p.bubble}" stroke-width="1.5" opacity=".8"/>'
        for cx, cy, radius in _BUBBLES + _MORE_BUBBLES
    ]
    return "".join(parts)


def _rays(p: Palette) -> str:
    """Draw the light from above."""
    beams = ((120, 60, 300, 120), (360, 50, 520, 90), (640, 70, 700, 130))
    shapes = "".join(
        f"M{x} {_SEA.y}H{x + top}L{low + bottom} 520H{low}Z"
        for x, top, low, bottom in ((b[0], b[1], b[2] - 60, b[3]) for b in beams)
    )
    return path(shapes, p.bubble, more='opacity=".1"')


def _weed(x: float, p: Palette) -> str:
    stem = f"M{x} 616C{x - 12} 600 {x + 10} 590 {x - 2} 572S{x + 8} 556 {x} 546"
    return path(stem, "none", p.weed, 5, 'stroke-linecap="round"')


def outline() -> str:
    """Return the outline of the boat with its tower."""
    nose, middle, left, right, top, deck, keel = _measures()
    return (
        f"M88 {middle}C110 {deck + 40} 150 {deck} 220 {deck}H{left - 34}Q{left - 10} {deck} {left - 4} {top + 20}"
        f"Q{left} {top} {left + 22} {top}H{right - 22}Q{right} {top} {right + 4} {top + 20}"
        f"Q{right + 10} {deck} {right + 34} {deck}H{nose - 70}"
        f"C{nose + 10} {deck} {nose + 34} {middle - 60} {nose + 34} {middle}"
        f"C{nose + 34} {middle + 60} {nose + 10} {keel} {nose - 70} {keel}H220C150 {keel} 110 {keel - 40} 88 {middle}Z"
    )


class _Measures(NamedTuple):
    """Lines of the hull: its nose and middle, the tower, the deck and the keel."""

    nose: float
    middle: float
    left: float
    right: float
    top: float
    deck: float
    keel: float


def _measures() -> _Measures:
    tower = layout.ROOMS[6]
    deck, keel = layout.DECK - 13, layout.KEEL + 13
    return _Measures(
        layout.ROOMS[10].right, (deck + keel) / 2, tower.x - 12, tower.right + 12, tower.y - 11, deck, keel
    )


def hull(p: Palette) -> str:
    """Draw the outside of the boat; rooms are drawn into it."""
    nose, middle, left, right, top, deck, keel = _measures()
    return "".join(
        [
            _periscope(p, layout.ROOMS[6].middle[0] + 22, top),
            _rudder(p, middle),
            at(80, middle, _screw(p)),
            path(outline(), p.hull, p.line, 2.5),
            path(_belly(nose, keel), p.hull_shade),
            path(
                f"M170 {deck + 7}H{left - 34}M{right + 34} {deck + 7}H{nose - 70}",
                "none",
                p.hull_light,
                3,
                'stroke-linecap="round"',
            ),
            _rivets(p, deck, keel),
            _rail(p, 232, left - 40, deck),
            _rail(p, right + 40, nose - 76, deck),
        ]
    )


def _belly(nose: float, keel: float) -> str:
    """Draw the shadow below."""
    return (
        f"M130 {keel - 30}C160 {keel - 12} 190 {keel - 7} 220 {keel - 7}H{nose - 70}"
        f"C{nose - 40} {keel - 7} {nose - 10} {keel - 16} {nose + 4} {keel - 40}"
        f"C{nose - 12} {keel} {nose - 40} {keel} {nose - 70} {keel}H220C180 {keel} 150 {keel - 12} 130 {keel - 30}Z"
    )


def _periscope(p: Palette, x: float, top: float) -> str:
    return (
        path(f"M{x} {top + 4}V{top - 40}H{x + 17}", "none", p.line, 9, 'stroke-linejoin="round"')
        + path(f"M{x} {top + 4}V{top - 40}H{x + 16}", "none", p.hull_light, 5.5, 'stroke-linejoin="round"')
        + dot(x + 18, top - 40, 6, p.bubble, p.line, 2)
        + path(f"M{x - 40} {top + 2}V{top - 26}M{x - 48} {top + 2}V{top - 18}", "none", p.rail, 3)
    )


def _screw(p: Palette) -> str:
    blade = "M0 0C-16 -14 -14 -40 -2 -46C10 -40 10 -14 0 0Z"
    return "".join(
        [
            path(blade, p.brass, p.line, 2),
            f'<g transform="scale(1 -1)">{path(blade, p.brass, p.line, 2)}</g>',
            path("M-9 -7H10V7H-9Q-15 0 -9 -7Z", p.brass, p.line, 2),
        ]
    )


def _rudder(p: Palette, middle: float) -> str:
    fin = f"M108 {middle - 22}L96 {middle - 92}H134L168 {middle - 58}Z"
    low = f"M108 {middle + 22}L96 {middle + 92}H134L168 {middle + 58}Z"
    return path(fin, p.hull_shade, p.line, 2.5) + path(low, p.hull_shade, p.line, 2.5)


def _rivets(p: Palette, deck: float, keel: float) -> str:
    spots = [f"M{x} {deck + 7}h.1" for x in range(230, 440, 30)] + [f"M{x} {keel - 7}h.1" for x in range(230, 820, 30)]
    return path("".join(spots), "none", p.line, 3, 'stroke-linecap="round" opacity=".55"')


def _rail(p: Palette, left: float, right: float, deck: float) -> str:
    posts = "".join(f"M{num(x)} {deck - 1}v-14" for x in range(int(left), int(right) + 1, 32))
    return path(f"{posts}M{num(left)} {deck - 14}H{num(right)}", "none", p.rail, 2)
