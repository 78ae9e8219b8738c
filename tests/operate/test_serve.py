"""`red-november serve` as a newcomer runs it."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis

from service.app import create_app
from service.config import Config
from service.store.data_folder import DataFolder
from tests.support.answers import eventually
from tests.support.servers import running_server, server_named
from tests.support.serving import PATIENCE, Served, descendants, free_port, serving, without_service

SERVE = [sys.executable, "-m", "service.cli", "serve"]


def gone(pid: int) -> bool:
    """Whether the process has ended, also where nobody has waited for it yet."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


def children_of(process: "subprocess.Popen[str]") -> list[int]:
    listing = subprocess.run(
        ["ps", "-o", "pid=", "--ppid", str(process.pid)], capture_output=True, text=True, check=False
    )
    return [int(pid) for pid in listing.stdout.split()]


def test_games_outlive_a_restart_and_bots_play_them(tmp_path: Path) -> None:
    with serving(tmp_path) as served:
        api, process = served.api, served.process
        game = api.post("/v1/games", {"seats": ["sailor"] * 3}).body
        started = children_of(process)
        assert len(started) == 3
    assert process.returncode == 0
    assert not [pid for pid in started if Path(f"/proc/{pid}").exists()], "something goes on after the end"
    with serving(tmp_path) as served:
        api = served.api
        path = f"/v1/games/{game['game']['id']}"
        assert api.be(game["token"]).post(f"{path}/start").status == 200
        ends = time.monotonic() + PATIENCE
        while not api.get(path).body["result"]:
            assert time.monotonic() < ends, "the bots do not play"
            time.sleep(0.1)


def complaint(*arguments: str, **environment: str) -> str:
    """What it says when it can't start: one line, and 2."""
    settings = without_service() | environment
    ended = subprocess.run(
        [*SERVE, *arguments], env=settings, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert (ended.returncode, ended.stdout) == (2, ""), ended.stderr
    (line,) = ended.stderr.splitlines()
    return line


def test_a_port_that_is_taken_is_told(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        assert f"port {port} of 127.0.0.1 is taken" in complaint("--port", port, "--data", str(tmp_path))


def test_host_and_port_are_taken_from_the_environment_unless_they_are_given(tmp_path: Path) -> None:
    """As platforms give them, which let a process choose neither."""
    data = ("--data", str(tmp_path))
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        assert f"port {port} of localhost is taken" in complaint(*data, HOST="localhost", PORT=port)
        assert f"port {port} of 127.0.0.1 is taken" in complaint(*data, "--port", port, "--host", "127.0.0.1", PORT="1")
    assert complaint(*data, PORT="web") == "red-november: PORT: 'web' is no number of a port"


def test_a_port_that_there_is_not_is_told(tmp_path: Path) -> None:
    assert "port 99999 of 127.0.0.1 can't be: a port must be 1 to 65535" in complaint(
        "--port", "99999", "--data", str(tmp_path)
    )


def test_a_folder_that_cant_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for place in ("/proc/nowhere", str(tmp_path / "file"), str(tmp_path / "file" / "data")):
        line = complaint("--port", str(free_port()), "--data", place)
        assert line.startswith(f"red-november: the data folder {place} can't be written (")
        assert line.endswith("): name another with --data")


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("REDIS_URL", "redis://127.0.0.1:1/0", "Redis does not answer at redis://127.0.0.1:1/0"),
        ("REDIS_URL", "redis://api:s3/cret@host:6379/0", "the address of Redis can't be read"),
        ("LIMIT_MOVE", "many", "LIMIT_MOVE: 'many' is no limit"),
        ("GAME_IDLE_SECONDS", "0", "GAME_IDLE_SECONDS"),
        ("API_KEYS", "studio", "API_KEYS: entry 1 is no holder:sha256"),
    ],
)
def test_bad_settings_are_told(tmp_path: Path, name: str, value: str, words: str) -> None:
    assert words in complaint("--port", str(free_port()), "--data", str(tmp_path), **{name: value})


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("here")) as served:
        yield served


