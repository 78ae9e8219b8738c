"""Clients that generators make from the contract play whole games, as a stranger's would, and with a later release."""

import sys
from pathlib import Path

import pytest

from tests.support import contract
from tests.support.later_release import later_code
from tests.support.node import CLIENTS, install, need_node, run
from tests.support.serving import Client

pytestmark = pytest.mark.thorough

GENERATOR = "from openapi_python_client.cli import app; app()"


@pytest.fixture(scope="module")
def python_clients(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder in which openapi-python-client has made one."""
    folder = tmp_path_factory.mktemp("python")
    made = folder / "red_november_client"
    generate: list[str | Path] = ["generate", "--path", contract.PATH, "--output-path", made]
    options: list[str | Path] = ["--meta", "none", "--config", CLIENTS / "python_client.yml", "--fail-on-warning"]
    run([sys.executable, "-c", GENERATOR, *generate, *options], folder)
    return folder


@pytest.fixture(scope="module")
def typescript_clients(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder in which one is compiled on the types that openapi-typescript has made."""
    node = need_node("the TypeScript client")
    folder, modules = tmp_path_factory.mktemp("typescript"), install()
    (folder / "node_modules").symlink_to(modules)
    for name in ("package.json", "tsconfig.json", "play_in_typescript.ts"):
        (folder / name).write_text((CLIENTS / name).read_text())
    generator = modules / "openapi-typescript" / "bin" / "cli.js"
    run([node, generator, contract.PATH, "--output", folder / "contract.d.ts"], folder)
    run([node, modules / "typescript" / "bin" / "tsc"], folder)
    return folder


def play_in_python(made: Path, *arguments: str) -> str:
    """What the client says that has played a game at that address."""
    return run([sys.executable, CLIENTS / "play_in_python.py", *arguments], made, PYTHONPATH=str(made))


def play_in_typescript(made: Path, *arguments: str) -> str:
    return run(["node", "play_in_typescript.js", *arguments], made)


def test_a_generated_python_client_plays_a_game(api: Client, python_clients: Path) -> None:
    assert " moves, " in play_in_python(python_clients, api.base)


def test_a_generated_typescript_client_plays_a_game(api: Client, typescript_clients: Path) -> None:
    assert " moves, " in play_in_typescript(typescript_clients, api.base)


def test_a_generated_python_client_plays_on_with_a_later_release(later: str, python_clients: Path) -> None:
    assert " moves, " in play_in_python(python_clients, later, later_code("forbidden"))


def test_a_generated_typescript_client_plays_on_with_a_later_release(later: str, typescript_clients: Path) -> None:
    assert " moves, " in play_in_typescript(typescript_clients, later, later_code("forbidden"))


@pytest.mark.parametrize("folder", [CLIENTS, CLIENTS.parent / "generators"])
def test_the_lock_file_names_no_registry(folder: Path) -> None:
    assert '"resolved"' not in (folder / "package-lock.json").read_text()
