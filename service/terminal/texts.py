"""Prompts, help and notes of the terminal, in three languages."""

import os
import unicodedata
from collections.abc import Mapping

from service.terminal.de import DE
from service.terminal.en import EN
from service.terminal.ru import RU
from service.words import LANGUAGES, UnknownLanguage, choose
from service.words.catalogue import by_language

TEXTS = by_language(en=EN, de=DE, ru=RU)
_BAD = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
_ISOLATES = "\u2068\u2069"  # with which `service.words` keeps a name's direction to itself


def language(wanted: str | None, environment: Mapping[str, str] = os.environ) -> str:
    """Return the wanted language, or else that of the environment, or English. Raises UnknownLanguage."""
    if wanted is not None:
        return choose(wanted, None)
    locale = next((environment[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if environment.get(name)), "")
    try:
        return choose(locale.partition(".")[0].partition("@")[0], None)
    except UnknownLanguage:
        return LANGUAGES[0]


def harmless(text: str) -> str:
    """Return one line without anything that a terminal obeys or that turns the direction of writing."""
    kept = (" " if each in "\t\n\r" else each for each in text)
    return "".join(each for each in kept if each in _ISOLATES or unicodedata.category(each) not in _BAD)
