"""`red-november`: what can be done with the rules alone."""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from engine.errors import GameError
from engine.game import Game, replay
from engine.jit import cache_folder
from engine.rules import Rules


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="red-november", description="The rules of Red November.")
    commands = parser.add_subparsers(required=True)
    compile_ = commands.add_parser("compile", help="compile the engine for this machine now, and say where it is kept")
    compile_.set_defaults(run=_compile)
    verify = commands.add_parser("verify", help="play a replay again and print how the game ended")
    verify.add_argument("replay", type=Path, help='a JSON file: {"rules": {…}, "seed": "64 hex digits", "moves": […]}')
    verify.set_defaults(run=_verify)
    options = parser.parse_args(arguments)
    return int(options.run(options))


def _compile(options: argparse.Namespace) -> int:
    """Importing the engine has compiled it by now."""
    print(cache_folder("engine") or "nowhere: no folder can be written, every process compiles for itself")
    return 0


def _verify(options: argparse.Namespace) -> int:
    try:
        game = _replayed(json.loads(options.replay.read_text()))
    except (OSError, ValueError, KeyError, TypeError, GameError) as error:
        print(f"red-november: {options.replay}: {error}", file=sys.stderr)
        return 1
    print(json.dumps({"version": game.version, "result": game.result}))
    return 0


def _replayed(told: dict[str, Any]) -> Game:
    return replay(Rules.from_dict(told["rules"]), bytes.fromhex(told["seed"]), told["moves"])


if __name__ == "__main__":
    sys.exit(main())
