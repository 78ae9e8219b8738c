"""Play the games of a match with outside bots at tables: games like any other, private, and told to nobody's list.

A worker that looks after a match opens as many tables as its bots have time for, and folds each that is over into the
match: its result at its number, its moves beside it. What it knows stands in the match and in the games, so that a
worker may die at any point: the next one opens what is missing, and folds what is over. The id of a table follows from
its place, and a result is written once. A game that an outside bot breaks is played once more, and then it is a
forfeit.

The rest is done by those who play any game: the connection asks the bots, workers play ours.
"""

import os
from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from engine import Game
from service import clock
from service.accounts import accounts
from service.accounts.model import Account
from service.games import history, stored, tables, timing
from service.games.commands.lobby import open_table, start
from service.games.model import FINISHED, Charter, Dice, Json, Mark, PlayedFor, Progress, Secrets, Table, Viewer
from service.matches import faults, outcomes, recorded, verdicts
from service.matches.model import Absence, Match, MatchStatus, Why
from service.matches.packing import pack, unpack
from service.matches.repository import Batch, Extra, MatchRepository, RangeOutcome
from service.outside.desk import most_for_matches
from service.store import match_keys
from service.store.ids import derived_id
from service.store.own import own_store
from service.store.store import Conflict, Store

PATIENCE_SECONDS = 30.0  # that a bot may be away before the match says that it waits
_SALT_BYTES = 16
MOST_ATTEMPTS = 2  # at a game that an outside bot breaks: after the last one it is a forfeit
_AT_ONCE: tuple[Why, ...] = ("version", "deleted")  # why a match pauses


class Place(Struct, frozen=True):
    """The place of a table in its match, as it is stored: which game it is, and the how manieth attempt at it."""

    series: int
    line_up: int
    number: int
    attempt: int

    @classmethod
    def read(cls, text: str) -> "Place":
        return cls(*map(int, text.split(":")))

    def __str__(self) -> str:
        return f"{self.series}:{self.line_up}:{self.number}:{self.attempt}"


def host(match_id: str) -> None:
    """Look after the tables of a match."""
    repository = MatchRepository(own_store())
    match = repository.fetch(match_id)
    if match is None:
        repository.strike_hosted(match_id)
    elif match.outside is not None:
        _Host(repository, match).look()


def drop(store: Store, match: Match) -> None:
    """Delete the tables of a match that is over."""
    for place in match.tables:
        _delete(store, table_id(store, match, place))


def table_id(store: Store, match: Match, place: str) -> str:
    """Return the id of a table: in the partition of its match, and the same whoever opens it."""
    partitions = store.names.partitions
    derived = derived_id(f"{match.id} {match.created_at:.3f} table {place}")
    return partitions.placed(derived, partitions.of(match.id))


