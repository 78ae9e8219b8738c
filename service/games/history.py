"""Play the past of a table again from its events, which hold every move that anybody chose."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby

import orjson

from engine import Game, GameError
from engine.rows import Row
from engine.rules import RULES_VERSION
from service.games.events import kind_of
from service.games.model import Json, Table
from service.refusals import Problem
from service.store.store import Store

Witness = Callable[[Game, list[Json]], None]  # called with the events of each version, and the game before them

_PAGE = 1000
_CHOICE = b"choice"
_OF_THE_RULES = {row.name.lower() for row in Row}


def events(store: Store, table: Table, since: int = 0) -> Iterator[bytes]:
    """Yield all events that the table knows of, or those after the first ones, as they are stored."""
    for after in range(since, table.seq, _PAGE):
        yield from store.events(table.id, after, min(_PAGE, table.seq - after))


def moves(store: Store, table: Table) -> Iterator[tuple[int, Json]]:
    """Yield version and move, for each move that a decider chose."""
    for stored in events(store, table):
        if kind_of(stored) == _CHOICE:
            event = orjson.loads(stored)
            if not event["automatic"]:
                yield event["version"], event["move"]


def unseen(game: Game, told: list[Json]) -> None:
    """Take no notice."""


def replayed(
    table: Table, all_told: Iterable[Json], up_to: int, game: Game | None = None, witness: Witness = unseen
) -> Iterator[tuple[int, list[Json], Game]]:
    """Yield each version up to that one, its events, and the game after it, one and the same object.

    It begins at the beginning, or goes on with a `game` as it was before the first of those events. Raises a Problem
    where a game that was begun under earlier rules goes otherwise under today's.
    """
    try:
        game = game or beginning(table)
        for version_, group in groupby(all_told, key=lambda event: int(event["version"])):
            if version_ > up_to:
                return
            told = list(group)
            witness(game, told)
            if move := chosen(told):
                happened = game.play(move)
                if table.game.rules_version < RULES_VERSION and _bare(told) != _bare(happened):
                    raise _otherwise(table)
            yield version_, told, game
    except GameError as error:
        if table.game.rules_version < RULES_VERSION:
            raise _otherwise(table) from error
        raise


def choice(told: list[Json]) -> Json | None:
    """Return the event of that version by which somebody chose a move, if it is there."""
    return next((event for event in told if event["type"] == "choice" and not event["automatic"]), None)


def chosen(told: list[Json]) -> Json | None:
    """Return the move that somebody chose in that version, if it was one."""
    event = choice(told)
    return event and event["move"]


def _bare(told: Sequence[Mapping[str, object]]) -> list[dict[str, object]]:
    """Return the events of the rules, without what the service adds, and without who may know them."""
    beside = ("seq", "version", "at", "private")
    return [
        {name: value for name, value in event.items() if name not in beside}
        for event in told
        if event["type"] in _OF_THE_RULES
    ]


def _otherwise(table: Table) -> Problem:
    began = table.game.rules_version
    return Problem(
        "played_otherwise",
        f"It was begun under version {began} of the rules. This release plays by version {RULES_VERSION}, and can show "
        "it only as it is now.",
    )


def beginning(table: Table) -> Game:
    start, seed = table.secrets.start, table.secrets.seed
    return Game.from_position(start) if start is not None else Game.new(table.charter.rules, bytes.fromhex(seed))


def at_version(store: Store, table: Table, version_: int) -> Game:
    """Return the game as it was. Raises a Problem as `replayed` does."""
    if version_ == table.version:
        return table.game.copy()
    game = beginning(table)
    for _, _, game in replayed(table, map(orjson.loads, events(store, table)), version_):  # noqa: B007 - the last one
        pass
    return game
