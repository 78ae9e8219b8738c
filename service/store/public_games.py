"""The lists of public games. Where they have many parts the first page is kept for a second, whoever asks for it."""

import time
from collections.abc import Iterator

import orjson

from service.store.redis_client import Client
from service.store.walk import Place, walk
from service.wire import Wire

KEPT_SECONDS = 1.0

Listed = list[tuple[Place, Wire]]  # places and cards


class PublicGames:
    def __init__(self, client: Client):
        self._redis, self._names = client, client.names
        self._kept: dict[tuple[str, bool], tuple[float, Listed]] = {}

    def listed(
        self, status: str, after: Place | None = None, *, newest_first: bool = True
    ) -> Iterator[tuple[Place, Wire]]:
        """Yield place and card of the public games of a status, in order. Expired ones leave the list."""
        if after is None and self._names.partitions.count > 1:
            first = self._first(status, newest_first)
            yield from first
            if not first:
                return
            after = first[-1][0]
        for page in self._pages(status, after, newest_first):
            yield from page

    def _first(self, status: str, newest_first: bool) -> Listed:
        """Return the first page, as of a second ago."""
        now = time.monotonic()
        read_at, page = self._kept.get((status, newest_first), (-KEPT_SECONDS, []))
        if now - read_at >= KEPT_SECONDS:
            page = next((found for found in self._pages(status, None, newest_first) if found), [])
            self._kept[status, newest_first] = now, page
        return page

    def _pages(self, status: str, after: Place | None, newest_first: bool) -> Iterator[Listed]:
        names, partitions = self._names, self._names.partitions
        lists = [names.public_games(each, status) for each in partitions.all]
        for places in walk(self._redis, lists, after, newest_first=newest_first):
            cards = self._redis.ask(*(("HGET", names.game(game_id), "card") for _, game_id in places))
            dead = [game_id for (_, game_id), card in zip(places, cards) if card is None]
            if dead:
                leaving = [("ZREM", lists[partitions.of(game_id)], game_id) for game_id in dead]
                self._redis.ask(*leaving, optional=len(leaving))
            yield [(place, orjson.loads(card)) for place, card in zip(places, cards) if card is not None]
