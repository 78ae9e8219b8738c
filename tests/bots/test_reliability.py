"""How honest chances are: told from games, and found out where they are not."""

import json
import random
import sys
from pathlib import Path

import pytest

from bots.training import reliability
from bots.training.calibration import Calibration, Replayed, model_error

CHANCES = [number / 100 for number in range(2, 100, 4)]


def told_of(games: int, bias: float = 0.0, turns: int = 3) -> Calibration:
    """Games whose true chances are known; what is told of them, some times each, is that much too high."""
    chance = random.Random(1)
    told, saved, numbers = [], [], []
    for number in range(games):
        true = chance.choice(CHANCES)
        end = chance.random() < true
        told += [min(1.0, true + bias)] * turns
        saved += [end] * turns
        numbers += [number] * turns
    return Calibration(told, saved, numbers)


def test_honest_chances_are_off_by_what_chance_makes_of_few_games() -> None:
    for games in (100, 1600):
        gap = told_of(games).gap()
        assert gap.by_chance / 2 < gap.mean < 2 * gap.by_chance
    assert told_of(1600).gap().by_chance == pytest.approx(told_of(100).gap().by_chance / 4, rel=0.2)
    assert told_of(100).gap().by_chance == pytest.approx(told_of(100, turns=1).gap().by_chance)  # ends tell no more


def test_chances_that_are_too_high_are_off_by_as_much() -> None:
    gap = told_of(3000, bias=0.1).gap()
    assert gap.mean == pytest.approx(0.1, abs=4 * gap.error)
    assert 0 < gap.error < 0.02


def test_the_worst_bin_is_named() -> None:
    told = [0.05] * 40 + [0.55] * 40 + [0.95] * 5
    saved = [False] * 38 + [True] * 2 + [True] * 32 + [False] * 8 + [False] * 5  # of five, nobody can tell
    number, worst = Calibration(told, saved, range(85)).worst() or (0, None)
    assert number == 5
    assert worst is not None
    assert worst == pytest.approx((40, 0.55, 0.8))
    assert Calibration([0.5], [True], [0]).worst() is None


def test_the_model_error_is_what_errors_of_trials_leave() -> None:
    chance = random.Random(2)
    replayed, games = [], 6
    for _ in range(4000):
        true = chance.uniform(0.2, 0.8)
        told = true + chance.choice((-0.08, 0.08)) + chance.gauss(0, 0.05)
        replayed.append(Replayed(told, 0.05, sum(chance.random() < true for _ in range(games)), games))
    found = model_error(replayed)
    assert found.low < 0.08 < found.high
    assert found.high - found.low < 0.03
    assert model_error(replayed[:400]).high > found.high
    assert model_error([each._replace(told=each.saved / games, error=0.0) for each in replayed]).high == 0.0
    assert model_error([]) == (0.0, 0.0, 1.0)


def test_a_run_goes_on_where_it_was_stopped_and_tells_what_it_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "log" / "reliability.ndjson"
    crews = ["--crews", "sailors", "--gnomes", "3", "5"]

    def run(games: int) -> str:
        more = ["--log", str(log), "--games", str(games), "--replays", "2", "--processes", "2"]
        monkeypatch.setattr(sys, "argv", ["reliability", *crews, *more])
        reliability.main()
        return capsys.readouterr().out

    run(2)
    first = log.read_text()
    told = run(3)
    assert log.read_text().startswith(first)
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    assert len(lines) == 3 * 2 * 2
    assert {line["game"]["variant"] for line in lines} == {None, 0, 1, 2}
    assert all(0 <= each[site] <= 1 for line in lines for each in line["asked"] for site in reliability.SITES)
    assert all(len(line["asked"]) == reliability.ASKED and 0 <= line["again"] <= 2 for line in lines)
    assert "| 3 sailors | 15 |" in told
    assert "| `edition` original | 10 |" in told
    assert told.count("points on average") == len(reliability.SITES)
    assert run(3) == told
    answered = reliability.read(log)
    ends = reliability.calibration(answered, "odds")
    assert ends.saved.sum() == sum(3 * line["rescued"] + line["again"] for line in answered.values())
