"""Draw a state as an SVG picture. Nothing here plays or stores: what goes in is the JSON of a state."""

import re
from functools import lru_cache
from html import escape

from engine.enums import ROOMS
from service.picture import (
    colours,
    crew,
    describe,
    gnomes,
    hatches,
    header,
    hull,
    kraken,
    layout,
    rooms,
    timetrack,
    tracks,
)
from service.picture.colours import Palette
from service.picture.people import names, open_hatch
from service.picture.svg import attribute, group, num, text
from service.wire import Wire
from service.words import Words

FONT = "Open Sans, Segoe UI, Roboto, Helvetica Neue, Arial, DejaVu Sans, sans-serif"


def draw(state: Wire, *, theme: str = "auto", words: Words | None = None) -> str:
    """Return a picture of the state as its viewer sees it.

    `light` and `dark` have no style sheet, so that they may stand in a page under any Content-Security-Policy. `auto`
    is for files: it has one that follows the reader's preference, and that `dark_style_source()` allows in a policy.
    """
    if theme not in colours.THEMES:
        raise ValueError(f"theme must be one of {', '.join(colours.THEMES)}")
    words = words or Words("en")
    p = colours.palette(theme)
    who = names(state, words)
    return "".join(
        [
            _opening(state, who, theme, p, words),
            header.header(state, who, p, words),
            _still(theme, p, words.text("rescued")),
            _boat(state, p, words),
            timetrack.pieces(state, p),
            tracks.gauges(state, p, words),
            crew.cards(state, who, p, words),
            "</svg>",
        ]
    )


def _opening(state: Wire, who: list[str], theme: str, p: Palette, words: Words) -> str:
    high = num(layout.height(len(state["gnomes"])))
    mark = re.sub("[^a-z0-9]", "", f"{state.get('id', '')}v{state['version']}")
    style = f"<style>{colours.dark_style()}</style>" if theme == "auto" else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {layout.WIDE} {high}" role="img" '
        f'lang="{attribute(words.language)}" aria-labelledby="rn-title-{mark}" aria-describedby="rn-desc-{mark}" '
        f'font-family="{FONT}" data-theme="{theme}" data-version="{attribute(state["version"])}">'
        f'<title id="rn-title-{mark}">{escape(describe.title(state, words))}</title>'
        f'<desc id="rn-desc-{mark}">{escape(describe.describe(state, who, words))}</desc>{style}'
        f'<rect width="{layout.WIDE}" height="{high}" fill="{p.page}"/>'
    )


@lru_cache(maxsize=16)
def _still(theme: str, p: Palette, rescued: str) -> str:
    return timetrack.spaces(p, rescued) + hull.sea(p, theme)


@lru_cache(maxsize=4)
def _hull(p: Palette) -> str:
    return hull.hull(p)


def _boat(state: Wire, p: Palette, words: Words) -> str:
    threatened = "devoured_by_kraken" in state["destruction"]
    parts = [_sea_sign(p, words), kraken.behind(p) if threatened else "", _hull(p)]
    for room in range(1, ROOMS):
        parts.append(
            rooms.room(room, state["rooms"][str(room)], state["destruction"], state["captains_grog"], p, words)
        )
    parts.append(kraken.before(p) if threatened else "")
    blocked, opened = set(state["blocked_hatches"]), open_hatch(state)
    for name in (*layout.DOORS, *layout.EXTERIOR_DOORS):
        parts.append(hatches.hatch(name, "blocked" if name in blocked else "open" if name == opened else "closed", p))
    parts.append(gnomes.crowd(state, _marks(state), p))
    return "".join(parts)


def _sea_sign(p: Palette, words: Words) -> str:
    spot = layout.SEA_SPOT
    return group(text(spot.right + 40, spot.bottom - 10, words.text("sea"), 15, p.ink, "middle"), room="sea")


def _marks(state: Wire) -> dict[int, str]:
    """Return the seat that an arrow points at."""
    if state["result"] or not state["decision"]:
        return {}
    return {state["active"]: "active"} | {state["decision"]["seat"]: "decides"}
