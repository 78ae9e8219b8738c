"""Legal moves in words, which may be sent back with the move."""

import pytest

from tests.support.answers import refused, scene
from tests.support.desk import Desk
from tests.support.serving import new_game

BURNING = scene({"room": 3, "items": {"grog": 1}}, rooms={"3": {"fire": True}})
SAID = {
    "en": {"Drink a grog", "Put out the fire, 4 minutes, 40 %"},
    "de": {"Grog trinken", "Feuer löschen, 4 Minuten, 40 %"},
    "ru": {"Выпить грог", "Погасить пожар, 4 минуты, 40 %"},
}


@pytest.mark.parametrize("lang", SAID)
def test_each_legal_move_is_told_in_words_where_a_language_is_asked_for(desk: Desk, lang: str) -> None:
    game = new_game(desk.api, position=BURNING)
    for part in ("/legal-moves", ""):
        moves = game.decider().get(f"{game.path}{part}?lang={lang}").body["legal_moves"]
        assert {move["text"].replace("\u00a0", " ") for move in moves} >= SAID[lang]
        assert "text" not in str(game.decider().get(game.path + part).body["legal_moves"])


def test_a_move_with_its_text_may_be_sent_back(desk: Desk) -> None:
    game = new_game(desk.api, position=BURNING)
    move = game.decider().get(f"{game.path}/legal-moves?lang=de").body["legal_moves"][0]
    for wrong in (7, "x" * 501):
        sent = {"moves": [move | {"text": wrong}]}
        refused(game.decider().post(f"{game.path}/moves", sent), "invalid", "/moves/0/text")
    assert game.decider().post(f"{game.path}/moves", {"moves": [move]}).status == 200
    assert "text" not in str(desk.history(game.path)[-1])


def test_a_language_that_is_none_is_refused_by_name(desk: Desk) -> None:
    game = new_game(desk.api)
    for path in (game.path, f"{game.path}/legal-moves"):
        problem = refused(desk.api.get(f"{path}?lang=xx"), "invalid")
        assert [error["parameter"] for error in problem["errors"]] == ["lang"]
