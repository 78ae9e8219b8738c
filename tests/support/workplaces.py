"""A gnome where his fix-it action can be taken."""

from collections.abc import Sequence
from typing import Any

from engine import Game
from tests.support.helpers import Wire, position, scripted

WORKPLACES: dict[str, Wire] = {
    "unblock_hatch": {"room": 9, "blocked_hatches": ["9-10"]},
    "extinguish_fire": {"room": 9, "inside": {"fire": True}},
    "pump_water": {"room": 9, "inside": {"water": "low"}},
    "fix_engine": {"room": 1},
    "fix_oxygen_pumps": {"room": 2},
    "fix_reactor": {"room": 4},
    "stop_missile_launch": {"room": 7},
    "kill_kraken": {"room": "sea"},
}


def at_work(action: str, water: str | None = None, dice: Sequence[int] = (), **more: Any) -> Game:
    """The gnome of seat 0, to whom `minutes`, `items` and `intoxication` belong; the rest belongs to the position."""
    place = WORKPLACES[action]
    worker = {"room": place["room"], "minutes": 40}
    worker |= {name: more.pop(name) for name in ("minutes", "items", "intoxication") if name in more}
    inside = {"water": water} if water else place.get("inside")
    if inside:
        more["rooms"] = {str(place["room"]): inside} | more.get("rooms", {})
    blocked = {"blocked_hatches": place["blocked_hatches"]} if "blocked_hatches" in place else {}
    return position([worker], active=0, script=scripted(dice=dice), **blocked | more)


def fix(action: str, minutes: int) -> Wire:
    move = {"type": action, "minutes": minutes}
    return move | {"hatch": "9-10"} if action == "unblock_hatch" else move
