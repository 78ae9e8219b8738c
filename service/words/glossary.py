"""All words of the game in one language, by kind and id: for clients that have none of their own."""

from collections.abc import Callable, Mapping
from typing import TypedDict

from service.words.meanings import MEANINGS
from service.words.telling import Words
from service.words.variants import event_of


class Word(TypedDict):
    """What something is called, and what that means where the name does not say it."""

    name: str
    text: str | None


Glossary = dict[str, dict[str, Word]]

# The kinds as a client knows them → as the catalogues do, where each has names.
KINDS = {
    "rooms": "room",
    "items": "item",
    "tracks": "track",
    "tokens": "token",
    "cards": "card",
    "events": "event",
    "actions": "action",
    "moves": "move",
    "event_types": "event_type",
    "phases": "phase",
    "options": "option",
    "editions": "edition",
    "greater_challenges": "challenge",
    "causes": "cause",
    "deaths": "death",
    "conditions": "condition",
    "water": "water",
    "statuses": "status",
    "bots": "bot",
    "says": "says",
}


def glossary(language: str, edition: str) -> Glossary:
    """Return the words of a language, as the edition calls things."""
    words = Words(language, edition)
    return {
        kind: {id_: {"name": name, "text": _text(words, names, id_)} for id_, name in words.names[names].items()}
        for kind, names in KINDS.items()
    }


def _text(words: Words, kind: str, id_: str) -> str | None:
    tell = _TEXTS.get(kind)
    return tell(words, id_) if tell else _meanings(words).get(kind, {}).get(id_)


def _meanings(words: Words) -> Mapping[str, Mapping[str, str]]:
    return MEANINGS[words.language]


_TEXTS: dict[str, Callable[[Words, str], str | None]] = {
    "bot": lambda words, id_: words.name("bot_description", id_),
    "card": lambda words, id_: _meanings(words)["event"][event_of(id_)],
    "cause": lambda words, id_: words.texts.sentences[f"game_over/{id_}"],
    "move": lambda words, id_: _meanings(words)["move"].get(id_) or _meanings(words)["action"][id_],
    "phase": lambda words, id_: words.texts.decisions(id_, seat=words.texts.phrases["somebody"]),
}
