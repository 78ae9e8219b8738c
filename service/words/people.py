"""Make names that people gave themselves harmless: for sentences, pictures, pages and the terminal.

Markup stays as it is, being no markup in plain text: whoever writes HTML or SVG escapes a name like any other text.
"""

import unicodedata
from functools import lru_cache

MAX_SHOWN = 60
_MOST_READ = 20 * MAX_SHOWN  # characters; the rest of a longer one is cut off unread
_MOST_MARKS = 3  # accents on a letter: more of them climb over the lines around
_BLANKS = frozenset("\u115f\u1160\u2800\u3164\uffa0")  # letters, by their class, that show nothing
_RIGHT_TO_LEFT = frozenset(("R", "AL", "AN"))
_ISOLATE, _END_OF_ISOLATE = "\u2068", "\u2069"


def clean_name(name: str) -> str:
    """Return the visible characters of a name with single spaces, on one line; nothing if there are none.

    Characters that turn the direction of writing, and marks that climb over the lines around, are left out.
    """
    visible: list[str] = []
    marks = 0
    for each in unicodedata.normalize("NFC", name[:_MOST_READ]):
        marks = marks + 1 if unicodedata.category(each).startswith("M") else 0
        if marks <= _MOST_MARKS and each.isprintable() and each not in _BLANKS:
            visible.append(each)
        elif each.isspace() or each in _BLANKS:
            visible.append(" ")
    short = " ".join("".join(visible).split())[:MAX_SHOWN].rstrip()
    return short if any(not unicodedata.category(each).startswith("M") for each in short) else ""


@lru_cache(maxsize=4096)
def isolated(name: str) -> str:
    """Return a clean name for the midst of other words: one that runs from right to left turns only itself around."""
    name = clean_name(name)
    turns = any(unicodedata.bidirectional(each) in _RIGHT_TO_LEFT for each in name)
    return f"{_ISOLATE}{name}{_END_OF_ISOLATE}" if turns else name
