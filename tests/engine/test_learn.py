"""Batches for learners: each lane is the game that the façade plays, and says what its decider may know."""

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from engine import BadRules, BadSeat, Game, Rules, vector
from engine.learn import ILLEGAL, Batch
from tests.support.playing import VARIANTS, all_rules, variant_name

SEED = 7
every_variant = pytest.mark.parametrize("variant", range(len(VARIANTS)), ids=map(variant_name, VARIANTS))


def rules_of(variant: int) -> Rules:
    """The rules of a variant with one of its crews, another for each."""
    crews = all_rules(VARIANTS[variant])
    return crews[variant % len(crews)]


def mask_of(game: Game) -> list[bool]:
    legal = {*vector.actions(game)}
    return [number in legal for number in range(vector.MOVE_IDS)]


def arrays(batch: Batch) -> dict[str, Any]:
    names = ("observations", "masks", "deciders", "rewards", "dones", "episodes")
    return {name: getattr(batch, name).tolist() for name in names}


@every_variant
def test_a_lane_is_a_single_game_bit_for_bit(variant: int) -> None:
    batch = Batch(rules_of(variant), lanes=3, seed=SEED)
    lane, ended = variant % 3, 0
    game = batch.start(lane)
    for _ in range(400):
        assert batch.game(lane) == game
        assert batch.observations[lane].tobytes() == vector.observation(game, game.decider)
        assert batch.masks[lane].tolist() == mask_of(game)
        assert batch.deciders[lane] == game.decider
        actions = batch.sample()
        game.play(vector.move_of(actions[lane]))
        batch.step(actions)
        result = game.result
        assert batch.dones[lane] == (result is not None)
        won = result["seats"] if result else []
        paid = [1 if seat == "won" else -1 for seat in won]
        assert batch.rewards[lane].tolist() == paid + [0] * (8 - len(paid))
        if result:
            ended += 1
            assert batch.episodes[lane] == ended
            game = batch.start(lane)
            if ended == 3:
                break
    assert ended
    assert not batch.illegal.any()


def test_a_game_follows_from_seed_lane_and_number_alone() -> None:
    narrow, wide, other = Batch(lanes=2, seed=SEED), Batch(lanes=5, seed=SEED), Batch(lanes=2, seed=SEED + 1)
    assert [wide.game(lane) for lane in range(2)] == [narrow.game(lane) for lane in range(2)]
    assert len({wide.game(lane).to_bytes() for lane in range(5)}) == 5
    assert other.game(0) != narrow.game(0)
    played = wide.game(1)
    wide.begin(1)
    while not narrow.dones[1]:
        narrow.step(narrow.sample())
    assert wide.game(1) == narrow.game(1) != played
    wide.reset(SEED)
    assert wide.game(1) == played
    assert wide.episodes.tolist() == [0] * 5


def test_an_illegal_id_leaves_its_lane_as_it_is_and_is_counted() -> None:
    batch = Batch(lanes=2, seed=SEED)
    before, games = arrays(batch), [batch.game(lane) for lane in range(2)]
    refused = {*range(-2, vector.MOVE_IDS + 2), 2**40, -(2**40)} - set(np.flatnonzero(batch.masks[0]).tolist())
    for action in refused:
        assert batch.play(0, action) == ILLEGAL
    assert arrays(batch) == before
    assert [batch.game(lane) for lane in range(2)] == games
    assert batch.illegal.tolist() == [len(refused), 0]
    batch.step([ILLEGAL, int(np.flatnonzero(batch.masks[1])[0])])
    assert (batch.game(0), batch.game(1).version) == (games[0], 1)
    assert batch.illegal.tolist() == [len(refused) + 1, 0]


def test_a_mask_that_was_written_to_makes_nothing_legal() -> None:
    batch = Batch(lanes=1, seed=SEED)
    action = int(np.flatnonzero(~batch.masks[0])[0])
    batch.masks[0, action] = True
    assert batch.play(0, action) == ILLEGAL
    with pytest.raises(ValueError, match="read-only"):
        batch.ids[0, 0] = action
    batch.masks[0, action] = False
    legal = batch.play(0, int(batch.ids[0, 0]))
    assert sorted(batch.ids[0, :legal].tolist()) == np.flatnonzero(batch.masks[0]).tolist()


def test_a_step_in_one_lane_leaves_the_others_alone() -> None:
    one, all_ = Batch(lanes=3, seed=SEED), Batch(lanes=3, seed=SEED)
    for _ in range(200):
        actions = all_.sample()
        all_.step(actions)
        for lane in (2, 0, 1):
            assert one.play(lane, actions[lane]) == one.masks[lane].sum()
        assert [one.game(lane) for lane in range(3)] == [all_.game(lane) for lane in range(3)]
        assert arrays(one) == arrays(all_)


def test_the_arrays_are_the_callers() -> None:
    given: dict[str, Any] = {
        "observations": np.zeros((2, vector.SIZE), np.int8),
        "masks": np.zeros((2, vector.MOVE_IDS), np.bool_),
        "deciders": np.zeros(2, np.int8),
        "rewards": np.zeros((2, 8), np.float32),
        "dones": np.zeros(2, np.bool_),
    }
    batch = Batch(lanes=2, seed=SEED, **given)
    for name, array in given.items():
        assert getattr(batch, name) is array
    assert given["observations"][1].tobytes() == vector.observation(batch.game(1), batch.deciders[1].item())
    for name, array in given.items():
        read_only = array.copy()
        read_only.flags.writeable = False
        for wrong in (array[:1], np.repeat(array, 2, 0)[::2], array.astype(np.int64), array.tolist(), read_only):
            arguments: Any = {name: wrong}
            with pytest.raises(ValueError, match=f"{name} must be a contiguous, writable array"):
                Batch(lanes=2, **arguments)


