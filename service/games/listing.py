"""Lists of games, in pages that stay right while games come and go."""

from typing import Any

from service.callers.caller import Caller
from service.games.access import Answer
from service.paging import cursor_of, page_of, place_of
from service.store.store import Store


def list_games(store: Store, caller: Caller, status: str, limit: int, cursor: str | None = None) -> Answer:
    """Answer with a page of the public games of a status, the latest first."""
    caller.meter.now(store.redis)
    page, beyond = page_of(store.listed(status, place_of(cursor)), limit)
    following = cursor_of(page[-1][:2]) if beyond else None
    body: dict[str, Any] = {"games": [_whole(card) for _, _, card in page], "next": following}
    return Answer(200, body, {"Cache-Control": "no-cache"})


def _whole(card: dict[str, Any]) -> dict[str, Any]:
    """Add what games of layout 1 did not store: they knew no hidden hands but those of crazed gnomes."""
    rules = card["rules"]
    return card | {"rules": {"hidden_hands": rules["crazed_gnomes"]} | rules}
