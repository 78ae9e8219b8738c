"""Schemas of what lists of games may be asked for."""

from typing import Any

from marshmallow import fields, validate

from bots.roster import ROSTER
from engine.enums import SEATS
from engine.rules import MIN_GNOMES
from service.api.schemas import MAX_NAME, MAX_NUMBER, Query, one_of
from service.games.listing import NEWEST, SORTS
from service.store.store import STATUSES


def _number(low: int, high: int, what: str, **more: Any) -> fields.Integer:
    return fields.Integer(validate=validate.Range(low, high), metadata={"description": what}, **more)


class ListFilter(Query):
    """What a game must be to be told."""

    open_seats = _number(1, SEATS, "With at least so many open seats.")
    bot = one_of(list(ROSTER), "With that bot on a seat.")
    gnomes = _number(MIN_GNOMES, SEATS, "With so many gnomes.")
    name = fields.String(
        validate=validate.Length(1, MAX_NAME),
        metadata={"description": "With that in its name, in capital letters or small ones."},
    )
    min_age = _number(0, MAX_NUMBER, "Made at least so many seconds ago.")
    max_age = _number(0, MAX_NUMBER, "Made at most so many seconds ago.")


FILTERS = tuple(ListFilter().fields)


class ListQuery(ListFilter):
    status = one_of(STATUSES, "Which games.", load_default="waiting")
    sort = one_of(SORTS, "By the time when they got their status.", load_default=NEWEST)
    limit = _number(1, 100, "Games a page.", load_default=20)
    cursor = fields.String(metadata={"description": "`next` of the page before."})
