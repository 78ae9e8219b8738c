"""Every room says everything in every language, and fills in the same."""

from collections.abc import Mapping
from dataclasses import fields

import pytest

from service.pages.texts import TEXTS as PAGES
from service.terminal.texts import TEXTS as TERMINAL
from service.words import LANGUAGES
from service.words.catalogue import Catalogue, by_language
from service.words.meanings import MEANINGS
from service.words.telling import CATALOGUES as WORDS
from service.words.texts import Texts

TABLES = [field.name for field in fields(Texts) if isinstance(getattr(WORDS["en"], field.name), Catalogue)]
ROOMS: dict[str, Mapping[str, Catalogue]] = {
    "pages": PAGES,
    "terminal": TERMINAL,
    "meanings": MEANINGS,
    **{table: {language: getattr(texts, table) for language, texts in WORDS.items()} for table in TABLES},
}


@pytest.mark.parametrize("room", ROOMS)
def test_every_language_has_the_same_texts_with_the_same_fields(room: str) -> None:
    assert tuple(ROOMS[room]) == LANGUAGES
    english = dict(ROOMS[room]["en"].fields())
    for language, texts in ROOMS[room].items():
        assert texts.language == language
        assert dict(texts.fields()) == english, language


@pytest.mark.parametrize("room", ROOMS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_text_is_empty(room: str, language: str) -> None:
    def check(texts: Catalogue) -> None:
        for key, text in texts.items():
            if isinstance(text, Catalogue):
                check(text)
            else:
                assert text.strip(), key

    check(ROOMS[room][language])


def test_the_catalogues_of_the_game_are_all_compared() -> None:
    assert set(TABLES) == {"names", "sentences", "moves", "decisions", "labels", "phrases"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_words_that_fill_in_texts_are_the_same_in_all_languages(language: str) -> None:
    for table in ("rooms", "items", "tracks"):
        assert set(getattr(WORDS[language], table)) == set(getattr(WORDS["en"], table))


def test_a_text_is_filled_in_and_a_missing_field_is_an_error() -> None:
    texts = by_language(en={"a": "{name}!", "table": {"b": "{key} {self}"}})["en"]
    assert texts["a"] == "{name}!"
    assert texts("a", name="Ada") == "Ada!"
    assert texts["table"]("b", key=1, self=2) == "1 2"
    assert dict(texts.fields()) == {"a": {"name"}, "table.b": {"key", "self"}}
    with pytest.raises(KeyError):
        texts("a")
