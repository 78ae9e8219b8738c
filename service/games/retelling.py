"""Answers that are stored for a repeated request, without names. Only the game holds those: they are put back in when
the answer is given again, and are gone from the store with the game.
"""

import orjson

from service.games import history, stored
from service.games.model import Json, Table
from service.store import keys
from service.store.store import Store


def without_names(body: Json) -> Json:
    return _renamed(body, "", {})


def with_names(store: Store, game_id: str, body: Json) -> Json | None:
    """Return the answer as it was; None where the game is not there any more. Raises NewerLayout."""
    state = _state_of(body)
    if state is None:
        return body
    found = store.redis.ask(("HMGET", keys.game(game_id), *stored.FIELDS))
    if found[0][0] is None:
        return None
    table = stored.load(game_id, found[0], found.epoch)
    names = {player.id: player.name for player in table.lobby.players}
    if any(player["id"] not in names for player in state["players"]):
        names |= _everybody(store, table)
    return _renamed(body, table.charter.name, names)


def _everybody(store: Store, table: Table) -> dict[str, str]:
    """Return the names of all who have joined, also of those who have left."""
    told = (orjson.loads(event) for event in history.events(store, table) if b'"player_joined"' in event)
    return {event["player"]: event["name"] for event in told if event["type"] == "player_joined"}


def _renamed(body: Json, name: str, players: dict[str, str]) -> Json:
    state = _state_of(body)
    if state is None:
        return body
    renamed = [player | {"name": players.get(player["id"], "")} for player in state["players"]]
    state = state | {"name": name, "players": renamed}
    return state if "players" in body else body | {"state": state}


def _state_of(body: Json) -> Json | None:
    """Return the state that the answer is, or has; None when it has none."""
    return body if "players" in body else body.get("state")
