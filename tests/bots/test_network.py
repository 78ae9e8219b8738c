"""The network that ends playouts early: what it is shown, how it learns, and how well it guesses."""

import random
from itertools import pairwise
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest

from bots.budget import HORIZON, Budget
from bots.search import network
from bots.search.features import FEATURES, look
from bots.search.network import DEATHS, RESCUE
from bots.search.search import TO_THE_END, Search, Stakes
from bots.skill import Skill
from bots.training import fit
from bots.training.sampling import sample
from engine import Game, Rules, observe
from engine.enums import SEATS
from tests.support.helpers import decider_of
from tests.support.playing import VARIANTS, seed_of
from tests.support.thinking import kind, positions

UNSEEN = 4  # a seed that the network was not fitted with
BY_SEAT = ("minutes", "stack", "room", "condition", "intoxication", "drew_items_in", "hand")
SAILORS = np.full(SEATS, Skill.SAILOR, np.int64)


@numba.njit(error_model="numpy")
def see(game: Any, skills: Any, seen: Any) -> None:
    look(game[0], skills, seen)


@numba.njit(error_model="numpy")
def think(game: Any, skills: Any, thinkers: Any) -> None:
    network.guess(game[0], skills, thinkers[0])


Ends = tuple[np.ndarray, np.ndarray, np.ndarray]


def seen_of(game: Game, skills: np.ndarray | None = None) -> np.ndarray:
    seen = np.zeros(FEATURES, np.float32)
    see(game.record, SAILORS if skills is None else skills, seen)
    return seen


def guess(seen: np.ndarray) -> np.ndarray:
    """Chances of rescue, and deaths to come."""
    layers = {name: network.read()[name][0] for name in network.LAYERS}
    return fit.outcomes(fit.guesses(layers, seen)[2])


@pytest.fixture(scope="module")
def ends() -> Ends:
    """Of positions under the base rules: what is seen, how they ended, what the network says."""
    samples = [sample(Rules(gnomes=gnomes), UNSEEN, 6000) for gnomes in (3, 5, 8)]
    seen, ended = (np.concatenate(part) for part in zip(*samples, strict=True))
    return seen, ended, guess(seen)


def test_a_guess_is_a_chance_that_comes_true(ends: Ends) -> None:
    _, ended, told = ends
    chance, rescued = told[:, RESCUE], ended[:, RESCUE]
    for low, high in pairwise((0, 0.2, 0.4, 0.6, 0.8, 1)):
        here = (low <= chance) & (chance < high)
        assert here.sum() > 500
        assert rescued[here].mean() == pytest.approx(chance[here].mean(), abs=0.06)
    assert ended[:, DEATHS].mean() == pytest.approx(told[:, DEATHS].mean(), rel=0.1)


def test_a_guess_tells_more_than_the_size_of_the_crew(ends: Ends) -> None:
    _, ended, told = ends
    assert ((told - ended) ** 2)[:, RESCUE].mean() < 0.75 * ended[:, RESCUE].var()


def test_the_file_tells_how_it_was_made() -> None:
    made = network.made()
    assert made["positions"] > 6 * made["each"]
    assert 0.3 < made["rescues_explained"] < 1


@pytest.mark.parametrize("variant", range(len(VARIANTS)))
def test_which_seat_a_gnome_has_is_nothing_to_it(variant: int) -> None:
    chance = random.Random(seed_of("seats", variant))
    for game in (game for game in positions(variant, 8) if kind(game) == "movement"):
        other = game.copy()
        order = chance.sample(range(game.rules.gnomes), game.rules.gnomes)
        for name in BY_SEAT:
            other.record[name][0, : len(order)] = game.record[name][0, order]
        assert np.allclose(seen_of(other), seen_of(game))


@pytest.mark.parametrize("variant", range(len(VARIANTS)))
def test_it_does_not_look_at_what_nobody_sees(variant: int) -> None:
    for game in positions(variant, 3):
        other = game.copy()
        for name in ("key", "rolls", "script_dice", "script_events", "script_items", "script_left", "item_deck"):
            other.record[name] = 1
        assert (seen_of(other) == seen_of(game)).all()