class _Host:
    """A worker's look at the tables of a match."""

    def __init__(self, repository: MatchRepository, match: Match):
        self._repository, self._store = repository, repository.store
        self._match = match

    def look(self) -> None:
        """Fold what is over, open what is missing, and say whom the match waits for."""
        for place in self._match.tables:
            self._look_at(place)
        match = self._repository.fetch(self._match.id)
        if match is None or match.is_over:
            drop(self._store, match or self._match)
            return
        self._match = match
        found = accounts.fetch_all(self._store, match.plan.outsiders)
        absences = self._absences(found)
        self._mind(absences)
        if not absences and match.status.is_playable:
            most = min(most_for_matches(account.terms.open) for account, _ in found.values())
            for place in self._repository.seat(match, most):
                if place not in match.tables:
                    self._open(place)

    def _look_at(self, place: str) -> None:
        id_ = table_id(self._store, self._match, place)
        table = tables.fetch(self._store, id_)
        if table is not None:
            if table.status == FINISHED:
                self._fold(place, table)
            return
        match = self._repository.fetch(self._match.id)  # another worker may have folded it since it was read
        if match is not None and place in match.tables and not self._store.redis.exists(self._store.names.game(id_)):
            self._open(place)

    def _open(self, text: str) -> None:
        place, match, at = Place.read(text), self._match, tables.now()
        series, seed = match.plan.series[place.series], match.seed_of(place.number)
        assert match.outside is not None, "the caller has looked"
        game = Game.new(series.rules, seed)
        dice = Dice.committed(os.urandom(_SALT_BYTES).hex(), seed.hex())
        charter = Charter(series.rules, match.plan.name, True, False, None, at.text, None, dice)
        opening: tuple[Json, ...] = tuple({**event} for event in game.opening)
        secrets = Secrets(seed.hex(), None, {}, opening=opening)
        crew = series.crews[place.line_up]
        id_ = table_id(self._store, match, text)
        progress = open_table(id_, charter, game, secrets, crew, at, Mark(creator=match.id))
        progress = progress.then(start(progress.after, Viewer(host=True), None, at))
        lobby = replace(progress.after.lobby, advice=False)  # that of a better bot would be the better bot
        played_for = PlayedFor(match.id, text, match.outside.versions)
        progress = Progress(
            progress.before, replace(progress.after, lobby=lobby, played_for=played_for), progress.events
        )
        try:
            self._store.commit(stored.change(progress, at.seconds, listed=False))
        except Conflict:  # another worker was faster
            return
        tables.hint_if_due(self._store, progress.after)

    def _fold(self, text: str, table: Table) -> None:
        place, match, names = Place.read(text), self._match, self._store.names.match
        crew = match.plan.series[place.series].crews[place.line_up]
        result, is_broken = outcomes.of_table(self._store, table, crew)
        if is_broken and place.attempt < MOST_ATTEMPTS:
            following = str(replace(place, attempt=place.attempt + 1))
            if self._repository.play_again(match, text, following):
                self._open(following)
            _delete(self._store, table.id)
            return
        moves = recorded.packed(move for _, move in history.moves(self._store, table))
        kept = names.of_series(match.id, match_keys.MOVES, place.series, place.line_up)
        told = names.of_series(match.id, match_keys.FAULTS, place.series, place.line_up)
        extras = [Extra("zset", told, place.number, fault) for fault in faults.encode(result, place.number)]
        batch = Batch(
            upto=place.number + 1,
            outcome=RangeOutcome.CONTINUED,
            seconds_per_number=0.0,
            results=[pack([result], crew, is_forfeit=is_broken)],
            extras=[Extra("hash", kept, place.number, moves), *extras],
        )
        folded = self._repository.fold(match, text, place.series, place.line_up, place.number, batch)
        if folded.status == MatchStatus.RUNNING and match.plan.margin is not None:
            self._judge(place.series, match.plan.margin)
        _delete(self._store, table.id)

    def _judge(self, series: int, margin: float) -> None:
        """End a series that has its verdict: the pairs count in the order of their numbers, as far as all are there."""
        plan, names = self._match.plan, self._store.names.match
        keys = (names.of_series(self._match.id, match_keys.GAMES, series, each) for each in range(2))
        found = self._store.redis.ask(*(("GET", key) for key in keys))
        rows = [unpack(each, crew, plan.games) for each, crew in zip(found, plan.series[series].crews)]
        settled = verdicts.settled_after(rows, margin)
        if settled is not None:
            self._repository.settle_series(self._match, series, settled)

    def _absences(self, found: Mapping[str, tuple[Account, bool]]) -> dict[str, Absence]:
        """Return the bots that the match can't go on without, each with when that began."""
        now, absences = clock.now(), dict[str, Absence]()
        for name in self._match.plan.outsiders:
            why = self._why_absent(name, found.get(name))
            if why is not None:
                before = self._match.absences.get(name)
                since = before.since if before and before.why == why else now
                absences[name] = Absence(why, since, why in _AT_ONCE or now - since >= PATIENCE_SECONDS)
        return absences

    def _why_absent(self, name: str, found: tuple[Account, bool] | None) -> Why | None:
        assert self._match.outside is not None, "the caller has looked"
        if found is None:
            return "deleted"
        account, is_here = found
        if account.is_paused:
            return "paused"
        if account.terms.version != self._match.outside.versions.get(name):
            return "version"
        return None if is_here else "gone"

    def _mind(self, absences: Mapping[str, Absence]) -> None:
        before = self._match.absences
        pauses = self._match.status.is_playable and any(each.why in _AT_ONCE for each in absences.values())
        if absences == before and not pauses:
            return
        self._repository.mind(self._match, absences, _told(absences) != _told(before) or pauses, pauses)


def _told(absences: Mapping[str, Absence]) -> dict[str, Why]:
    return {name: each.why for name, each in absences.items() if each.is_told}


def _delete(store: Store, game_id: str) -> None:
    table = tables.fetch(store, game_id)
    if table is not None:
        outside = timing.outsiders(table.lobby)
        store.delete(game_id, table.creator, stored.asked(table), outside)
