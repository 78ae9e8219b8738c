"""The past of a table, from its events: they hold every move that anybody chose."""

from collections.abc import Iterator
from importlib.metadata import version
from typing import Any

import orjson

from engine import Game
from service.store import Store
from service.tables import Table

Wire = dict[str, Any]

ENGINE_VERSION = version("red-november")
_PAGE = 1000
_CHOICE = b'"type":"choice"'


def parsed(told: bytes) -> list[Wire]:
    return orjson.loads(told)


def events(store: Store, table: Table) -> Iterator[bytes]:
    """All that the table knows of, as they were stored."""
    for after in range(0, table.seq, _PAGE):
        yield from store.events(table.id, after, min(_PAGE, table.seq - after))


def moves(store: Store, table: Table) -> Iterator[tuple[int, Wire]]:
    """Version and move, for each move that a decider chose."""
    for stored in events(store, table):
        if _CHOICE in stored:
            event = orjson.loads(stored)
            if not event["automatic"]:
                yield event["version"], event["move"]


def versions(store: Store, table: Table) -> Iterator[tuple[int, Game]]:
    """The game after each move, one and the same object; first as it was at the start."""
    game = beginning(table)
    yield 1, game
    for version_, move in moves(store, table):
        game.play(move)
        yield version_, game


def beginning(table: Table) -> Game:
    start, seed = table.secret["start"], table.secret["seed"]
    return Game.from_position(start) if start is not None else Game.new(table.game.rules, bytes.fromhex(seed))


def at_version(store: Store, table: Table, version_: int) -> Game:
    """The game as it was."""
    game = beginning(table)
    for moved, move in moves(store, table):
        if moved > version_:
            break
        game.play(move)
    return game
