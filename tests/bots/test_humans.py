"""Humans are never the price of a rescue, unless the boat is lost otherwise."""

from typing import Any

import pytest

from bots.budget import Budget
from engine import Game
from tests.support.helpers import Wire, position, scripted
from tests.support.thinking import brief, decide, kind

LOW, FIRE = {"water": "low"}, {"fire": True}
BUDGET = Budget(playouts=80, candidates=8)
SEEDS = range(5)


def fire_spreads(token: int, items: Wire, **more: Any) -> Game:
    """Seat 0 leads a fire into room 7, where missiles must be stopped, or into 9, where seat 1 lies asleep."""
    crew = [
        {"room": 1, "minutes": 22},
        {"room": 9, "minutes": 17, "state": "fainted"},
        {"room": 5, "minutes": 20, "items": {"deactivation_code": 2, **items}},
    ]
    rooms = {"8": FIRE, "5": LOW, "10": LOW}
    destruction = {"missiles_launched": token}
    script = scripted(["fire_spreads"])
    game = position(crew, active=0, rooms=rooms, destruction=destruction, script=script, **more)
    game.play({"type": "no_action"})
    assert kind(game) == "spread_fire"
    return game


@pytest.mark.parametrize("bot", ["bosun", "captain", "admiral"])
def test_a_sleeper_burns_for_the_boat_only_if_nobody_of_them_is_human(bot: str) -> None:
    game = fire_spreads(12, {"grog": 1})
    for seed in SEEDS:
        assert brief(decide(bot, game, BUDGET, seed=seed)) == ["spread_fire 9"]
        assert brief(decide(bot, game, BUDGET, seed=seed, humans=[1])) == ["spread_fire 7"]


@pytest.mark.parametrize("bot", ["bosun", "captain", "admiral"])
def test_a_human_sleeper_burns_where_the_boat_is_lost_otherwise(bot: str) -> None:
    """Nobody can get into a burning room 7 in time, nor draw what it takes, and then all are lost."""
    game = fire_spreads(18, {}, item_deck={"crowbar": 6, "water_pump": 4})
    for seed in SEEDS:
        assert brief(decide(bot, game, BUDGET, seed=seed, humans=[1])) == ["spread_fire 9"]