@pytest.mark.parametrize("variant", range(0, len(VARIANTS), 4))
def test_the_compiled_network_says_what_the_numbers_say(variant: int) -> None:
    thinker = network.read()
    for game in positions(variant, 3):
        think(game.record, SAILORS, thinker)
        assert thinker["output"][0] == pytest.approx(guess(seen_of(game)[None])[0], rel=1e-3, abs=1e-5)


def test_a_sample_holds_what_was_asked_for_and_the_same_each_time() -> None:
    seen, ended = sample(Rules(gnomes=5), 1, 500)
    assert 490 < len(seen) == len(ended) <= 500
    assert set(ended[:, RESCUE]) == {0, 1}
    assert (ended[:, DEATHS] >= 0).all()
    assert ended[:, DEATHS].max() <= 5
    again, other = sample(Rules(gnomes=5), 1, 500)[0], sample(Rules(gnomes=5), 2, 500)[0]
    assert (again == seen).all()
    assert other.shape != seen.shape or (other != seen).any()


def test_the_slopes_are_those_of_the_loss() -> None:
    rng = np.random.default_rng(1)
    layers = {name: layer.astype(np.float64) for name, layer in fit.new_layers(rng).items()}
    for name in ("first_bias", "second_bias", "third_bias"):
        layers[name] += 0.1
    seen = rng.random((7, FEATURES))
    ended = np.stack([rng.integers(0, 2, 7), rng.integers(0, 4, 7)], axis=1).astype(float)

    def loss() -> float:
        told = fit.outcomes(fit.guesses(layers, seen)[2])
        chance, rescued = told[:, RESCUE], ended[:, RESCUE]
        entropy = -(rescued * np.log(chance) + (1 - rescued) * np.log(1 - chance))
        return float((entropy + fit.DEATHS_COUNT * (told - ended)[:, DEATHS] ** 2).mean())

    slopes = fit.slopes(layers, seen, ended)
    assert set(slopes) == set(network.LAYERS)
    for name, layer in layers.items():
        for at in (0, layer.size // 2, layer.size - 1):
            before = layer.flat[at]
            layer.flat[at] = before + 1e-6
            above = loss()
            layer.flat[at] = before - 1e-6
            below = loss()
            layer.flat[at] = before
            assert slopes[name].flat[at] == pytest.approx((above - below) / 2e-6, abs=1e-6)


@pytest.mark.thorough
def test_learning_is_reproducible_and_finds_something(tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("first.npz", "again.npz", "other.npz")]
    for file, seed in zip(files, (1, 1, 2), strict=True):
        made = fit.fit(file, each=400, epochs=3, seed=seed)
        assert made == network.made(file)
        assert made["rescues_explained"] > 0.1
    first, again, other = map(network.read, files)
    assert first.tobytes() == again.tobytes() != other.tobytes()


def test_whoever_looks_after_himself_plays_to_the_end() -> None:
    """The network knows of rescues only, so that games of the disloyal are not cut short: their worth is 0 or 1."""
    for game in (game for game in positions(0, 8) if kind(game) == "movement"):
        search = Search(observe(game, game.decider), Stakes(decider_of(game), loyal=False), seed=1)
        search.run(Budget(30, 4))
        for choice in search.choices:
            assert choice.sums[1] == choice.sums[2] == round(choice.sums[1])


def test_a_playout_to_the_end_is_a_rescue_or_a_loss() -> None:
    game = Game.new(Rules(gnomes=4), bytes(32))
    for minutes, whole in ((TO_THE_END, True), (HORIZON, False)):
        search = Search(observe(game, game.decider), Stakes(decider_of(game)), seed=1)
        search.run(Budget(100, 4, minutes=minutes))
        rescued = search.choices[0].sums[3]
        assert (rescued == round(rescued)) == whole


def test_a_search_leaves_nothing_in_the_network() -> None:
    """What it thinks at the moment is overwritten by the next guess."""
    game = Game.new(Rules(gnomes=6), bytes(32))
    told = []
    for _ in range(2):
        search = Search(observe(game, game.decider), Stakes(decider_of(game)), seed=3)
        search.run(Budget(100, 8))
        told.append([choice.sums.tolist() for choice in search.choices])
        other = Game.new(Rules(gnomes=3), bytes(32))
        Search(observe(other, other.decider), Stakes(decider_of(other)), seed=5).run(Budget(50, 4))
    assert told[0] == told[1]
