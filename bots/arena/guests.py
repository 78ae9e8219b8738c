"""Bots of other packages on this machine, which register them as entry points of the group `red_november.bots`.

In the `pyproject.toml` of such a package:

    [project.entry-points."red_november.bots"]
    mybot = "my_package.my_module:choose"

What stands there is a function `choose(observation, seed)`, or an object or a class that has one. It gets a `Game` as
its seat may know it, and answers with a move or with the moves of a plan. It runs as it is, with all rights of whoever
plays the match, and is loaded only when it is asked for by name.
"""

import sys
from collections.abc import Sequence
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from bots.arena.game import BadCrew
from bots.roster import ROSTER
from bots.safety import Chooser
from engine import Game
from engine.shapes import Move

GROUP = "red_november.bots"


class Guest:
    """A bot of another package. Raise BadCrew, in one line, if it can't be loaded."""

    def __init__(self, entry: EntryPoint):
        name = f"the bot {entry.name!r} of {_package(entry)}"
        try:
            found = entry.load()
            asked = found() if isinstance(found, type) else found
        except (Exception, SystemExit) as error:
            raise BadCrew("crew", f"{name} can't be loaded: {_in_one_line(error)}") from error
        self._choose: Any = getattr(asked, "choose", asked)
        if not callable(self._choose):
            raise BadCrew("crew", f"{name} has no choose(observation, seed): {entry.value} is {type(found).__name__}")

    def choose(self, observation: Game, seed: int = 0, **_: Any) -> list[Move]:
        """Return what the bot would play: its move, or the moves of its plan."""
        answer = self._choose(observation, seed)
        plan: Any = [answer] if isinstance(answer, dict) else list(answer)
        whole: list[Move] = plan
        return whole


def with_guests(names: Sequence[str]) -> dict[str, Chooser]:
    """Return our bots, and those of other packages that are among the names. Raise BadCrew for one that can't play.

    A name of ours stays ours: a line on standard error tells who else wanted it.
    """
    roster: dict[str, Chooser] = {**ROSTER}
    registered = entry_points(group=GROUP)
    for name in dict.fromkeys(names):
        claims = [entry for entry in registered if entry.name == name]
        if claims and name in ROSTER:
            print(
                f"red-november: {name!r} is a bot of ours; that of {_packages(claims)} needs another name",
                file=sys.stderr,
            )
        elif len(claims) > 1:
            raise BadCrew("crew", f"the bot {name!r} is there more than once: of {_packages(claims)}")
        elif claims:
            roster[name] = Guest(claims[0])
        elif name not in ROSTER:
            known = ", ".join([*ROSTER, *sorted({entry.name for entry in registered} - {*ROSTER})])
            raise BadCrew("crew", f"there is no bot {name!r}, only {known}", "value")
    return roster


def _package(entry: EntryPoint) -> str:
    return entry.dist.name if entry.dist else entry.module


def _packages(entries: Sequence[EntryPoint]) -> str:
    return " and ".join(sorted(map(_package, entries)))


def _in_one_line(error: BaseException) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())}".removesuffix(": ")
