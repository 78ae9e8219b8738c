"""Say which names people may have, and make all others harmless: for sentences, pictures, pages and the terminal.

Markup stays as it is, being no markup in plain text: whoever writes HTML or SVG escapes a name like any other text.
"""

import re
import unicodedata
from functools import lru_cache

MAX_SHOWN = 60
_MOST_READ = 20 * MAX_SHOWN  # characters; the rest of a longer one is cut off unread
_MOST_MARKS = 5  # accents, vowel signs and joiners on a letter: more of them climb over the lines around
_BLANKS = frozenset("\u115f\u1160\u2800\u3164\uffa0")  # letters, by their class, that show nothing
_JOINERS = "\u200c\u200d"  # Persian and Hindi part and join letters by them, and emoji are made of others
_FLAG = "\U0001f3f4"
_TAGS = "[\U000e0030-\U000e0039\U000e0061-\U000e007a]{1,6}\U000e007f"  # what makes the flag of a country of it
_TAGGED_FLAG = re.compile(f"{_FLAG}{_TAGS}")
_RIGHT_TO_LEFT = frozenset(("R", "AL", "AN"))
_ISOLATE, _END_OF_ISOLATE = "\u2068", "\u2069"


def in_normal_form(name: str) -> str:
    """Return a name in the form in which it is kept: whatever looks the same is written the same."""
    return unicodedata.normalize("NFC", name)


def flaw_of(name: str) -> str:
    """Return why a name in its normal form may not be taken, in words; nothing if it may."""
    plain = _TAGGED_FLAG.sub(_FLAG, name)
    if plain != plain.strip(f" {_JOINERS}"):
        return "begins or ends with a space or a joiner"
    marks = 0
    for each in plain:
        if not _is_shown(each):
            return f"has a character that can't be shown, U+{ord(each):04X}"
        marks = marks + 1 if _is_mark(each) else 0
        if marks > _MOST_MARKS:
            return f"has more than {_MOST_MARKS} marks on a letter"
    return "begins with a mark that belongs on a letter" if plain and _is_mark(plain[0]) else ""


def _is_mark(each: str) -> bool:
    return each in _JOINERS or unicodedata.category(each).startswith("M")


def _is_shown(each: str) -> bool:
    """Return whether a character is seen, a joiner, or the only kind of space that there is in names. What Unicode has
    kept free for emoji are emoji that this Python does not know yet."""
    return (each.isprintable() and each not in _BLANKS) or each in _JOINERS or "\U0001f000" <= each <= "\U0001faff"


def clean_name(name: str) -> str:
    """Return the visible characters of a name with single spaces, on one line; nothing if there are none.

    Characters that turn the direction of writing, and marks that climb over the lines around, are left out.
    """
    visible: list[str] = []
    marks = 0
    name = unicodedata.normalize("NFC", name[:_MOST_READ])
    flags = {place for flag in _TAGGED_FLAG.finditer(name) for place in range(*flag.span())}
    for place, each in enumerate(name):
        marks = marks + 1 if _is_mark(each) else 0
        if place in flags or (marks <= _MOST_MARKS and _is_shown(each)):
            visible.append(each)
        elif each.isspace() or each in _BLANKS:
            visible.append(" ")
    words = (word.strip(_JOINERS) for word in "".join(visible).split())
    short = in_normal_form(" ".join(word for word in words if word))[:MAX_SHOWN].rstrip(f" {_JOINERS}")
    while short and _is_mark(short[0]):
        short = short[1:].lstrip()
    return short


@lru_cache(maxsize=4096)
def isolated(name: str) -> str:
    """Return a clean name for the midst of other words: one that runs from right to left turns only itself around."""
    name = clean_name(name)
    turns = any(unicodedata.bidirectional(each) in _RIGHT_TO_LEFT for each in name)
    return f"{_ISOLATE}{name}{_END_OF_ISOLATE}" if turns else name
