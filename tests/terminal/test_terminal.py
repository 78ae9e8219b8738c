"""`red-november play` and `red-november watch` as somebody at a terminal has them: through a pseudo-terminal."""

import json
import re
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

import pytest
from rich.cells import cell_len

from service.cli import main
from tests.support.serving import PATIENCE, Client, Wire, descendants, new_game
from tests.support.terminals import PROMPT, Terminal, joining, playing, terminal

COMMAND = [sys.executable, "-m", "service.cli"]
FINISHED = "Seed: "


def run(*arguments: str, typed: str = "", environment: Mapping[str, str]) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [*COMMAND, *arguments], input=typed, env=dict(environment), capture_output=True, text=True, timeout=PATIENCE,
        check=False,
    )  # fmt: skip


def play_on(shown: Terminal, prompt: str, end: str) -> None:
    """Always the first move, until it is over."""
    while True:
        shown.enter("11")
        if end in shown.expect(prompt, end):
            return


def test_a_whole_game_in_three_languages_left_and_gone_on_with(service: Client, home: dict[str, str]) -> None:
    with terminal(*playing(service, "--gnomes", "3", "--bots", "sailor", "--name", "Ada"), environment=home) as shown:
        began = shown.expect(PROMPT)
        game = re.search(r"Game (\w+) at", began)
        assert game
        watched = subprocess.Popen(
            [*COMMAND, "watch", game[1], "--server", service.base, "--plain"],
            env=home, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        before = service.get(f"/v1/games/{game[1]}").body["version"]
        shown.enter("99")
        assert "There is no move 99: choose from 11 to" in shown.expect(PROMPT)
        shown.enter("dance")
        assert "No move is called “dance”." in shown.expect(PROMPT)
        shown.enter("open")
        assert "“open” may be any of these:" in shown.expect(PROMPT)
        shown.enter("?")
        assert "p 12    what move 12 would do" in shown.expect(PROMPT)
        shown.enter("a 1")
        assert "Ask for advice first" in shown.expect(PROMPT)
        shown.enter("p 11")
        assert "Afterwards the Ghost stands at minute" in shown.expect(PROMPT)
        shown.enter("o")
        assert "The chance of this crew, as it sits there:" in shown.expect(PROMPT)
        shown.enter("l")
        assert re.search(r"Turn \d+: Ada \(gnome 1\), 60 minutes left\.", shown.expect(PROMPT))
        assert service.get(f"/v1/games/{game[1]}").body["version"] == before, "nothing was to be played yet"
        shown.enter("a")
        assert re.search(r"Plan 1: \d+\s% ± \d+\s% rescued", shown.expect(PROMPT))
        shown.enter("a 1")
        shown.expect(PROMPT)
        assert service.get(f"/v1/games/{game[1]}").body["version"] > before
        shown.enter("q")
        shown.expect("Go on with: red-november play --resume")
        assert shown.ended() == 0
        assert_no_wrapping(shown, 80)
    saved = Path(home["XDG_STATE_HOME"]) / "red-november" / "games.json"
    assert saved.stat().st_mode & 0o777 == 0o600
    assert json.loads(saved.read_text())[0]["game"] == game[1]
    with terminal("play", "--resume", "--lang", "de", environment=home) as shown:
        assert f"Weiter mit Partie {game[1]}." in shown.expect("(? für Hilfe) ")
        shown.interrupt()
        shown.expect("Die Partie bleibt erhalten.")
        assert shown.ended() == 130
        assert_no_wrapping(shown, 80)
    with terminal("play", "--resume", environment=home | {"LANG": "ru_RU.UTF-8"}, columns=160, rows=50) as shown:
        shown.expect("(? — помощь): ")
        play_on(shown, "(? — помощь): ", "Зерно: ")
        assert shown.ended() == 0
        assert "Кубики проверены" in " ".join(shown.lines)
        assert_no_wrapping(shown, 160)
    assert json.loads(saved.read_text()) == [], "a game that is over is nothing to go on with"
    told, complaints = watched.communicate(timeout=PATIENCE)
    assert watched.returncode == 0, complaints
    assert "The dice are verified" in told
    assert "\x1b" not in told
    result = service.get(f"/v1/games/{game[1]}").body["result"]
    assert ("THE BOAT IS SAVED" if result["crew"] == "rescued" else "THE BOAT IS LOST") in told


def assert_no_wrapping(shown: Terminal, columns: int) -> None:
    """And there is a board to be wrapped."""
    assert any("╭─2 " in line for line in shown.lines)
    assert [line for line in shown.lines if cell_len(line) > columns] == []


def test_watching_on_a_screen(service: Client, home: dict[str, str]) -> None:
    game = new_game(service, ["sailor"] * 3)
    name = game.path.rpartition("/")[2]
    watch = ["watch", name, "--server", service.base, "--from-start", "--pace", "0.01"]
    with terminal(*watch, environment=home) as shown:
        shown.expect(FINISHED)
        assert shown.ended() == 0
        assert shown.raw.count("\x1b[?1049h") == shown.raw.count("\x1b[?1049l") == 1
        assert "── Log" in " ".join(shown.lines)
        assert re.search(r"Rescue \d+", shown.text), "the odds"
        assert_no_wrapping(shown, 80)


def test_lines_for_scripts(service: Client, home: dict[str, str]) -> None:
    play = playing(service, "--gnomes", "3", "--bots", "sailor")
    ended = run(*play, typed="99\nstay\n11\n11\n", environment=home)
    assert ended.returncode == 0, ended.stderr
    assert ended.stderr == ""
    assert "\x1b" not in ended.stdout
    for line in ("There is no move 99", "No move is called “stay”.", "10 Captain’s Cabin: ", "11. "):
        assert line in ended.stdout
    assert ended.stdout.endswith("The game is kept. Go on with: red-november play --resume\n")


def test_a_room_and_what_to_do_there_are_confirmed_once(service: Client, home: dict[str, str]) -> None:
    gnomes = [{"room": 5, "minutes": 40, "items": {"grog": 1}}, {"minutes": 20}, {"minutes": 20}]
    position = {"rules": {"gnomes": 3}, "gnomes": gnomes, "active": 0, "ghost": 40, "tracks": {"heat": 6}}
    game = new_game(service, ["open", "sailor", "sailor"], start=False, position=position)
    join = joining(service, game)
    with terminal(*join, environment=home) as shown:
        board = shown.expect(PROMPT)
        assert board[board.index("~  sea") :].count("\n") < 24, "the upper deck stays on the screen"
        shown.enter("4")
        told = shown.expect("What there?")
        assert "5→4: 1 minute" in told
        assert "Would help, if used first: Grog +3." in told
        shown.enter("fix 7")
        assert re.search(r"5→4, Fix the reactor, 8′, 70\s%", shown.expect("Do it? (y/n) "))
        shown.enter("n")
        assert "Nothing done." in shown.expect(PROMPT)
        assert game.state["gnomes"][0]["room"] == 5
        shown.enter("4")
        shown.expect("What there?")
        shown.enter("1")
        shown.expect("Do it? (y/n) ")
        shown.enter("y")
        shown.expect(PROMPT)
        assert game.state["gnomes"][0]["room"] == 4
        shown.enter("q")
        assert shown.ended() == 0


def test_comrades_are_not_abandoned_by_mistake(service: Client, home: dict[str, str]) -> None:
    gnomes = [{"room": "sea", "minutes": 9, "items": {}}, {"room": 5, "minutes": 8}, {"room": 5, "minutes": 8}]
    position = {"rules": {"gnomes": 3}, "gnomes": gnomes, "active": 0, "ghost": 9}
    game = new_game(service, ["open", "sailor", "sailor"], start=False, position=position)
    join = joining(service, game)
    with terminal(*join, environment=home) as shown:
        shown.expect(PROMPT)
        shown.enter("abandon")
        shown.expect("Really abandon your comrades? (y/n) ")
        shown.enter("n")
        assert "You stay with your comrades." in shown.expect(PROMPT)
        assert game.state["gnomes"][0]["state"] == "alive"
        shown.enter("abandon")
        shown.expect("Really abandon your comrades? (y/n) ")
        shown.enter("y")
        shown.expect(FINISHED)
        assert "this is a sandbox" in " ".join(shown.lines)
        assert shown.ended() == 0
    assert game.state["gnomes"][0]["state"] == "abandoned"


def test_a_table_for_two_with_deadlines_and_a_name_that_is_only_a_name(service: Client, home: dict[str, str]) -> None:
    name = "[red]Ada[/red]\x1b]0;pwned\x07\x1b[2J\u202egnp"
    seats = ["--seats", "open,open,sailor", "--turn-seconds", "90", "--name", name]
    game = None
    while game is None:
        with terminal(*playing(service, *seats), environment=home) as ada:
            found = re.search(r"--join\s(\w+)", ada.expect("It begins when all seats are taken."))
            assert found
            join = ["--join", found[1], "--name", "Bob", "--seat", "2"]
            with terminal(*playing(service, *join), environment=home) as bob:
                ada.expect("Bob comes aboard: Gnome 2.")
                state = first_of_a_person(service, found[1])
                if state["moves_played"] > 0:
                    continue  # the sailor began, and who knows what it left them to decide
                game = found[1]
                first, other = (bob, ada) if state["decision"]["seat"] == 1 else (ada, bob)
                assert re.search(r"\d+\s+seconds\s+left\s+to\s+decide", first.expect(PROMPT))
                other.enter("take no action")
                other.expect("It is not your turn now")
                first.enter("\x1b[31mdance\x1b[0m")
                assert "No move is called “[31mdance[0m”." in first.expect(PROMPT)
                first.enter("take no action")
                first.expect("chooses “Take no action”")
                other.expect("chooses “Take no action”")
                bob.process.send_signal(signal.SIGHUP)  # a closed window
                assert bob.ended() == 130
                for shown in (ada, bob):
                    assert "[red]Ada[/red]" in " ".join(shown.lines)
                    assert not [bad for bad in ("\x1b]0;", "\x1b[2J", "\x1b[31mdance", "\u202e") if bad in shown.raw]
    games = json.loads((Path(home["XDG_STATE_HOME"]) / "red-november" / "games.json").read_text())
    assert [saved["game"] for saved in games].count(game) == 2


def first_of_a_person(service: Client, game: str) -> Wire:
    """The game's state as soon as it is not the sailor, of seat 2, who must decide."""
    while True:
        state: Wire = service.get(f"/v1/games/{game}").body
        if state["decision"] and state["decision"]["seat"] != 2:
            return state
        time.sleep(0.05)


def own_service_of(player: int) -> int:
    """Return the process of the service that a player's process has started."""
    listing = subprocess.run(
        ["ps", "-ww", "-eo", "pid=,ppid=,args="], capture_output=True, text=True, check=True
    ).stdout
    processes = [line.split(maxsplit=2) for line in listing.splitlines()]
    services = [pid for pid, parent, args in processes if int(parent) == player and "attached_service" in args]
    (service,) = map(int, services)
    return service


def test_a_service_of_its_own_comes_and_goes(home: dict[str, str], tmp_path: Path) -> None:
    data = tmp_path / "own"
    with terminal("play", "--data", str(data), "--gnomes", "3", "--bots", "sailor", environment=home) as shown:
        shown.expect(PROMPT)
        started = own_service_of(shown.process.pid)
        below = descendants(started)
        assert len(below) >= 3, "Redis, gunicorn, a worker"
        shown.process.kill()  # the worst that can happen to it
        wait_until_gone({started, *below})
    with terminal("play", "--resume", environment=home) as shown:
        shown.expect("On with game")
        shown.expect(PROMPT)
        started = own_service_of(shown.process.pid)
        below = descendants(started)
        shown.enter("q")
        assert shown.ended() == 0
        assert not [pid for pid in (started, *below) if is_alive(pid)], "something goes on after the end"


def wait_until_gone(pids: set[int]) -> None:
    ends = time.monotonic() + PATIENCE
    while alive := [pid for pid in pids if is_alive(pid)]:
        assert time.monotonic() < ends, f"{alive} go on after the end"
        time.sleep(0.1)


def is_alive(pid: int) -> bool:
    try:
        return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return False


def test_what_cant_be_done_is_told_in_a_line(
    service: Client, home: dict[str, str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", home["XDG_STATE_HOME"])
    monkeypatch.setattr("red_november_client.probing.FIRST_SECONDS", 0.1)
    cases: list[tuple[int, str, list[str]]] = [
        (1, "There is no answer from http://127.0.0.1:1: Connection refused", ["play", "--server", "127.0.0.1:1"]),
        (1, "Нет ответа от http://127.0.0.1:1: ", ["watch", "x", "--server", "127.0.0.1:1", "--lang", "ru"]),
        (1, "ist nicht die Adresse eines Dienstes", ["play", "--server", "ftp://x", "--lang", "de"]),
        (1, "It never was, was deleted, was forgotten", ["watch", "nosuchgame000000", "--server", service.base]),
        (1, "It never was, was deleted, was forgotten", playing(service, "--join", "nosuchgame000000")),
        (1, "There is no game to go on with.", ["play", "--resume"]),
        (2, "--lang: 'xx' is no language", ["play", "--lang", "xx"]),
        (2, "gnomes: must be 3 to 8", ["play", "--gnomes", "9"]),
    ]
    for code, words, arguments in cases:
        assert main([*arguments, *([] if "--lang" in arguments else ["--lang", "en"])]) == code
        (complaint,) = capsys.readouterr().err.splitlines()
        assert words in complaint
    with pytest.raises(SystemExit, match="2"):
        main(["play", "--seats", "captain,captain,captain"])
    assert "one of them must be open" in capsys.readouterr().err
