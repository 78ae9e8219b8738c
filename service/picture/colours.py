"""Name the colours: a light and a dark set, and how a file follows what its reader prefers."""

import base64
import hashlib
from functools import cache
from typing import NamedTuple


class Palette(NamedTuple):
    """Hex colours by what they are for. Of two roles with one light colour the dark ones are the same, too."""

    page: str
    ink: str  # text
    faint: str  # text of less weight
    line: str  # outlines
    panel: str
    panel_line: str
    cell: str  # a space of the time track
    cell_event: str
    cell_item: str
    cell_end: str
    event: str  # the icons
    item: str
    sea_top: str
    sea_deep: str
    seabed: str
    seabed_far: str
    bubble: str
    weed: str
    hull: str
    hull_shade: str
    hull_light: str
    rail: str
    brass: str
    card: str  # behind an item
    card_line: str
    wall: str
    on_wall: str
    room: str
    room_fire: str
    room_sign: str  # the pictogram on the wall
    alarm: str  # a pictogram whose Destruction token is out
    water: str
    water_top: str
    door: str
    door_open: str
    plank: str
    plank_line: str
    calm: str  # a gauge's spaces
    warm: str
    hot: str
    empty: str
    on_gauge: str  # text on calm, warm and hot
    danger: str
    danger_text: str  # on a panel
    on_danger: str
    good: str
    on_good: str
    notice: str
    on_notice: str
    notice_line: str
    kraken: str
    kraken_light: str
    ghost: str
    ghost_line: str


LIGHT = Palette(
    page="#f6f1e5", ink="#1c2830", faint="#4d5a63", line="#22303a", panel="#fffaf0", panel_line="#c9bda2",
    cell="#ece3cd", cell_event="#f7d2b4", cell_item="#cfe6c4", cell_end="#bfe3c9", event="#a83a12", item="#2f6b2a",
    sea_top="#c4e8ec", sea_deep="#5fa9be", seabed="#c8a873", seabed_far="#8dbcb8", bubble="#f2fcfd", weed="#3f8f77",
    hull="#566773", hull_shade="#3d4b55", hull_light="#7d8f9b", rail="#4a5963", brass="#c08a2c", card="#fdf3da",
    card_line="#cdbb8e", wall="#33424d", on_wall="#fefefe",
    room="#fdf5e2", room_fire="#ffdcb2", room_sign="#dccfb1", alarm="#d9694a", water="#5aa6d6", water_top="#2f7fb4",
    door="#4f7f72", door_open="#ffe9a8", plank="#a86f37", plank_line="#4a2c12",
    calm="#7fc4a0", warm="#f0b84a", hot="#ef8468", empty="#e4dac2", on_gauge="#1b1611",
    danger="#a61c1c", danger_text="#a11b1a", on_danger="#fffdfd", good="#1e6b3c", on_good="#fdfffd",
    notice="#ffdf8a", on_notice="#2b2108",
    notice_line="#e0a010",
    kraken="#7d4b91", kraken_light="#b487c6", ghost="#fbfbff", ghost_line="#545a78",
)  # fmt: skip
DARK = Palette(
    page="#0e151c", ink="#edf2f5", faint="#aebac3", line="#050a0e", panel="#18222c", panel_line="#3a4a58",
    cell="#22303c", cell_event="#5a3120", cell_item="#274a2c", cell_end="#1d5138", event="#ffad7d", item="#9fdc8f",
    sea_top="#12495a", sea_deep="#072331", seabed="#3b3527", seabed_far="#10353f", bubble="#7fb7c4", weed="#1f5a4c",
    hull="#62737f", hull_shade="#3a4853", hull_light="#8d9fab", rail="#7f919d", brass="#d9a441", card="#e9dfc6",
    card_line="#8f8263", wall="#0b1117", on_wall="#fdfeff",
    room="#2c3640", room_fire="#5b2a17", room_sign="#43505c", alarm="#e2674a", water="#2d6d9e", water_top="#66b4e6",
    door="#69a896", door_open="#ffe08a", plank="#c08a4e", plank_line="#241305",
    calm="#6fbd98", warm="#eab247", hot="#f07f62", empty="#30404d", on_gauge="#17120d",
    danger="#c22a2a", danger_text="#ff9c8f", on_danger="#fffefe", good="#21774a", on_good="#fcfffc",
    notice="#f2cf70", on_notice="#241b05",
    notice_line="#f2cf71",
    kraken="#8d57a6", kraken_light="#c79bda", ghost="#f0f2ff", ghost_line="#8a92bd",
)  # fmt: skip
PALETTES = {"light": LIGHT, "dark": DARK}
THEMES = ("light", "dark", "auto")

# A seat's colour, and that of the number on it. They are told apart by lightness too, and always numbered.
SEAT_COLOURS = (
    ("#c8261f", "#ffffff"), ("#1f6fc4", "#ffffff"), ("#f4c21d", "#1a1400"), ("#1d7d45", "#ffffff"),
    ("#7a3fa0", "#ffffff"), ("#f28a2e", "#1a0d00"), ("#7fd6e0", "#04191c"), ("#f2a0c4", "#2a0a19"),
)  # fmt: skip
SKIN, PALE, BEARD, NOSE, GROG = "#f0c39b", "#d5d8c8", "#f7f4ec", "#d8433a", "#e8a22c"
FLAMES = ("#d8401f", "#f58a1f", "#ffd54a")


def palette(theme: str) -> Palette:
    """Return the colours of a theme. Those of `auto` are light: a style sheet in the file turns them dark."""
    return PALETTES["light" if theme == "auto" else theme]


@cache
def dark_style() -> str:
    """Return the CSS rules that turn a light picture dark: they name colours, not elements."""
    pairs = {light: dark for light, dark in zip(LIGHT, DARK, strict=True) if light != dark}
    scope = "svg[data-theme=auto] "
    rules = [
        f'{scope}[{attribute}="{light}"]{{{attribute}:{dark}}}'
        for attribute in ("fill", "stroke", "stop-color")
        for light, dark in pairs.items()
    ]
    return "@media (prefers-color-scheme:dark){" + "".join(rules) + "}"


@cache
def dark_style_source() -> str:
    """Return what a Content-Security-Policy's `style-src` must name to let the style sheet of `auto` through."""
    digest = base64.b64encode(hashlib.sha256(dark_style().encode()).digest()).decode()
    return f"'sha256-{digest}'"
