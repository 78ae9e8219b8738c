"""Preview a move without playing it: what follows for certain, but nothing that a die or a card decides."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from engine import wire
from engine.board import EVENT_MINUTES, ITEM_MINUTES
from engine.compiled import doors
from engine.compiled.journal import new_journal, rows
from engine.enums import CHARM_ICONS, SEA, Item, Script
from engine.shapes import Event, Move, Odds, Preview, Triggers

# An attack's outcome would tell whether the defender holds a crowbar; a fight's is up to two dice.
_STOPS_AFTER = ("attack_declared", "attack_answered")


def preview(record: np.ndarray, move: int, move_object: Move) -> Preview:
    """Return what a legal move would do. `move_object` has its cost and chance already. Caller guarantees legality."""
    certain = _effect(record, move, [])
    ghost = int(record["ghost"][0]) - move_object["cost"]
    odds: Odds = {}
    if "chance" in move_object:
        odds["chance"] = move_object["chance"]
        if not any(event["type"] in _STOPS_AFTER for event in certain):
            certain = _branch(record, move, odds)
    return {
        "move": move_object,
        "cost": move_object["cost"],
        **odds,
        "certain": certain,
        "ghost": ghost,
        "triggers": _triggers(record[0], certain, ghost, move_object),
    }


def _effect(record: np.ndarray, move: int, dice: list[int]) -> list[Event]:
    """Return the events of the move alone, up to where chance or somebody else's secret comes in."""
    trial = record.copy()
    trial[0].script_dice[: len(dice)] = dice
    trial[0].script_left[Script.DICE] = len(dice)
    journal = new_journal()
    doors.choose(trial, move, journal)
    return end_of_turn(trial, journal)


def end_of_turn(trial: np.ndarray, journal: np.ndarray) -> list[Event]:
    """Return what the journal tells, and who certainly dies where the game was left between two stages."""
    doors.settle_deaths(trial, journal)
    may_faint_outside = trial["room"][0, trial["active"][0]] == SEA and trial["used"][0, Item.GROG] > 0
    certain = []
    for event in wire.events(rows(journal), secret_hands=False, partner=-1, active=-1):
        uncertain = wire.UNFORESEEN.get(event["type"], wire.SOMETIMES_UNFORESEEN if may_faint_outside else ())
        known: Any = {name: value for name, value in event.items() if name not in uncertain}
        certain.append(known)
        if event["type"] in _STOPS_AFTER:
            break
    return certain


def _branch(record: np.ndarray, move: int, odds: Odds) -> list[Event]:
    """Add what follows a success and a failure, as far as each is possible; return what is certain before the die."""
    certain: list[Event] = []
    if odds["chance"] > 0:
        certain, odds["if_success"] = _around_the_die(_effect(record, move, [1]))
    if odds["chance"] < 1:
        certain, odds["if_failure"] = _around_the_die(_effect(record, move, [10]))
    return certain


def _around_the_die(events: list[Event]) -> tuple[list[Event], list[Event]]:
    roll = next(number for number, event in enumerate(events) if event["type"] == "die_rolled")
    return events[: roll + 1], events[roll + 1 :]


def _triggers(before: np.record, certain: list[Event], ghost: int, move: Move) -> Triggers:
    """Return the icons that the minutes spent this turn will meet if the gnome lives and ends their turn here."""
    charms = charms_left(before) + CHARM_ICONS * (move == {"type": "use_item", "item": "lucky_charm", "cost": 0})
    return icons(int(before.minutes[before.active]), ghost, charms, certain)


def charms_left(before: np.record) -> int:
    """Return how many event icons the charms used so far still cancel."""
    return CHARM_ICONS * int(before.used[Item.LUCKY_CHARM]) - int(before.icons_ignored)


def icons(minutes: int, ghost: int, charms: int, certain: Iterable[Event] = ()) -> Triggers:
    """Return the icons between the gnome's minutes and the Ghost; none for a gnome who is gone by then."""
    ending = ("gnome_abandoned", "game_over")
    gone = any(event["type"] in ending for event in certain)
    path = [] if gone else range(minutes - 1, ghost - 1, -1)
    events = [minute for minute in path if minute in EVENT_MINUTES]
    items = [minute for minute in path if minute in ITEM_MINUTES]
    return {"events": events[charms:], "items": items, "ignored": events[:charms]}
