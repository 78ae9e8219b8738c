"""`red-november serve` as a newcomer runs it."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from service.serve import queues_of
from tests.serving import Client, free_port

SERVE = [sys.executable, "-m", "service.cli", "serve"]


@contextmanager
def serving(folder: Path, port: int) -> Iterator["subprocess.Popen[str]"]:
    environment = {name: value for name, value in os.environ.items() if name != "REDIS_URL"}
    process = subprocess.Popen(
        [*SERVE, "--port", str(port), "--data", str(folder), "--workers", "1"],
        env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert f"up at http://127.0.0.1:{port}" in line, process.communicate()
        yield process
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)


def children_of(process: "subprocess.Popen[str]") -> list[int]:
    listing = subprocess.run(
        ["ps", "-o", "pid=", "--ppid", str(process.pid)], capture_output=True, text=True, check=False
    )
    return [int(pid) for pid in listing.stdout.split()]


def test_games_outlive_a_restart_and_bots_play_them(tmp_path: Path) -> None:
    port = free_port()
    api = Client(f"http://127.0.0.1:{port}")
    with serving(tmp_path, port) as process:
        game = api.post("/v1/games", {"seats": ["sailor"] * 3}).body
        started = children_of(process)
        assert len(started) == 3
    assert process.returncode == 0
    assert not [pid for pid in started if Path(f"/proc/{pid}").exists()], "something goes on after the end"
    with serving(tmp_path, port):
        path = f"/v1/games/{game['id']}"
        assert api.be(game["token"]).post(f"{path}/start").status == 200
        ends = time.monotonic() + 60
        while not api.get(path).body["result"]:
            assert time.monotonic() < ends, "the bots do not play"
            time.sleep(0.1)


def test_of_several_workers_one_is_always_there_for_live_games() -> None:
    everything = ["turns", "advice", "matches"]
    assert queues_of(1, workers=1) == everything
    assert [queues_of(number, workers=3) for number in (1, 2, 3)] == [everything[:2], everything, everything]


def complaint(*arguments: str, **environment: str) -> str:
    """What it says when it can't start: one line, and not 0."""
    settings = {**os.environ, **environment}
    ended = subprocess.run([*SERVE, *arguments], env=settings, capture_output=True, text=True, timeout=90, check=False)
    assert ended.returncode not in (0, None)
    assert ended.stdout == ""
    (line,) = ended.stderr.splitlines()
    return line


def test_a_port_that_is_taken_is_told(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        assert f"port {port} of 127.0.0.1 is taken" in complaint("--port", port, "--data", str(tmp_path))


def test_a_port_that_there_is_not_is_told(tmp_path: Path) -> None:
    assert "port 99999 can't be: it must be 1 to 65535" in complaint("--port", "99999", "--data", str(tmp_path))


def test_a_folder_that_cant_be_written_is_told() -> None:
    assert "the data folder /proc/nowhere can't be written" in complaint("--data", "/proc/nowhere")


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("REDIS_URL", "redis://127.0.0.1:1/0", "Redis does not answer at redis://127.0.0.1:1/0"),
        ("REDIS_URL", "redis://api:s3/cret@host:6379/0", "the address of Redis can't be read"),
        ("CELL", "Big", "CELL"),
        ("LIMIT_MOVE", "many", "LIMIT_MOVE: 'many' is no limit"),
        ("GAME_IDLE_SECONDS", "0", "GAME_IDLE_SECONDS"),
        ("API_KEYS", "studio", "API_KEYS: entry 1 is no holder:sha256"),
    ],
)
def test_bad_settings_are_told(tmp_path: Path, name: str, value: str, words: str) -> None:
    assert words in complaint("--port", str(free_port()), "--data", str(tmp_path), **{name: value})
