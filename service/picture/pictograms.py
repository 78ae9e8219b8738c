"""Hold small pictures of our own, each drawn around its middle, about 20 wide, and scaled where it is used."""

from math import cos, pi, sin

from service.picture.colours import Palette
from service.picture.svg import dot, num, path


def _gear(teeth: int = 8, outer: float = 10, inner: float = 7.4) -> str:
    """Return a cogwheel's outline with a hole, to be filled even-odd."""
    points = []
    for tooth in range(teeth):
        for turn, radius in ((-0.3, inner), (-0.18, outer), (0.18, outer), (0.3, inner)):
            angle = 2 * pi * (tooth + turn) / teeth
            points.append(f"{num(radius * cos(angle))} {num(radius * sin(angle))}")
    return "M" + "L".join(points) + "ZM3.4 0A3.4 3.4 0 1 0 -3.4 0A3.4 3.4 0 1 0 3.4 0Z"


def _sector(start: float, end: float, outer: float, inner: float) -> str:
    def point(radius: float, degrees: float) -> str:
        return f"{num(radius * cos(degrees * pi / 180))} {num(radius * sin(degrees * pi / 180))}"

    return (
        f"M{point(inner, start)}L{point(outer, start)}A{outer} {outer} 0 0 1 {point(outer, end)}"
        f"L{point(inner, end)}A{inner} {inner} 0 0 0 {point(inner, start)}Z"
    )


ENGINE = _gear()
TREFOIL = "".join(_sector(angle, angle + 60, 10, 3) for angle in (60, 180, 300)) + (
    "M2 0A2 2 0 1 0 -2 0A2 2 0 1 0 2 0Z"
)
PUMPS = (  # two bottles of oxygen and a gauge between them
    "M-9 -5A3 3 0 0 1 -3 -5V9H-9ZM3 -5A3 3 0 0 1 9 -5V9H3ZM-7 -10H-5V-8H-7ZM5 -10H7V-8H5Z"
    "M-3 1H3V3H-3ZM-2.5 -3A2.5 2.5 0 1 0 2.5 -3A2.5 2.5 0 1 0 -2.5 -3Z"
)
ROCKET = "M0 -11C4 -7 4.5 -2 4 4L8 9V11L3 9H-3L-8 11V9L-4 4C-4.5 -2 -4 -7 0 -11ZM-2 -3A2 2 0 1 0 2 -3A2 2 0 1 0 -2 -3Z"
CRATE = "M-10 -6H10V9H-10ZM-8 -4V7L-2 7V-4ZM2 -4V7H8V-4ZM-5 -10H5V-6H3V-8H-3V-6H-5Z"


def _spoke(angle: float, inner: float, outer: float, wide: float = 0.9) -> str:
    along, across = (cos(angle), sin(angle)), (-sin(angle) * wide, cos(angle) * wide)
    corners = ((inner, 1), (outer, 1), (outer, -1), (inner, -1))
    points = (
        f"{num(along[0] * far + across[0] * side)} {num(along[1] * far + across[1] * side)}" for far, side in corners
    )
    return "M" + "L".join(points) + "Z"


WHEEL = "M7.4 0A7.4 7.4 0 1 0 -7.4 0A7.4 7.4 0 1 0 7.4 0ZM5.4 0A5.4 5.4 0 1 1 -5.4 0A5.4 5.4 0 1 1 5.4 0Z" + "".join(
    _spoke(pi * turn / 4, 7.4, 11, 1.1) + _spoke(pi * turn / 4, 1.4, 5.4) for turn in range(8)
)
LADDER = "M-6 -11H-4V11H-6ZM4 -11H6V11H4ZM-4 -8H4V-6H-4ZM-4 -3H4V-1H-4ZM-4 2H4V4H-4ZM-4 7H4V9H-4Z"
BUNKS = "M-10 -8H-8V8H-10ZM8 -8H10V8H8ZM-8 -3H8V-1H-8ZM-8 5H8V7H-8ZM-7 -6H-2V-3H-7ZM-7 2H-2V5H-7Z"
ROOM_SIGNS = {
    1: ENGINE,
    2: PUMPS,
    3: LADDER,
    4: TREFOIL,
    5: BUNKS,
    6: LADDER,
    7: ROCKET,
    8: CRATE,
    9: LADDER,
    10: WHEEL,
}

