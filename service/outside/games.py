"""The games that an outside bot plays."""

from typing import Any

from service.accounts import accounts
from service.accounts.names import account_of
from service.callers.caller import Caller
from service.games import listing
from service.games.access import Answer
from service.games.model import FINISHED
from service.outside.registering import authenticate
from service.store.store import Store
from service.wire import Wire

MOST = 500


def list_games(store: Store, name: str, caller: Caller) -> Answer:
    """Answer with the games of a bot that are not over, private ones too."""
    names = store.names
    indexes = [names.games_with(each, name) for each in names.partitions.all]
    flat, *found = store.redis.ask(accounts.reading(name)[0], *(("ZRANGE", each, 0, MOST - 1) for each in indexes))
    authenticate(store, name, caller, flat)
    ids = [(member.decode(), index) for index, members in zip(indexes, found, strict=True) for member in members][:MOST]
    cards = store.redis.ask(*(("HGET", names.game(id_), "card") for id_, _ in ids))
    told: list[Wire] = []
    gone: list[Any] = []
    for (id_, index), stored in zip(ids, cards, strict=True):
        card = None if stored is None else listing.read_card(stored)
        if card is None:
            gone.append(("ZREM", index, id_))
        elif card["status"] != FINISHED and (seats := _seats(card, name)):
            told.append({"game_id": id_, "seats": seats, "status": card["status"], "created_at": card["created_at"]})
    store.redis.ask(*gone, optional=len(gone))
    told.sort(key=lambda each: each["created_at"])
    return Answer(200, {"games": told}, {"Cache-Control": "no-store"})


def _seats(card: Wire, name: str) -> list[int]:
    return [seat["seat"] for seat in card["seats"] if account_of(seat["bot"]) == name]
