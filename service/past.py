"""A table as it was at an earlier version: its game played again, and what happened around it.

A whole game is played again in a millisecond or two, so nothing of it is kept.
"""

import copy
from dataclasses import replace
from typing import Any

import orjson

from service import history
from service.errors import bad_parameter
from service.store import Store
from service.tables import Table
from service.timing import BOT, OPEN, PLAYER, STAND_IN

Wire = dict[str, Any]

_NOBODY = {"kind": OPEN, "bot": None, "player": None, "away": False}


def table_at(store: Store, table: Table, version: int | None) -> Table:
    """That table itself for its present version, or None; raises a Problem where there is no such version."""
    if version is None or version == table.version:
        return table
    check(version, table.version)
    told = [orjson.loads(stored) for stored in history.events(store, table)]
    game, about = history.beginning(table), _about(table, told)
    seq = 0
    for event in told:
        if event["version"] > version:
            break
        seq, about["changed_at"] = event["seq"], event["at"]
        if event["type"] != "choice":
            _note(about, event)
        elif not event["automatic"]:
            game.play(event["move"])
    return replace(table, version=version, seq=seq, game=game, about=about, told=[], seen={}, is_past=True)


def check(version: int, present: int) -> None:
    if not 1 <= version <= present:
        raise bad_parameter("version", f"must be 1 to {present}")


def _about(table: Table, told: list[Wire]) -> Wire:
    """As it was before the first event. Bots that took the last open seats at the start are told as if they had been
    there before."""
    started = next((event for event in told if event["type"] == "game_started"), None)
    known = started["seats"] if started else table.seats
    seats = [seat | _NOBODY if seat["player"] else dict(seat) for seat in known]
    return table.about | {"status": "waiting", "players": [], "seats": seats, "clock": {"deadline": None}}


def _note(about: Wire, event: Wire) -> None:
    """What happened around the game."""
    seats, type_ = about["seats"], event["type"]
    if type_ == "game_started":
        about |= {"status": "playing", "seats": copy.deepcopy(event["seats"])}
    elif type_ == "game_over":
        about["status"] = "finished"
    elif type_ == "player_joined":
        about["players"].append({"id": event["player"], "name": event["name"], "seats": event["seats"]})
        for seat in event["seats"]:
            seats[seat] |= {"kind": PLAYER, "bot": None, "player": event["player"], "away": False}
    elif type_ == "player_left":
        left = {"kind": OPEN, "bot": None} if about["status"] == "waiting" else {"kind": BOT, "bot": STAND_IN}
        for seat in event["seats"]:
            seats[seat] |= left | {"player": None, "away": False}
        about["players"] = [player for player in about["players"] if player["id"] != event["player"]]
    elif type_ == "controller_changed":
        seats[event["seat"]] |= {"kind": event["kind"], "bot": event["bot"], "away": False}
    elif type_ in ("player_away", "player_back"):
        seats[event["seat"]]["away"] = type_ == "player_away"
