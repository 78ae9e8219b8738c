"""Bots of other packages play matches on one's own machine, found by their entry points."""

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bots.arena import match
from bots.arena.game import BadCrew
from bots.arena.guests import with_guests
from bots.roster import ROSTER
from service.cli import main

Install = Callable[..., None]
FIRST = "def choose(observation, seed):\n    return observation.legal_moves()[0]\n"
PLAN = "class Bot:\n    def choose(self, observation, seed):\n        return observation.legal_moves()[:2]\n"


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Put a package with a bot where Python finds it, for one test."""
    known = {*sys.modules}

    def put(package: str, source: str, **bots: str) -> None:
        site = tmp_path / package
        described = site / f"{package}-1.0.dist-info"
        described.mkdir(parents=True)
        (site / f"{package}_code.py").write_text(source)
        (described / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
        points = "".join(f"{name} = {value}\n" for name, value in bots.items())
        (described / "entry_points.txt").write_text(f"[red_november.bots]\n{points}")
        monkeypatch.syspath_prepend(str(site))

    yield put
    for module in {*sys.modules} - known:
        if module.endswith("_code"):
            del sys.modules[module]


def test_a_bot_of_another_package_plays_a_match(install: Install, tmp_path: Path) -> None:
    install("theirs", FIRST + PLAN, first="theirs_code:choose", planner="theirs_code:Bot")
    file = tmp_path / "all.json"
    words = f"--games 3 --gnomes 3 --crew first,planner,sailor --against cabin_boy --processes 1 --json {file}"
    assert main(["match", *words.split()]) == 0
    crew = json.loads(file.read_text())["matches"][0]["crew"]
    assert crew["crew"] == ["first", "planner", "sailor"]
    assert crew["games"] == 3
    assert all(crew["bots"][name]["turns"] > 0 for name in ("first", "planner"))
    assert crew["faults"]["count"] == 0


@pytest.mark.parametrize(
    ("source", "value", "reason"),
    [
        (
            "import nothing_of_that_name",
            "bad_code:choose",
            "ModuleNotFoundError: No module named 'nothing_of_that_name'",
        ),
        ("raise SystemExit('goes\\nhome')", "bad_code:choose", "SystemExit: goes home"),
        ("", "bad_code:choose", "AttributeError"),
        ("class Bot:\n    def __init__(self, net): ...", "bad_code:Bot", "TypeError"),
        ("choose = 7", "bad_code:choose", "has no choose(observation, seed)"),
    ],
)
def test_one_that_cannot_be_loaded_is_told_in_one_line(
    install: Install, capsys: pytest.CaptureFixture[str], source: str, value: str, reason: str
) -> None:
    install("bad", source, mybot=value)
    assert main(["match", "--games", "1", "--crew", "mybot"]) == match.BAD_ARGUMENTS
    (line,) = capsys.readouterr().err.splitlines()
    assert "the bot 'mybot' of bad " in line
    assert reason in line
    assert with_guests(["sailor"]).keys() == ROSTER.keys()  # who does not ask for it does not load it


def test_a_name_of_ours_stays_ours(install: Install, capsys: pytest.CaptureFixture[str]) -> None:
    install("false", FIRST, captain="false_code:choose")
    assert with_guests(["captain", "sailor"])["captain"] is ROSTER["captain"]
    assert "'captain' is a bot of ours; that of false needs another name" in capsys.readouterr().err


def test_two_of_one_name_are_refused(install: Install) -> None:
    install("one", FIRST, twin="one_code:choose")
    install("two", FIRST, twin="two_code:choose")
    with pytest.raises(BadCrew, match="'twin' is there more than once: of one and two"):
        with_guests(["twin"])


def test_who_is_not_there_is_told_who_is(install: Install) -> None:
    install("theirs", FIRST, first="theirs_code:choose")
    with pytest.raises(BadCrew, match=r"no bot 'frist', only cabin_boy, .*admiral, first$"):
        with_guests(["frist"])


def test_a_guest_that_fails_is_stood_in_for(install: Install, tmp_path: Path) -> None:
    install("rash", "def choose(observation, seed):\n    return {'type': 'swim'}\n", rash="rash_code:choose")
    file = tmp_path / "all.json"
    assert main(["match", *f"--games 1 --gnomes 3 --crew rash --processes 1 --json {file}".split()]) == 0
    faults = json.loads(file.read_text())["matches"][0]["crew"]["faults"]
    assert faults["count"] > 0
    assert faults["first"][0]["played_by"] == "sailor"
