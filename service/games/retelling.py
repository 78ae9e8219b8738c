"""Answers that are stored for a repeated request, without what people have named or kept. Only the game holds that: it
is put back in when the answer is given again, and is gone from the store with the game.
"""

from collections.abc import Mapping
from typing import Any

import orjson
from msgspec import Struct
from msgspec.structs import replace

from service.callers.tokens import HOST
from service.games import history, tables
from service.games.apply import fold
from service.games.events import kind_of
from service.games.model import Json, Table
from service.store.store import Store


class _Told(Struct, frozen=True):
    """What only the game holds."""

    name: str = ""
    players: Mapping[str, str] = {}
    client_data: Mapping[str, Any] = {}


def without_names(body: Json) -> Json:
    """Return the answer to be stored. It says only whether anybody had kept something with the game."""
    state = _state_of(body)
    if state is None:
        return body
    kept = [state["client_data"], *(player["client_data"] for player in state["players"])]
    return _retold(body, _Told(client_data={HOST: any(each is not None for each in kept) or None}))


def with_names(store: Store, game_id: str, body: Json) -> Json | None:
    """Return the answer as it was; None where the game is not there any more. Raises NewerLayout."""
    state = _state_of(body)
    if state is None:
        return body
    table = tables.read(store, game_id)
    if table is None:
        return None
    names = {player.id: player.name for player in table.lobby.players}
    if any(player["id"] not in names for player in state["players"]):
        names |= _everybody(store, table)
    kept = _kept_at(store, table, state["seq"]) if state.get("client_data") else {}
    return _retold(body, _Told(table.charter.name, names, kept))


def _everybody(store: Store, table: Table) -> dict[str, str]:
    """Return the names of all who have joined, also of those who have left."""
    return {event["player"]: event["name"] for event in _told(store, table, b"player_joined")}


def _kept_at(store: Store, table: Table, seq: int) -> Mapping[str, Any]:
    """Return what clients kept with the game after that event."""
    changes = (event for event in _told(store, table, b"client_data_changed") if event["seq"] <= seq)
    return fold(replace(table.lobby, client_data={}), changes).client_data


def _told(store: Store, table: Table, kind: bytes) -> list[Json]:
    return [orjson.loads(event) for event in history.events(store, table) if kind_of(event) == kind]


def _retold(body: Json, told: _Told) -> Json:
    state = _state_of(body)
    if state is None:
        return body
    players = [
        player | {"name": told.players.get(player["id"], ""), "client_data": told.client_data.get(player["id"])}
        for player in state["players"]
    ]
    state = state | {"name": told.name, "players": players, "client_data": told.client_data.get(HOST)}
    return state if "players" in body else body | {"game": state}


def _state_of(body: Json) -> Json | None:
    """Return the state that the answer is, or has; None when it has none."""
    return body if "players" in body else body.get("game")
