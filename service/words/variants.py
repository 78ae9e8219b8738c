"""Tell which of several sentences an event asks for: `type/variant` in the catalogues, or plain `type`."""

from collections.abc import Callable, Mapping
from typing import Any

from engine.enums import DIE_SIDES, SEA, TRACK_END
from engine.moves import room_name

Wire = Mapping[str, Any]

OUTSIDE = room_name(SEA)
_ROOM_DICE = {"event_room": "room", "newcomer_room": "newcomer"}


def faint_number(card: str) -> int | None:
    """None for a dash."""
    number = card.partition("/")[2]
    return int(number) if number.isdigit() else None


def event_of(card: str) -> str:
    return card.partition("/")[0]


def _choice(event: Wire) -> str:
    if "move" not in event:
        return "hidden"
    done = "done" if event["move"]["type"] == "done" else ""
    return "_".join(filter(None, ("automatic" if event["automatic"] else "", done)))


def _moved(event: Wire) -> str:
    if event["to"] == OUTSIDE:
        return "out"
    return "back" if event["from"] == OUTSIDE else ""


def _die(event: Wire) -> str:
    """Return which sentence tells of a die. A foreseen one has no value yet."""
    if "value" not in event:
        return "foreseen"
    if "needed" not in event:
        return _ROOM_DICE.get(event["purpose"], "fight")
    if event["needed"] <= 0:
        return "hopeless"
    return "sure" if event["needed"] >= DIE_SIDES else "fix_it"


def _failed(event: Wire) -> str:
    return "too_late" if event["too_late"] else str(event["action"])


def _faint_check(event: Wire) -> str:
    number = faint_number(event["card"])
    return "stands" if number is None or number > event["intoxication"] else "falls"


def _reshuffled(event: Wire) -> str:
    return "kraken" if event["kraken_joins"] else str(event["deck"])


def _over(event: Wire) -> str:
    return str(event.get("cause", "rescued" if event["crew"] == "rescued" else ""))


_VARIANTS: dict[str, Callable[[Wire], str]] = {
    "action_failed": _failed,
    "advice_changed": lambda event: "on" if event["allowed"] else "off",
    "action_succeeded": lambda event: event["action"],
    "choice": _choice,
    "controller_changed": lambda event: event["kind"],
    "deck_reshuffled": _reshuffled,
    "die_rolled": _die,
    "faint_checked": _faint_check,
    "game_over": _over,
    "gnome_died": lambda event: event.get("cause", ""),
    "gnome_moved": _moved,
    "gnome_replaced": lambda event: "" if "room" in event else "foreseen",
    "item_drawn": lambda event: event["source"],
    "item_used": lambda event: event["item"],
    "items_discarded": lambda event: event["reason"],
    "nothing_happened": lambda event: event["event"],
    "time_keeper_moved": lambda event: "" if event["minutes"] else "end",
    "track_advanced": lambda event: "end" if event["value"] >= TRACK_END else "",
}


def variant_of(event: Wire) -> str:
    choose = _VARIANTS.get(event["type"])
    return choose(event) if choose else ""
