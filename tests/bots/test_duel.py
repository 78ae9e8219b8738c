"""`make duel`: two ways of deciding on the same seeds, told with intervals, and gone on with where it stopped."""

import json
import sys
from pathlib import Path

import pytest

from bots.training import duel


def run(monkeypatch: pytest.MonkeyPatch, log: Path, *more: str) -> None:
    arguments = ["--one", "6,3,3,2", "--other", "0", "--gnomes", "3", "--log", str(log), *more]
    monkeypatch.setattr(sys, "argv", ["duel", *arguments])
    duel.main()


def test_a_duel_that_was_stopped_goes_on_behind_what_was_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    run(monkeypatch, whole, "--games", "40")
    run(monkeypatch, parts, "--games", "20")
    first = parts.read_text()
    run(monkeypatch, parts, "--games", "40")
    assert parts.read_text().startswith(first)
    played = [[json.loads(line)["rescued"] for line in log.read_text().splitlines()] for log in (whole, parts)]
    assert played[0] == played[1]
    assert len(played[0]) == 2
    told = [line.rsplit(",", 1)[0] for line in capsys.readouterr().out.splitlines()]  # but for the time of a turn
    assert told[0] == told[2]
    assert told[0].startswith("3 gnomes, 40 games: ")


def test_games_of_other_numbers_are_not_taken_for_these(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = tmp_path / "log"
    run(monkeypatch, log, "--games", "20")
    run(monkeypatch, log, "--games", "20", "--seed", "8")
    run(monkeypatch, log, "--games", "20", "--greater-challenge", "storm")
    assert len(log.read_text().splitlines()) == 3
