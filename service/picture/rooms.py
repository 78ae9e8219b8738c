"""Draw the ten rooms: what each is for, and the fire and water in it."""

from collections.abc import Mapping
from functools import lru_cache

from engine.board import ACTION_ROOM, ACTION_TOKEN
from engine.enums import Room
from service.picture import layout, pictograms
from service.picture.colours import FLAMES, GROG, Palette
from service.picture.layout import Rect
from service.picture.svg import at, box, dot, fitted, group, num, path, text, width
from service.wire import Wire
from service.words import Words

# How much of a room is under water.
LEVELS = {"low": 0.27, "high": 0.6}
_CAPTION, _CAPTION_BESIDE, _LEAST_CAPTION = 14, 13, 11
# The room whose machine is what a Destruction token is about.
_TOKEN_ROOMS = {
    token.name.lower(): int(ACTION_ROOM[action]) for action, token in ACTION_TOKEN.items() if ACTION_ROOM[action]
}
_TALL = 140  # higher than a deck
_FLAME = "M0 0C-9 -3 -11 -14 -5 -22C-5 -16 -2 -15 -1 -18C0 -25 -3 -30 1 -37C2 -29 11 -23 10 -11C10 -4 6 -1 0 0Z"
_FLAME_SIZES = (0.9, 1.5, 1.1, 1.8, 1.2, 1.6, 1.0, 1.4, 0.9)


def outline(number: int) -> str:
    """Return the outline of a room's walls, which are round at both ends of the boat."""
    x, y, wide, high = layout.ROOMS[number]
    middle, low, right = y + high / 2, y + high, x + wide
    if number == Room.ENGINE_ROOM:
        return f"M{right} {y}V{low}H{x + 70}C{x + 22} {low} {x} {low - 60} {x} {middle}S{x + 22} {y} {x + 70} {y}Z"
    if number == Room.CAPTAINS_CABIN:
        curve = f"C{right - 22} {low} {right} {low - 60} {right} {middle}S{right - 22} {y} {right - 70} {y}"
        return f"M{x} {y}V{low}H{right - 70}{curve}Z"
    return f"M{x} {y}H{right}V{low}H{x}Z"


@lru_cache(maxsize=64)
def _walls(number: int, burns: bool, alarm: bool, p: Palette) -> str:
    """Draw a room with the sign of what it is for."""
    rect = layout.ROOMS[number]
    x, y = rect.middle
    sign = pictograms.sign(pictograms.ROOM_SIGNS[number], p.alarm if alarm else p.room_sign)
    drawn = path(outline(number), p.room_fire if burns else p.room, p.wall, 3)
    if number in layout.ROUND:
        ends = (29.0, rect.wide) if number == Room.ENGINE_ROOM else (0.0, rect.wide - 29)
        drawn += path(
            f"M{num(rect.x + ends[0])} {rect.bottom - layout.BILGE}H{num(rect.x + ends[1])}", "none", p.wall, 3
        )
    return drawn + at(x, y + 14, sign, 3.3 if rect.high > _TALL else 2.6)


@lru_cache(maxsize=128)
def _caption(number: int, name: str, p: Palette) -> str:
    """Draw number and name, side by side if that fits, or one under the other."""
    rect = layout.ROOMS[number]
    left, top = rect.x + 9, rect.y + (16 if rect.y == layout.FLOOR else 8)
    if number == Room.ENGINE_ROOM:
        left += 12
    badge = left + (30 if number == Room.ENGINE_ROOM else 10), top + 10
    drawn = dot(*badge, 10.5, p.wall) + text(badge[0], badge[1] + 5, str(number), 14, p.on_wall, "middle", bold=True)
    if not name:
        return drawn
    x, y, space, lines = _lines(number, name, left, top)
    for place, line in enumerate(lines):
        shown, size = fitted(line, _CAPTION, space, _LEAST_CAPTION)
        drawn += text(x, y + 15 * place, shown, size, p.ink)
    return drawn


