"""Tell what is stored by its present names. It keeps the names that it was first stored under, as releases that run
side by side read each other's games.

What has its present names already comes out as it went in, so that answers that either release remembers can be told.
"""

from collections.abc import Mapping
from typing import Any

from service.games.model import PRIVATE, PUBLIC, Json

_OF_EVENTS = {"player": "player_id"}
_OF_SEATS = {"player": "player_id", "last_seen": "last_seen_at"}
_OF_ADVICE = {"at": "asked_at"}
_OF_PLANS = {"rescued": "rescue_rate", "deaths": "deaths_per_game", "trials": "playouts"}
_STORED_PLANS = {now: stored for stored, now in _OF_PLANS.items()}
_OF_MOVES = ("version", "seq")  # what the answer to moves has beside events and game


def renamed(stored: Json, names: Mapping[str, str]) -> Json:
    """Return the object with those of its fields renamed, each in its place."""
    return {names.get(name, name): value for name, value in stored.items()}


def visibility(private: bool) -> str:
    return PRIVATE if private else PUBLIC


def seat(stored: Json) -> Json:
    return renamed(stored, _OF_SEATS)


def event(stored: Json) -> Json:
    """Return an event as it is told. The start of a game tells of seats, all other events of a player at most."""
    if stored["type"] == "game_started":
        return stored | {"seats": [seat(each) for each in stored["seats"]]}
    return renamed(stored, _OF_EVENTS) if "player" in stored else stored


def is_told_otherwise(stored: bytes) -> bool:
    """Return whether an event, as it is stored, may have a field of a former name."""
    return b'"player":' in stored


def card(stored: Json) -> Json:
    """Return a game in a list."""
    return stored | {"seats": [seat(each) for each in stored["seats"]]}


def advice(stored: Json) -> Json:
    own = stored.get("own")
    plans = {"plans": [renamed(plan, _OF_PLANS) for plan in stored["plans"]], "own": own and renamed(own, _OF_PLANS)}
    return renamed(stored, _OF_ADVICE) | plans


def plans_to_store(plans: list[Any]) -> list[Json]:
    """Return plans of an advice under the names that they are stored by."""
    return [renamed({**plan}, _STORED_PLANS) for plan in plans]


def answer(body: Json) -> Json:
    """Return an answer that was remembered for a repeated request."""
    if "plans" in body:
        return advice(body)
    if "players" in body:
        return game(body)
    if isinstance(body.get("state"), dict):
        body = {**{name: body[name] for name in _OF_MOVES if name in body}, **_events(body), "game": body["state"]}
    return body | {"game": game(body["game"])} if isinstance(body.get("game"), dict) else body


def _events(body: Json) -> Json:
    return {"events": [event(each) for each in body["events"]]} if "events" in body else {}


def game(told: Json) -> Json:
    """Return a whole game as it was told."""
    if "private" not in told:
        return told
    forked, you = told["forked_from"], told["you"]
    return {name: value for name, value in told.items() if name != "private"} | {
        "visibility": visibility(told["private"]),
        "seats": [seat(each) for each in told["seats"]],
        "forked_from": forked and renamed(forked, {"game": "game_id"}),
        "you": renamed(you, _OF_EVENTS),
        "gnomes": [_gnome(each) for each in told["gnomes"]],
        **_cards("items_left", "item_deck", told["item_deck"]),
    }


def _gnome(told: Json) -> Json:
    return told | _cards("hand", "items", told["items"])


def _cards(number: str, which: str, told: Json) -> Json:
    """Return how many cards there are, and which, of those that were told as a map, or as a number under `hidden`."""
    return {number: told["hidden"], which: None} if "hidden" in told else {number: sum(told.values()), which: told}
