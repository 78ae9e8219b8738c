"""Clients that generators make from the contract play whole games, as a stranger's would."""

import sys
from pathlib import Path

import pytest

from tests.support import contract
from tests.support.node import CLIENTS, install, need_node, run
from tests.support.serving import Client

GENERATOR = "from openapi_python_client.cli import app; app()"


def python_client(folder: Path, *arguments: str) -> str:
    """What the client says that openapi-python-client makes, after it has played a game at that address."""
    made = folder / "red_november_client"
    generate: list[str | Path] = ["generate", "--path", contract.PATH, "--output-path", made]
    options: list[str | Path] = ["--meta", "none", "--config", CLIENTS / "python_client.yml", "--fail-on-warning"]
    run([sys.executable, "-c", GENERATOR, *generate, *options], folder)
    return run([sys.executable, CLIENTS / "play_in_python.py", *arguments], folder, PYTHONPATH=str(folder))


def typescript_client(folder: Path, *arguments: str) -> str:
    """Likewise, with the types that openapi-typescript makes."""
    node = need_node("the TypeScript client")
    modules = install()
    (folder / "node_modules").symlink_to(modules)
    for name in ("package.json", "tsconfig.json", "play_in_typescript.ts"):
        (folder / name).write_text((CLIENTS / name).read_text())
    generator = modules / "openapi-typescript" / "bin" / "cli.js"
    run([node, generator, contract.PATH, "--output", folder / "contract.d.ts"], folder)
    run([node, modules / "typescript" / "bin" / "tsc"], folder)
    return run([node, "play_in_typescript.js", *arguments], folder)


def test_a_generated_python_client_plays_a_game(api: Client, tmp_path: Path) -> None:
    assert " moves, " in python_client(tmp_path, api.base)


def test_a_generated_typescript_client_plays_a_game(api: Client, tmp_path: Path) -> None:
    assert " moves, " in typescript_client(tmp_path, api.base)


@pytest.mark.parametrize("folder", [CLIENTS, CLIENTS.parent / "generators"])
def test_the_lock_file_names_no_registry(folder: Path) -> None:
    assert '"resolved"' not in (folder / "package-lock.json").read_text()
