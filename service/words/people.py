"""Names that people gave themselves, made harmless for a sentence.

Markup stays as it is, being no markup in plain text: whoever writes HTML or SVG escapes a sentence like any other text.
"""

import unicodedata
from functools import lru_cache

MAX_SHOWN = 60
_MOST_MARKS = 3  # accents on a letter: more of them climb over the lines around
_BLANKS = frozenset("\u115f\u1160\u2800\u3164\uffa0")  # letters, by their class, that show nothing
_RIGHT_TO_LEFT = frozenset(("R", "AL", "AN"))
_ISOLATE, _END_OF_ISOLATE = "\u2068", "\u2069"


def clean_name(name: str) -> str:
    """A name of visible characters and single spaces, on one line, in its own direction; empty if nothing is left."""
    kept: list[str] = []
    marks = 0
    for each in name:
        marks = marks + 1 if unicodedata.category(each).startswith("M") else 0
        if marks <= _MOST_MARKS and each.isprintable() and each not in _BLANKS:
            kept.append(each)
        elif each.isspace() or each in _BLANKS:
            kept.append(" ")
    short = " ".join("".join(kept).split())[:MAX_SHOWN].rstrip()
    return short if any(not unicodedata.category(each).startswith("M") for each in short) else ""


@lru_cache(maxsize=4096)
def isolated(name: str) -> str:
    """A clean name; one that runs from right to left turns nothing but itself around."""
    name = clean_name(name)
    turns = any(unicodedata.bidirectional(each) in _RIGHT_TO_LEFT for each in name)
    return f"{_ISOLATE}{name}{_END_OF_ISOLATE}" if turns else name
