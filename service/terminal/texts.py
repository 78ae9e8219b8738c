"""Prompts, help and notes of the terminal, in three languages."""

import os
import unicodedata
from collections.abc import Mapping

from service.terminal.texts_de import DE
from service.terminal.texts_en import EN
from service.terminal.texts_ru import RU
from service.words import LANGUAGES, UnknownLanguage, choose

CATALOGUES: Mapping[str, Mapping[str, str]] = {"en": EN, "de": DE, "ru": RU}
_BAD = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
_ISOLATES = "\u2068\u2069"  # with which `service.words` keeps a name's direction to itself


class Texts:
    """`texts("prompt")`; fields are filled in by name."""

    def __init__(self, language: str):
        self.language = language
        self._texts = CATALOGUES[language]

    def __call__(self, key: str, **fields: object) -> str:
        return self._texts[key].format(**fields) if fields else self._texts[key]

    def __contains__(self, key: str) -> bool:
        return key in self._texts


def language(wanted: str | None, environment: Mapping[str, str] = os.environ) -> str:
    """The one asked for (raises UnknownLanguage), or the one of the user's surroundings, or English."""
    if wanted is not None:
        return choose(wanted, None)
    told = next((environment[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if environment.get(name)), "")
    try:
        return choose(told.partition(".")[0].partition("@")[0], None)
    except UnknownLanguage:
        return LANGUAGES[0]


def harmless(text: str) -> str:
    """One line without anything that a terminal obeys or that turns the direction of writing."""
    kept = (" " if each in "\t\n\r" else each for each in text)
    return "".join(each for each in kept if each in _ISOLATES or unicodedata.category(each) not in _BAD)
