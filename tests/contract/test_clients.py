"""Clients that generators make from the contract play whole games, as a stranger's would."""

import sys
from pathlib import Path

import pytest

from tests.support import contract
from tests.support.node import CLIENTS, install, need_node, run
from tests.support.serving import Client

GENERATOR = "from openapi_python_client.cli import app; app()"


def test_a_generated_python_client_plays_a_game(api: Client, tmp_path: Path) -> None:
    made = tmp_path / "red_november_client"
    generate: list[str | Path] = ["generate", "--path", contract.PATH, "--output-path", made]
    options: list[str | Path] = ["--meta", "none", "--config", CLIENTS / "python_client.yml", "--fail-on-warning"]
    run([sys.executable, "-c", GENERATOR, *generate, *options], tmp_path)
    said = run([sys.executable, CLIENTS / "play_in_python.py", api.base], tmp_path, PYTHONPATH=str(tmp_path))
    assert " moves, " in said


def test_a_generated_typescript_client_plays_a_game(api: Client, tmp_path: Path) -> None:
    node = need_node("the TypeScript client")
    modules = install()
    (tmp_path / "node_modules").symlink_to(modules)
    for name in ("package.json", "tsconfig.json", "play_in_typescript.ts"):
        (tmp_path / name).write_text((CLIENTS / name).read_text())
    generator = modules / "openapi-typescript" / "bin" / "cli.js"
    run([node, generator, contract.PATH, "--output", tmp_path / "contract.d.ts"], tmp_path)
    run([node, modules / "typescript" / "bin" / "tsc"], tmp_path)
    said = run([node, "play_in_typescript.js", api.base], tmp_path)
    assert " moves, " in said


@pytest.mark.parametrize("folder", [CLIENTS, CLIENTS.parent / "generators"])
def test_the_lock_file_names_no_registry(folder: Path) -> None:
    assert '"resolved"' not in (folder / "package-lock.json").read_text()
