"""Try a generator: let it write, compile strictly what it wrote, play a whole game through that."""

import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.generators.recipes import MADE, ONE_WORD_ENUMS, Recipe
from tests.support.contract import document

_PATIENCE = 600  # seconds
_STRICT = {
    "target": "ES2022", "lib": ["ES2022", "DOM", "DOM.Iterable"], "module": "ESNext", "moduleResolution": "Bundler",
    "strict": True, "noEmit": True, "skipLibCheck": True, "types": [],
}  # fmt: skip
_NODE_TYPES = "declare const process: { argv: string[] };\n"
# What tells a compiler to believe something.
_CASTS = {
    ".ts": re.compile(r" as (?!const\b)|: any\b|@ts-|\w!\."),
    ".py": re.compile(r"\bcast\(|\bAny\b|# type: ignore"),
}
_NUMBERED = re.compile(r"^(?:export )?(?:class|interface|type) (\w+[A-Za-z]\d{1,2})\b", re.MULTILINE)
_WARNING = re.compile(r"\bwarn(?:ing)?\b", re.IGNORECASE)


@dataclass
class Outcome:
    """What came of a trial."""

    made: int = 0  # lines
    numbered: int = 0  # names that end in a number, for want of a better one; that of a status is none
    player: int = 0  # lines
    casts: int = 0
    warnings: int = 0
    game: str = "-"
    faults: list[str] = field(default_factory=list)

    def cells(self, name: str) -> tuple[str, ...]:
        counts = (self.made, self.numbered, self.player, self.casts, self.warnings)
        return (name, *map(str, counts), self.game)


class _Failed(Exception):
    """A program ended with an error."""


def prepare(folder: Path) -> None:
    """Write what generators read beside the contract itself."""
    (folder / MADE).mkdir()
    (folder / ONE_WORD_ENUMS).write_text(json.dumps(_with_enums(document())))
    (folder / "node.d.ts").write_text(_NODE_TYPES)


def _with_enums(part: Any) -> Any:
    """Return the contract with an `enum` of one word for each `const`."""
    if isinstance(part, list):
        return [_with_enums(inner) for inner in part]
    if not isinstance(part, dict):
        return part
    whole = {name: _with_enums(inner) for name, inner in part.items()}
    return whole | {"enum": [whole["const"]]} if isinstance(whole.get("const"), str) else whole


def try_out(recipe: Recipe, folder: Path, service: str) -> Outcome:
    """Run the generator in the folder, its output through the compiler, and a game through that."""
    player = Path(shutil.copy(recipe.player, folder))
    lines = [line for line in player.read_text().splitlines() if line.strip()]
    casts = sum(len(_CASTS[player.suffix].findall(line)) for line in lines if not line.startswith(("import", "//")))
    outcome = Outcome(player=len(lines), casts=casts)
    try:
        for command in recipe.commands:
            outcome.warnings += len(_WARNING.findall(_run(command, folder)))
        sources = _sources(folder / recipe.made)
        outcome.made = sum(len(source.splitlines()) for source in sources)
        outcome.numbered = sum(len(_NUMBERED.findall(source)) for source in sources)
        outcome.game = _play(recipe, player, folder, service).strip().splitlines()[-1]
    except _Failed as failure:
        outcome.faults.append(str(failure))
    return outcome


def _sources(made: Path) -> list[str]:
    files = [path for path in made.rglob("*") if path.suffix in (".ts", ".py")] if made.is_dir() else [made]
    return [path.read_text() for path in files]


def _play(recipe: Recipe, player: Path, folder: Path, service: str) -> str:
    """Compile the player with what was made, and let it play."""
    if recipe.is_python:
        _run((sys.executable, "-m", "mypy", "--strict", "--no-incremental", player.name, recipe.made), folder)
        return _run((sys.executable, player.name, service), folder)
    (folder / "tsconfig.json").write_text(json.dumps({"compilerOptions": _STRICT, "files": ["node.d.ts", player.name]}))
    _run(("node", "node_modules/.bin/tsc", "-p", "."), folder)
    script = f"{player.stem}.mjs"
    bundle = ("--bundle", "--platform=node", "--format=esm", "--packages=external", "--log-level=warning")
    _run(("node_modules/.bin/esbuild", player.name, *bundle, f"--outfile={script}"), folder)
    return _run(("node", script, service), folder)


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
        raise _Failed(f"  {' '.join(command[:4])} … ended with {done.returncode}:\n{done.stdout[-4000:]}")
    return done.stdout
