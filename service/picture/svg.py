"""Writing SVG: numbers, text, and names that strangers chose."""

import unicodedata
from html import escape

ELLIPSIS = "…"
FIRST_STRONG_ISOLATE, POP_ISOLATE = "\u2068", "\u2069"
MAX_NAME = 32
_MARKS_IN_A_ROW = 2
# Control and format characters (those that turn the direction of writing, or have no width, too), lone surrogates,
# private and unassigned ones: none of them is part of a name that can be read.
_DROPPED = {"Cc", "Cf", "Cs", "Co", "Cn"}
_SPACES = {"Zs", "Zl", "Zp"}
_BLANK_LETTERS = set("\u115f\u1160\u3164\uffa0\u2800")
# Rough widths of characters, in parts of the font's size.
_NARROW, _WIDE = set("iljtfrI1.,:;'|!()[] ·іїј"), set("mwMW@ЖШЩЮЫМФжшщюыфм%")


def clean(name: object, most: int = MAX_NAME) -> str:
    """A name that can do no harm: what can't be seen is left out, what is too long is cut. Not escaped yet."""
    kept: list[str] = []
    marks = 0
    for each in unicodedata.normalize("NFC", str(name)[: 20 * MAX_NAME]):
        category = unicodedata.category(each)
        if category in _SPACES or each in "\t\n\r" or each in _BLANK_LETTERS:
            each = " "
        elif category in _DROPPED:
            continue
        marks = marks + 1 if category in ("Mn", "Me") else 0
        if marks <= _MARKS_IN_A_ROW:
            kept.append(each)
    readable = " ".join("".join(kept).split())
    if len(readable) > most:
        readable = readable[: most - 1].rstrip() + ELLIPSIS
    return readable or "?"


def isolated(name: str) -> str:
    """A name in the midst of other words, whose direction of writing it must not turn."""
    return f"{FIRST_STRONG_ISOLATE}{name}{POP_ISOLATE}"


def width(words: str, size: float) -> float:
    """About how wide that text is."""
    total = 0.0
    for each in words:
        if each in _NARROW:
            total += 0.36
        elif each in _WIDE:
            total += 0.92
        elif unicodedata.east_asian_width(each) in "WF":
            total += 1.05
        elif each.isupper():
            total += 0.7
        else:
            total += 0.59
    return total * size


def fitted(words: str, size: float, space: float, least: float = 12) -> tuple[str, float]:
    """The text, and a size at which it fits: smaller, down to the least, then cut."""
    wanted = width(words, size)
    if wanted <= space:
        return words, size
    size = max(least, int(size * space / wanted * 2) / 2)
    while words and width(words, size) > space:
        words = words[:-2].rstrip() + ELLIPSIS if len(words) > 2 else ""
    return words, size


def num(value: float) -> str:
    return f"{value:.1f}".rstrip("0").rstrip(".")


def text(x: float, y: float, words: str, size: float, fill: str, anchor: str = "", bold: bool = False) -> str:
    """Every text of a picture comes through here, and is escaped here."""
    more = f' text-anchor="{anchor}"' if anchor else ""
    more += ' font-weight="700"' if bold else ""
    return f'<text x="{num(x)}" y="{num(y)}" font-size="{num(size)}" fill="{fill}"{more}>{escape(words)}</text>'


def attribute(value: object) -> str:
    """Any value, between quotes."""
    return escape(str(value), quote=True)


def group(inner: str, **data: object) -> str:
    """A group that a page finds by its data attributes."""
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
