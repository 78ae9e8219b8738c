"""Lists of games, in pages that stay right while games come and go."""

import unicodedata

import orjson
from msgspec import Struct

from service import clock
from service.callers.caller import Caller
from service.games import renaming
from service.games.access import Answer
from service.games.model import OPEN
from service.games.tables import stamp
from service.paging import place_of, search
from service.store.store import Store
from service.wire import Wire

Card = Wire  # as it is stored

NEWEST, OLDEST = SORTS = ("newest", "oldest")


class Filter(Struct, frozen=True):
    """What a game must be to be told; None for whatever it is."""

    open_seats: int | None = None  # at least
    bot: str | None = None
    gnomes: int | None = None
    name: str | None = None  # or a part of it
    created_after: str | None = None
    created_before: str | None = None

    @classmethod
    def of(
        cls,
        open_seats: int | None = None,
        bot: str | None = None,
        gnomes: int | None = None,
        name: str | None = None,
        min_age: int | None = None,
        max_age: int | None = None,
    ) -> "Filter":
        """Return the filter of a query. Ages are seconds since a game was made."""
        part = None if name is None else _comparable(name)
        return cls(open_seats, bot, gnomes, part, _made(max_age), _made(min_age))

    def fits(self, card: Card) -> bool:
        seats = card["seats"]
        return (
            (self.open_seats is None or sum(seat["kind"] == OPEN for seat in seats) >= self.open_seats)
            and (self.bot is None or any(seat["bot"] == self.bot for seat in seats))
            and self.gnomes in (None, card["rules"]["gnomes"])
            and (self.name is None or self.name in _comparable(card["name"]))
            and (self.created_after is None or card["created_at"] >= self.created_after)
            and (self.created_before is None or card["created_at"] <= self.created_before)
        )


def _made(seconds_ago: int | None) -> str | None:
    return None if seconds_ago is None else stamp(clock.now() - seconds_ago)


def _comparable(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold()


def list_games(
    store: Store, caller: Caller, wanted: Filter, status: str, sort: str, limit: int, cursor: str | None = None
) -> Answer:
    """Answer with a page of the public games of a status, by the time they got there."""
    caller.meter.now(store.redis)
    listed = store.public_games.listed(status, place_of(cursor), newest_first=sort == NEWEST)
    page, following = search(listed, limit, wanted.fits)
    body: Wire = {"games": [_whole(card) for card in page], "next": following}
    return Answer(200, body, {"Cache-Control": "no-cache"})


def read_card(stored: bytes) -> Card:
    """Return the game of a list as it is stored."""
    card: Card = orjson.loads(stored)
    return card


def _whole(card: Card) -> Card:
    """Return the game as it is told, with what games of layout 1 did not store: they knew no hidden hands but those of
    crazed gnomes."""
    rules = card["rules"]
    return renaming.card(card) | {"rules": {"hidden_hands": rules["crazed_gnomes"]} | rules}
