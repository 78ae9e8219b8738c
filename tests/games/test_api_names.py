"""Names come back as they were given, in answers, in pictures and in words; or they are refused."""

import unicodedata
from xml.etree import ElementTree

import pytest

from engine import Game, Rules
from service.games import pictures
from service.games.pictures import PictureOptions, Renderer
from service.picture.letters import letters
from tests.support.answers import refused
from tests.support.pictures import state_of
from tests.support.serving import Client
from tests.words.test_names import BAD, GOOD


def test_names_of_any_script_come_back_in_one_form(api: Client) -> None:
    for name in (*GOOD, "Jose\u0301"):
        kept = unicodedata.normalize("NFC", name)
        made = api.post("/v1/games", {"name": name}).body
        path = f"/v1/games/{made['game']['id']}"
        joined = api.post(f"{path}/players", {"name": name}).body
        state = api.be(made["token"]).get(path).body
        assert (state["name"], state["players"][0]["name"]) == (kept, kept)
        assert joined["game"]["players"][0]["name"] == kept
        told = [event["text"] for event in api.get(f"{path}/events?lang=en").body["events"]]
        assert any(kept in text for text in told)
        assert kept[:8] in "".join(ElementTree.fromstring(api.get(f"{path}/board.svg").body).itertext())


@pytest.mark.parametrize("name", [name for name in BAD if name.isascii() or name.encode(errors="ignore")], ids=ascii)
def test_a_name_that_can_do_harm_is_refused(api: Client, name: str) -> None:
    path = f"/v1/games/{api.post('/v1/games').body['game']['id']}/players"
    assert refused(api.post(path, {"name": name}), "invalid", "/name")["errors"][0]["code"] == "format"


def test_in_a_painting_names_have_the_letters_of_its_font_and_a_number_if_none_is_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pictures, "to_png_apart", lambda svg, _: svg.encode())
    state = state_of(
        Game.new(Rules(5), seed=bytes(32)), 0, names=("Ada 王", "", "李小龍", "", "Jürgen 👩‍🚀"), name="赤い十一月"
    )
    painted = Renderer().draw(state, PictureOptions("light", "en", width=300)).decode()
    shown = "".join(
        each.text or "" for each in ElementTree.fromstring(painted).iter("{http://www.w3.org/2000/svg}text")
    )
    assert [name for name in ("Ada", "Gnome 3", "Jürgen") if name not in shown] == [], shown
    assert set(shown) <= letters()