def test_samples_are_legal_and_reach_every_move() -> None:
    batch, again = Batch(lanes=2, seed=SEED), Batch(lanes=2, seed=SEED)
    drawn = [batch.sample() for _ in range(400)]
    assert {int(actions[0]) for actions in drawn} == set(np.flatnonzero(batch.masks[0]).tolist())
    assert all((actions == again.sample()).all() for actions in drawn)


def test_samples_keep_to_a_mask() -> None:
    batch = Batch(lanes=2, seed=SEED)
    legal = np.flatnonzero(batch.masks[0])
    masks = np.zeros_like(batch.masks)
    masks[0, legal[-1]] = True
    masks[0, np.flatnonzero(~batch.masks[0])] = True  # what is not legal is not drawn, whatever a mask says
    assert {tuple(batch.sample(masks).tolist()) for _ in range(20)} == {(legal[-1], ILLEGAL)}
    with pytest.raises(ValueError, match="masks must be"):
        batch.sample(masks[:1])


def test_without_renewal_a_game_that_has_ended_stays() -> None:
    batch = Batch(lanes=1, seed=SEED, renew=False)
    while not batch.dones[0]:
        batch.step(batch.sample())
    game = batch.game(0)
    assert game.result is not None
    assert batch.deciders[0] == -1
    assert not batch.masks.any()
    assert batch.sample()[0] == ILLEGAL
    assert batch.observations[0].tobytes() == vector.observation(game, None)
    batch.step(batch.sample())
    assert batch.illegal[0] == 1
    assert not batch.dones.any()
    assert not batch.rewards.any()
    assert batch.game(0) == game
    batch.begin(0)
    assert (batch.episodes[0], batch.game(0).version) == (1, 0)
    assert batch.game(0) == batch.start(0)


@pytest.mark.parametrize("edition", ["revised", "original"])
def test_who_has_abandoned_a_lost_crew_has_won(edition: str) -> None:
    batch = Batch(Rules(gnomes=4, edition=edition), lanes=2, seed=SEED)
    gone = {"state": "abandoned", "minutes": 0, "items": {}}
    aboard = [{"minutes": 8, "room": room, "items": {"grog": 1}} for room in (5, 6, 9)]
    tracks = {"asphyxiation": 9, "heat": 9, "pressure": 9}
    situation = {"rules": batch.rules.to_dict(), "gnomes": [*aboard, gone], "tracks": tracks, "seed": "00" * 32}
    game = Game.from_position(situation)
    batch.put(1, game)
    assert batch.game(1) == game
    assert batch.observations[1].tobytes() == vector.observation(game, game.decider)
    assert batch.masks[1].tolist() == mask_of(game)
    neighbour = batch.game(0)
    while game.result is None:
        action = int(batch.sample()[1])
        game.play(vector.move_of(action))
        batch.play(1, action)
    assert game.result["crew"] == "lost"
    assert batch.rewards[1].tolist() == [-1, -1, -1, 1, 0, 0, 0, 0]
    assert (batch.episodes[1], batch.game(1).rules) == (1, batch.rules)
    assert batch.game(0) == neighbour


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, lambda batch: pickle.loads(pickle.dumps(batch))])
def test_a_copy_goes_on_by_itself(duplicate: Callable[[Batch], Batch]) -> None:
    batch = Batch(lanes=2, seed=SEED)
    for _ in range(20):
        batch.step(batch.sample())
    twin = duplicate(batch)
    before = arrays(batch)
    for _ in range(100):
        twin.step(twin.sample())
    assert arrays(batch) == before
    for _ in range(100):
        batch.step(batch.sample())
    assert arrays(batch) == arrays(twin)
    assert [batch.game(lane) for lane in range(2)] == [twin.game(lane) for lane in range(2)]


@pytest.mark.parametrize("players", [1, 2, 4])
def test_a_lane_is_looked_at_from_every_seat(players: int) -> None:
    batch = Batch(Rules(gnomes=4, players=players, hidden_hands=True), lanes=2, seed=SEED)
    for _ in range(30):
        batch.step(batch.sample())
        for seat in (*range(4), None):
            assert batch.look(1, seat).tobytes() == vector.observation(batch.game(1), seat)
    with pytest.raises(BadSeat):
        batch.look(1, 4)


@pytest.mark.parametrize("lane", [-1, 2, 2**40])
def test_a_lane_that_is_none_is_refused(lane: int) -> None:
    batch = Batch(lanes=2)
    for call in (
        batch.game,
        batch.start,
        batch.begin,
        lambda lane: batch.play(lane, 0),
        lambda lane: batch.look(lane, 0),
    ):
        with pytest.raises(IndexError, match="lane"):
            call(lane)


@pytest.mark.parametrize("actions", [[0], [0, 0, 0], [[0, 0]], 5])
def test_there_is_an_action_for_each_lane(actions: Any) -> None:
    with pytest.raises(ValueError, match="there are 2 lanes"):
        Batch(lanes=2).step(actions)


def test_an_action_is_a_whole_number() -> None:
    with pytest.raises(TypeError):
        Batch(lanes=2).step([0.0, 1.5])


@pytest.mark.parametrize("lanes", [0, -1, 2.0, True])
def test_lanes_have_a_whole_number(lanes: int) -> None:
    with pytest.raises(ValueError, match="lanes must be 1 or more"):
        Batch(lanes=lanes)


def test_rules_are_rules() -> None:
    with pytest.raises(BadRules):
        Batch({"gnomes": 4})  # type: ignore[arg-type]
