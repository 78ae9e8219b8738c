"""Lists of games, in pages that stay right while games come and go."""

import base64
import binascii
from itertools import islice
from typing import Any

from service.access import Answer, Caller
from service.errors import bad_parameter
from service.store import Store, is_id


def list_games(store: Store, caller: Caller, status: str, limit: int, cursor: str | None = None) -> Answer:
    caller.meter.now(store.redis)
    found = list(islice(store.listed(status, place_of(cursor) if cursor else None), limit + 1))
    page = found[:limit]
    following = cursor_of(*page[-1][:2]) if len(found) > limit else None
    body: dict[str, Any] = {"games": [card for _, _, card in page], "next": following}
    return Answer(200, body, {"Cache-Control": "no-cache"})


def cursor_of(at: int, game_id: str) -> str:
    return base64.urlsafe_b64encode(f"{at}:{game_id}".encode()).decode()


def place_of(cursor: str) -> tuple[int, str]:
    try:
        at, _, game_id = base64.urlsafe_b64decode(cursor.encode("ascii")).decode("ascii").partition(":")
        if is_id(game_id) and len(at) < 20:
            return int(at), game_id
    except (binascii.Error, ValueError):
        pass
    raise bad_parameter("cursor", "is none of ours")
