"""The rules compiled anew, interpreted, and with checked bounds play alike, and what is kept on disk is never torn."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.engine.test_compiled import ROOT, copy_of_engine
from tests.support.probe import digests

pytestmark = pytest.mark.thorough

GAMES = 8

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
