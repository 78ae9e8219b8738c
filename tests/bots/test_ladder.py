"""The ladder: games of every level on the same seeds, and the table that comes of them."""

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bots import roster
from bots.arena.game import play_game
from bots.arena.series import game_seed
from bots.arena.statistics import wilson
from bots.training import ladder
from engine import Rules

README = Path(__file__).parents[2] / "README.md"
PROVEN_AT = (3, 4, 5, 6, 8)
Wire = dict[str, Any]
Climb = Callable[[], tuple[Path, Wire]]

SMALL = {"cabin_boy": (20,) * 6, "sailor": (40,) * 6}
MIXED = "sailor,sailor,sailor,clumsy"


@pytest.fixture
def climb(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Climb:
    """Plays what is missing of a small ladder; its log and its table."""
    monkeypatch.setattr(ladder, "GAMES", SMALL)
    table = tmp_path / "strength.json"
    monkeypatch.setattr(ladder, "STRENGTH", table)
    log = tmp_path / "log" / "ladder.ndjson"

    def climb() -> tuple[Path, Wire]:
        monkeypatch.setattr(sys, "argv", ["ladder", "--log", str(log), "--processes", "2"])
        ladder.main()
        return log, json.loads(table.read_text())

    return climb


def played(log: Path) -> Any:
    return {(line["bot"], line["gnomes"], line["number"]): line["rescued"] for line in lines(log)}


def lines(log: Path) -> Any:
    return list(map(json.loads, log.read_text().splitlines()))


def test_it_plays_the_games_that_red_november_match_plays(climb: Climb) -> None:
    log, table = climb()
    games = played(log)
    assert len(games) == 6 * (20 + 40)
    seeds = [game_seed(ladder.SEED, number) for number in range(40)]
    rescued = [play_game(["sailor"], Rules(gnomes=5), seed).rescued for seed in seeds]
    assert [games["sailor", 5, number] for number in range(40)] == rescued
    row = next(row for row in table["bots"]["sailor"] if row["gnomes"] == 5)
    low, high = wilson(sum(rescued), 40)
    assert row["games"] == 40
    assert (row["rescued"], row["low"], row["high"]) == pytest.approx((sum(rescued) / 40, low, high), abs=1e-4)
    lead = row["over_the_level_below"]
    assert lead["games"] == 20  # as many as both played
    assert lead["lead"] == sum(rescued[:20]) / 20 - sum(games["cabin_boy", 5, number] for number in range(20)) / 20


def test_it_goes_on_where_it_was_stopped(climb: Climb) -> None:
    log, _ = climb()
    games, text = played(log), log.read_text().splitlines()
    log.write_text("\n".join(text[:100]) + "\n")
    climb()
    assert log.read_text().splitlines()[:100] == text[:100]
    assert played(log) == games
    assert len(lines(log)) == len(text)


def test_a_crew_of_several_bots_has_a_row_of_its_own_and_is_no_level(
    climb: Climb, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ladder, "GAMES", {"sailor": (0, 400, 0, 0, 0, 0), MIXED: (0, 400, 0, 0, 0, 0)})
    log, table = climb()
    (sailors,), (mixed,) = table["bots"].pop("sailor"), table["crews"].pop(MIXED)
    assert table["bots"] == table["crews"] == {}
    assert mixed["gnomes"] == 4
    assert mixed["games"] == sum(line["bot"] == MIXED for line in lines(log)) == 400
    assert mixed["high"] < sailors["rescued"]
    assert "over_the_level_below" not in mixed


def test_games_of_other_bots_do_not_count(climb: Climb) -> None:
    log, _ = climb()
    log.write_text(log.read_text().replace(ladder.sources(), "0" * 16))
    _, table = climb()
    assert len(lines(log)) == 2 * 6 * (20 + 40)
    assert table["sources"] == ladder.sources()
    assert all(row["games"] == 40 for row in table["bots"]["sailor"])


STRENGTH = json.loads(roster.STRENGTH.read_text())["bots"]


@pytest.mark.parametrize("gnomes", PROVEN_AT)
@pytest.mark.parametrize("bot", [bot for bot in STRENGTH if bot != "cabin_boy"])
def test_every_level_was_stronger_than_the_one_below_beyond_doubt(bot: str, gnomes: int) -> None:
    row = next(row for row in STRENGTH[bot] if row["gnomes"] == gnomes)
    assert row["over_the_level_below"]["low"] > 0


def test_the_table_in_the_readme_is_what_was_measured() -> None:
    rows = re.findall(r"^\| `(\w+)` \|((?: \d+ % \|)+)", README.read_text(), re.MULTILINE)
    told = {bot: [int(rate) for rate in re.findall(r"\d+", rates)] for bot, rates in rows}
    assert list(told) == ["sailor", "bosun", "captain", "admiral"]
    for bot, rates in told.items():
        assert rates == [round(100 * row["rescued"]) for row in STRENGTH[bot]]
