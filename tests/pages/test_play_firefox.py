"""The playing client in Firefox, driven by WebDriver BiDi, which needs no driver beside it."""

import json
import os
import shutil
from pathlib import Path

import pytest

from tests.support.node import CLIENTS, need_node, run
from tests.support.serving import Client, new_game

pytestmark = pytest.mark.thorough

FOLDER = Path(os.environ.get("SCREENSHOTS") or Path(__file__).parents[2] / "build" / "screenshots")
FIREFOXES = ("firefox-esr", "firefox")


def test_a_turn_is_played_in_firefox(api: Client, tmp_path: Path) -> None:
    node = need_node("playing in Firefox")
    firefox = next(filter(None, map(shutil.which, FIREFOXES)), None)
    if firefox is None:
        pytest.skip("left out: playing in Firefox, for want of it; `apt-get install firefox-esr`")
    game = new_game(api, rules={"players": 1})
    FOLDER.mkdir(parents=True, exist_ok=True)
    mine = {"id": game.path.rpartition("/")[2], "token": game.players[0].token}
    job = tmp_path / "job.json"
    job.write_text(json.dumps({"address": api.base, "firefox": firefox, "folder": str(FOLDER), "mine": mine}))
    said = run([node, "--experimental-websocket", "--no-warnings", "play_firefox.mjs", job], CLIENTS, timeout=300)
    seen = json.loads(said)
    assert seen["address"] == f"{api.base}/play/{mine['id']}"
    assert "No Action" in seen["says"]
    assert seen["rooms"] == 11
    assert (seen["problems"], seen["wide"], seen["complaints"]) == (0, False, [])
