"""The crew's chance of rescue as sailors see it: from what everybody can see, and the same every time."""

import pytest

from bots.odds import chance_of_rescue
from engine import Game, Rules
from tests.support.helpers import Wire, position

PLAYOUTS = 40
HANDS = [{"room": 4, "minutes": 40, "items": {"reactor_manual": 4}}, {"room": 7, "items": {"water_pump": 4}}]
TROUBLE: Wire = {"tracks": {"heat": 8, "pressure": 7}}


def chance(game: Game, seed: int = 5) -> float:
    return chance_of_rescue(game, seed, playouts=PLAYOUTS)


def test_one_position_and_one_seed_have_one_chance() -> None:
    game = Game.new(Rules(gnomes=4), bytes(32))
    assert chance(game) == chance(game.copy())
    assert len({chance(game, seed) for seed in range(8)}) > 1


def test_a_chance_leaves_the_game_as_it_was() -> None:
    game = Game.new(Rules(gnomes=4), bytes(32))
    before = game.to_bytes()
    chance(game)
    assert game.to_bytes() == before


def test_neither_the_dice_to_come_nor_forced_outcomes_show_in_a_chance() -> None:
    one, other = (position(HANDS, seed=seed * 32, **TROUBLE) for seed in ("00", "11"))
    forced = position(HANDS, script={"events": ["reactor_malfunction"] * 8}, **TROUBLE)
    assert chance(one) == chance(other) == chance(forced)


def test_hidden_hands_do_not_show_in_a_chance() -> None:
    swapped = [{**HANDS[0], "items": HANDS[1]["items"]}, {**HANDS[1], "items": HANDS[0]["items"]}]
    open_hands, hidden_hands = [
        [chance(position(hands, {"hidden_hands": hidden}, **TROUBLE)) for hands in (HANDS, swapped)]
        for hidden in (False, True)
    ]
    assert open_hands[0] != open_hands[1]
    assert hidden_hands[0] == hidden_hands[1]


@pytest.mark.parametrize(("minutes", "heat", "expected"), [(1, 1, 1.0), (40, 9, 0.0)])
def test_the_chance_of_a_game_that_is_over_is_certain(minutes: int, heat: int, expected: float) -> None:
    gnomes = [{"minutes": minutes}, {"minutes": 0}, {"minutes": 0}]
    game = position(gnomes, tracks={"heat": heat}, script={"events": ["reactor_warmup"] * 9})
    while game.decider is not None:
        game.play({"type": "no_action"})
    assert chance(game) == expected
