"""`red-november match` as its user runs it, and the series behind it."""

import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bots.arena.game import play_game
from bots.arena.progress import Progress
from bots.arena.series import Series
from bots.roster import ROSTER
from engine import Rules
from service.cli import main
from tests.support.serving import PATIENCE

Wire = dict[str, Any]

ROOT = Path(__file__).parents[2]
COMMAND = [sys.executable, "-m", "service.cli", "match"]


class Mutineer:
    def choose(self, *_: Any, **__: Any) -> Any:
        raise RuntimeError("mutiny")


def match(*arguments: str) -> int:
    return main(["match", *arguments])


def timeless(told: Any) -> Any:
    """Without the seconds, which differ from run to run."""
    if isinstance(told, dict):
        return {name: timeless(value) for name, value in told.items() if not name.startswith("seconds")}
    return [timeless(value) for value in told] if isinstance(told, list) else told


def lines(file: Path) -> list[Wire]:
    return [json.loads(line) for line in file.read_text().splitlines()]


def test_the_command_prints_a_table_and_writes_json_and_a_line_a_game(tmp_path: Path) -> None:
    words = "--games 20 --gnomes 3,4 --crew sailor --against cabin_boy --seed 7 --processes 2"
    files = ["--json", str(tmp_path / "all.json"), "--ndjson", str(tmp_path / "games.ndjson")]
    run = subprocess.run([*COMMAND, *words.split(), *files], cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    told = json.loads((tmp_path / "all.json").read_text())
    games = lines(tmp_path / "games.ndjson")
    assert told["complete"] is True
    assert [series["rules"]["gnomes"] for series in told["matches"]] == [3, 4]
    assert len(games) == 80
    for series in told["matches"]:
        mine = [game for game in games if game["rules"] == series["rules"]]
        assert [(game["number"], game["line_up"]) for game in mine] == [
            (number, name) for number in range(20) for name in ("crew", "against")
        ]
        check_sums(series, mine)
    assert re.search(r"^3 gnomes, revised edition, seed 7$", run.stdout, re.M)
    assert re.search(r"^crew +20 +\d+\.\d % +\d+\.\d to \d+\.\d % .*sailor × 4$", run.stdout, re.M)
    assert re.search(r"^difference \+\d+\.\d %, 95 % interval", run.stdout, re.M)
    assert re.search(r"^lost by +crew +against$", run.stdout, re.M)


def check_sums(series: Wire, games: list[Wire]) -> None:
    """The results of a series are those of its games."""
    won = {}
    for name in ("crew", "against"):
        tally, mine = series[name], [game for game in games if game["line_up"] == name]
        won[name] = [game["rescued"] for game in mine]
        lost = [game["cause"] for game in mine if not game["rescued"]]
        assert tally["games"] == len(mine)
        assert tally["rescues"] == sum(won[name])
        assert tally["rescue_rate"] == sum(won[name]) / len(mine)
        assert tally["interval"]["low"] < tally["rescue_rate"] + 1e-9
        assert tally["interval"]["high"] > tally["rescue_rate"] - 1e-9
        assert tally["deaths_per_game"] == sum(game["deaths"] for game in mine) / len(mine)
        assert tally["turns_per_game"] == sum(game["turns"] for game in mine) / len(mine)
        assert tally["causes_of_loss"] == {cause: lost.count(cause) for cause in lost}
        assert sum(bot["turns"] for bot in tally["bots"].values()) == sum(game["turns"] for game in mine)
        assert tally["faults"] == {"count": 0, "first": []}
        assert tally["forfeits"] == {"count": 0, "rescue_rate_without": tally["rescue_rate"]}
    pairs = series["pairs"]
    both = list(zip(won["crew"], won["against"], strict=True))
    assert pairs["rescued_by_crew_only"] == both.count((True, False))
    assert pairs["rescued_by_against_only"] == both.count((False, True))
    assert pairs["difference"] == pytest.approx((sum(won["crew"]) - sum(won["against"])) / len(both))


def test_a_league_compares_all_crews_on_the_same_seeds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, crews = tmp_path / "all.json", ["sailor", "cabin_boy", "sailor,cabin_boy,sailor"]
    words = ["--games", "20", "--gnomes", "3", "--processes", "1", "--json", str(file), "--crews", *crews]
    assert match(*words) == 0
    (series,) = json.loads(file.read_text())["matches"]
    league = series["league"]
    assert (series["crew"], series["against"], series["pairs"]) == (league["crews"][0], None, None)
    assert [(pairs["crew"], pairs["against"]) for pairs in league["pairs"]] == [
        ("crew-1", "crew-2"), ("crew-1", "crew-3"), ("crew-2", "crew-3"),
    ]  # fmt: skip
    for at, other in enumerate(crews[1:]):
        alone = Series(Rules(gnomes=3), ["sailor"], other.split(","), games=20)
        for _ in alone.play(1):
            pass
        pairs = alone.to_dict()["pairs"]
        assert pairs.items() <= league["pairs"][at].items()
        assert timeless(alone.to_dict()["against"]) == timeless(league["crews"][at + 1])
    printed = capsys.readouterr().out
    assert re.search(r"^crew-3 +20 +\d+\.\d % .*sailor, cabin_boy, sailor$", printed, re.M)
    assert re.search(r"^crew-2 to crew-3 +[+-]\d+\.\d % +[+-]\d+\.\d to [+-]\d+\.\d % +\d+ +\d+$", printed, re.M)


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("", "name a --crew"),
        ("--crew sailor --crews sailor sailor", "name a --crew"),
        ("--crews sailor", "2 to 12 crews"),
        ("--crews sailor sailor --against sailor", "--against goes with --crew"),
        ("--crews sailor sailor --sprt 0.1", "--sprt compares two crews"),
        ("--crews sailor sailor --baseline crew-3", "one of crew-1, crew-2"),
        ("--crew sailor --baseline crew-1", "--baseline goes with --crews"),
    ],
)
def test_an_unclear_league_is_refused(capsys: pytest.CaptureFixture[str], words: str, reason: str) -> None:
    assert match("--games", "2", *words.split()) == 2
    assert reason in capsys.readouterr().err


