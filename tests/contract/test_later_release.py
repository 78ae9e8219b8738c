"""Our own clients play on with a later release: one that tells more, and knows other bots and problems.

Generated ones do so in test_clients.py.
"""

import os
import subprocess
import sys
from pathlib import Path

from tests.support.later_release import BOT, MEMBER, later_code
from tests.support.serving import PATIENCE, Client, running_workers

MOVES = 20
LOOKS = "p 11\n1\n1\nn\n2\n1\nn\n"  # a preview, and what can be done in two rooms, one of which the gnome is in


def test_the_later_release_tells_more_than_the_contract_names(later: str) -> None:
    made = Client(later).post("/v1/games", {"seats": ["sailor"] * 3}).body
    assert MEMBER in made
    assert MEMBER in made[next(name for name in ("game", "state") if name in made)]["dice"]
    assert {seat["bot"] for seat in Client(later).get("/v1/games").body["games"][0]["seats"]} == {BOT}
    assert Client(later).get("/v1/games/none").body["code"] == later_code("no_such_game")


def playing(later: str) -> set[str]:
    return {game["id"] for game in Client(later).get("/v1/games?status=playing&limit=100").body["games"]}


def test_our_terminal_plays_on(later: str, redis_url: str, tmp_path: Path) -> None:
    others = playing(later)
    with running_workers(redis_url):
        played = subprocess.run(
            [sys.executable, "-m", "service.cli", "play", "--server", later, "--gnomes", "3", "--bots", "sailor"],
            env=os.environ | {"HOME": str(tmp_path), "XDG_STATE_HOME": str(tmp_path), "LANG": "C"},
            input=LOOKS + "11\n" * MOVES, capture_output=True, text=True, timeout=PATIENCE, check=False,
        )  # fmt: skip
    assert (played.returncode, played.stderr) == (0, ""), played.stdout[-2000:]
    (game,) = playing(later) - others
    assert Client(later).get(f"/v1/games/{game}").body["moves_played"] >= MOVES
