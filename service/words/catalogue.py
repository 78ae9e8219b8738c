"""Hold the texts that people read, in one form for the game's words, the pages and the terminal.

Each room has a module for each language (`en.py`, `de.py`, `ru.py`) with tables of templates for `str.format`.
"""

from collections.abc import Iterator, Mapping
from string import Formatter
from typing import Any


class Catalogue(dict[str, Any]):
    """The texts of one language by key: `texts["prompt"]` is a template, `texts("prompt", name="Ada")` is filled in.

    A value may be a table of texts, which is a catalogue, too: `texts["match"]("unnamed", id=7)`.
    """

    def __init__(self, language: str, texts: Mapping[str, Any]):
        self.language = language
        tables = {key: Catalogue(language, text) for key, text in texts.items() if isinstance(text, Mapping)}
        super().__init__({**texts, **tables})

    def __call__(self, key: str, /, **fields: object) -> str:
        """Fill in a text. Raises KeyError for a text or a field that is missing."""
        return self[key].format_map(fields)

    def fields(self) -> Iterator[tuple[str, frozenset[str]]]:
        """Yield each text's path and the fields that it needs, by which the languages can be compared."""
        for key, text in self.items():
            if isinstance(text, Catalogue):
                yield from ((f"{key}.{path}", fields) for path, fields in text.fields())
            else:
                yield key, frozenset(field for _, field, _, _ in Formatter().parse(text) if field)


def by_language(**texts: Mapping[str, Any]) -> dict[str, Catalogue]:
    """Return a room's catalogues by language."""
    return {language: Catalogue(language, of_language) for language, of_language in texts.items()}
