"""A table as it was at an earlier version: its game played again, and the events around it applied.

A whole game is played again in a millisecond or two, so nothing of it is stored.
"""

from collections.abc import Iterable

import orjson
from msgspec.structs import replace

from service.games import history
from service.games.apply import before_first, fold
from service.games.model import Table
from service.refusals import bad_parameter
from service.store.store import Store


def table_at(store: Store, table: Table, version: int | None) -> Table:
    """Return that table itself for its present version, or None; raises a Problem where there is no such version."""
    if version is None or version == table.version:
        return table
    check(version, table.version)
    return played_to(table, version, history.events(store, table))


def played_to(table: Table, version: int, events: Iterable[bytes]) -> Table:
    """Return the table at an earlier version, out of all of its events as they are stored."""
    told = [orjson.loads(stored) for stored in events]
    game, lobby, last = table.game, before_first(table.lobby, told), told[0]
    for _, happened, game in history.replayed(table, told, version):  # noqa: B007 - the last one
        lobby, last = fold(lobby, happened), happened[-1]
    return replace(
        table, version=version, seq=last["seq"], changed_at=last["at"], game=game, lobby=lobby, seen={}, is_past=True
    )


def check(version: int, present: int) -> None:
    if not 1 <= version <= present:
        raise bad_parameter("version", "range", f"must be 1 to {present}")