def test_a_line_of_a_game_is_enough_to_play_it_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "games.ndjson"
    assert match("--games", "3", "--gnomes", "3", "--crew", "cabin_boy", "--ndjson", str(file)) == 0
    assert "difference" not in capsys.readouterr().out
    for told in lines(file):
        again = play_game(told["crew"], Rules.from_dict(told["rules"]), bytes.fromhex(told["seed"])).to_dict()
        assert timeless(again).items() <= timeless(told).items()


def results(processes: int, seed: int = 1, crew: str = "sailor", **more: Any) -> list[Wire]:
    series = Series(Rules(gnomes=3), [crew], games=30, seed=seed, **more)
    return timeless([result.to_dict() for played in series.play(processes) for result in played])


def test_results_depend_on_the_seed_and_not_on_the_processes() -> None:
    alone = results(1, crew="cabin_boy", against=["sailor"])
    assert results(3, crew="cabin_boy", against=["sailor"]) == alone
    assert results(2, seed=2, crew="cabin_boy", against=["sailor"]) != alone
    assert len({game["seed"] for game in alone}) == 30
    for crew, against in zip(alone[::2], alone[1::2], strict=True):
        assert crew["seed"] == against["seed"]


def test_a_match_that_is_decided_stops_at_the_same_game_on_all_machines() -> None:
    told = []
    for processes in (1, 2):
        series = Series(Rules(gnomes=3), ["sailor"], ["cabin_boy"], games=10_000, seed=1, margin=0.2)
        played = sum(1 for _ in series.play(processes))
        told.append(series.to_dict()["pairs"])
        assert played == told[-1]["played"] == series.tallies[0].games == series.tallies[1].games < 1000
        assert told[-1]["sprt"]["verdict"] == "stronger"
        assert told[-1]["sprt"]["evidence"] > 2.94
    assert told[0] == told[1]


