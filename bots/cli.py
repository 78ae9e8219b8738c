"""`red-november compile`: compile rules and bots ahead of time."""

import argparse

import bots.arena.all_sailors
import bots.search.search  # noqa: F401 - their import compiles all that the bots need
from engine import cache_folder

PACKAGES = ("engine", "bots")


def add_compile(parser: argparse.ArgumentParser) -> None:
    """Add the command, which has no arguments, to its parser."""
    parser.set_defaults(run=_compile)


def _compile(_: argparse.Namespace) -> int:
    """Print where the code is. Importing the packages has compiled them by now."""
    for package in PACKAGES:
        print(cache_folder(package) or "nowhere: no folder can be written, every process compiles for itself")
    return 0
