"""Turns that bots miss: what is looked at, and how it is judged."""

import json
import random
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bots.arena.series import game_seed
from bots.training import ladder, missed
from bots.training.missed import Missed
from engine import Rules
from engine.shapes import Move
from tests.support.helpers import position

PAIRS = 6


@pytest.fixture
def games(tmp_path: Path) -> Path:
    """A ladder's log with some games of bosuns."""
    log = tmp_path / "ladder.ndjson"
    played = [ladder.play_one("bosun", Rules(3), game_seed(ladder.SEED, number)) for number in range(3)]
    told = [
        {"bot": "bosun", "gnomes": 3, "number": number, "rescued": game.rescued, "moves": game.moves}
        for number, game in enumerate(played)
    ]
    log.write_text("".join(f"{json.dumps(line)}\n" for line in told))
    return log


def test_it_looks_at_a_turn_of_each_game_and_goes_on_where_it_was_stopped(
    games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "missed.ndjson"
    asked = ["--ladder", games, "--log", log, "--bot", "bosun", "--pairs", PAIRS]

    def run(positions: int) -> str:
        monkeypatch.setattr(sys, "argv", ["missed", *map(str, asked), "--positions", str(positions)])
        missed.main()
        return capsys.readouterr().out

    run(2)
    first = log.read_text()
    told = run(3)
    assert told.startswith("3 positions: another turn in ")
    assert log.read_text().startswith(first)
    seen: list[Any] = [json.loads(line)["missed"] for line in log.read_text().splitlines()]
    assert {each["number"] for each in seen} == {0, 1, 2}
    assert all(each["pairs"] == (0 if each["found"] == each["made"] else PAIRS) for each in seen)


def test_a_turn_that_loses_the_boat_is_told_from_one_that_saves_it() -> None:
    game = position([{"room": 5, "minutes": 3, "items": {"reactor_manual": 2}}], active=0, tracks={"heat": 9})
    idle: list[Move] = [{"type": "no_action"}]
    found = missed.best_turn(game, "bosun")
    assert found != idle
    blunder = Missed("bosun", 3, 0, 0, idle, found)
    better, same = (missed.judged(each, game, 30, random.Random(1)) for each in (blunder, replace(blunder, found=idle)))
    assert better.gain > 0
    assert better.lead > 0.1
    assert same.gain == same.lead == 0