def test_equal_crews_are_not_stronger(capsys: pytest.CaptureFixture[str]) -> None:
    words = "--games 1000 --gnomes 3 --crew sailor --against sailor,sailor,sailor --sprt 0.1"
    assert match(*words.split()) == 0
    printed = capsys.readouterr().out
    assert "difference +0.0 %" in printed
    assert "test for a margin of 10 %: not stronger" in printed
    pairs = re.search(r"of (\d+) pairs", printed)
    assert pairs is not None
    assert int(pairs[1]) < 100


def test_faults_are_told_and_lose_no_game(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(ROSTER, "mutineer", Mutineer())
    file = tmp_path / "all.json"
    words = "--games 4 --gnomes 3 --crew mutineer --against sailor --processes 2 --json"
    assert match(*words.split(), str(file)) == 0
    series = json.loads(file.read_text())["matches"][0]
    assert series["crew"]["rescues"] == series["against"]["rescues"]
    faults = series["crew"]["faults"]
    assert faults["count"] > len(faults["first"]) == 10
    assert faults["first"][0]["error"].startswith("RuntimeError: mutiny")
    printed = capsys.readouterr().out
    assert f"{faults['count']} faults of mutineer × 3" in printed
    assert faults["first"][0]["seed"] in printed


def test_a_game_that_fails_leaves_the_results_before_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = iter([False, False, True])

    def play(*arguments: Any) -> Any:
        if next(broken):
            raise ValueError("the hull broke")
        return play_game(*arguments)

    monkeypatch.setattr("bots.arena.series.play_game", play)
    file = tmp_path / "all.json"
    assert match("--games", "9", "--crew", "sailor", "--processes", "1", "--json", str(file)) == 1
    printed = capsys.readouterr()
    assert "number 2 failed: ValueError: the hull broke; the results so far" in printed.err
    assert re.search(r"^crew +2 ", printed.out, re.M)
    told = json.loads(file.read_text())
    assert (told["complete"], told["matches"][0]["crew"]["games"]) == (False, 2)


def test_all_rules_can_be_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    words = (
        "--games 2 --gnomes 4 --players 2 --crew sailor --edition original --less-deadly-dying --crazed-gnomes "
        "--greater-challenge storm"
    )
    assert match(*words.split()) == 0
    title = "4 gnomes, original edition, 2 players, less deadly dying, crazed gnomes, storm, seed 1"
    assert title in capsys.readouterr().out
    assert match(*["--games", "1", "--gnomes", "3", "--crew", "sailor", "--hidden-hands"]) == 0
    assert "3 gnomes, revised edition, hidden hands, seed 1" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("", "--crew"),
        ("--crew stowaway", "there is no bot 'stowaway', only cabin_boy, sailor"),
        ("--crew sailor,sailor", "2 bots for 4 gnomes"),
        ("--crew sailor --against sailor,sailor,sailor", "3 bots for 4 gnomes"),
        ("--crew sailor --gnomes 2", "gnomes: must be 3 to 8"),
        ("--crew sailor --gnomes 3,x", "--gnomes"),
        ("--crew sailor --gnomes 5 --players 2", "players: "),
        ("--crew sailor --games 0", "must be 1 or more"),
        ("--crew sailor --games many", "--games"),
        ("--crew sailor --processes 0", "must be 1 or more"),
        ("--crew sailor --sprt 0.02", "--against"),
        ("--crew sailor --against sailor --sprt 2", "between 0 and 1"),
        ("--crew sailor --edition third", "--edition"),
        ("--crew sailor --json /nowhere/at/all.json", "/nowhere/at/all.json"),
        ("--crew sailor --ndjson /nowhere/games.ndjson", "/nowhere/games.ndjson"),
    ],
)
def test_bad_arguments_are_refused_in_one_line(capsys: pytest.CaptureFixture[str], words: str, reason: str) -> None:
    code: object
    try:
        code = match(*words.split())
    except SystemExit as end:
        code = end.code
    printed = capsys.readouterr()
    assert code == 2
    assert reason in printed.err
    assert printed.err.startswith("red-november match: ")
    assert printed.err.count("\n") == 1
    assert printed.out == ""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_is_told_in_plain_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert match("--games", "5", "--gnomes", "3", "--crew", "sailor", "--ndjson", "/dev/full") == 1
    printed = capsys.readouterr()
    assert "No space left" in printed.err
    assert "3 gnomes" in printed.out


