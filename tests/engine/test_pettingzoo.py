"""Red November as an environment of PettingZoo's: its own tests pass, and every seat gets what is its own."""

import copy
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

from engine import IllegalMove, vector
from engine.learn import red_november_v1
from tests.support.playing import CREWS, VARIANTS, variant_name

every_variant = pytest.mark.parametrize("variant", range(len(VARIANTS)), ids=map(variant_name, VARIANTS))
# PettingZoo's tests say so of each of its own games that has a mask, too.
with_masks = [
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
]


def options_of(variant: int) -> dict[str, Any]:
    gnomes, players = CREWS[variant % len(CREWS)]
    return {"gnomes": gnomes, "players": players, **VARIANTS[variant]}


def random_action(env: Any, chance: np.random.Generator) -> int:
    return int(chance.choice(np.flatnonzero(env.observe(env.agent_selection)["action_mask"])))


class TestPettingZoosOwnTests:
    pytestmark = with_masks

    @every_variant
    def test_pass(self, variant: int, capsys: pytest.CaptureFixture[str]) -> None:
        api_test(red_november_v1.env(**options_of(variant)), num_cycles=300)
        assert "Passed" in capsys.readouterr().out
        seed_test(lambda: red_november_v1.env(**options_of(variant)), num_cycles=100)


@every_variant
def test_every_seat_sees_what_it_may_and_gets_its_own_result(variant: int) -> None:
    env, chance = red_november_v1.raw_env(**options_of(variant)), np.random.default_rng(variant)
    env.reset(seed=variant)
    moves = 0
    while not any(env.terminations.values()):
        game = env.game
        assert env.agents == [f"gnome_{seat}" for seat in range(game.rules.gnomes)]  # the dead, too
        assert env.agent_selection == f"gnome_{game.decider}"
        assert not any(env.rewards.values())
        if moves % 7 == 0:
            for seat, agent in enumerate(env.agents):
                seen = env.observe(agent)
                assert seen["observation"].tobytes() == vector.observation(game, seat)
                assert set(np.flatnonzero(seen["action_mask"])) == {
                    *(vector.actions(game) if seat == game.decider else ())
                }
                assert env.observation_space(agent).contains(seen)
        env.step(random_action(env, chance))
        moves += 1
    result = env.game.result
    assert result is not None
    assert list(env.rewards.values()) == [1 if seat == "won" else -1 for seat in result["seats"]]
    assert all(env.terminations.values())
    while env.agents:
        env.step(None)


def test_a_game_follows_from_the_seed_and_the_next_one_from_there() -> None:
    one, other = red_november_v1.env(gnomes=3), red_november_v1.env(gnomes=3)
    one.reset(seed=5)
    other.reset(seed=5)
    assert one.unwrapped.game == other.unwrapped.game
    first = one.unwrapped.game
    one.reset()
    other.reset()
    assert one.unwrapped.game == other.unwrapped.game != first
    one.reset(seed=5)
    assert one.unwrapped.game == first


@pytest.mark.parametrize("action", [-1, 323, 2**40, None])
def test_an_illegal_action_is_refused_and_changes_nothing(action: int | None) -> None:
    env = red_november_v1.env()
    env.reset(seed=1)
    before = env.unwrapped.game
    with pytest.raises(IllegalMove, match="legal"):
        env.step(action)
    assert env.unwrapped.game == before
    env.step(random_action(env, np.random.default_rng(1)))
    assert env.unwrapped.game.version == 1


def test_a_copy_is_a_game_of_its_own() -> None:
    env, chance = red_november_v1.raw_env(hidden_hands=True), np.random.default_rng(1)
    env.reset(seed=1)
    twin = copy.deepcopy(env)
    before = env.game
    for _ in range(10):
        twin.step(random_action(twin, chance))
    assert env.game == before
    for seat, agent in enumerate(twin.agents):
        assert twin.observe(agent)["observation"].tobytes() == vector.observation(twin.game, seat)
        assert env.observe(agent)["observation"].tobytes() == vector.observation(before, seat)


def test_an_environment_is_reset_before_anything_else() -> None:
    with pytest.raises(AssertionError, match="reset"):
        red_november_v1.env().step(0)
    with pytest.raises(RuntimeError, match="reset the environment first"):
        red_november_v1.raw_env().observe("gnome_0")
