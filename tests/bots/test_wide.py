"""What a search tries beside the plans of rules of thumb: gifts, other minutes, fewer cards."""

import pytest

from bots.budget import Budget
from bots.explain import explain
from bots.search.search import Search, Stakes
from engine import Game, observe
from tests.support.helpers import decider_of, position
from tests.support.playing import VARIANTS, variant_name
from tests.support.thinking import brief, kind, positions

WIDE = Budget(playouts=60, candidates=6, minutes=2, wide=60)


def turns(game: Game, budget: Budget = WIDE) -> list[list[str]]:
    """All that is tried, as moves in brief."""
    search = Search(observe(game, game.decider), Stakes(decider_of(game)), seed=1)
    search.run(budget)
    return [brief(search.wire(choice)) for choice in search.choices]


@pytest.mark.parametrize("variant", range(0, len(VARIANTS), 3), ids=lambda number: variant_name(VARIANTS[number]))
def test_every_turn_that_is_tried_is_legal_and_tried_once(variant: int) -> None:
    for game in (game for game in positions(variant, 3) if kind(game) == "movement"):
        search = Search(observe(game, game.decider), Stakes(decider_of(game)), seed=1)
        search.run(WIDE)
        lines = [search.wire(choice) for choice in search.choices]
        for line in lines:
            trial = game.copy()
            for move in line:
                assert trial.decider == game.decider
                trial.play(move)
        assert len({str(brief(line)) for line in lines}) == len(lines)


def test_any_item_may_be_given_to_anyone_in_the_room_or_in_one_nearby() -> None:
    crew = [{"room": 1, "minutes": 40, "items": {"coffee": 1, "water_pump": 2}}, {"room": 1}, {"room": 2}]
    tried = turns(position(crew, active=0))
    for way, seat in ([], 1), (["open_hatch 2", "enter"], 2):
        for gifts in ["give_item coffee"], ["give_item water_pump", "give_item water_pump"]:
            assert [*way, f"trade_items {seat}", *gifts] in [turn[: len(way) + 1 + len(gifts)] for turn in tried]


def test_fewer_cards_may_be_drawn() -> None:
    tried = turns(position([{"room": 8, "minutes": 40}], active=0))
    assert {f"draw_items {cards}" for cards in (1, 2, 3, 4)} <= {turn[-1] for turn in tried}


def test_other_minutes_are_tried_where_the_chance_or_an_icon_differs_and_with_items_kept() -> None:
    crew = [{"room": 1, "minutes": 40, "items": {"engine_manual": 1}}, {"room": 5}, {"room": 7}]
    tried = turns(position(crew, tracks={"pressure": 7}, active=0))
    with_manual = {turn[-1] for turn in tried if turn[0] == "use_item engine_manual"}
    without = {turn[-1] for turn in tried if turn[0].startswith("fix_engine")}
    assert len(with_manual) > 1
    assert {"fix_engine 10"} < without


def test_the_choices_of_rules_of_thumb_get_no_less_than_without_the_wide_ones() -> None:
    game = position([{"room": 8, "minutes": 40, "items": {"coffee": 1}}, {"room": 8}, {"room": 5}], active=0)
    few, many = (
        explain(observe(game, 0), Budget(playouts=96, candidates=6, minutes=2, wide=wide), most=99) for wide in (0, 40)
    )
    assert min(plan["playouts"] for plan in many["plans"]) >= min(plan["playouts"] for plan in few["plans"])
    assert len(many["plans"]) > len(few["plans"])
    assert many["playouts"] > few["playouts"]
