"""Humans are never the price of a rescue, unless the boat is lost otherwise."""

from typing import Any

import numpy as np
import pytest

from bots.arena import crews
from bots.arena.crews import Brain
from bots.budget import Budget
from bots.training import humans
from engine import Game, Rules
from engine.moves import move_id
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


def test_compiled_captains_spare_a_human_sleeper_too() -> None:
    game = fire_spreads(12, {"grog": 1})
    for sleepers, room in (((), 9), ((1,), 7)):
        _, (line,) = crews.play([Brain.of("captain")], game.record, humans=sleepers)
        assert line[0] == move_id({"type": "spread_fire", "room": room})


def test_results_name_the_seats_that_fell() -> None:
    results, _ = crews.play([crews.SAILOR], crews.starts(Rules(4), 5, range(60)))
    fallen, deaths = results[:, crews.FALLEN], results[:, crews.DEATHS]
    assert [int(bits).bit_count() for bits in fallen] == deaths.tolist()
    assert deaths.sum() > 0


def test_deaths_of_humans_are_told_beside_those_of_bots() -> None:
    known = {"rescued": [1, 0], "fallen": [0b010, 0b101]}
    unknown = {"rescued": [1, 1], "fallen": [0b110, 0b001]}
    lines = [{"humans": [1, 3], "known": known, "unknown": unknown}]
    cells = [row.strip("| ").split(" | ") for row in humans.report(lines).splitlines()[2:]]
    assert [row[2:] for row in cells] == [["50.00", "50.00", "100.00", "0.00"], ["50.00", "50.00", "100.00", "100.00"]]
    assert [row[1].split()[0] for row in cells] == ["50.0", "100.0"]


def test_both_ways_begin_with_the_same_boats(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(humans, "BATCH", 1)
    line = humans.play(6)
    assert (line["gnomes"], line["humans"]) == (3, [1])
    assert all(np.shape(line[way][kind]) == (1,) for way in humans.WAYS for kind in ("rescued", "fallen"))
