"""What `red-november verify` finds wrong with a replay."""

import hashlib
import json
import random
from pathlib import Path
from typing import Any

import pytest

from engine import Game, Rules
from engine.rules import RULES_VERSION
from engine.shapes import Move
from engine.verify import BadReplay, verify
from service.cli import main
from tests.support.playing import Wire, new_story, wild_story

SALT = "17" * 16


def replay_of(start: Game, moves: list[Move], seed: str, **more: Any) -> Wire:
    game = start.copy()
    for move in moves:
        game.play(move)
    promise = hashlib.sha256(bytes.fromhex(SALT + seed)).hexdigest()
    told: Wire = {"rules": start.rules.to_dict(), "seed": seed, "salt": SALT, "hash": promise, "moves": moves}
    told["rules_version"] = RULES_VERSION
    return json.loads(json.dumps(told | {"result": game.result, "position": None} | more))


@pytest.fixture(scope="module")
def told() -> Wire:
    rules, seed = Rules(gnomes=3), bytes(range(32))
    start, chance = Game.new(rules, seed), random.Random(1)
    moves: list[Move] = []
    game = start.copy()
    while game.result is None:
        moves.append(chance.choice(game.legal_moves()))
        game.play(moves[-1])
    return replay_of(start, moves, seed.hex())


@pytest.fixture(scope="module")
def from_position() -> Wire:
    story = wild_story(Rules(gnomes=4))
    position = story.start.position()
    return replay_of(story.start, story.moves, position["seed"], position=position)


def test_a_true_replay_passes(told: Wire, from_position: Wire) -> None:
    assert verify(told).result == told["result"]
    assert verify(from_position).result == from_position["result"]
    bare = {name: told[name] for name in ("rules", "seed", "moves")}  # without a version: of the first rules
    assert verify(bare).result == told["result"]


def test_a_position_may_name_the_key_of_the_seed(told: Wire) -> None:
    story = new_story(Rules(gnomes=3))
    key = hashlib.sha256(bytes.fromhex(told["seed"])).digest()[:16].hex()
    position = story.start.position() | {"seed": key}
    assert verify({"rules": story.start.rules.to_dict(), "seed": told["seed"], "moves": [], "position": position})


WRONG = [
    ({"seed": "00" * 32}, "hash"),
    ({"salt": "00"}, "hash"),
    ({"hash": "00" * 32}, "hash"),
    ({"hash": 5}, "hash"),
    ({"salt": "xy"}, "salt"),
    ({"seed": None}, "seed"),
    ({"seed": "00"}, "hash"),
    ({"rules": {"gnomes": 2}}, "gnomes"),
    ({"rules": {"gnomes": 3, "crazed_gnomes": True, "hidden_hands": False}}, "hidden_hands"),
    ({"rules_version": None}, "rules_version: must be a whole number"),
    ({"rules_version": 0}, "rules_version: must be a whole number"),
    ({"rules_version": True}, "rules_version: must be a whole number"),
    ({"rules_version": RULES_VERSION + 1}, f"rules_version: is {RULES_VERSION + 1}: this release knows"),
    ({"moves": {}}, "moves"),
    ({"moves": ["enter"]}, "moves/0"),
    ({"moves": [{"type": "defend"}]}, "moves/0/type"),
    ({"moves": []}, "result"),
    ({"result": None}, "result"),
    ({"result": {"crew": "rescued", "cause": "rescued", "seats": ["won"] * 3}}, "result"),
    ({"position": []}, ""),
    ({"position": {"rules": {"gnomes": 4}, "seed": "00" * 32}}, "position/rules"),
    ({"position": {"rules": {"gnomes": 3}, "seed": "00" * 32}}, "position/seed"),
    ({"position": {"rules": {"gnomes": 3}}}, "seed"),
]


@pytest.mark.parametrize(("change", "field"), WRONG, ids=[str(change)[:50] for change, _ in WRONG])
def test_a_claim_that_is_not_so_is_refused_in_one_line_that_names_it(
    told: Wire, tmp_path: Path, capsys: pytest.CaptureFixture[str], change: Wire, field: str
) -> None:
    file = tmp_path / "replay.json"
    file.write_text(json.dumps(told | change))
    assert main(["verify", str(file)]) == 1
    printed = capsys.readouterr()
    assert printed.err.startswith(f"red-november: {file}: {field}")
    assert printed.err.count("\n") == 1
    assert printed.out == ""


@pytest.mark.parametrize("name", ["rules", "seed", "moves", "hash", "salt"])
def test_what_is_missing_is_named(told: Wire, name: str) -> None:
    with pytest.raises(BadReplay, match=f"^{name}: is missing$"):
        verify({other: value for other, value in told.items() if other != name})


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"moves": [{"type": "defend"}]}, "moves/0/type: not legal now"),
        ({"result": {"crew": "rescued", "cause": "rescued", "seats": ["won"] * 3}}, "result: is another"),
    ],
)
@pytest.mark.parametrize("version", [{}, {"rules_version": 1}], ids=["before versions", "version 1"])
def test_a_replay_of_older_rules_that_goes_otherwise_now_is_told_by_their_version(
    told: Wire, change: Wire, reason: str, version: Wire
) -> None:
    old = {name: value for name, value in told.items() if name != "rules_version"} | version
    assert verify(old).result == told["result"]
    with pytest.raises(BadReplay, match=f"^rules_version: is 1, and under the rules of this release, .*{reason}"):
        verify(old | change)


def test_a_position_that_today_s_rules_do_not_know_is_told_by_the_version_of_its_replay() -> None:
    crew = [{"room": 7, "minutes": 40, "items": {}}, {"minutes": 20, "items": {}}, {"minutes": 20, "items": {}}]
    rooms = {"7": {"fire": True}, "5": {"water": "high"}, "8": {"fire": True}, "9": {"fire": True}}
    last_minute = {"rules": {"gnomes": 3}, "gnomes": crew, "rooms": rooms, "phase": "escape", "active": 0, "ghost": 1}
    old = {"rules": {"gnomes": 3}, "seed": "00" * 32, "moves": [], "position": last_minute | {"seed": "00" * 32}}
    with pytest.raises(BadReplay, match=r"^rules_version: is 1, .*phase: there is nothing to decide"):
        verify(old)


@pytest.mark.parametrize("told", [None, [], "replay", 5])
def test_only_an_object_is_a_replay(told: Any) -> None:
    with pytest.raises(BadReplay, match="object"):
        verify(told)


@pytest.mark.parametrize("text", ["", "{", "[" * 100_000, "\x00", '{"rules": NaN}'])
def test_a_file_that_is_no_json_is_refused_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    file = tmp_path / "replay.json"
    file.write_text(text)
    assert main(["verify", str(file)]) == 1
    assert capsys.readouterr().err.count("\n") == 1


def test_a_file_that_can_not_be_read_is_refused_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "latin").write_bytes(b'"\xe9"')
    for path in (tmp_path / "nowhere", tmp_path, tmp_path / "latin"):
        assert main(["verify", str(path)]) == 1
        assert capsys.readouterr().err.count("\n") == 1
