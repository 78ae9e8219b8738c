"""The commands that need the rules alone. `bots/cli.py` puts the command line together."""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from engine.errors import GameError
from engine.jit import cache_folder
from engine.verify import verify


def add_compile(commands: Any, packages: list[str]) -> None:
    """`compile`: importing the packages has compiled them by the time it runs."""
    parser = commands.add_parser("compile", help="compile the rules for this machine now, and say where they are kept")
    parser.set_defaults(run=_compile, packages=packages)


def add_verify(commands: Any) -> None:
    parser = commands.add_parser("verify", help="play a replay again, check its dice and print how the game ended")
    parser.add_argument("replay", type=Path, help="a JSON file, as GET /v1/games/…/replay answers it")
    parser.set_defaults(run=_verify)


def _compile(options: argparse.Namespace) -> int:
    for package in options.packages:
        print(cache_folder(package) or "nowhere: no folder can be written, every process compiles for itself")
    return 0


def _verify(options: argparse.Namespace) -> int:
    try:
        game = verify(json.loads(options.replay.read_text()))
    except (OSError, ValueError, RecursionError, GameError) as error:
        print(f"red-november: {options.replay}: {error}", file=sys.stderr)
        return 1
    print(json.dumps({"version": game.version, "result": game.result}))
    return 0