def _lines(number: int, name: str, left: float, top: float) -> tuple[float, float, float, list[str]]:
    rect = layout.ROOMS[number]
    words = name.split(" ", 1)
    if number not in layout.ROUND:
        space = rect.right - left - 33
        for lines in ([name], words):
            if max(width(line, _CAPTION_BESIDE) for line in lines) <= space:
                return left + 25, top + 15, space, lines
        return left - 1, top + 37, rect.wide - 13, words
    return left, top + 37, rect.wide - 33, words if width(name, _CAPTION_BESIDE) > rect.wide - 33 else [name]


def room(number: int, state: Wire, tokens: Mapping[str, int], grog: int, p: Palette, words: Words) -> str:
    alarm = any(_TOKEN_ROOMS.get(token) == number for token in tokens)
    inner = _walls(number, state["fire"], alarm, p)
    if state["water"] != "none":
        inner += _water(number, state["water"], p)
    if state["fire"]:
        inner += _fire(number)
    inner += _caption(number, words.room(number), p)
    if number == Room.CAPTAINS_CABIN:
        inner += _stash(grog, p)
    return group(inner, room=number, water=state["water"], fire=str(state["fire"]).lower())


@lru_cache(maxsize=64)
def _water(number: int, level: str, p: Palette) -> str:
    """Draw waves as high as the water is; high water has a second crest."""
    rect = layout.ROOMS[number]
    surface = rect.bottom - rect.high * LEVELS[level]
    waves, crest = _waves(rect, surface)
    inner = path(waves, p.water, more='opacity=".82"') + path(crest, "none", p.water_top, 3)
    if level == "high":
        inner += path(_waves(rect, surface + 13)[1], "none", p.water_top, 2, 'opacity=".7"')
    if number in layout.ROUND:
        # The same id in two pictures on one page does no harm: it is the same shape.
        name = f"rn-room-{number}"
        inner = f'<clipPath id="{name}"><path d="{outline(number)}"/></clipPath><g clip-path="url(#{name})">{inner}</g>'
    return group(inner, part="water")


def _waves(rect: Rect, surface: float) -> tuple[str, str]:
    steps = max(4, 2 * round(rect.wide / 34))
    step = rect.wide / steps
    crest = f"M{num(rect.x)} {num(surface)}q{num(step / 2)} -5 {num(step)} 0" + f"t{num(step)} 0" * (steps - 1)
    return f"{crest}V{num(rect.bottom)}H{num(rect.x)}Z", crest


@lru_cache(maxsize=16)
def _fire(number: int) -> str:
    """Draw a row of flames along the floor, as tall as the room allows."""
    rect = layout.ROOMS[number]
    base = rect.bottom - 2 - (layout.BILGE if number in layout.ROUND else 0)
    inset = 42 if number in layout.ROUND else 14
    left = rect.x + (inset if number == Room.ENGINE_ROOM else 14)
    right = rect.right - (inset if number == Room.CAPTAINS_CABIN else 14)
    count = max(4, round((right - left) / 19))
    tallest = min(1.0, rect.high / 130)
    flames = []
    for place in range(count):
        x = left + (right - left) * place / (count - 1)
        size = _FLAME_SIZES[place % len(_FLAME_SIZES)] * tallest
        burning = path(_FLAME, FLAMES[0]) + f'<path d="{_FLAME}" fill="{FLAMES[1]}" transform="scale(.72)"/>'
        burning += f'<path d="{_FLAME}" fill="{FLAMES[2]}" transform="scale(.42)"/>'
        flames.append(at(x, base, burning, size))
    return group("".join(flames), part="flames")


def _stash(grog: int, p: Palette) -> str:
    """Draw the captain's bottles on a shelf under the cabin's name."""
    rect = layout.ROOMS[Room.CAPTAINS_CABIN]
    x, y = rect.x + 16, rect.y + 92
    bottles = "".join(
        at(x + 13 * place, y, path("M-2 -9H2V-4Q4 -3 4 0V7H-4V0Q-4 -3 -2 -4Z", GROG, p.line)) for place in range(grog)
    )
    shelf = box(x - 8, y + 7, 82, 3, p.wall) if grog else ""
    return group(bottles + shelf, stash=grog)
