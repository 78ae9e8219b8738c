"""The guide at /docs/guide is a page of ours: in the readers' languages, under a strict policy, compressed."""

import gzip

from service.api.problems import CODES
from service.pages.guidebook import CHAPTERS, SHOWN_AT, text_of
from tests.pages.test_pages import page
from tests.support.serving import Client


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
    seen = page(api, "/docs/guide")
    chosen = [each for each in seen.all("input") if each["type"] == "radio"]
    assert [each["value"] for each in chosen] == ["bash", "python", "javascript"]
    assert ["checked" in each for each in chosen] == [True, False, False]
    assert seen.all("script") == []


def test_the_page_of_problems_names_every_code(api: Client) -> None:
    seen = page(api, "/docs/problems")
    assert {row["id"] for row in seen.all("tr") if "id" in row} == CODES.keys()