def test_on_a_loopback_address_it_says_that_there_are_no_limits_and_has_none(served: Served) -> None:
    assert served.process.stdout is not None
    told = next(line for line in served.process.stdout if line.strip().startswith("limits"))
    assert "none, as only this machine can ask" in told
    assert not [name for name in served.api.get("/v1/games").headers if name.lower().startswith("ratelimit")]


def test_a_second_service_on_one_folder_names_the_first_and_changes_nothing(served: Served) -> None:
    before = (served.place / "data" / "service.json").read_bytes()
    line = complaint("--port", str(free_port()), "--data", str(served.place / "data"))
    assert f"is used by a service at {served.api.base} (process {served.process.pid}): stop it first" in line
    assert (served.place / "data" / "service.json").read_bytes() == before
    assert served.api.post("/v1/games").status == 201


def test_only_its_owner_may_look_into_the_data(served: Served) -> None:
    served.api.post("/v1/games")
    folder = served.place / "data"
    assert oct(folder.stat().st_mode & 0o777) == "0o700"
    assert {oct(file.stat().st_mode & 0o077) for file in folder.rglob("*")} == {"0o0"}


@pytest.mark.thorough
def test_other_commands_find_the_service_in_their_folder_or_by_its_name(served: Served) -> None:
    game = served.api.post("/v1/games", {"seats": ["sailor"] * 3}).body
    for options in ((), ("--data", "data")):
        doctor = served.run("doctor", *options)
        assert f"the API answers at {served.api.base}" in doctor.stdout
        assert str(served.place / "data" / "redis.sock") in doctor.stdout
        assert game["game"]["id"] in served.run("export", *options).stdout
        assert (
            served.run("watch", game["game"]["id"], "--plain", "--from-start", *options, "--pace", "x").returncode == 2
        )
    exported = served.run("export", "--output", "games.ndjson")
    assert exported.returncode == 0, exported.stderr
    assert "were there already" in served.run("import", "games.ndjson").stdout
    assert served.run("worker", "--burst").returncode == 0


@pytest.mark.thorough
def test_play_joins_the_service_that_runs_on_its_folder(served: Served) -> None:
    for options in ((), ("--data", "data"), ("--url", served.api.base)):
        played = served.run("play", "--plain", "--seats", "open,sailor,sailor", *options)
        assert played.returncode == 0, played.stderr
        assert f"at {served.api.base}." in played.stdout
        assert "starting" not in played.stdout


@pytest.mark.thorough
def test_a_folder_on_which_no_service_runs_is_told(tmp_path: Path, served: Served) -> None:
    for command in (["doctor"], ["export"], ["worker"], ["watch", "abc"]):
        ended = served.run(*command, "--data", str(tmp_path))
        assert ended.returncode in (1, 2)
        assert f"no service runs on {tmp_path}: start it with" in ended.stdout + ended.stderr


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform != "linux", reason="left out: the death of parents, which only Linux tells")
def test_when_its_supervisor_is_killed_nothing_goes_on_and_nothing_is_lost(tmp_path: Path) -> None:
    with serving(tmp_path) as served:
        game = served.api.post("/v1/games").body
        started = descendants(served.process.pid)
        served.process.kill()
        eventually(lambda: all(map(gone, started)), "something goes on after the death of the supervisor")
    with serving(tmp_path) as again:
        assert again.api.get(f"/v1/games/{game['game']['id']}").status == 200


def test_a_closed_terminal_stops_it_in_order(tmp_path: Path) -> None:
    with serving(tmp_path) as served:
        started = children_of(served.process)
        served.process.send_signal(signal.SIGHUP)
        assert served.process.wait(PATIENCE) == 0
        assert all(map(gone, started))


