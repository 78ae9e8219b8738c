"""Bots of one's own at a live service: registered, seated, run in Python, by a command, over a relay, in TypeScript."""

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from red_november_client.bot.cli import main
from service.cli import main as product
from tests.drills.proxy import proxy_to_port
from tests.support.answers import eventually
from tests.support.contract import PATH
from tests.support.node import CLIENTS, install, need_node, run
from tests.support.serving import PATIENCE, Client, Wire, serving

MISBEHAVING = """
import os, sys, time

def choose(decision):
    fault = decision["state"]["name"]
    if fault == "raises":
        return 1 / 0
    if fault == "ends":
        os._exit(3)
    if fault == "talks":
        return "hm"
    if fault == "cheats" and "refused" not in decision:
        return {"type": "enter", "room": 99}
    return decision["state"]["legal_moves"][-1]

def hang(decision):
    time.sleep(600)

def in_numbers(decision):
    assert "state" not in decision and decision["layout"] == 1 and decision["observation"]
    return decision["actions"][decision["seed"] % len(decision["actions"])]
"""


@pytest.fixture(scope="module")
def api(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    with serving(tmp_path_factory.mktemp("kit")) as served:
        yield served.api


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with bots, in which tokens are kept, too."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    (tmp_path / "first_bot.py").write_text((CLIENTS / "first_bot.py").read_text())
    (tmp_path / "misbehaving.py").write_text(MISBEHAVING)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def register(api: Client, name: str, *more: str) -> str:
    assert main(["register", name, "--server", api.base, *more]) == 0
    kept = Path(os.environ["XDG_STATE_HOME"]) / "red-november" / "bots.json"
    assert kept.stat().st_mode & 0o777 == 0o600
    return str(json.loads(kept.read_text())[api.base][name])


class Running:
    """A runner, and what it says."""

    def __init__(self, api: Client, *arguments: str):
        command = [sys.executable, "-m", "red_november_client.bot.cli", "run", "--server", api.base, *arguments]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True)
        self.said: list[str] = []
        self._reading = threading.Thread(target=self._read, daemon=True)
        self._reading.start()

    def _read(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.said.append(line.rstrip())

    def wait_to_hear(self, *words: str) -> None:
        ends = time.monotonic() + 120
        while not all(any(each in line for line in list(self.said)) for each in words):
            assert time.monotonic() < ends, self.said
            time.sleep(0.05)

    def stop(self) -> int:
        if self.process.poll() is None:
            os.kill(self.process.pid, signal.SIGINT)
        code = self.process.wait(30)
        self._reading.join(10)
        assert self.process.stderr is not None
        self.process.stderr.close()
        assert not any("Traceback" in line for line in self.said), self.said
        return code


@contextmanager
def running(api: Client, name: str, *arguments: str) -> Iterator[Running]:
    runner = Running(api, *arguments, "--name", name)
    try:
        eventually(lambda: api.get(f"/v1/bots/{name}").body["connected"])
        yield runner
    finally:
        runner.stop()


def game_of(api: Client, *seats: str, **more: str) -> str:
    made = api.post("/v1/games", {"seats": list(seats), "rules": {"gnomes": 3}, **more}).body
    path = f"/v1/games/{made['game']['id']}"
    assert api.be(made["token"]).post(f"{path}/start").status == 200
    return path


def over(api: Client, path: str) -> Wire:
    ends = time.monotonic() + 300
    game = api.get(path).body
    while not game["result"]:
        assert time.monotonic() < ends, game
        game = api.get(f"{path}?after={game['version']}&wait=10").body
    return dict(game)


def test_two_bots_play_a_match_that_the_terminal_begins(api: Client, home: Path) -> None:
    register(api, "oldsalt")
    register(api, "newsalt")
    wanted = [
        "--games",
        "2",
        "--gnomes",
        "3",
        "--crew",
        "bot:oldsalt",
        "--against",
        "bot:newsalt",
        "--json",
        "told.json",
    ]
    with (
        running(api, "oldsalt", "first_bot:choose"),
        running(api, "newsalt", "misbehaving:in_numbers", "--form", "vector"),
    ):
        assert product(["match", "--server", api.base, *wanted]) == 0
    told = json.loads(Path("told.json").read_text())
    (series,) = told["matches"]
    assert (told["complete"], series["pairs"]["played"]) == (True, 2)
    assert [series[crew]["crew"] for crew in ("crew", "against")] == [["bot:oldsalt"] * 3, ["bot:newsalt"] * 3]
    assert [api.get(f"/v1/bots/{name}/games").status for name in ("oldsalt", "newsalt")] == [401] * 2


def test_from_nothing_to_a_bot_at_a_table(api: Client, home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert len((CLIENTS / "first_bot.py").read_text().splitlines()) <= 30
    register(api, "deepgnome", "--description", "Careful.")
    told = capsys.readouterr().out
    assert '"bot:deepgnome"' in told
    with running(api, "deepgnome", "first_bot:choose", "--version", "1.1") as runner:
        games = [game_of(api, *["bot:deepgnome"] * 3) for _ in range(3)] + [
            game_of(api, "bot:deepgnome", "sailor", "sailor")
        ]
        ended = [over(api, path) for path in games]
        assert main(["show", "deepgnome", "--server", api.base]) == 0
        known = json.loads(capsys.readouterr().out)
        assert runner.stop() == 130
    assert (known["version"], known["games"]) == ("1.1", [])
    assert (known["record"]["late"], known["record"]["illegal"]) == (0, 0)
    assert known["record"]["decisions"] >= sum(game["moves_played"] for game in ended[:3])
    assert re.fullmatch(r"\d+ decisions: \d+ played", runner.said[-1]), runner.said


def test_a_bot_that_crashes_and_talks_nonsense_is_told_of_and_goes_on(api: Client, home: Path) -> None:
    register(api, "wild", "--seconds", "30")
    faults = {
        "raises": "the bot raised ZeroDivisionError: division by zero (misbehaving.py:7)",
        "ends": "the bot ended with exit code 3",
        "talks": 'the bot answered "hm", which is neither',
        "cheats": 'illegal: {"type": "enter", "room": 99} is not among the legal moves',
    }
    with running(api, "wild", "misbehaving", "--at-once", "2") as runner:
        for fault in faults:
            game_of(api, *["bot:wild"] * 3, name=fault)
        runner.wait_to_hear(*faults.values())
        over(api, game_of(api, *["bot:wild"] * 3))
        runner.stop()
    assert " played" in runner.said[-1]


def test_a_net_is_asked_and_answers_in_numbers_with_a_service_and_without(
    api: Client, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    register(api, "net")
    with running(api, "net", "misbehaving:in_numbers", "--form", "vector") as runner:
        game = over(api, game_of(api, *["bot:net"] * 3))
        runner.stop()
    moves = game["moves_played"]  # it may be stopped before it hears what became of the last one
    assert runner.said[-1] in [f"{heard} decisions: {heard} played" for heard in (moves, moves - 1)]
    local = ["bot", "run", "misbehaving:in_numbers", "--local", "--games", "2", "--gnomes", "3", "--json", "told.json"]
    assert product([*local, "--form", "vector", "--seconds", "60"]) == 0
    (match,) = json.loads(Path("told.json").read_text())["matches"]
    assert (match["crew"]["games"], match["crew"]["faults"]["count"]) == (2, 0)


def test_a_connection_that_is_dropped_again_and_again_loses_no_decision(api: Client, home: Path) -> None:
    register(api, "dropped", "--seconds", "60")
    with proxy_to_port(urlsplit(api.base).port or 0) as way:
        near = Client(f"http://127.0.0.1:{way.port}")
        token = json.loads((home / "state/red-november/bots.json").read_text())[api.base]["dropped"]
        runner = Running(near, "first_bot:choose", "--name", "dropped", "--token", token)
        try:
            eventually(lambda: api.get("/v1/bots/dropped").body["connected"])
            path = game_of(api, *["bot:dropped"] * 3)
            for enough in (3, 8, 15):
                eventually(partial(has_played, api, path, enough))
                way.drop()
            game = over(api, path)
        finally:
            runner.stop()
    record = api.get("/v1/bots/dropped").body["record"]
    assert (record["decisions"], record["late"], record["illegal"]) == (game["moves_played"], 0, 0)
    assert not [event for event in history(api, path) if event["type"] == "player_away"]


def has_played(api: Client, path: str, moves: int) -> bool:
    """Return whether so many moves are played, or no more will be: a game may sink early."""
    game = api.get(path).body
    return bool(game["moves_played"] >= moves or game["result"])


def history(api: Client, path: str) -> list[Wire]:
    return list(api.get(f"{path}/events?limit=1000").body["events"])


def test_a_bot_that_hangs_is_stopped_and_a_stand_in_plays(api: Client, home: Path) -> None:
    register(api, "sleepy", "--seconds", "1")
    with running(api, "sleepy", "misbehaving:hang") as runner:
        path = game_of(api, *["bot:sleepy"] * 3)
        runner.wait_to_hear("the bot took longer than ", "a stand-in plays")
        eventually(lambda: api.get(path).body["moves_played"] > 0)
        runner.stop()


def test_a_newer_connection_ends_the_one_before(api: Client, home: Path) -> None:
    register(api, "twice")
    with running(api, "twice", "first_bot:choose") as first, running(api, "twice", "first_bot:choose") as second:
        assert first.process.wait(30) == 1
        assert second.process.poll() is None
        assert main(["pause", "twice", "--server", api.base]) == 0
        assert api.get("/v1/bots/twice").body["paused"] == "owner"
        assert main(["resume", "twice", "--server", api.base]) == 0
    assert "another connection plays for this bot now" in first.said[-1]


def test_what_a_service_refuses_is_told_in_a_line(api: Client, home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    register(api, "taken")
    cases = [
        (["register", "taken"], 1, "/name is taken"),
        (["register", "Ümlaut"], 1, "/name"),
        (["run", "first_bot:choose", "--name", "nobody"], 2, "no token of nobody"),
        (["run", "first_bot:choose", "--name", "taken", "--token", "rn_taken.x"], 1, "It may be of another bot"),
        (["run", "first_bot:choose", "--token", "rn_nobody.x"], 1, "Nobody has registered it"),
    ]
    for arguments, code, said in cases:
        assert main([*arguments, "--server", api.base]) == code
        told = capsys.readouterr().err
        assert said in told
        assert told.count("/name") <= 1, "a field that is wrong is named once"
    assert main(["delete", "taken", "--server", api.base]) == 0
    assert main(["run", "first_bot:choose", "--server", api.base]) == 2
    assert "none is registered at" in capsys.readouterr().err


@pytest.mark.thorough
def test_a_bot_in_typescript_plays_on_generated_types(api: Client, home: Path) -> None:
    program = "bot_in_typescript"
    assert len((CLIENTS / f"{program}.ts").read_text().splitlines()) <= 30
    node = need_node("the bot in TypeScript")
    modules = install()
    (home / "node_modules").symlink_to(modules)
    settings = json.loads((CLIENTS / "tsconfig.json").read_text())
    (home / "tsconfig.json").write_text(json.dumps(settings | {"files": [f"{program}.ts"]}))
    for name in ("package.json", f"{program}.ts"):
        (home / name).write_text((CLIENTS / name).read_text())
    run([node, modules / "openapi-typescript" / "bin" / "cli.js", PATH, "--output", home / "contract.d.ts"], home)
    run([node, modules / "typescript" / "bin" / "tsc"], home)
    token = register(api, "tsgnome")
    bot = subprocess.Popen([node, f"{program}.js", api.base, "tsgnome", token], stdout=subprocess.PIPE, text=True)
    patience = threading.Timer(PATIENCE, bot.kill)
    patience.start()
    try:
        eventually(lambda: api.get("/v1/bots/tsgnome").body["connected"])
        game = over(api, game_of(api, *["bot:tsgnome"] * 3))
        assert bot.stdout is not None
        said = [bot.stdout.readline().strip() for _ in range(game["moves_played"])]  # the last may come after the end
        match = api.post("/v1/matches", {"games": 1, "gnomes": [3], "crew": ["bot:tsgnome"]}).body["match"]
        path = f"/v1/matches/{match['id']}"
        eventually(lambda: api.get(path).body["ended_at"], "its match does not end")
        (series,) = api.get(path).body["series"]
    finally:
        patience.cancel()
        bot.kill()
        bot.communicate()
    assert said == ["played"] * game["moves_played"]
    assert (series["crew"]["games"], series["crew"]["faults"]["count"]) == (1, 0)
