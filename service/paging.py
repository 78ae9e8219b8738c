"""Pages of long lists, and the cursors that lead from one to the next.

A cursor names the last item of a page, not its number: pages stay right while items come and go.
"""

import base64
import binascii
from collections.abc import Callable, Iterable
from itertools import islice
from typing import TypeVar

from service.refusals import Problem, bad_parameter
from service.store.ids import is_id
from service.store.walk import Place

T = TypeVar("T")

MOST_LOOKED_AT = 500  # items a request, whatever is looked for among them

_LONGEST_TIME = 20  # digits


def page_of(items: Iterable[T], limit: int) -> tuple[list[T], T | None]:
    """Return the first items, and the one that begins the next page, if there is one."""
    found = list(islice(items, limit + 1))
    return found[:limit], found[limit] if len(found) > limit else None


def search(
    items: Iterable[tuple[Place, T]], limit: int, fits: Callable[[T], bool] = lambda _: True
) -> tuple[list[T], str | None]:
    """Return the first items that fit, and the cursor that leads on, if there is more to look at. Of a long list in
    which few fit a page may be short, or empty."""
    page: list[T] = []
    last = None
    for looked_at, (place, item) in enumerate(items):
        if last is not None and (len(page) == limit or looked_at == MOST_LOOKED_AT):
            return page, cursor_of(last)
        last = place
        if fits(item):
            page.append(item)
    return page, None


def cursor_of(place: Place) -> str:
    at, id_ = place
    return base64.urlsafe_b64encode(f"{at}:{id_}".encode()).decode()


def place_of(cursor: str | None) -> Place | None:
    """Return the place that a cursor names; without a cursor a list begins at its beginning."""
    if not cursor:
        return None
    try:
        at, _, id_ = base64.urlsafe_b64decode(cursor.encode("ascii")).decode("ascii").partition(":")
        if is_id(id_) and len(at) < _LONGEST_TIME:
            return int(at), id_
    except (binascii.Error, ValueError):
        pass
    raise bad_cursor()


def bad_cursor() -> Problem:
    return bad_parameter("cursor", "value", "is none of ours")
