"""Draw the time track around the picture: icons, Destruction tokens, the Ghost, and the Time Keepers in piles."""

from functools import lru_cache

from engine.board import EVENT_MINUTES, ITEM_MINUTES
from service.picture import layout, pictograms
from service.picture.colours import Palette
from service.picture.gnomes import disc
from service.picture.people import moving_order
from service.picture.svg import at, box, fitted, group, path, text
from service.picture.tracks import TOKEN_ORDER, token
from service.wire import Wire

_KEEPER = 11.5  # radius
_PITCH = 17.0  # from one Time Keeper of a pile to the next: the numbers stay in sight
_GHOST = "M-9 10V-2A9 9 0 0 1 9 -2V10L6 7L3 10L0 7L-3 10L-6 7Z"


@lru_cache(maxsize=16)
def spaces(p: Palette, rescued: str) -> str:
    """Draw all that is printed on the track."""
    x, y, wide, high = layout.RING
    parts = [box(x - 3, y - 3, wide + 6, high + 6, p.hull_shade, p.line, 10)]
    for minute in layout.SPACES:
        parts.append(_space(minute, p, rescued))
    return "".join(parts)


def _space(minute: int, p: Palette, rescued: str) -> str:
    rect, _ = layout.SPACES[minute]
    x, y, wide, high = rect
    event, item = minute in EVENT_MINUTES, minute in ITEM_MINUTES
    fill = p.cell_event if event else p.cell_item if item else p.cell_end if minute == 0 else p.cell
    parts = [
        box(x + 1, y + 1, wide - 2, high - 2, fill, "", 6),
        text(x + 5, y + 17, str(minute), 14.5, p.ink, bold=True),
    ]
    icons = ""
    if event:
        parts.append(at(x + wide - 13, y + 13, pictograms.sign(pictograms.BURST, p.event)))
        icons = "event"
    if item:
        parts.append(at(x + wide - 13, y + high - 14, pictograms.sign(pictograms.PARCEL, p.item), 0.95))
        icons = f"{icons} item".strip()
    if minute == 0:
        parts.append(at(x + wide - 18, y + 18, pictograms.lifebuoy(p), 1.15))
        shown, size = fitted(rescued, 15, wide - 12, 11)
        parts.append(text(x + 6, y + high - 8, shown, size, p.ink, bold=True))
    return group("".join(parts), minute=minute, icons=icons)


def pieces(state: Wire, p: Palette) -> str:
    """Draw what lies and stands on the track."""
    parts = []
    lying: dict[int, list[str]] = {}
    for name in TOKEN_ORDER:
        if name in state["destruction"]:
            lying.setdefault(state["destruction"][name], []).append(name)
    for minute, names in lying.items():
        spots = _token_spots(minute, len(names))
        parts += [at(*spot, token(name, minute, p), 0.86) for spot, name in zip(spots, names, strict=True)]
    if state["result"] is None:
        parts.append(_ghost(state["ghost"], state["ghost"] in lying, p))
    piles: dict[int, list[int]] = {}
    for seat in reversed(moving_order(state["gnomes"])):
        piles.setdefault(state["gnomes"][seat]["minutes"], []).append(seat)
    for minute, pile in piles.items():
        parts.append(_pile(minute, tuple(pile), p))
    return "".join(parts)


def _token_spots(minute: int, count: int) -> list[tuple[float, float]]:
    """Draw tokens side by side, as far apart as the space allows; on the last space above its word."""
    rect = layout.SPACES[minute].rect
    pitch = 21 if count < 3 else 21 / (count - 1)
    if minute == 0:
        return [(rect.x + 32 + place * pitch, rect.y + 16) for place in range(count)]
    return [(rect.x + 14 + place * pitch, rect.bottom - 15) for place in range(count)]


def _ghost(minute: int, beside_token: bool, p: Palette) -> str:
    """Draw the Ghost on its space, where no Time Keeper hides it, clear of what else is on it."""
    rect = layout.SPACES[minute].rect
    shape = path(_GHOST, p.ghost, p.ghost_line, 1.6, 'fill-opacity=".93" stroke-linejoin="round"')
    face = path("M-3.5 -3.5v2.5M3.5 -3.5v2.5M-1.5 3h3", "none", p.ghost_line, 2.4, 'stroke-linecap="round"')
    x = 25 if minute in ITEM_MINUTES and beside_token else 14 if minute in ITEM_MINUTES else 36
    return at(rect.x + x, rect.bottom - 15, group(shape + face, ghost=minute), 1.05)


@lru_cache(maxsize=512)
def _pile(minute: int, seats: tuple[int, ...], p: Palette) -> str:
    """Draw a pile from its space into the picture: who arrived last lies on top, at the end, and moves first."""
    rect, (to_x, to_y) = layout.SPACES[minute]
    step = _PITCH / (1.3 if to_x and to_y else 1)
    x, y = rect.right - layout.CELL / 2, rect.middle[1]  # of a wide space, its half beside the sea
    x += to_x * (layout.CELL / 2 + _KEEPER - 2)
    y += to_y * (rect.high / 2 + _KEEPER - 2)
    drawn = []
    for place, seat in enumerate(seats):
        keeper = group(disc(seat, _KEEPER, 14, p.line), keeper=seat, minute=minute, order=place)
        drawn.append(at(x + to_x * step * place, y + to_y * step * place, keeper))
    return "".join(drawn)
