"""`red-november` as its user runs it."""

import json
import random
import re
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

from engine import Game, Rules
from engine.shapes import Move
from service.cli import COMMANDS, main

SEED = bytes(range(32))


def played() -> tuple[Game, list[Move]]:
    chance = random.Random(5)
    game = Game.new(Rules(gnomes=3), SEED)
    moves: list[Move] = []
    while game.result is None:
        moves.append(chance.choice(game.legal_moves()))
        game.play(moves[-1])
    return game, moves


def test_verify_plays_a_replay_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game, moves = played()
    file = tmp_path / "replay.json"
    file.write_text(json.dumps({"rules": {"gnomes": 3}, "seed": SEED.hex(), "moves": moves}))
    assert main(["verify", str(file)]) == 0
    assert json.loads(capsys.readouterr().out) == {"version": game.version, "result": game.result}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{}", "rules"),
        ('{"rules": {"gnomes": 9}, "seed": "00", "moves": []}', "gnomes"),
        ('{"rules": {}, "seed": "00", "moves": []}', "32 bytes"),
        (json.dumps({"rules": {}, "seed": SEED.hex(), "moves": [{"type": "defend"}]}), "not legal"),
        ("no json", "Expecting value"),
    ],
)
def test_a_bad_replay_is_refused_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, reason: str
) -> None:
    file = tmp_path / "replay.json"
    file.write_text(text)
    assert main(["verify", str(file)]) == 1
    printed = capsys.readouterr()
    assert reason in printed.err
    assert printed.err.count("\n") == 1
    assert printed.out == ""


def test_compile_says_where_the_machine_code_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compile"]) == 0
    assert "compiled-" in capsys.readouterr().out


def run(*arguments: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-X", "importtime", "-m", "service.cli", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["serve", "--help"], ["nonsense"]])
def test_help_comes_without_loading_the_rules(arguments: list[str]) -> None:
    told = run(*arguments)
    loaded = {line.rpartition("|")[2].strip() for line in told.stderr.splitlines()}
    assert "argparse" in loaded
    assert not loaded & {"numba", "numpy", "llvmlite"}


def test_the_command_tells_its_version() -> None:
    assert run("--version").stdout == f"red-november {version('red-november')}\n"


def test_help_names_every_command_and_each_has_help_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    def told(*arguments: str) -> str:
        with pytest.raises(SystemExit) as ended:
            main(list(arguments))
        assert ended.value.code == 0
        return capsys.readouterr().out

    all_of_them = told("--help")
    for name in COMMANDS:
        assert re.search(rf"^    {name}\s", all_of_them, re.MULTILINE), name
        assert told(name, "--help").startswith(f"usage: red-november {name}")
