"""Write SVG: numbers, text, and names that strangers chose."""

import unicodedata
from functools import lru_cache
from html import escape

from service.words import clean_name

ELLIPSIS = "…"
FIRST_STRONG_ISOLATE, POP_ISOLATE = "\u2068", "\u2069"
MAX_NAME = 32
# Widths of characters in Open Sans, in twelfths of the font's size; other fonts differ little.
_TWELFTHS = {
    3: " ',ijl’",
    4: "!()-.:;IJ[]f·",
    5: '"/\\rt{}г„“',
    6: "?_csvyzзстуэ",
    7: "$*+0123456789<=>EFLSTVXYZ^`aegkx|~ГЕЗТХавдеклхьяёЁä",
    8: "#ABCKPRbdhnopquАБВКРСУЬЭЯбийнопрцчÄöüß",
    9: "&DGHNUДИЙЛНПЦЧЪжмфъÜ",
    10: "%OQwЖОФыюÖ…",
    11: "@MWМЫшщ",
    12: "m",
    13: "ШЩЮ",
}
_WIDTHS = {each: twelfths / 12 for twelfths, those in _TWELFTHS.items() for each in those}
_FULL, _OTHER = 1.05, 0.67  # east Asian ones, all others
_BOLD = 1.08


def clean(name: object, most: int = MAX_NAME) -> str:
    """Return a name that can do no harm, cut if it is too long, and never empty. It is not escaped yet."""
    readable = clean_name(str(name))
    if len(readable) > most:
        readable = readable[: most - 1].rstrip() + ELLIPSIS
    return readable or "?"


def isolated(name: str) -> str:
    """Return a name for the midst of other words, whose direction of writing it does not turn."""
    return f"{FIRST_STRONG_ISOLATE}{name}{POP_ISOLATE}"


def width(words: str, size: float, bold: bool = False) -> float:
    """Return about how wide that text is."""
    return sum(map(_width, words)) * size * (_BOLD if bold else 1)


@lru_cache(maxsize=2048)
def _width(each: str) -> float:
    known = _WIDTHS.get(each)
    if known is not None:
        return known
    if unicodedata.combining(each):
        return 0
    return _FULL if unicodedata.east_asian_width(each) in "WF" else _OTHER


def fitted(words: str, size: float, space: float, least: float = 12, bold: bool = False) -> tuple[str, float]:
    """Return the text, and a size at which it fits: smaller, down to the least, then cut."""
    wanted = width(words, size, bold)
    if wanted <= space:
        return words, size
    size = max(least, int(size * space / wanted * 2) / 2)
    while words and width(words, size, bold) > space:
        words = words[:-2].rstrip() + ELLIPSIS if len(words) > 2 else ""
    return words, size


def num(value: float) -> str:
    return f"{value:.1f}".rstrip("0").rstrip(".")


def text(x: float, y: float, words: str, size: float, fill: str, anchor: str = "", bold: bool = False) -> str:
    """Return a text element. Every text of a picture comes through here, and is escaped here."""
    more = f' text-anchor="{anchor}"' if anchor else ""
    more += ' font-weight="700"' if bold else ""
    return f'<text x="{num(x)}" y="{num(y)}" font-size="{num(size)}" fill="{fill}"{more}>{escape(words)}</text>'


def attribute(value: object) -> str:
    """Return any value as it stands between quotes."""
    return escape(str(value), quote=True)


def group(inner: str, **data: object) -> str:
    """Return a group that a page finds by its data attributes."""
    named = "".join(f' data-{name.replace("_", "-")}="{attribute(value)}"' for name, value in data.items())
    return f"<g{named}>{inner}</g>"


def at(x: float, y: float, inner: str, scale: float = 1) -> str:
    more = f" scale({scale:.3g})" if scale != 1 else ""
    return f'<g transform="translate({num(x)} {num(y)}){more}">{inner}</g>'


def box(
    x: float, y: float, wide: float, high: float, fill: str, stroke: str = "", round_: float = 0, thick: float = 1
) -> str:
    more = f' stroke="{stroke}"' if stroke else ""
    more += f' stroke-width="{num(thick)}"' if thick != 1 else ""
    more += f' rx="{num(round_)}"' if round_ else ""
    return f'<rect x="{num(x)}" y="{num(y)}" width="{num(wide)}" height="{num(high)}" fill="{fill}"{more}/>'


def path(line: str, fill: str, stroke: str = "", wide: float = 1, more: str = "") -> str:
    more = f" {more}" if more else ""
    outline = f' stroke="{stroke}" stroke-width="{num(wide)}"' if stroke else ""
    return f'<path d="{line}" fill="{fill}"{outline}{more}/>'


def dot(x: float, y: float, radius: float, fill: str, stroke: str = "", wide: float = 1) -> str:
    outline = f' stroke="{stroke}" stroke-width="{num(wide)}"' if stroke else ""
    return f'<circle cx="{num(x)}" cy="{num(y)}" r="{num(radius)}" fill="{fill}"{outline}/>'
