"""A bot of one's own without a service: three ways to be asked, checks, games on this machine."""

import asyncio
import gzip
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from engine import Rules
from red_november_client.bot.bench import Times, told_apart
from red_november_client.bot.check import as_of_a_later_release
from red_november_client.bot.cli import main
from red_november_client.bot.mouths import Commands
from red_november_client.bot.recorded import decisions
from service.cli import main as product
from service.client import recorded
from service.games import catalogue
from tests.support.contract import faults
from tests.support.scripted_server import says, scripted
from tests.support.serving import PATIENCE, free_port

BOTS = """
import os, sys, time

def first(decision):
    print("thinking")  # goes nowhere else than to the screen
    return decision["state"]["legal_moves"][0]

async def later(decision):
    return {"moves": decision["state"]["legal_moves"][:1]}

def raises(decision):
    return 1 / 0

def junk(decision):
    return "hm"

def ends(decision):
    os._exit(3)

def hangs(decision):
    time.sleep(600)

def varies(decision, so_far=[0]):
    so_far[0] += 1
    legal = decision["state"]["legal_moves"]
    return legal[so_far[0] % len(legal)]

def illegal(decision):
    return {"type": "enter", "room": 99}

def strict(decision):
    assert len(decision) == 10, "there is more than I know"
    return decision["state"]["legal_moves"][0]
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "my_bots.py").write_text(BOTS)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> int:
    """Check on few of the decisions: who fails one fails all."""
    chosen = decisions()[::24]
    monkeypatch.setattr("red_november_client.bot.cli.decisions", lambda: chosen)
    return len(chosen)


def test_every_kind_of_decision_is_recorded_under_every_option() -> None:
    found: dict[str, set[str]] = {}
    for line in decisions():
        found.setdefault(json.dumps(line["state"]["rules"]), set()).add(line["kind"])
    variants = [Rules.from_dict(json.loads(rules)) for rules in found]
    assert variants == list(recorded.VARIANTS)
    for rules, kinds in zip(variants, found.values()):
        assert kinds == recorded.kinds_under(rules), rules
    for option, values in catalogue.rules()["options"].items():
        if isinstance(values, list):
            assert {getattr(rules, option) for rules in variants} == set(values), option


def test_the_recording_is_what_is_told_today() -> None:
    """Where this fails, the rules or what is told of a game changed: `make recorded` records them anew."""
    fresh = recorded.written().splitlines()
    kept = gzip.decompress(recorded.FILE.read_bytes()).decode().splitlines()
    for old, new in zip(kept, fresh):
        assert old == new
    assert len(kept) == len(fresh)


def test_recorded_decisions_are_what_the_contract_says() -> None:
    line_of_a_decision = {"$ref": "#/components/schemas/DecisionLineDecision"}
    for line in decisions():
        assert faults(line, line_of_a_decision) == "", line["id"]
        assert line["seat"] == line["state"]["decision"]["seat"]
        assert (line["kind"], line["game"]) == (line["state"]["phase"], line["state"]["id"])
        assert line["id"] == f"{line['game']}.{line['state']['moves_played']}"
        assert line["state"]["legal_moves"]
    for line in decisions()[::24]:
        assert "x_of_a_later_release" in faults(as_of_a_later_release(line), line_of_a_decision)


def test_a_good_bot_passes(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "my_bots:first", "--seconds", "60"]) == 0
    assert capsys.readouterr().out.startswith("167 decisions: nothing wrong; the slowest took ")


@pytest.mark.parametrize(
    ("bot", "said"),
    [
        ("raises", "crashing: {}: raised ZeroDivisionError: division by zero (my_bots.py:12)"),
        ("junk", 'crashing: {}: answered "hm", which is neither a move, nor moves, nor the number of an action'),
        ("ends", "crashing: {}: ended with exit code 3"),
        ("hangs", "slow: {}: took longer than 40 ms, and was stopped"),
        ("varies", "not repeatable: {}: first "),
        ("illegal", 'illegal: {}: {{"type": "enter", "room": 99}} is not among the legal moves'),
        ("strict", "leaning: {}: with members that it does not know: raised AssertionError: there is more than I know"),
    ],
)
def test_each_fault_is_told_in_a_line(
    place: Path, few: int, capsys: pytest.CaptureFixture[str], bot: str, said: str
) -> None:
    seconds = "0.01" if bot == "hangs" else "60"
    assert main(["check", f"my_bots:{bot}", "--most", "1", "--at-once", "1", "--seconds", seconds]) == 1
    first, more, summary = capsys.readouterr().out.splitlines()
    assert first.startswith(said.format("recrdedaaaaagame.0 (movement, 4 gnomes)"))
    assert f"… and {few - 1} more" in more or bot in ("varies",)
    assert summary.startswith(f"{few} decisions: ")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["my_bots:nobody"], "my_bots has no function nobody"),
        (["no_such_module"], "No module named 'no_such_module'"),
        (["--command", "no-such-command"], "can't be started"),
        (["--command", '"'], "No closing quotation"),
        (["--relay", "ftp://x"], "http:// or https://"),
        (["--relay", f"http://127.0.0.1:{free_port()}"], "does not answer"),
        (["my_bots:first", "--at-once", "0"], "1 or more"),
    ],
)
def test_what_cant_begin_is_told_in_a_line(
    place: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    assert main(["check", *arguments]) == 2
    (line,) = [each for each in capsys.readouterr().err.splitlines() if each.startswith("red-november bot: ")]
    assert said in line


def test_a_command_in_any_language_is_asked_in_lines(place: Path, few: int, capsys: pytest.CaptureFixture[str]) -> None:
    bot = "import json, sys\nfor line in sys.stdin:\n"
    bot += "    print(json.dumps(json.loads(line)['state']['legal_moves'][-1]), flush=True)"
    (place / "bot.py").write_text(bot)
    command = f"{sys.executable} bot.py"
    assert main(["check", "--command", command, "--seconds", "60"]) == 0
    assert "nothing wrong" in capsys.readouterr().out
    (place / "twice.py").write_text(bot.replace(", flush", " + '\\nand more', flush"))
    assert main(["check", "--command", f"{sys.executable} twice.py", "--at-once", "1", "--seconds", "60"]) == 1
    assert "printed more than an answer: " in capsys.readouterr().out


def test_a_server_of_ones_own_is_asked_by_posts(few: int, capsys: pytest.CaptureFixture[str]) -> None:
    answers = [says(200, {"moves": [line["state"]["legal_moves"][0]]}) for line in decisions()[::24] for _ in range(3)]
    with scripted(*answers) as (address, asked):
        assert main(["check", "--relay", address, "--at-once", "1", "--seconds", "60"]) == 0
        assert {method for method, _, _ in asked} == {"POST"}
    with scripted(*[says(500)] * 3 * few) as (address, _):
        assert main(["check", "--relay", address, "--most", "1"]) == 1
    assert f"{address} answers with status 500" in capsys.readouterr().out


def test_a_bot_that_hangs_is_ended_with_all_that_it_started(place: Path) -> None:
    (place / "bot.sh").write_text("sleep 600 & echo $! > child; wait")

    async def main() -> None:
        mouth = Commands(["sh", "bot.sh"], 1)
        await mouth.open()
        asking = asyncio.create_task(mouth.ask({}))
        async with asyncio.timeout(60):
            while not (place / "child").exists() or not (place / "child").read_text():
                await asyncio.sleep(0.01)
        asking.cancel()
        await asyncio.wait([asking])
        await mouth.close()

    asyncio.run(main())
    child = int((place / "child").read_text())
    ends = time.monotonic() + 10
    while is_alive(child):
        assert time.monotonic() < ends, "what the bot started goes on"
        time.sleep(0.01)


def is_alive(process: int) -> bool:
    try:
        return "\nState:\tZ" not in Path(f"/proc/{process}/status").read_text()
    except OSError:
        return False


def test_games_on_this_machine_are_the_same_again(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = []
    for at_once in ("1", "3"):
        arguments = ["--local", "--games", "4", "--gnomes", "3", "--against", "sailor", "--at-once", at_once]
        assert product(["bot", "run", "my_bots:first", *arguments, "--json", "told.json", "--seconds", "60"]) == 0
        series = json.loads(Path("told.json").read_text())["matches"][0]
        for crew in (series["crew"], series["against"]):
            del crew["bots"]
        told.append(series)
    assert told[0] == told[1]
    assert told[0]["crew"]["games"] == 4
    assert told[0]["crew"]["crew"] == ["bot"] * 3
    assert told[0]["crew"]["faults"]["count"] == 0
    assert "3 gnomes, revised edition, seed 1" in capsys.readouterr().out


def test_a_bot_that_fails_loses_no_game_on_this_machine(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert product(["bot", "run", "my_bots:raises", "--local", "--games", "1", "--gnomes", "3"]) == 0
    assert "raised ZeroDivisionError" in capsys.readouterr().out
    assert product(["bot", "run", "my_bots:first", "--local", "--crew", "bot,nobody"]) == 2
    assert product(["bot", "run", "my_bots:first", "--local", "--gnomes", "9"]) == 2


def test_speed_is_told(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with scripted(*[says(200)] * 100) as (address, _):
        assert main(["bench", "my_bots:first", "--for", "0.05", "--at-once", "1", "--server", address]) == 0
    both, pipe, thought, way = capsys.readouterr().out.splitlines()
    assert both.startswith("thought and pipe, 1 at once: ")
    assert pipe.startswith("the pipe alone: ")
    assert re.fullmatch(r"thought alone: p50 \d+\.\d ms, p99 \d+\.\d ms", thought)
    assert way.startswith(f"the way to {address} and back: ")


def test_thought_is_told_apart_from_the_pipe() -> None:
    slow, quick = Times([0.010, 0.012, 0.040], 1.0), Times([0.002, 0.003, 0.050], 1.0)
    assert told_apart("thought", slow, quick) == "thought: p50 9.0 ms, p99 9.0 ms"


def test_an_interrupt_ends_a_check_and_its_bots(place: Path) -> None:
    command = [sys.executable, "-m", "red_november_client.bot.cli", "check", "my_bots:hangs", "--seconds", "100"]
    running = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True)
    ends = time.monotonic() + 60
    while not (children := children_of(running.pid)):
        assert time.monotonic() < ends
        time.sleep(0.05)
    os.kill(running.pid, signal.SIGINT)
    _, said = running.communicate(timeout=PATIENCE)
    assert running.returncode == 130
    assert b"Traceback" not in said
    assert not [child for child in children if is_alive(child)]


def children_of(process: int) -> list[int]:
    try:
        return [int(child) for child in Path(f"/proc/{process}/task/{process}/children").read_text().split()]
    except OSError:
        return []
