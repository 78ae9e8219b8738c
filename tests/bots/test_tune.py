"""Tuning by self-play: reproducible, and told in a file that people can read."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from bots.sailor import mind, weights
from bots.training.tune import evaluate, tune

Tuned = Callable[..., Path]
NAMES = mind.WEIGHTS.names or ()
SMALL: dict[str, int] = {"generations": 2, "population": 4, "games": 6, "processes": 1}


@pytest.fixture(scope="module")
def tuned(tmp_path_factory: pytest.TempPathFactory) -> Tuned:
    """The file that a small tuning leaves under a seed."""
    folder = tmp_path_factory.mktemp("tuned")

    def run(name: str, **more: int) -> Path:
        file = folder / f"{name}.json"
        tune(file=file, **{"seed": 1} | SMALL | more)
        return file

    return run


@pytest.fixture(scope="module")
def first(tuned: Tuned) -> Path:
    return tuned("first")


@pytest.mark.parametrize("processes", [1, 2])
def test_the_same_seed_leaves_the_same_file(tuned: Tuned, first: Path, processes: int) -> None:
    assert tuned(f"again {processes}", processes=processes).read_text() == first.read_text()


def test_another_seed_leaves_another(tuned: Tuned, first: Path) -> None:
    assert tuned("other", seed=2).read_text() != first.read_text()


def test_the_file_names_every_weight_and_the_run_that_made_it(first: Path) -> None:
    told = json.loads(first.read_text())
    assert list(told["weights"]) == list(NAMES)
    run = {"seed": 1, "population": SMALL["population"], "games": SMALL["games"], "generations": 2}
    assert told["runs"] == [run]


def test_the_file_can_be_read_line_by_line(first: Path) -> None:
    lines = first.read_text().splitlines()
    for name in NAMES:
        assert sum(line.strip().startswith(f'"{name}":') for line in lines) == 1


def test_the_weights_read_are_those_written(first: Path) -> None:
    read = weights.read(first)
    assert np.isfinite(weights.as_vector(read)).all()
    assert not np.array_equal(read, mind.default_weights())
    copy = first.with_name("copy.json")
    weights.write(copy, read, weights.runs_behind(first))
    assert copy.read_text() == first.read_text()


def test_a_second_run_goes_on_from_the_first_and_says_so(tuned: Tuned, first: Path) -> None:
    file = first.with_name("second.json")
    file.write_text(first.read_text())
    tuned("second", seed=5, generations=1)
    seeds = [run["seed"] for run in json.loads(file.read_text())["runs"]]
    assert seeds == [1, 5]
    assert json.loads(file.read_text())["weights"] != json.loads(first.read_text())["weights"]


def test_every_generation_tells_how_good_it_is(tuned: Tuned, capsys: pytest.CaptureFixture[str]) -> None:
    tuned("spoken")
    told = capsys.readouterr().out.splitlines()
    assert len(told) == SMALL["generations"]
    for number, line in enumerate(told):
        assert re.match(rf"{number}: -?\d+\.\d+ rescued( \d+\.\d){{6}} % deaths \d+\.\d+", line)


def test_tuning_leaves_the_weights_in_use_alone(tuned: Tuned) -> None:
    before = weights.FILE.read_bytes()
    tuned("elsewhere")
    assert weights.FILE.read_bytes() == before


def test_the_weights_in_use_come_with_their_history() -> None:
    assert len(weights.runs_behind(weights.FILE)) > 0
    assert list(json.loads(weights.FILE.read_text())["weights"]) == list(NAMES)


def test_the_weights_in_use_are_better_than_those_that_were_guessed() -> None:
    games = 300
    own, rates, _ = evaluate(weights.as_vector(weights.WEIGHTS), 7, games)
    guessed, guessed_rates, _ = evaluate(weights.as_vector(mind.default_weights()), 7, games)
    assert own > guessed
    assert all(better > worse for better, worse in zip(rates, guessed_rates, strict=True))
