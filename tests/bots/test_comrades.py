"""Comrades in playouts: each is taken for what they are, and a boat with blunderers is worth less."""

from collections import Counter
from statistics import fmean
from typing import Any

import numba
import numpy as np
import pytest

from bots.arena import crews
from bots.arena.crews import CABIN_BOY
from bots.arena.game import play_game
from bots.arena.series import game_seed
from bots.budget import Budget
from bots.odds import chance_of_rescue
from bots.search import contest as sheet
from bots.search import network
from bots.search import search as searching
from bots.search.comrades import draw_crew
from bots.search.search import Search, Stakes
from bots.skill import SKILLS, STRANGER, Skill, certainly, of_bot
from engine import Game, Rules, observe
from engine.enums import SEATS
from engine.moves import NO_MOVE, WIRE
from tests.support.helpers import decider_of, position
from tests.support.thinking import brief

START = Game.new(Rules(gnomes=4), bytes(32))
TRIALS = 2000


@numba.njit
def drawn(guesses: Any, trials: int, skills: Any, counts: Any) -> None:
    for trial in range(trials):
        draw_crew(skills, guesses, SEATS, 5, trial)
        for seat in range(SEATS):
            counts[seat, skills[seat]] += 1


def test_a_stranger_is_each_skill_as_often_as_it_is_likely_and_a_known_bot_always_the_same() -> None:
    guesses, counts = np.tile(STRANGER, (SEATS, 1)), np.zeros((SEATS, SKILLS), np.int64)
    guesses[3] = of_bot("captain")
    drawn(guesses, TRIALS, np.zeros(SEATS, np.int64), counts)
    assert counts[3].tolist() == [TRIALS * (skill == Skill.CAPTAIN) for skill in Skill]
    for seat in (0, 7):
        assert counts[seat] / TRIALS == pytest.approx(np.array(STRANGER), abs=0.05)
    assert (counts[0] != counts[7]).any()


def test_a_bot_of_somebody_else_is_a_stranger() -> None:
    assert of_bot("bot:deepgnome") == STRANGER
    assert sum(STRANGER) == pytest.approx(1)


def test_cabin_boys_in_compiled_code_play_as_those_of_the_roster() -> None:
    """They draw other random numbers, but do the same kinds of things, and leave nobody in the lurch."""
    games = range(40)
    _, lines = crews.play([CABIN_BOY], crews.starts(Rules(4), 1, games))
    kinds = Counter(WIRE[move]["type"] for move in lines[lines != NO_MOVE])
    assert not {"abandon_comrades", "attack_gnome"} & set(kinds)
    there = [play_game(["cabin_boy"], Rules(4), game_seed(1, number)) for number in games]
    turns = crews.play([CABIN_BOY], crews.starts(Rules(4), 1, games))[0][:, crews.TURNS]
    assert turns.mean() == pytest.approx(fmean(result.turns for result in there), rel=0.25)
    assert min(kinds[kind] for kind in ("open_hatch", "draw_items", "no_action", "pump_water")) > 20


def test_the_better_the_comrades_the_better_the_chances() -> None:
    skills = [Skill.CABIN_BOY, Skill.CLUMSY, Skill.SAILOR, Skill.CAPTAIN]
    chances = [chance_of_rescue(START, 1, [certainly(skill)] * 4) for skill in skills]
    assert chances == sorted(chances)
    assert chances[-1] > chances[0] + 0.3
    assert chances[0] < chance_of_rescue(START, 1) < chances[-1]


def test_one_blunderer_among_captains_costs_something() -> None:
    captains = [of_bot("captain")] * 4
    chances = [chance_of_rescue(START, 1, [*captains[:3], last]) for last in (of_bot("cabin_boy"), captains[0])]
    assert chances[0] < chances[1] - 0.05


def test_a_plan_is_played_as_planned_however_clumsy_whoever_decides_is() -> None:
    """In a trial, the first turn is the choice's: a cabin boy who is advised does what they are advised to."""
    hot = position([{"room": 5, "minutes": 30, "items": {"reactor_manual": 3}}], tracks={"heat": 9}, active=0)
    for skill in (Skill.CABIN_BOY, Skill.ADMIRAL):
        search = Search(observe(hot, 0), Stakes(0, crew=[certainly(skill)] * hot.rules.gnomes), seed=1)
        best = search.run(Budget(64, 4))
        assert brief(search.wire(best))[-1].startswith("fix_reactor")


def test_the_same_crew_on_the_same_seed_is_judged_the_same() -> None:
    told = []
    for _ in range(2):
        search = Search(observe(START, START.decider), Stakes(decider_of(START)), seed=9)
        search.run(Budget(60, 4))
        told.append([choice.sums.tolist() for choice in search.choices])
    assert told[0] == told[1]


def test_a_clear_decision_takes_less_than_it_may_and_a_close_one_more() -> None:
    hot = position([{"room": 5, "minutes": 30, "items": {"reactor_manual": 3}}], tracks={"heat": 9}, active=0)
    spent = []
    for game in (hot, START):
        search = Search(observe(game, game.decider), Stakes(decider_of(game)), seed=1)
        search.run(Budget(400, 8, most=4000))
        spent.append(search.playouts)
    assert spent[0] < 400 < spent[1] <= 4000 + 400


def test_strong_comrades_raise_the_chances_that_are_told_and_leave_the_choice_alone() -> None:
    """They save most boats whatever is done now, so that choices would hardly differ: sailors tell them apart."""
    leads, told = [], []
    for skill in (Skill.SAILOR, Skill.ADMIRAL):
        search = Search(observe(START, START.decider), Stakes(decider_of(START), crew=[certainly(skill)] * 4), seed=3)
        search.run(Budget(400, 8, minutes=4))
        leads.append([choice.sums[[sheet.UTILITY, sheet.LEAD]].tolist() for choice in search.choices])
        told.append(fmean(choice.rescued for choice in search.choices))
    assert leads[0] == leads[1]
    assert told[1] > told[0] + 0.1


def test_one_network_compares_choices_and_the_other_tells_chances(monkeypatch: pytest.MonkeyPatch) -> None:
    leads, told = [], []
    undecided = network.read()
    for layer in ("third", "third_bias"):
        undecided[layer][network.TELLS] = 0
    for networks in (network.read(), undecided):
        monkeypatch.setattr(searching, "NETWORK", networks)
        search = Search(observe(START, START.decider), Stakes(decider_of(START)), seed=3)
        search.run(Budget(100, 4, minutes=2))
        leads.append([choice.sums[[sheet.UTILITY, sheet.LEAD]].tolist() for choice in search.choices])
        told.append([choice.rescued for choice in search.choices])
    assert leads[0] == leads[1]
    assert told[1] == [0.5] * len(told[1]) != told[0]
