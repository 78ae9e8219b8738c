"""Compiled, interpreted and bounds-checked rules play alike, and the machine code on disk is never stale or torn."""

import json
import os
import runpy
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from numba.core.registry import CPUDispatcher

import engine
from engine import Game, Rules
from engine.compiled import doors
from engine.rollout import random_games
from tests.support.probe import digests

SOURCES = Path(engine.__file__).parent
ROOT = SOURCES.parent
FILES = sorted(str(path.relative_to(SOURCES)) for path in SOURCES.rglob("*.py"))
GAMES = 20

PILE_RULES = {
    "engine.compiled.bounds._are_within",
    "engine.compiled.items.size",
    "engine.compiled.items.pick",
    "engine.compiled.items.move_pile",
}


def start(folder: Path, games: int, **settings: str) -> subprocess.Popen[str]:
    """A process that probes the engine of a folder."""
    ours = ("NUMBA_", "PYTHON", "RED_NOVEMBER_CACHE", "XDG_CACHE_HOME")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    return subprocess.Popen(
        [sys.executable, "-m", "tests.support.probe", str(games)],
        cwd=folder,
        env=kept | {"PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"} | settings,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def finish(process: subprocess.Popen[str]) -> dict[str, Any]:
    out, err = process.communicate()
    assert process.returncode == 0, err
    return json.loads(out) | {"said": err}


@pytest.fixture(scope="module")
def modes() -> dict[str, dict[str, Any]]:
    """The same games interpreted and with checked bounds, side by side."""
    settings = {"NUMBA_DISABLE_JIT": {"NUMBA_DISABLE_JIT": "1"}, "NUMBA_BOUNDSCHECK": {"NUMBA_BOUNDSCHECK": "1"}}
    processes = {mode: start(ROOT, GAMES, **setting) for mode, setting in settings.items()}
    return {mode: finish(process) for mode, process in processes.items()}


@pytest.mark.parametrize("mode", ["NUMBA_DISABLE_JIT", "NUMBA_BOUNDSCHECK"])
def test_games_are_the_same_in_every_state_however_the_rules_are_run(
    modes: dict[str, dict[str, Any]], mode: str
) -> None:
    assert modes[mode]["digests"] == digests(GAMES)


def copy_of_engine(folder: Path, *, writable: bool, sources: Path = SOURCES) -> Path:
    """An installation of its own. Root may write anywhere, so a file in the cache's place makes it read-only."""
    shutil.copytree(sources, folder / "engine", ignore=shutil.ignore_patterns("__pycache__"))
    if not writable:
        (folder / "engine" / "__pycache__").write_text("taken")
    return folder


@pytest.fixture(scope="module")
def read_only(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Two processes compile a read-only installation at once; a third comes after."""
    folder = copy_of_engine(tmp_path_factory.mktemp("installed"), writable=False)
    home = tmp_path_factory.mktemp("home")
    both = [start(folder, 1, HOME=str(home)) for _ in range(2)]
    cold = [finish(process) for process in both]
    files = {path: path.read_bytes() for path in (home / ".cache").rglob("*.nb?")}
    warm = finish(start(folder, 1, HOME=str(home)))
    return {"folder": folder, "home": home, "cold": cold, "warm": warm, "files": files}


def test_a_read_only_installation_keeps_its_code_in_the_user_cache(read_only: dict[str, Any]) -> None:
    for told in (*read_only["cold"], read_only["warm"]):
        assert Path(told["engine"]).is_relative_to(read_only["folder"])
        assert Path(told["folder"]).is_relative_to(read_only["home"] / ".cache")
    assert (read_only["folder"] / "engine" / "__pycache__").read_text() == "taken"


def test_who_waits_for_the_compiler_is_told_once(read_only: dict[str, Any]) -> None:
    said = [told["said"].splitlines() for told in read_only["cold"]]
    assert any(said)
    for lines in said:
        assert len(lines) <= 1
        assert all("compiling" in line for line in lines)


def test_two_processes_that_compile_at_once_both_play_right(read_only: dict[str, Any]) -> None:
    assert [told["digests"] for told in read_only["cold"]] == [digests(1)] * 2


def test_a_warm_cache_compiles_nothing_and_says_nothing(read_only: dict[str, Any]) -> None:
    warm = read_only["warm"]
    assert warm["said"] == ""
    assert set(warm["rules"].values()) == {0}
    assert warm["digests"] == digests(1)
    now = {path: path.read_bytes() for path in (read_only["home"] / ".cache").rglob("*.nb?")}
    assert now == read_only["files"] != {}


def test_every_rule_is_compiled_at_most_once(read_only: dict[str, Any]) -> None:
    """More signatures of one rule are compile time for nothing; but the size of a pile of cards is part of its type."""
    compiled = [rule for told in read_only["cold"] for rule, times in told["rules"].items() if times]
    assert len(set(compiled)) > 80
    for told in read_only["cold"]:
        assert {rule for rule, times in told["rules"].items() if times > 1} <= PILE_RULES


def test_every_door_keeps_the_one_signature_it_declares() -> None:
    """An argument of another type would make it compile anew, in the middle of a game."""
    game = Game.new(Rules(), bytes(32))
    game.preview(game.legal_moves()[0])
    game.play(game.legal_moves()[0])
    random_games(Game.from_position(game.position()), seed=1, games=1)
    found = {name: len(door.signatures) for name, door in vars(doors).items() if isinstance(door, CPUDispatcher)}
    assert set(found) >= {"play", "legal_moves", "decider", "play_randomly"}
    assert {name: signatures for name, signatures in found.items() if signatures != 1} == {}


def test_code_made_elsewhere_is_used_beside_the_same_sources(read_only: dict[str, Any], tmp_path: Path) -> None:
    folder = copy_of_engine(tmp_path / "installed", writable=True, sources=read_only["folder"] / "engine")
    made = Path(read_only["warm"]["folder"])
    shutil.copytree(made, folder / "engine" / "__pycache__" / made.name)
    told = finish(start(folder, 1, HOME=str(tmp_path)))
    assert told["said"] == ""
    assert Path(told["folder"]).parent == folder / "engine" / "__pycache__"


def test_an_edit_of_one_file_compiles_anew_even_with_its_date_and_size_unchanged(
    read_only: dict[str, Any], tmp_path: Path
) -> None:
    folder = copy_of_engine(tmp_path / "installed", writable=False)
    edited = folder / "engine" / "cards.py"
    date = edited.stat()
    source = edited.read_text()
    edited.write_text(source.replace("STASH = 6", "STASH = 5", 1))
    os.utime(edited, ns=(date.st_atime_ns, date.st_mtime_ns))
    assert edited.read_text() != source
    assert edited.stat().st_size == date.st_size
    process = start(folder, 0, HOME=str(read_only["home"]))
    try:
        assert process.stderr is not None
        assert "compiling" in process.stderr.readline()
    finally:
        process.kill()
        process.communicate()


def cache_folder(installed: Path) -> Path | None:
    """Where an installation would keep its code, without compiling it."""
    return runpy.run_path(str(installed / "engine" / "compiled" / "jit.py"))["cache_folder"]("engine")


@pytest.mark.parametrize("file", FILES)
def test_code_of_other_sources_lies_elsewhere(tmp_path: Path, file: str) -> None:
    installed = copy_of_engine(tmp_path / "installed", writable=True)
    before = cache_folder(installed)
    edited = installed / "engine" / file
    source = edited.read_text()
    edited.write_text(source + "\n")
    assert cache_folder(installed) != before
    edited.write_text(source)
    assert cache_folder(installed) == before


def test_the_code_of_another_processor_is_not_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    installed = copy_of_engine(tmp_path, writable=True)
    before = cache_folder(installed)
    monkeypatch.setattr("llvmlite.binding.get_host_cpu_name", lambda: "another")
    assert cache_folder(installed) != before


@pytest.mark.parametrize(
    ("writable", "settings", "expected"),
    [
        (True, {}, "installed/engine/__pycache__"),
        (True, {"XDG_CACHE_HOME": "caches"}, "installed/engine/__pycache__"),
        (True, {"RED_NOVEMBER_CACHE": "chosen"}, "chosen"),
        (False, {}, "home/.cache/red-november"),
        (False, {"XDG_CACHE_HOME": "caches"}, "caches/red-november"),
        (False, {"RED_NOVEMBER_CACHE": "chosen"}, "chosen"),
        (False, {"HOME": "installed/engine/__init__.py"}, None),
    ],
)
def test_the_folder_for_the_code_is_the_first_that_can_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, writable: bool, settings: dict[str, Any], expected: str | None
) -> None:
    installed = copy_of_engine(tmp_path / "installed", writable=writable)
    for name in ("RED_NOVEMBER_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name, folder in ({"HOME": "home"} | settings).items():
        monkeypatch.setenv(name, str(tmp_path / folder))
    found = cache_folder(installed)
    assert (found and found.parent) == (expected and tmp_path / expected)


@pytest.mark.soak
def test_a_compiler_killed_half_way_leaves_a_cache_that_the_next_one_completes(tmp_path: Path) -> None:
    folder = copy_of_engine(tmp_path / "installed", writable=True)
    cache = folder / "engine" / "__pycache__"
    process = start(folder, 0, HOME=str(tmp_path))
    while not list(cache.rglob("*.nbc")):
        assert process.poll() is None
    process.kill()
    process.communicate()
    assert finish(start(folder, 1, HOME=str(tmp_path)))["digests"] == digests(1)
    assert finish(start(folder, 1, HOME=str(tmp_path)))["said"] == ""


@pytest.mark.soak
def test_with_no_folder_to_write_to_a_process_compiles_for_itself(tmp_path: Path) -> None:
    folder = copy_of_engine(tmp_path / "installed", writable=False)
    told = finish(start(folder, 1, HOME=str(folder / "engine" / "__init__.py")))
    assert "compiling" in told["said"]
    assert told["digests"] == digests(1)
