"""The one list of bots. A bot gets an observation and answers with moves, the same ones on every machine.

Its machine code is loaded by the first that thinks: the API, which only names bots, does without its 20 megabytes.
Levels differ in the number of playouts that they spend; their seconds are a cap for slow machines.
"""

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bots.budget import NOTHING, Budget
from bots.skill import STRANGER, Crew, of_bot
from engine import Game
from engine.shapes import Move, RoomState, SeenGnome, View

STRENGTH = Path(__file__).parent / "training/strength.json"  # how strong the bots are, as `make ladder` measured it


@dataclass(frozen=True)
class Bot:
    """A bot that can take a seat."""

    name: str
    level: int
    description: str
    budget: Budget = NOTHING  # what it may spend on a decision

    def choose(
        self,
        observation: Game,
        budget: Budget | None = None,
        seed: int = 0,
        deadline: float = math.inf,
        loyal: bool = True,
        humans: Sequence[int] = (),
        crew: Crew | None = None,
    ) -> list[Move]:
        """Return what the decider of an observation should play now: one move, or the moves of a whole plan.

        The same observation, budget and seed give the same answer; `deadline` is a time of `time.monotonic`. A bot that
        is not `loyal` may abandon or attack if the rules let it win that way. No plan sacrifices the `humans`. `crew`
        tells how well each seat plays, as far as that is known; without it, all others are strangers.
        """
        seat = observation.decider
        if seat is None:
            raise ValueError("the game is over: there is nothing to choose")
        if self.name == "cabin_boy":
            return [cabin_boy(observation, seed)]
        from bots.search.search import Search, Stakes  # noqa: PLC0415 - see above

        seats = list(crew or [STRANGER] * observation.rules.gnomes)
        seats[seat] = of_bot(self.name)
        search = Search(observation, Stakes(seat, loyal, humans, seats), seed, tells=False)
        return search.wire(search.run(budget or self.budget, deadline))


def cabin_boy(observation: Game, seed: int) -> Move:
    """Return a random move that is no folly: first its type is chosen, then a move of that type."""
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


def _is_folly(move: Move, view: View, room: RoomState, gnome: SeenGnome) -> bool:
    """Return whether a move idles in danger, goes out, drinks, or leaves or attacks a comrade."""
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
        Bot("bosun", 2, "Thinks a little before it acts.", Budget(playouts=40, candidates=5, seconds=1)),
        Bot(
            "captain",
            3,
            "Plays what comes next in its head, hundreds of times a turn.",
            Budget(playouts=160, candidates=10, wide=16, most=1200, minutes=4, seconds=3),
        ),
        Bot(
            "admiral",
            4,
            "Plays what comes next in its head, thousands of times a turn.",
            Budget(playouts=600, candidates=12, wide=32, most=6000, seconds=10),
        ),
    )
}
