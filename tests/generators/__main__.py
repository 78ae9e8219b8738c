"""`python -m tests.generators [NAME…]`: run each generator, compile what it makes, play a game through it, and count.

What `make generators` runs. It ends with 1 when anything failed; what this machine lacks a program for is left out.
"""

import shutil
import sys
import tempfile
from pathlib import Path

from tests.generators.linters import lint
from tests.generators.recipes import HERE, RECIPES
from tests.generators.trial import prepare, try_out
from tests.support.node import install
from tests.support.serving import UNLIMITED, running_redis, running_web

_TITLES = ("generator", "lines", "numbered", "player's lines", "casts", "warnings", "the game")


def main(names: list[str]) -> int:
    chosen = [recipe for recipe in RECIPES if not names or any(name in recipe.name for name in names)]
    missing = {program for recipe in chosen for program in recipe.needs if shutil.which(program) is None}
    for recipe in chosen:
        if lacking := missing & {*recipe.needs}:
            print(f"left out: {recipe.name}, for want of {' and '.join(sorted(lacking))}")
    failed = 0
    with tempfile.TemporaryDirectory(prefix="rn-generators-") as folder, running_redis() as store:
        if "node" not in missing:
            (Path(folder) / "node_modules").symlink_to(install(HERE))
            failed += lint(Path(folder))
        prepare(Path(folder))
        print(_row(_TITLES))
        with running_web(store, workers=1, **UNLIMITED) as service:
            for recipe in chosen:
                if not missing & {*recipe.needs}:
                    outcome = try_out(recipe, Path(folder), service.base)
                    print(_row(outcome.cells(recipe.name)), *outcome.faults, sep="\n")
                    failed += bool(outcome.faults)
    return min(failed, 1)


def _row(cells: tuple[str, ...]) -> str:
    return f"{cells[0]:38}" + "".join(f"{cell:>15}" for cell in cells[1:-1]) + f"   {cells[-1]}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
