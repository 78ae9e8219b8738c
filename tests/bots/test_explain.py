"""Advice: what the bots tell people of the choices they see."""

import json
import math
from itertools import pairwise, zip_longest
from statistics import mean
from typing import Any, cast

import pytest

from bots.budget import HORIZON, Budget
from bots.explain import explain
from bots.roster import ROSTER
from bots.search.search import DEATH_PRICE, TO_THE_END
from bots.skill import STRANGER, of_bot
from engine import Game, Rules, observe
from tests.support.helpers import Wire, decider_of, position, scripted
from tests.support.playing import VARIANTS, bare, variant_name
from tests.support.thinking import positions

BUDGET = Budget(120, 8)
ALL = 99
SCENES = {
    "start": Game.new(Rules(gnomes=4), bytes(32)),
    "heat": position([{"room": 5, "minutes": 30, "items": {"reactor_manual": 1, "grog": 2}}], tracks={"heat": 8}),
    "fire": position([{"room": 5, "minutes": 30}], rooms={str(room): {"fire": True} for room in (5, 4, 7)}),
    "one move": position([{"room": "sea", "minutes": 1}], active=0),
    "no way out": position(
        [{"room": 10, "minutes": 30}], rooms={"10": {"fire": True}}, blocked_hatches=["8-10", "9-10"]
    ),
}


def advice(game: Game, budget: Budget = BUDGET, most: int = ALL, seed: int = 0) -> Wire:
    return cast(Wire, explain(observe(game, game.decider), budget, seed=seed, most=most))


@pytest.mark.parametrize("variant", range(len(VARIANTS)), ids=lambda number: variant_name(VARIANTS[number]))
def test_in_any_position_the_advice_makes_sense(variant: int) -> None:
    for game in positions(variant, 2):
        told = advice(game)
        assert told["seat"] == game.decider
        assert json.loads(json.dumps(told)) == told
        assert told["plans"]
        for plan in told["plans"]:
            if plan["playouts"]:
                assert 0 <= plan["rescue_rate"] <= 1
                assert 0 < plan["error"] <= 0.5
                assert plan["deaths_per_game"] >= 0
            else:
                assert (plan["rescue_rate"], plan["error"], plan["deaths_per_game"]) == (None, None, None)


@pytest.mark.parametrize("variant", range(0, len(VARIANTS), 3), ids=lambda number: variant_name(VARIANTS[number]))
def test_a_line_can_be_played_and_costs_what_it_says(variant: int) -> None:
    for game in positions(variant, 2):
        for plan in advice(game)["plans"]:
            trial = game.copy()
            assert 0 < len(plan["line"]) <= len(plan["moves"])
            for move, told in zip_longest(plan["moves"], plan["line"]):
                assert trial.decider == game.decider
                (known,) = [legal for legal in trial.legal_moves() if bare(legal) == bare(move)]
                if told:
                    assert (told["cost"], told.get("chance")) == (known["cost"], known.get("chance"))
                trial.play(move)


@pytest.mark.parametrize("scene", SCENES)
def test_the_first_plan_is_what_the_bot_would_do(scene: str) -> None:
    game = SCENES[scene]
    for seed in range(5):
        crew = [STRANGER] * game.rules.gnomes
        crew[decider_of(game)] = of_bot("captain")
        first = explain(observe(game, game.decider), BUDGET, seed=seed, crew=crew)["plans"][0]
        assert first["moves"] == ROSTER["captain"].choose(observe(game, game.decider), BUDGET, seed=seed)


@pytest.mark.parametrize("scene", SCENES)
def test_the_other_plans_come_in_order(scene: str) -> None:
    """Those that lasted longest first, and of those the best, a death being a little worse than a life."""
    plans = advice(SCENES[scene], Budget(600, 12))["plans"]
    ranks = [(-plan["playouts"], DEATH_PRICE * plan["deaths_per_game"] - plan["rescue_rate"]) for plan in plans[1:]]
    for better, worse in pairwise(ranks):
        assert better[0] <= worse[0]
        assert better[0] < worse[0] or better[1] <= worse[1] + 1e-9


