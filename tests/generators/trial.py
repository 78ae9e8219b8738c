"""Try a generator: let it write, compile strictly what it wrote, play a whole game through that."""

import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

from tests.generators.recipes import MADE, PYTHON_CLIENT_OPTIONS, Recipe

_PATIENCE = 600  # seconds
_STRICT = {
    "target": "ES2022", "lib": ["ES2022", "DOM", "DOM.Iterable"], "module": "ESNext", "moduleResolution": "Bundler",
    "strict": True, "noEmit": True, "skipLibCheck": True, "types": [],
}  # fmt: skip
_NODE_TYPES = "declare const process: { argv: string[] };\n"
# What tells a compiler to believe something.
_CASTS = {
    ".ts": re.compile(r"(?<!\*) as (?!const\b)|\bany\b(?!body)|@ts-|\w!\.|\w!\)"),
    ".py": re.compile(r"\bcast\(|\bAny\b|# type: ignore"),
}
_WARNING = re.compile(r"\bwarn(ing)?\b", re.IGNORECASE)


@dataclass
class Outcome:
    """What came of a trial."""

    made_lines: int = 0
    player_lines: int = 0
    casts: int = 0
    warnings: int = 0
    game: str = "-"
    faults: list[str] = field(default_factory=list)

    def cells(self, name: str) -> tuple[str, ...]:
        counts = (self.made_lines, self.player_lines, self.casts, self.warnings)
        return (name, *map(str, counts), self.game)


class _Failed(Exception):
    """A program ended with an error."""


def try_out(recipe: Recipe, folder: Path, service: str) -> Outcome:
    """Run the generator in the folder, its output through the compiler, and a game through that."""
    player = Path(shutil.copy(recipe.player, folder))
    source = player.read_text()
    lines = [line for line in source.splitlines() if line.strip()]
    casts = sum(len(_CASTS[player.suffix].findall(line)) for line in lines if not line.startswith(("import", "//")))
    outcome = Outcome(player_lines=len(lines), casts=casts)
    (folder / recipe.made).parent.mkdir(exist_ok=True)
    (folder / "python_client.yml").write_text(PYTHON_CLIENT_OPTIONS)
    try:
        for command in recipe.commands:
            outcome.warnings += len(_WARNING.findall(_run(command, folder)))
        outcome.made_lines = _lines(folder / recipe.made)
        for command in _python(player, recipe) if recipe.is_python else _typescript(player, folder):
            _run(command, folder)
        runner = (sys.executable, player.name) if recipe.is_python else ("node", f"{player.stem}.mjs")
        outcome.game = _run((*runner, service), folder).strip().splitlines()[-1]
    except _Failed as failure:
        outcome.faults.append(str(failure))
    return outcome


def _python(player: Path, recipe: Recipe) -> list[tuple[str, ...]]:
    return [(sys.executable, "-m", "mypy", "--strict", "--no-incremental", player.name, recipe.made)]


def _typescript(player: Path, folder: Path) -> list[tuple[str, ...]]:
    (folder / "node.d.ts").write_text(_NODE_TYPES)
    (folder / "tsconfig.json").write_text(json.dumps({"compilerOptions": _STRICT, "files": ["node.d.ts", player.name]}))
    bundle = (
        "--bundle",
        "--platform=node",
        "--format=esm",
        "--packages=external",
        "--log-level=warning",
        f"--outfile={player.stem}.mjs",
    )
    return [("node", "node_modules/.bin/tsc", "-p", "."), ("node_modules/.bin/esbuild", player.name, *bundle)]


def _run(command: tuple[str, ...], folder: Path) -> str:
    done = subprocess.run(
        command,
        cwd=folder,
        env=os.environ | {"PYTHONPATH": MADE, "MYPYPATH": MADE},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=_PATIENCE,
        check=False,
    )
    if done.returncode:
        raise _Failed(f"  {' '.join(map(str, command[:4]))} … ended with {done.returncode}:\n{done.stdout[-4000:]}")
    return done.stdout


def _lines(made: Path) -> int:
    files = [path for path in made.rglob("*") if path.suffix in (".ts", ".py")] if made.is_dir() else [made]
    return sum(len(path.read_text().splitlines()) for path in files)
