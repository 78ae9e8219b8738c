"""What a move would do, told without doing it: what follows for certain, nothing that a die or a card decides."""

from typing import Any

import numpy as np

from engine import doors, wire
from engine.board import EVENT_MINUTES, ITEM_MINUTES
from engine.journal import new_journal, rows
from engine.kinds import CHARM_ICONS, SEA, Item, Script

Wire = dict[str, Any]

# Facts that chance decides, by type of event.
_UNCERTAIN = {"item_drawn": ("item",), "gnome_replaced": ("room",), "die_rolled": ("value",)}
# An attack's outcome would tell whether the defender holds a crowbar; a fight's is up to two dice.
_STOPS_AFTER = ("attack_declared", "attack_answered")


def preview(record: np.ndarray, move: int, move_object: Wire) -> Wire:
    """Caller guarantees legality. `move_object` has its cost and chance already."""
    certain = _effect(record, move, [])
    told: Wire = {"move": move_object, "cost": move_object["cost"]}
    if "chance" in move_object:
        told["chance"] = move_object["chance"]
        if not any(event["type"] in _STOPS_AFTER for event in certain):
            certain, branches = _branches(record, move, move_object["chance"])
            told |= branches
    told["certain"] = certain
    told["ghost"] = int(record["ghost"][0]) - move_object["cost"]
    told["triggers"] = _triggers(record[0], told, move_object)
    return told


def _effect(record: np.ndarray, move: int, dice: list[int]) -> list[Wire]:
    """The move alone, on a copy: up to where chance or somebody else's secret comes in."""
    trial = record.copy()
    trial[0].script_dice[: len(dice)] = dice
    trial[0].script_left[Script.DICE] = len(dice)
    journal = new_journal()
    doors.choose(trial, move, journal)
    doors.settle_deaths(trial, journal)
    may_faint_outside = trial["room"][0, trial["active"][0]] == SEA and trial["used"][0, Item.GROG] > 0
    told = []
    for event in wire.events(rows(journal), secret_hands=False, partner=-1, active=-1):
        uncertain = _UNCERTAIN.get(event["type"], ("cause",) if may_faint_outside else ())
        told.append({name: value for name, value in event.items() if name not in uncertain})
        if event["type"] in _STOPS_AFTER:
            break
    return told


def _branches(record: np.ndarray, move: int, chance: float) -> tuple[list[Wire], Wire]:
    """What is certain before the die, and what follows if it is kind or unkind, where it can be either."""
    certain: list[Wire] = []
    branches: Wire = {}
    for name, die, possible in (("if_success", 1, chance > 0), ("if_failure", 10, chance < 1)):
        if possible:
            told = _effect(record, move, [die])
            roll = next(number for number, event in enumerate(told) if event["type"] == "die_rolled")
            certain = told[: roll + 1]
            branches[name] = told[roll + 1 :]
    return certain, branches


def _triggers(before: np.record, told: Wire, move: Wire) -> Wire:
    """The icons that the minutes spent so far this turn will meet if the gnome lives and ends his turn here."""
    gone = move["type"] == "abandon_comrades" or any(event["type"] == "game_over" for event in told["certain"])
    path = [] if gone else range(int(before.minutes[before.active]) - 1, told["ghost"] - 1, -1)
    used = int(before.used[Item.LUCKY_CHARM]) + (move == {"type": "use_item", "item": "lucky_charm", "cost": 0})
    charms = CHARM_ICONS * used - int(before.icons_ignored)
    events = [minute for minute in path if minute in EVENT_MINUTES]
    items = [minute for minute in path if minute in ITEM_MINUTES]
    return {"events": events[charms:], "items": items, "ignored": events[:charms]}