def test_no_plan_is_told_twice() -> None:
    for variant in (0, 6):
        for game in positions(variant, 3):
            lines = [json.dumps(plan["moves"]) for plan in advice(game)["plans"]]
            assert len(set(lines)) == len(lines)


@pytest.mark.parametrize(("playouts", "candidates"), [(1, 4), (7, 8), (40, 4), (250, 24), (1000, 16)])
@pytest.mark.parametrize("scene", ["start", "heat", "fire"])
def test_playouts_are_counted_and_keep_to_the_budget_and_a_round_of_it(
    scene: str, playouts: int, candidates: int
) -> None:
    told = advice(SCENES[scene], Budget(playouts, candidates))
    assert told["playouts"] == sum(plan["playouts"] for plan in told["plans"])
    assert 0 < told["playouts"] <= playouts + candidates * math.ceil(math.log2(candidates))
    assert len(told["plans"]) <= candidates


def test_no_more_plans_are_told_than_asked_for() -> None:
    for most in (1, 3):
        assert len(advice(SCENES["heat"], most=most)["plans"]) == most


@pytest.mark.parametrize(("scene", "rescued"), [("one move", (0.5, 1)), ("no way out", (0, 1))])
def test_without_alternatives_people_are_still_told_their_chances(scene: str, rescued: Any) -> None:
    (plan,) = advice(SCENES[scene])["plans"]
    assert plan["playouts"] > 0
    assert rescued[0] <= plan["rescue_rate"] <= rescued[1]


@pytest.mark.parametrize("scene", ["start", "heat", "fire"])
def test_the_error_of_whole_games_is_that_of_a_binomial_share_and_the_network_makes_it_small(scene: str) -> None:
    whole, short = (
        advice(SCENES[scene], Budget(4000, 8, minutes=minutes))["plans"] for minutes in (TO_THE_END, HORIZON)
    )
    for plan in whole:
        assert plan["error"] == pytest.approx(binomial(plan), rel=0.02)
    for plan in (plan for plan in short if plan["playouts"] > 300):  # strangers differ from trial to trial
        assert 0 < plan["error"] < binomial(plan) * 0.6


def binomial(plan: Wire) -> float:
    return math.sqrt(plan["rescue_rate"] * (1 - plan["rescue_rate"]) / plan["playouts"])


def test_the_error_is_the_spread_of_the_answers() -> None:
    """Two plans get all trials, so that none is picked for its luck; other seeds are other samples."""
    shares: dict[str, list[float]] = {}
    errors: dict[str, list[float]] = {}
    for seed in range(80):
        for plan in advice(SCENES["heat"], Budget(200, 2), seed=seed)["plans"]:
            line = json.dumps(plan["moves"])
            shares.setdefault(line, []).append(plan["rescue_rate"])
            errors.setdefault(line, []).append(plan["error"])
    assert len(shares) == 2
    for line, sample in shares.items():
        spread = math.sqrt(mean((share - mean(sample)) ** 2 for share in sample))
        assert 0.7 < spread / mean(errors[line]) < 1.4


def test_where_all_trials_ended_alike_doubt_remains() -> None:
    game = position([{"room": 9, "minutes": 2}, {"minutes": 0}, {"minutes": 0}], active=0)
    for plan in advice(game, Budget(50, 4))["plans"]:
        assert plan["rescue_rate"] == 1
        assert 0 < plan["error"] < 0.2


def test_the_chance_of_rescue_is_right_where_a_die_decides_it() -> None:
    """Heat bursts with the last event; the gnome has the reactor to himself, and five minutes."""
    game = position(
        [{"room": 4, "minutes": 5}, {"minutes": 0}, {"minutes": 0}],
        active=0,
        tracks={"heat": 9},
        event_deck={"reactor_warmup/-": 2},
    )
    best = advice(game, Budget(4000, 6))["plans"][0]
    assert best["moves"] == [{"type": "fix_reactor", "minutes": 5}]
    assert best["rescue_rate"] == pytest.approx(0.5, abs=4 * best["error"])
    assert best["line"][0]["chance"] == 0.5


def test_advice_ends_with_the_game() -> None:
    over = position(phase="over", cause="heat", tracks={"heat": 10}, script=scripted())
    assert explain(observe(over, 0), BUDGET) == {"seat": None, "playouts": 0, "plans": [], "own": None}
