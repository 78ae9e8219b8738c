"""The guide at /docs/guide: what it shows runs as it is printed, in three languages, and the page is one of ours."""

import gzip
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from service.pages.guidebook import CHAPTERS, SHOWN_AT, text_of
from tests.pages.test_pages import Page, page
from tests.support.node import run
from tests.support.serving import Client, serving
from tests.support.tools import need

LANGUAGES = {"bash": ["bash", "-euo", "pipefail"], "python": [sys.executable], "javascript": ["node"]}
BEGIN = CHAPTERS[0]
# What a chapter's examples print, whatever their language.
PRINTED = {
    "first-game": r"crew.*(rescued|lost)",
    "waiting": r"crew.*(rescued|lost)[\s\S]*over: \1",
    "resuming": r"^over: (rescued|lost), from event 1 to \d\d+, gaps: 0$",
    "retries": r"^attempt 1: game (\w+)\nattempt 2: game \1\n(.*version.*\d.*)\n\2\nversion_conflict$",
    "hidden-hands": r"^Cleo sees 1 of 3 hands, 6 cards\nA spectator sees 0 of 3 hands, 6 cards$",
    "matches": r"^finished: 8 games, sailors saved [0-4]\ngnomes,",
    "versions": r"^no end in sight$",
}


def examples(chapter: str, language: str) -> str:
    return "\n".join(re.findall(rf"^```{language}\n(.*?)^```$", text_of(chapter), re.M | re.S))


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """With a worker, as `make serve` has."""
    with serving(tmp_path_factory.mktemp("guide")) as served:
        yield served.api


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("chapter", PRINTED)
def test_an_example_does_what_the_guide_says(service: Client, tmp_path: Path, chapter: str, language: str) -> None:
    for tool in {"bash": ("curl", "jq"), "python": (), "javascript": ("node",)}[language]:
        package = "nodejs" if tool == "node" else tool
        need(tool, f"the guide's examples in {language}", f"`apt-get install {package}`")
    program = examples(BEGIN, language) + "\n" + examples(chapter, language)
    assert SHOWN_AT in program
    file = tmp_path / ("example.mjs" if language == "javascript" else "example")
    file.write_text(program.replace(SHOWN_AT, service.base))
    said = run([*LANGUAGES[language], file], tmp_path, PATH=os.environ["PATH"])
    assert re.search(PRINTED[chapter], said.strip(), re.M), said


def test_every_chapter_has_its_examples_in_every_language() -> None:
    told = [chapter for chapter in CHAPTERS if "```" in text_of(chapter)]
    assert told == [BEGIN, *PRINTED]
    for chapter in told:
        for language in LANGUAGES:
            assert examples(chapter, language), (chapter, language)


def test_the_page_shows_all_chapters_with_the_address_of_this_service(api: Client) -> None:
    seen = page(api, "/docs/guide")
    ids = {attributes["id"] for _, attributes in seen.tags if "id" in attributes}
    links = {str(link["href"]) for link in seen.all("a")}
    assert {f"#{chapter}" for chapter in CHAPTERS} <= links
    assert {link[1:] for link in links if link.startswith("#")} <= ids
    text = " ".join(seen.said)
    assert f"{api.base}/v1" in text
    assert SHOWN_AT not in text
    for chapter in CHAPTERS:
        assert text_of(chapter).partition("\n")[0].removeprefix("# ") in seen.said


def test_where_the_guide_leads_there_is_something(api: Client) -> None:
    links = {str(link["href"]) for link in page(api, "/docs/guide").all("a")}
    for link in sorted(links):
        if link.startswith("/"):
            assert api.get(link).status == 200, link


def test_the_frame_of_the_guide_speaks_the_readers_language(api: Client) -> None:
    for lang, title in (("en", "Guide"), ("de", "Anleitung"), ("ru", "Руководство")):
        assert title in page(api, f"/docs/guide?lang={lang}").said


def test_the_guide_is_compressed_and_sent_again_only_when_it_has_changed(api: Client) -> None:
    plain, packed = (api.get("/docs/guide", Accept_Encoding=coding) for coding in ("identity", "gzip"))
    assert packed.headers["content-encoding"] == "gzip"
    assert gzip.decompress(packed.body) == plain.body
    assert len(packed.body) < len(plain.body) / 2
    assert packed.headers["vary"] == "Accept-Language, Accept-Encoding"
    again = api.get("/docs/guide", If_None_Match=packed.headers["etag"])
    assert (again.status, again.body) == (304, b"")
    assert again.headers["content-security-policy"] == plain.headers["content-security-policy"]
    other = api.get("/docs/guide?lang=de", If_None_Match=packed.headers["etag"])
    assert other.status == 200


def test_each_reader_chooses_a_language_of_the_examples_without_a_script(api: Client) -> None:
    seen: Page = page(api, "/docs/guide")
    chosen = [each for each in seen.all("input") if each["type"] == "radio"]
    assert [each["value"] for each in chosen] == list(LANGUAGES)
    assert ["checked" in each for each in chosen] == [True, False, False]
    assert seen.all("script") == []