def wait_for(condition: Callable[[], object]) -> None:
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


def is_gone(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return True
    return False


def test_an_interrupt_prints_what_there_is_and_leaves_no_process(tmp_path: Path) -> None:
    """As a terminal does it: all processes get the signal."""
    file, summary = tmp_path / "games.ndjson", tmp_path / "all.json"
    words = "--games 1000000 --gnomes 3 --crew cabin_boy --against sailor --processes 2"
    run = subprocess.Popen(
        [*COMMAND, *words.split(), "--ndjson", str(file), "--json", str(summary)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    wait_for(lambda: file.exists() and file.read_text().count("\n") > 10)
    os.killpg(run.pid, signal.SIGINT)
    out, err = run.communicate(timeout=PATIENCE)
    assert run.returncode == 130
    assert err == "red-november match: interrupted; the results so far:\n"
    told = json.loads(summary.read_text())
    assert told["complete"] is False
    assert told["matches"][0]["crew"]["games"] * 2 == len(lines(file))
    assert re.search(rf"^crew +{told['matches'][0]['crew']['games']} ", out, re.M)
    wait_for(lambda: is_gone(run.pid))


def test_the_workers_of_a_killed_match_end_by_themselves(tmp_path: Path) -> None:
    file = tmp_path / "games.ndjson"
    words = "--games 1000000 --gnomes 3 --crew cabin_boy --processes 2 --ndjson"
    run = subprocess.Popen([*COMMAND, *words.split(), str(file)], cwd=ROOT, start_new_session=True)
    wait_for(lambda: file.exists() and file.stat().st_size > 0)
    run.kill()
    run.wait()
    wait_for(lambda: is_gone(run.pid))


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def progress(stream: io.StringIO, steps: int, seconds: float) -> str:
    """What is shown of a hundred games, one every so many seconds."""
    now = [0.0]
    shown = Progress(100, "games", stream, lambda: now[0])
    for _ in range(steps):
        now[0] += seconds
        shown.done += 1
        shown.show("4 gnomes: 50.0 %")
    shown.close()
    return stream.getvalue()


def test_a_terminal_gets_a_bar_with_rate_and_time_left() -> None:
    shown = progress(Terminal(), steps=25, seconds=2)
    first, *_, last, wiped = shown.split("\r")[1:]
    assert first.startswith("[........................] 1/100 games, 0.5 a second, 3:18 left")
    assert last.startswith("[######..................] 25/100 games, 0.5 a second, 2:30 left, 4 gn")
    assert wiped == "\x1b[K"
    assert "\n" not in shown


def test_a_bar_is_not_drawn_oftener_than_anyone_can_see() -> None:
    assert progress(Terminal(), steps=100, seconds=0.01).count("[#") <= 5


def test_elsewhere_a_line_comes_now_and_then() -> None:
    shown = progress(io.StringIO(), steps=20, seconds=4)
    assert shown.splitlines() == [
        f"{done}/100 games, 0.25 a second, {left} left, 4 gnomes: 50.0 %"
        for done, left in ((4, "6:24"), (8, "6:08"), (12, "5:52"), (16, "5:36"), (20, "5:20"))
    ]
