"""A client without words of its own finds one for everything that has an id."""

from collections.abc import Iterator

import pytest

from service.words import LANGUAGES
from service.words.glossary import KINDS, glossary
from tests.support.answers import refused
from tests.support.contract import document
from tests.support.desk import Desk
from tests.support.serving import Wire
from tests.words.test_words import check

EXPLAINED = {
    "rooms", "items", "tracks", "tokens", "cards", "events", "actions", "moves", "event_types", "phases", "options",
    "causes", "bots",
}  # fmt: skip


@pytest.fixture(scope="module")
def schemas() -> Wire:
    return dict(document()["components"]["schemas"])


def named(schemas: Wire) -> Iterator[tuple[str, set[str]]]:
    """What the contract gives ids to, by kind of words."""
    for kind, name in (("items", "Item"), ("cards", "EventCard"), ("events", "EventName"), ("actions", "ActionName")):
        yield kind, set(schemas[name]["enum"])
    for kind, name in (("moves", "Move"), ("event_types", "Event")):
        yield kind, set(schemas[name]["discriminator"]["mapping"])
    yield "rooms", {*map(str, range(1, 11)), "sea"}
    yield "phases", set(schemas["Phase"]["enum"])
    yield "causes", set(schemas["Cause"]["enum"])
    yield "options", set(schemas["Rules"]["properties"])
    yield "tracks", set(schemas["Tracks"]["properties"])


@pytest.mark.parametrize("lang", LANGUAGES)
def test_everything_in_the_contract_that_a_game_shows_has_a_word(desk: Desk, schemas: Wire, lang: str) -> None:
    reply = desk.api.get(f"/v1/rules?lang={lang}")
    words = reply.body["words"]
    assert (reply.status, words["lang"], words["edition"]) == (200, lang, "revised")
    for kind, ids in named(schemas):
        assert ids <= set(words[kind]), kind


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("edition", ["revised", "original"])
def test_words_can_be_read_and_are_explained_where_a_name_does_not_say_it(lang: str, edition: str) -> None:
    words = glossary(lang, edition)
    assert set(words) == set(KINDS)
    for kind, by_id in words.items():
        for word in by_id.values():
            check(word["name"], lang)
            assert (word["text"] is not None) == (kind in EXPLAINED), word
            if word["text"] is not None:
                check(word["text"], lang, sentence=True)


def test_the_original_edition_has_words_of_its_own(desk: Desk) -> None:
    harpoons = [
        desk.api.get(f"/v1/rules?lang=en{edition}").body["words"]["items"]["harpoon"]["name"]
        for edition in ("", "&edition=original")
    ]
    assert harpoons == ["Harpoon", "Diving gun"]


def test_without_a_language_there_are_no_words_and_one_that_is_none_is_refused(desk: Desk) -> None:
    assert "words" not in desk.api.get("/v1/rules").body
    for query, name in (("lang=xx", "lang"), ("edition=third", "edition"), ("language=de", "language")):
        problem = refused(desk.api.get(f"/v1/rules?{query}"), "invalid")
        assert [error["parameter"] for error in problem["errors"]] == [name]