BUBBLES = "M-2 3A5 5 0 1 1 -2 2.9ZM8 -3A4 4 0 1 1 8 -3.1ZM8 6A2.5 2.5 0 1 1 8 5.9Z"
THERMOMETER = "M-3 -8A3 3 0 0 1 3 -8V2A5 5 0 1 1 -3 2ZM-1 -4H1V4H-1Z"
PRESS = "M-10 -2H-6V-5L-1 0L-6 5V2H-10ZM10 -2H6V-5L1 0L6 5V2H10Z"
TENTACLE = "M-6 10C-9 2 -6 -9 3 -9C9 -9 10 -2 6 -1C3 0 1 -3 3 -4.5C-2 -4 -2 3 1 10Z"
TRACK_SIGNS = {"asphyxiation": BUBBLES, "heat": THERMOMETER, "pressure": PRESS}
TOKEN_SIGNS = {
    "asphyxiated": BUBBLES,
    "crushed": PRESS,
    "missiles_launched": ROCKET,
    "devoured_by_kraken": TENTACLE,
}
BURST = "M0 -9L2 -3L8 -6L5 0L9 4L3 4L1 9L-2 4L-8 6L-5 1L-9 -3L-3 -3Z"  # an event
PARCEL = (  # an item
    "M-8 -3H8V8H-8ZM-9 -6H9V-3H-9ZM-1.3 -6H1.3V8H-1.3Z"
    "M0 -6C-6 -6 -7 -11 -3 -10C-1 -9.5 0 -6 0 -6C0 -6 1 -9.5 3 -10C7 -11 6 -6 0 -6Z"
)
FOAM = "M-6 -4Q-8 -8 -4 -8.5Q-2 -11 1 -9Q5 -9 4 -4Q2 -2 0 -4T-4 -4Z"
MUG = "M-5 -6H3V8H-5ZM3 -3H5.5Q7.5 -3 7.5 -1V3Q7.5 5 5.5 5H3V3H5.5V-1H3Z"


def sign(shape: str, fill: str) -> str:
    return path(shape, fill, more='fill-rule="evenodd"')


def lifebuoy(p: Palette) -> str:
    """Draw the sign of rescue."""
    stripes = "".join(path(_sector(angle - 22, angle + 22, 10, 4.6), p.danger) for angle in (45, 135, 225, 315))
    ring = path(_sector(0, 180, 10, 4.6) + _sector(180, 360, 10, 4.6), p.on_danger)
    return (
        ring
        + stripes
        + f'<circle r="10" fill="none" stroke="{p.line}"/><circle r="4.6" fill="none" stroke="{p.line}"/>'
    )


def _book(letter: str, cover: str) -> str:
    marks = {
        "gear": dot(1, -1, 3.2, "none", "#fff", 1.8),
        "pump": path("M-2 3V-3A2.4 2.4 0 0 1 4 -3V3", "none", "#fff", 1.8),
        "atom": path("M1 -5L5 2H-3Z", "#fff"),
    }
    return path("M-7 -9H6Q8 -9 8 -7V9H-5Q-8 9 -8 6V-8Q-8 -9 -7 -9Z", cover, "#1b1b1b") + marks[letter]


# Items are in colours of their own, the same on light and dark, with a dark outline.
_OUT = "#1b1b1b"
ITEM_SIGNS = {
    "coffee": path("M-7 -3H4V4Q4 8 0 8H-3Q-7 8 -7 4ZM4 -1H8V4H4", "#f3efe6", _OUT, 1.2)
    + path("M-4 -5Q-6 -7 -4 -9M0 -5Q-2 -7 0 -9", "none", "#8a6a4c", 1.4),
    "grog": path("M-3 -9H3V-4Q6 -2 6 1V9H-6V1Q-6 -2 -3 -4Z", "#e8a22c", _OUT, 1.2)
    + path("M-6 1H6V6H-6Z", "#fff3d6", _OUT),
    "toolbox": path("M-9 -3H9V8H-9ZM-4 -3V-7H4V-3", "#c8453a", _OUT, 1.2)
    + path("M-9 1H9M-1 0H1V3H-1Z", "none", _OUT, 1.2),
    "engine_manual": _book("gear", "#3c6fb0"),
    "pump_manual": _book("pump", "#2f8a5b"),
    "reactor_manual": _book("atom", "#b5493a"),
    "deactivation_code": path("M-7 -9H7V9H-7Z", "#59636e", _OUT, 1.2)
    + path("M-5 -7H5V-3H-5Z", "#b9f2c4")
    + path("M-4 0H-2V2H-4ZM-1 0H1V2H-1ZM2 0H4V2H2ZM-4 4H-2V6H-4ZM-1 4H1V6H-1ZM2 4H4V6H2Z", "#fff"),
    "crowbar": path("M-7 8L4 -5Q6 -9 9 -6L7 -4Q6 -5 5 -3L-5 9Z", "#7d8891", _OUT, 1.2),
    "fire_extinguisher": path("M-4 -3Q-4 -6 0 -6T4 -3V9H-4Z", "#d5332b", _OUT, 1.2)
    + path("M0 -6V-9H5M0 -8Q-6 -8 -7 -2", "none", _OUT, 1.6),
    "water_pump": path("M-7 9V2H3V9ZM-4 2V-3H0V2", "#4f9ad0", _OUT, 1.2)
    + path("M-8 -3H8M6 -3V1M-2 -3V-8H3", "none", _OUT, 1.8),
    "aqualung": path("M-6 -4Q-6 -9 -2.5 -9T1 -4V8H-6Z", "#f0c534", _OUT, 1.2)
    + path("M1 -6Q8 -8 7 0Q7 4 4 5", "none", _OUT, 1.6),
    "harpoon": path("M-8 8L5 -5M3 -9L9 -9L9 -3ZM-8 8L-4 8M-8 8L-8 4", "#c9d1d6", _OUT, 1.8),
    "lucky_charm": "".join(dot(x, y, 3.6, "#3fa34d", _OUT) for x, y in ((-3, -5), (3, -5), (-3, 1), (3, 1)))
    + path("M0 -2Q0 5 4 9", "none", "#2b7a38", 2),
}  # fmt: skip
