"""The one list of bots. A bot sees an observation and answers with moves; every level plays the same on any machine.

Levels differ in what they spend, counted in playouts; the seconds are a cap for slow machines.
"""

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bots.search import Budget, Search, Stakes
from engine import Game

Move = dict[str, Any]


@dataclass(frozen=True)
class Bot:
    """Somebody who can take a seat."""

    name: str
    level: int
    description: str
    playouts: int = 0
    candidates: int = 1
    seconds: float = math.inf

    def choose(
        self,
        observation: Game,
        budget: Budget | None = None,
        seed: int = 0,
        deadline: float = math.inf,
        loyal: bool = True,
        humans: Sequence[int] = (),
    ) -> list[Move]:
        """What the decider of an observation should play now: one move or the moves of a whole plan, at least one.

        The same observation, budget and seed give the same answer; `deadline` is a time of `time.monotonic`. A bot who
        is not `loyal` may abandon or attack where the rules make that his win. No plan sacrifices the `humans`.
        """
        seat = observation.decider
        if seat is None:
            raise ValueError("the game is over: there is nothing to choose")
        if self.name == "cabin_boy":
            return [cabin_boy(observation, seed)]
        search = Search(observation, Stakes(seat, loyal, humans), seed)
        return search.wire(search.run(budget or Budget(self.playouts, self.candidates, self.seconds), deadline))


def cabin_boy(observation: Game, seed: int) -> Move:
    """Random but not suicidal: a random type of move, then a random move of it; out of fire and water if he can."""
    chance = random.Random(f"{seed} {observation.version}")
    legal = observation.legal_moves()
    view = observation.view()
    gnome = view["gnomes"][view["active"]]
    room = view["rooms"].get(str(gnome["room"]), {"water": "none", "fire": False})
    if view["phase"] == "movement":
        if room["fire"]:
            return max((move for move in legal if "chance" in move), key=lambda move: float(move["chance"]))
        legal = [move for move in legal if not _is_folly(move, view, room, gnome)] or legal
    kinds = sorted({move["type"] for move in legal})
    kind = "enter" if "enter" in kinds else chance.choice(kinds)
    return chance.choice([move for move in legal if move["type"] == kind])


def _is_folly(move: Move, view: Move, room: Move, gnome: Move) -> bool:
    """Idling under water or outside, going out, drinking, leaving or beating comrades."""
    if move["type"] in ("abandon_comrades", "attack_gnome") or move.get("to") == "sea":
        return True
    if move["type"] == "use_item" and move["item"] in ("grog", "aqualung"):
        return True
    in_danger = room["water"] == "high" or gnome["room"] == "sea"
    return in_danger and move["type"] != "open_hatch"


ROSTER = {
    bot.name: bot
    for bot in (
        Bot("cabin_boy", 0, "Does this and that, and tries to stay out of fire and water."),
        Bot("sailor", 1, "Works by rules of thumb."),
        Bot("bosun", 2, "Thinks a little before he acts.", playouts=40, candidates=5, seconds=1),
        Bot(
            "captain",
            3,
            "Plays what comes next in his head, a hundred times a turn.",
            playouts=100,
            candidates=8,
            seconds=3,
        ),
        Bot(
            "admiral",
            4,
            "Plays what comes next in his head, thousands of times a turn.",
            playouts=2000,
            candidates=24,
            seconds=10,
        ),
    )
}