def test_a_store_that_was_left_over_keeps_its_folder(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path / "data", "1")
    folder.open()
    with subprocess.Popen(["sleep", "60"], pass_fds=[folder.lock]) as left:
        with subprocess.Popen([sys.executable, "-c", ""]) as dead:
            pass
        folder.tell("unix://redis.sock", None)
        mark = tmp_path / "data" / "service.json"
        mark.write_text(mark.read_text().replace(str(os.getpid()), str(dead.pid)))
        os.close(folder.lock)
        try:
            line = complaint("--port", str(free_port()), "--data", str(tmp_path / "data"))
        finally:
            left.kill()
    assert f"still used by the store of a service that was killed (process {dead.pid})" in line


def test_a_folder_of_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "letters").write_text("dear gnome")
    line = complaint("--port", str(free_port()), "--data", str(tmp_path))
    assert "holds letters, which is not ours: name another with --data" in line
    assert [file.name for file in tmp_path.iterdir()] == ["letters"]


def test_the_data_of_another_program_is_left_alone(tmp_path: Path) -> None:
    with running_server(tmp_path, "--appendonly", "yes") as (url, _), redis.Redis.from_url(url) as other:
        other.set("session:1", "theirs")
    for name in ("log", "r.sock"):
        (tmp_path / name).unlink()
    for _ in range(2):
        assert "holds the data of another program" in complaint("--port", str(free_port()), "--data", str(tmp_path))


def test_data_of_a_later_layout_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "service.json").write_text('{"format": "red-november-data", "layout": 99, "release": "7.0.0"}')
    line = complaint("--port", str(free_port()), "--data", str(tmp_path))
    assert "is of release 7.0.0, in layout 99, and this one knows" in line
    (tmp_path / "service.json").write_text('{"name": "another service"}')
    assert "service.json is not ours" in complaint("--port", str(free_port()), "--data", str(tmp_path))


@pytest.mark.parametrize(
    ("script", "words"),
    [
        (None, "REDIS_SERVER: there is no program {}"),
        ("echo hello", "{} is no Redis or Valkey that works: name another with REDIS_SERVER, or unset it"),
        ("exit 1", "{} is no Redis or Valkey that works"),
        ("echo Redis server v=5.0.14", "{} is too old: Redis must be 6.2 or newer"),
        ("#", "{} can't be run (Exec format error)"),
    ],
)
def test_a_server_that_does_not_work_is_told(tmp_path: Path, script: str | None, words: str) -> None:
    server = tmp_path / "redis-server"
    if script is not None:  # an empty file is no program
        server.write_text(f"#!/bin/sh\n{script}\n" if script != "#" else "")
        server.chmod(0o755)
    wanted = {"REDIS_SERVER": str(server), "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    assert words.format(server) in complaint("--port", str(free_port()), "--data", str(tmp_path / "data"), **wanted)


def test_a_server_too_old_for_the_data_is_refused_before_it_hides_the_games(tmp_path: Path) -> None:
    (tmp_path / "appendonlydir").mkdir()
    old = server_named("Redis 6.2")
    line = complaint("--port", str(free_port()), "--data", str(tmp_path), REDIS_SERVER=old)
    assert f"{old} is older than the server that wrote the data" in line


def test_data_that_the_server_cant_read_is_told_in_its_words(tmp_path: Path) -> None:
    (tmp_path / "appendonlydir").mkdir()
    (tmp_path / "appendonlydir" / "appendonly.aof.manifest").write_text("broken")
    line = complaint("--port", str(free_port()), "--data", str(tmp_path))
    assert "redis-server ended with 1" in line
    assert "its log ends with: The AOF manifest" in line


@pytest.mark.thorough
def test_games_of_redis_6_go_on_in_the_server_that_we_bring(tmp_path: Path) -> None:
    log = ("--appendonly", "yes", "--appendfsync", "always")  # it is killed a moment later
    with running_server(tmp_path, *log, binary=server_named("Redis 6.2")) as (url, _):
        api = create_app(Config(url)).test_client()
        game = eventually(
            lambda: answer.get_json() if (answer := api.post("/v1/games", json={})).status_code == 201 else None
        )
    for name in ("log", "r.sock"):
        (tmp_path / name).unlink()
    with serving(tmp_path, data=".") as served:
        assert served.api.get(f"/v1/games/{game['game']['id']}").body["id"] == game["game"]["id"]
