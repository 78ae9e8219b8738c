"""`red-november verify`: play a replay again and say whether it holds."""

import argparse
import json
import sys
from pathlib import Path

from engine.errors import GameError
from engine.verify import verify


def add_verify(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments to its parser."""
    parser.add_argument("replay", type=Path, help="a JSON file, as GET /v1/games/…/replay answers it")
    parser.set_defaults(run=_verify)


def _verify(options: argparse.Namespace) -> int:
    """Print version and result of the replay and return 0; or print what is wrong with it and return 1."""
    try:
        game = verify(json.loads(options.replay.read_text()))
    except (OSError, ValueError, RecursionError, GameError) as error:
        print(f"red-november: {options.replay}: {error}", file=sys.stderr)
        return 1
    print(json.dumps({"version": game.version, "result": game.result}))
    return 0
