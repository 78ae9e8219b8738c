"""Tells of the engine that this process imports: where from, how compiled, and what its games come to.

    python -m tests.support.probe 20

plays that many games of each of a few variants, and prints JSON. For test_compiled.py, which compares processes.
"""

import hashlib
import json
import pkgutil
import sys
from importlib import import_module

import engine
from engine import Rules
from engine.compiled.jit import Rule, cache_folder
from tests.support.playing import CREWS, VARIANTS, new_story, variant_name, wild_story


def rules_compiled() -> dict[str, int]:
    """How many times each rule has been compiled by this process."""
    modules = [import_module(module.name) for module in pkgutil.walk_packages(engine.__path__, "engine.")]
    rules = {id(each): each for module in modules for each in vars(module).values() if isinstance(each, Rule)}
    return {f"{rule.__module__}.{rule.__name__}": len(rule.signatures) for rule in rules.values()}


def digests(games: int) -> dict[str, str]:
    """A hash of every state of so many games, half of them from wild positions, for each of a few variants."""
    told = {}
    for variant in VARIANTS[::5]:
        digest = hashlib.sha256()
        for number in range(games):
            tell = wild_story if number % 2 else new_story
            for game in tell(Rules(*CREWS[number % len(CREWS)], **variant), number).games:
                digest.update(game.to_bytes())
        told[variant_name(variant)] = digest.hexdigest()
    return told


if __name__ == "__main__":
    told = {
        "engine": engine.__file__,
        "folder": str(cache_folder("engine")),
        "digests": digests(int(sys.argv[1])),
        "rules": rules_compiled(),
    }
    print(json.dumps(told))
