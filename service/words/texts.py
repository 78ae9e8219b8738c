"""Define what the game's words are in one language, and the values that fill their templates.

A template is a string of `str.format`: `{seat} opens the hatch {to:to}.` Its fields are those of the event or move;
what follows the colon is a form of the word, or the noun that is counted. So no words have to be built at run time.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from service.words.catalogue import Catalogue

Names = Mapping[str, Mapping[str, str]]


class Forms:
    """A word, and the forms of it that templates may ask for: `{room}`, `{room:at}`."""

    __slots__ = ("_more", "_plain")

    def __init__(self, plain: str, **more: str):
        self._plain = plain
        self._more = more

    def __format__(self, form: str) -> str:
        return self._more[form] if form else self._plain

    def __str__(self) -> str:
        return self._plain

    @property
    def title(self) -> str:
        """Return the word as it stands alone, in a list or under a picture."""
        return self._more["title"]


@dataclass(frozen=True)
class Texts:
    """The game's words in one language: catalogues of its texts, and all forms of the words that fill them in."""

    plural: Callable[[int], int]  # a number → which of a noun's forms goes with it
    nouns: Mapping[str, tuple[str, ...]]
    rooms: Mapping[str, Forms]  # title, at, to (of a hatch), into
    items: Mapping[str, Forms]  # plain: as the object of a sentence; title
    tracks: Mapping[str, Forms]  # plain: as the subject of a sentence; title
    names: Catalogue  # kind → id → name
    sentences: Catalogue  # type of event, or type/variant
    moves: Catalogue  # type of move, or type/variant
    decisions: Catalogue  # by phase
    labels: Catalogue  # what a picture says, and the texts that describe it
    phrases: Catalogue  # what sentences are put together of


class Counted:
    """A number: `{minutes}`, or `{minutes:minutes}` with the noun in the form that goes with it."""

    __slots__ = ("_number", "_texts")

    def __init__(self, number: int, texts: Texts):
        self._number = number
        self._texts = texts

    def __format__(self, noun: str) -> str:
        if not noun:
            return str(self._number)
        return f"{self._number} {self._texts.nouns[noun][self._texts.plural(self._number)]}"


def one_or_more(number: int) -> int:
    """Return the plural form of English and German: 1 minute, 0 and 2 minutes."""
    return 0 if number == 1 else 1


def slavic(number: int) -> int:
    """Return the plural form of Russian: 1, 21 минута · 2, 3, 4, 22 минуты · 0, 5, 11, 12 минут."""
    if number % 10 == 1 and number % 100 != 11:
        return 0
    return 1 if number % 10 in (2, 3, 4) and number % 100 not in (12, 13, 14) else 2
