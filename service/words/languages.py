"""Choose the language to answer in."""

import re

LANGUAGES = ("en", "de", "ru")
DEFAULT = LANGUAGES[0]

_LONGEST_SHOWN = 40
_TAG = r"[a-z]{1,8}(?:-[a-z0-9]{1,8})*"
_WANTED = re.compile(_TAG, re.IGNORECASE | re.ASCII)
_RANGE = re.compile(
    rf"(\*|{_TAG})(?:[ \t]*;[ \t]*q=(0(?:\.[0-9]{{0,3}})?|1(?:\.0{{0,3}})?))?", re.IGNORECASE | re.ASCII
)


class UnknownLanguage(ValueError):
    """Raised when a language is asked for by name, and there are no texts in it."""

    def __init__(self, language: str):
        self.language = language[:_LONGEST_SHOWN]
        self.reason = f"must be one of {', '.join(LANGUAGES)}"
        super().__init__(f"{self.language!r} is no language that we have: it {self.reason}")


def choose(lang: str | None, accept_language: str | None) -> str:
    """Return the language asked for, or the one that `Accept-Language` (RFC 9110) likes best, or English.

    `lang` is explicit: it wins, and raises UnknownLanguage if there is no such language. A region changes nothing:
    de-AT is German.
    """
    if lang is not None:
        tag = lang.replace("_", "-")
        if not _WANTED.fullmatch(tag) or _language_of(tag) not in LANGUAGES:
            raise UnknownLanguage(lang)
        return _language_of(tag)
    return _best(accept_language or "")


def _language_of(tag: str) -> str:
    return tag.partition("-")[0].lower()


def _best(header: str) -> str:
    """Yield languages, the best liked first; of equals, the one named first. What can't be read is skipped."""
    likings: dict[str, float] = {}
    for part in header.split(","):
        found = _RANGE.fullmatch(part.strip())
        if found:
            language, liking = _language_of(found[1]), float(found[2] or 1)
            likings[language] = max(liking, likings.get(language, 0.0))
    others = likings.get("*", 0.0)
    named = [language for language in likings if language in LANGUAGES]
    candidates = named + [language for language in LANGUAGES if language not in named]
    best = max(candidates, key=lambda language: likings.get(language, others))
    return best if likings.get(best, others) > 0 else DEFAULT
