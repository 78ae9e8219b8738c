"""Games played by numbers are the games that the façade plays."""

import random

import numpy as np
import pytest

from engine import Game, IllegalMove
from engine.lanes import ILLEGAL, MOVE_IDS, Lanes, id_of, move_of
from tests.support.playing import VARIANTS, all_rules, seed_of, variant_name

every_variant = pytest.mark.parametrize("variant", range(len(VARIANTS)), ids=map(variant_name, VARIANTS))


def legal_ids(lanes: Lanes, lane: int, count: int) -> list[int]:
    return [int(number) for number in lanes.ids[lane, :count]]


@every_variant
def test_a_lane_plays_the_same_game_as_the_facade(variant: int) -> None:
    rng = random.Random(variant)
    for rules in all_rules(VARIANTS[variant]):
        game, lanes = Game.new(rules, seed_of(variant)), Lanes(3)
        count = lanes.put(1, game)
        while game.result is None:
            legal = [id_of(move) for move in game.legal_moves()]
            assert legal_ids(lanes, 1, count) == legal
            assert np.flatnonzero(lanes.mask[1]).tolist() == sorted(legal)
            assert lanes.deciders[1] == game.decider
            move = rng.choice(legal)
            game.play(move_of(move))
            count = lanes.step(1, move)
            assert lanes.records[1].tobytes() == game.record.tobytes()
        assert count == 0
        assert not lanes.mask[1].any()
        assert lanes.deciders[1] == -1
        assert lanes.game(1) == game
        assert lanes.step(1, legal[0]) == ILLEGAL


def test_an_illegal_id_leaves_its_lane_as_it_is() -> None:
    lanes = Lanes(1)
    lanes.put(0, Game.new(seed=bytes(32)))
    before = [array.tobytes() for array in (lanes.records, lanes.ids, lanes.mask, lanes.deciders)]
    for move in {*range(-2, MOVE_IDS + 2), 2**40, -(2**40)} - set(np.flatnonzero(lanes.mask[0]).tolist()):
        assert lanes.step(0, move) == ILLEGAL
    assert [array.tobytes() for array in (lanes.records, lanes.ids, lanes.mask, lanes.deciders)] == before


def test_a_lane_leaves_its_neighbours_alone() -> None:
    lanes = Lanes(3)
    for lane in range(3):
        lanes.put(lane, Game.new(seed=bytes([lane] * 32)))
    neighbours = [array[[0, 2]].tobytes() for array in (lanes.records, lanes.ids, lanes.mask, lanes.deciders)]
    while lanes.step(1, int(lanes.ids[1, 0])) > 0:
        pass
    assert [array[[0, 2]].tobytes() for array in (lanes.records, lanes.ids, lanes.mask, lanes.deciders)] == neighbours


def test_a_lane_is_a_copy_both_ways() -> None:
    game, lanes = Game.new(seed=bytes(32)), Lanes(1)
    lanes.put(0, game)
    kept = lanes.game(0)
    lanes.step(0, int(lanes.ids[0, 0]))
    assert game.version == 0
    assert kept == game
    assert lanes.game(0).version == 1


@pytest.mark.parametrize("lane", [-1, 2, 2**40, True, None])
def test_a_lane_that_is_none_is_refused(lane: int) -> None:
    lanes = Lanes(2)
    with pytest.raises(IndexError, match="lane"):
        lanes.put(lane, Game.new())
    with pytest.raises(IndexError, match="lane"):
        lanes.game(lane)


@pytest.mark.parametrize("lane", [-1, 2, 2**40])
def test_a_step_in_no_lane_is_refused(lane: int) -> None:
    with pytest.raises(IndexError, match="lane"):
        Lanes(2).step(lane, 0)


@pytest.mark.parametrize("count", [0, -1, 2.0, True, "3"])
def test_lanes_have_a_whole_number(count: int) -> None:
    with pytest.raises(ValueError, match="count must be 1 or more"):
        Lanes(count)


def test_every_id_is_a_move_and_back() -> None:
    assert [id_of(move_of(number)) for number in range(MOVE_IDS)] == list(range(MOVE_IDS))
    with pytest.raises(IllegalMove):
        id_of({"type": "swim"})
