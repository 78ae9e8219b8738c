"""Schemas of what lists of games may be asked for."""

from bots.roster import ROSTER
from engine.enums import SEATS
from engine.rules import MIN_GNOMES
from service.api.fields import Length, Text, bot_field, digits, one_of
from service.api.schemas import MAX_NAME, MAX_NUMBER, Query
from service.games.listing import NEWEST, SORTS
from service.store.store import STATUSES


class ListFilter(Query):
    """What a game must be to be told."""

    open_seats = digits(1, SEATS, "With at least so many open seats.")
    bot = bot_field(ROSTER, "With that bot on a seat; the name of one from outside begins with `bot:`.")
    gnomes = digits(MIN_GNOMES, SEATS, "With so many gnomes.")
    name = Text(
        validate=Length(1, MAX_NAME),
        metadata={"description": "With that in its name, in capital letters or small ones."},
    )
    min_age = digits(0, MAX_NUMBER, "Made at least so many seconds ago.")
    max_age = digits(0, MAX_NUMBER, "Made at most so many seconds ago.")


FILTERS = tuple(ListFilter().fields)


class ListQuery(ListFilter):
    status = one_of(STATUSES, "Which games.", load_default="waiting")
    sort = one_of(SORTS, "By the time when they got their status.", load_default=NEWEST)
    limit = digits(1, 100, "Games a page.", load_default=20)
    cursor = Text(metadata={"description": "`next` of the page before."})
