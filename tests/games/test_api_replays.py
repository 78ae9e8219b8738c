"""Replays: fair dice, played again by anybody, and `red-november verify`."""

import hashlib
import json
import random
from pathlib import Path
from typing import Any

import pytest

from engine import Game, Rules, replay
from service.cli import main
from tests.support.answers import finished, refused, scene
from tests.support.playing import pick
from tests.support.serving import Client, Seated, Wire, new_game

SEED = "c3" * 32
# What each replay begins from, and whether its dice prove something.
GAMES: dict[str, tuple[Wire, bool]] = {
    "fair": ({"rules": {"less_deadly_dying": True}}, False),
    "fair, crazed, in a storm": ({"rules": {"crazed_gnomes": True, "greater_challenge": "storm"}}, False),
    "seed": ({"seed": SEED, "players": 1}, True),
    "position": ({"position": scene(script={"dice": [3, 9], "events": ["leak"]})}, True),
    "position without a seed": ({"position": {"rules": {"gnomes": 3}}}, True),
    "position of a key": ({"position": scene() | {"seed": "0f" * 16}}, True),
}


def played(api: Client, **wanted: Any) -> Seated:
    """To the end, at random."""
    game, chance = new_game(api, **wanted), random.Random(2)
    while game.state["status"] == "playing":
        mover = game.decider()
        reply = mover.play(game.path, pick(mover.get(game.path).body["legal_moves"], chance))
        assert reply.status == 200, reply.body
    return game


@pytest.fixture(scope="module", params=GAMES)
def ended(request: pytest.FixtureRequest, api: Client) -> tuple[Seated, bool]:
    wanted, sandbox = GAMES[request.param]
    return played(api, **wanted), sandbox


def test_a_replay_makes_the_game_again_and_its_seed_is_the_promised_one(
    api: Client, ended: tuple[Seated, bool]
) -> None:
    game, sandbox = ended
    told = api.get(f"{game.path}/replay")
    assert told.status == 200
    body, state = told.body, game.state
    assert (body["sandbox"], body["rules"], body["result"]) == (sandbox, state["rules"], state["result"])
    assert {"salt": body["salt"], "hash": body["hash"], "seed": body["seed"]} == state["dice"]
    assert hashlib.sha256(bytes.fromhex(body["salt"] + body["seed"])).hexdigest() == body["hash"]
    if body["position"] is None:
        again = replay(Rules.from_dict(body["rules"]), bytes.fromhex(body["seed"]), body["moves"])
    else:
        again = Game.from_position(body["position"])
        for move in body["moves"]:
            again.play(move)
    assert again.result == state["result"]
    assert again.view()["gnomes"] == state["gnomes"]


def test_the_command_verifies_every_replay(
    api: Client, ended: tuple[Seated, bool], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "replay.json"
    body = api.get(f"{ended[0].path}/replay").body
    file.write_text(json.dumps(body))
    assert main(["verify", str(file)]) == 0
    assert json.loads(capsys.readouterr().out)["result"] == body["result"]


def test_the_seed_is_a_secret_until_the_end(api: Client) -> None:
    game = new_game(api, position=scene(), start=False)
    for act in (lambda: None, lambda: game.host.post(f"{game.path}/start")):
        act()
        for client in (api, game.host, *game.players):
            assert client.get(game.path).body["dice"]["seed"] is None
            refused(client.get(f"{game.path}/replay"), "not_over")


def test_the_promise_about_the_dice_never_changes(api: Client) -> None:
    game = new_game(api, start=False)
    promised = game.state["dice"]
    game.host.post(f"{game.path}/start")
    chance = random.Random(3)
    while game.state["status"] == "playing":
        mover = game.decider()
        mover.play(game.path, pick(mover.get(f"{game.path}/legal-moves").body["legal_moves"], chance))
        assert game.state["dice"].items() >= {name: promised[name] for name in ("salt", "hash")}.items()
    assert len(bytes.fromhex(game.state["dice"]["seed"])) == 32


def test_no_two_games_have_the_same_dice(api: Client) -> None:
    games = [finished(api) for _ in range(2)] + [played(api) for _ in range(2)]
    dice = [game.state["dice"] for game in games]
    assert len({each["salt"] for each in dice}) == len({each["hash"] for each in dice}) == 4
    assert len({each["seed"] for each in dice[2:]}) == 2
