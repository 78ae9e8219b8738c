"""Draw the gauges of the three disasters, and the Destruction tokens that are out."""

from functools import lru_cache

from engine.enums import TRACK_END, TRACK_RESET, Token, Track
from service.picture import layout, pictograms
from service.picture.colours import Palette
from service.picture.svg import at, box, fitted, group, num, path, text
from service.wire import Wire
from service.words import Words

_WIDE = layout.columns(len(Track) + 1)
_STEP = 22
_BAR_Y, _BAR_HIGH = 44, 24


def gauges(state: Wire, p: Palette, words: Words) -> str:
    wide = _WIDE + layout.GAP
    drawn = []
    for place, track in enumerate(Track):
        name = track.name.lower()
        drawn.append(
            at(
                layout.MARGIN + place * wide,
                layout.PANELS_Y,
                _gauge(name, words.name("track", name), state["tracks"][name], p),
            )
        )
    tokens = sorted(state["destruction"].items(), key=lambda token: -token[1])
    drawn.append(at(layout.MARGIN + 3 * wide, layout.PANELS_Y, _tokens(tokens, p, words)))
    return "".join(drawn)


def _panel(p: Palette, bad: bool = False) -> str:
    return box(0, 0, _WIDE, layout.PANEL_HIGH, p.panel, p.danger if bad else p.panel_line, 9)


@lru_cache(maxsize=256)
def _gauge(name: str, title: str, value: int, p: Palette) -> str:
    left = (_WIDE - TRACK_END * _STEP) / 2
    shown, size = fitted(title, 16, 120, bold=True)
    parts = [
        _panel(p, value > (TRACK_RESET + TRACK_END) / 2),
        at(24, 20, pictograms.sign(pictograms.TRACK_SIGNS[name], p.ink), 0.95),
        text(42, 26, shown, size, p.ink, bold=True),
        text(_WIDE - 12, 27, f"{value} / {TRACK_END}", 19, p.ink, "end", bold=True),
    ]
    for space in range(1, TRACK_END + 1):
        parts.append(_space(space, space <= value, left + (space - 1) * _STEP, p))
    x = left + (value - 0.5) * _STEP
    parts.append(path(f"M{num(x - 6)} {_BAR_Y - 9}h12l-6 9z", p.ink))
    parts.append(_way_back(left, p))
    return group("".join(parts), track=name, value=value)


def _space(space: int, filled: bool, x: float, p: Palette) -> str:
    heat = p.calm if space <= TRACK_RESET else p.warm if space < TRACK_END - 1 else p.hot
    fill, ink = (heat, p.on_gauge) if filled else (p.empty, p.ink)
    return box(x + 1, _BAR_Y, _STEP - 2, _BAR_HIGH, fill, p.panel_line, 3) + text(
        x + _STEP / 2, _BAR_Y + 17, str(space), 14, ink, "middle", bold=filled
    )


def _way_back(left: float, p: Palette) -> str:
    """Draw how far a repair takes the marker back: brackets, with an arrow to where it lands."""
    y = _BAR_Y + _BAR_HIGH + 16
    lines = ""
    for first, last in ((1, TRACK_RESET), (TRACK_RESET, TRACK_END - 1)):
        start = left + (first - 0.5) * _STEP + (5 if first == TRACK_RESET else 0)
        end = left + (last - 0.5) * _STEP - (5 if last == TRACK_RESET else 0)
        lines += f"M{num(end)} {y - 6}V{y + 3}H{num(start)}V{y - 7}M{num(start - 5)} {y - 4}l5 -6l5 6"
    return path(lines, "none", p.faint, 1.8, 'stroke-linejoin="round"')


def _tokens(tokens: list[tuple[str, int]], p: Palette, words: Words) -> str:
    """Draw which tokens are out, and the minute at which each ends the game."""
    parts = [
        _panel(p, bool(tokens)),
        at(22, 19, diamond(p), 0.8),
        text(40, 25, words.text("destruction"), 16, p.ink, bold=True),
    ]
    if not tokens:
        parts.append(text(14, 54, words.text("no_tokens"), 15, p.faint))
    for place, (name, minute) in enumerate(tokens):
        y = 43 + place * 16
        shown, size = fitted(words.name("token", name), 14, _WIDE - 62, 11)
        parts.append(text(14, y, shown, size, p.ink) + text(_WIDE - 14, y, str(minute), 15, p.ink, "end", True))
    return group("".join(parts), panel="destruction")


def diamond(p: Palette) -> str:
    return path("M0 -14L14 0L0 14L-14 0Z", p.danger, p.line, 1.5)


@lru_cache(maxsize=64)
def token(name: str, minute: int, p: Palette) -> str:
    """Draw a token as it lies on the time track."""
    inner = diamond(p) + at(0, 0, pictograms.sign(pictograms.TOKEN_SIGNS[name], p.on_danger), 0.72)
    return group(inner, token=name, minute=minute)


TOKEN_ORDER = [each.name.lower() for each in Token]
