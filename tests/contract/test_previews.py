"""Previews keep the contract: each event that they tell of is declared with what may be foreseen of it."""

import random

import pytest

from engine import Game, Rules
from tests.support.contract import document, faults
from tests.support.playing import VARIANTS, pick, seed_of, variant_name

PREVIEW = {"$ref": "#/components/schemas/Preview"}
TRIED = 4  # moves of each decision


@pytest.mark.parametrize("variant", VARIANTS[::6], ids=variant_name)
def test_every_preview_of_a_whole_game_is_one_that_the_contract_knows(variant: dict[str, object]) -> None:
    game, chance = Game.new(Rules(4, **variant), seed_of("previews", variant)), random.Random(1)  # type: ignore[arg-type]
    while game.result is None:
        legal = game.legal_moves()
        for move in chance.sample(legal, min(TRIED, len(legal))):
            preview = game.preview(move)
            assert not (fault := faults(preview, PREVIEW)), (preview, fault)
        game.play(pick(legal, chance))


def test_no_preview_may_tell_what_a_die_or_a_card_will_show() -> None:
    shapes = document()["components"]["schemas"]
    secrets = {"ForeseenDieRolled": "value", "ForeseenItemDrawn": "item", "ForeseenGnomeReplaced": "room"}
    assert all(secret not in shapes[name]["properties"] for name, secret in secrets.items())
