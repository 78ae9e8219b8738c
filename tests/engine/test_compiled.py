"""Where machine code of the rules is kept: code of other sources or of another processor is never loaded."""

import runpy
import shutil
from pathlib import Path
from typing import Any

import pytest
from numba.core.registry import CPUDispatcher

import engine
from engine import Game, Rules
from engine.compiled import doors
from engine.rollout import random_games

SOURCES = Path(engine.__file__).parent
ROOT = SOURCES.parent
FILES = sorted(str(path.relative_to(SOURCES)) for path in SOURCES.rglob("*.py"))


def copy_of_engine(folder: Path, *, writable: bool, sources: Path = SOURCES) -> Path:
    """An installation of its own. Root may write anywhere, so a file in the cache's place makes it read-only."""
    shutil.copytree(sources, folder / "engine", ignore=shutil.ignore_patterns("__pycache__"))
    if not writable:
        (folder / "engine" / "__pycache__").write_text("taken")
    return folder


def test_every_door_keeps_the_one_signature_it_declares() -> None:
    """An argument of another type would make it compile anew, in the middle of a game."""
    game = Game.new(Rules(), bytes(32))
    game.preview(game.legal_moves()[0])
    game.play(game.legal_moves()[0])
    random_games(Game.from_position(game.position()), seed=1, games=1)
    found = {name: len(door.signatures) for name, door in vars(doors).items() if isinstance(door, CPUDispatcher)}
    assert set(found) >= {"play", "legal_moves", "decider", "play_randomly"}
    assert {name: signatures for name, signatures in found.items() if signatures != 1} == {}


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
