"""The pages of matches as they are served: in three languages, and with nothing in them that could act."""

import pytest

from service.app import create_app
from service.config import Config
from service.pages.texts import TEXTS
from tests.pages.test_pages import EVIL, LANGUAGES, page
from tests.support.matching import MatchDesk, id_of, new_match, work
from tests.support.serving import Client


@pytest.fixture
def match(api: Client) -> str:
    path, _ = new_match(api, name=EVIL[:60], games=4, against=["cabin_boy"])
    return f"/matches/{id_of(path)}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_match_is_told_in_the_language_that_is_asked_for(api: Client, match: str, language: str) -> None:
    for query, accepted in ((f"?lang={language}", "fr"), ("", f"{language}, fr;q=0.5")):
        seen = page(api, match + query, Accept_Language=accepted)
        assert seen.all("html")[0]["lang"] == language
        texts = TEXTS[language]["match"]
        assert {texts["rates"], texts["causes"], texts["statuses"]["queued"]} <= set(seen.said)
        assert texts["played_of"].format(played=0, total=8) in seen.said
        missing = page(api, "/matches/nonesuch" + query, 404, Accept_Language=accepted)
        assert TEXTS[language]["no_match"] in missing.said


def test_a_name_is_text_and_nothing_else(api: Client, match: str) -> None:
    for path in (match, "/"):
        seen = page(api, path)
        assert any(EVIL[:24] in said for said in seen.said)
        assert all(image.get("src") != "x" for image in seen.all("img"))


def test_the_first_page_lists_matches_those_first_that_go_on(desk: MatchDesk) -> None:
    desk.store.redis.delete("matches")  # what other tests left is not the latest
    over, _ = new_match(desk.api, games=2)
    waiting, _ = new_match(desk.api, games=2)
    newest, _ = new_match(desk.api, games=2)
    for path in (over, newest):
        work(desk, path)
    assert desk.api.app is not None
    body = desk.api.app.test_client().get("/").text
    places = [body.index(f"/matches/{id_of(path)}") for path in (waiting, newest)]
    assert places == sorted(places)


def test_what_is_no_match_is_told_in_words(api: Client) -> None:
    for path in (
        "/matches/%3Cimg%20src=x%20onerror=alert(1)%3E",
        "/matches/" + "a" * 16,
        "/matches/%22onload=%22alert(1)",
    ):
        assert TEXTS["en"]["no_match"] in page(api, path, 404).said
    client = create_app(Config("redis://127.0.0.1:1", limits={})).test_client()
    reply = client.get("/matches/" + "a" * 16, headers={"Accept-Language": "ru"})
    assert reply.status_code == 503
    assert TEXTS["ru"]["unavailable"] in reply.text
