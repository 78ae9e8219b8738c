"""`red-november` as its user runs it."""

import json
import random

import pytest

from engine import Game, Rules
from service.cli import main

SEED = bytes(range(32))


def played() -> tuple[Game, list[dict]]:
    chance = random.Random(5)
    game, moves = Game.new(Rules(gnomes=3), SEED), []
    while game.result is None:
        moves.append(chance.choice(game.legal_moves()))
        game.play(moves[-1])
    return game, moves


def test_verify_plays_a_replay_again(tmp_path, capsys):
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
def test_a_bad_replay_is_refused_in_one_line(tmp_path, capsys, text, reason):
    file = tmp_path / "replay.json"
    file.write_text(text)
    assert main(["verify", str(file)]) == 1
    printed = capsys.readouterr()
    assert reason in printed.err
    assert printed.err.count("\n") == 1
    assert printed.out == ""


def test_compile_says_where_the_machine_code_is(capsys):
    assert main(["compile"]) == 0
    assert "compiled-" in capsys.readouterr().out
