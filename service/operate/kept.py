"""A game as a line of a backup: all that it needs to go on, and the checks that it is one."""

import base64
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import msgspec
import orjson

from bots.roster import ROSTER
from engine import GameError
from engine.rules import RULES_VERSION
from service.accounts.names import account_of
from service.callers import tokens
from service.games import events, history, stored
from service.games.model import BOT, FINISHED, Dice, Json, Table
from service.store import layouts
from service.store.ids import is_id
from service.store.store import STATUSES, Store

BINARY = "record"  # the one field that is no JSON
PASSING = {"commit", "creator"}  # the mark of a write, which an import makes itself; and who is charged here
_NEEDED = {"version", "seq", "record", "about", "rights", "secret", "card"}
END_OF_TIME = 250_000_000_000.0  # in the year 9892; a time for people ends with 9999
_NUMBERS = ("version", "seq", layouts.FIELD)

T = TypeVar("T")


class Unreadable(Exception):
    """What was read is no game or match; the message says why."""


class _Head(msgspec.Struct, frozen=True):
    """The fields that every event has."""

    seq: int
    version: int
    at: str
    type: str


# All that is kept of a game, at one moment, while others play on.
# KEYS 1 its hash  2 its events  3 its odds  4.. the lists of public games  ARGV 1 its id
_READ = """
local found = {redis.call("HGETALL", KEYS[1]), redis.call("LRANGE", KEYS[2], 0, -1), redis.call("HGETALL", KEYS[3])}
for at = 4, #KEYS do found[at] = redis.call("ZSCORE", KEYS[at], ARGV[1]) end
return found
"""


@dataclass(frozen=True)
class Kept:
    id: str
    fields: Json  # of its hash, by name
    events: list[Json]
    odds: Json
    listed: int | None  # its place in the list of public games

    @classmethod
    def read(cls, store: Store, game_id: str) -> "Kept | None":
        """Read it at one moment, while others play on. None when it is not there (any more). Raises Unreadable."""
        names = store.names
        lists = [names.public_games(names.partitions.of(game_id), status) for status in STATUSES]
        read = [names.game(game_id), names.events(game_id), names.odds(game_id), *lists]
        ((fields, events, shares, *scores),) = store.redis.ask(("EVAL", _READ, len(read), *read, game_id))
        if not fields:
            return None
        listed = next((int(score) for score in scores if score), None)
        try:
            parsed = {name: _parsed(name, value) for name, value in _named(fields).items() if name not in PASSING}
            chances = {name: orjson.loads(share) for name, share in _named(shares).items()}
            return cls(game_id, parsed, [orjson.loads(event) for event in events], chances, listed)
        except ValueError as error:
            raise Unreadable(f"is stored in a way that can't be read: {error}") from error

    @classmethod
    def of_line(cls, told: Any) -> "Kept":
        """Return the game of a line of JSON. Raises Unreadable."""
        if not isinstance(told, dict) or told.keys() != cls.__annotations__.keys():
            raise Unreadable(f"must have {', '.join(cls.__annotations__)}")
        if not isinstance(told["id"], str) or not is_id(told["id"]):
            raise Unreadable("has an id that is none of ours")
        for name, kind in (("fields", dict), ("events", list), ("odds", dict)):
            if not isinstance(told[name], kind):
                raise Unreadable(f"{name}: is no {'object' if kind is dict else 'list'}")
        if told["listed"] is not None and type(told["listed"]) is not int:
            raise Unreadable("listed: is no number")
        if passing := PASSING & told["fields"].keys():
            raise Unreadable(f"fields: {', '.join(sorted(passing))} is not for a backup")
        if missing := _NEEDED - told["fields"].keys():
            raise Unreadable(f"fields: {', '.join(sorted(missing))} is missing")
        return cls(**told)

    def line(self) -> bytes:
        return orjson.dumps(
            {"id": self.id, "listed": self.listed, "fields": self.fields, "odds": self.odds, "events": self.events}
        )

    def table(self) -> Table:
        """Return the table that a worker or a web process would make of it. Raises Unreadable, or NewerLayout."""
        self._check_numbers()
        try:
            table = stored.load(self.id, [self._stored(name) for name in stored.FIELDS], epoch="")
            private = stored.read_rights(self._stored("rights") or b"").private
            msgspec.convert(self.fields["card"], stored.Card)
            self._check_events(table)
            _check_crew(table)
            if private != table.charter.private:
                raise Unreadable("is private, and is not")
            _check_dice(table)
            _check_times(table)
            if table.game.rules_version == RULES_VERSION:
                history.beginning(table)
        except msgspec.MsgspecError as error:
            raise Unreadable(f"lacks what a game has: {error}") from error
        except GameError as error:
            raise Unreadable(f"holds what the engine refuses: {error}") from error
        return table

    def check(self) -> str:
        """Check the game, and return its status. Raises what `table` raises."""
        return self.table().status

    def _check_numbers(self) -> None:
        for name in _NUMBERS:
            number = self.fields.get(name, 1)
            if type(number) is not int or number < 1:
                raise Unreadable(f"lacks what a game has: {name} is no number")

    def _check_events(self, table: Table) -> None:
        if len(self.events) != table.seq:
            raise Unreadable(f"has {len(self.events)} events, and should have {table.seq}")
        version, gnomes = 1, range(table.charter.rules.gnomes)
        for seq, event in enumerate(self.events, 1):
            head = msgspec.convert(event, _Head)
            if head.seq != seq:
                raise Unreadable(f"events: the one numbered {seq} is not there")
            if not version <= head.version <= table.version:
                raise Unreadable(f"events: number {seq} is of another version than it can be")
            version = head.version
            if any(seat not in gnomes for seat in events.seats_of(event)):
                raise Unreadable(f"events: number {seq} is of a seat that is not there")

    def _stored(self, name: str) -> bytes | None:
        """Return the field as Redis has it. Raises Unreadable."""
        if name not in self.fields:
            return None
        if name != BINARY:
            return orjson.dumps(self.fields[name])
        try:
            return base64.b64decode(str(self.fields[name]), validate=True)
        except ValueError as error:
            raise Unreadable(f"lacks what a game has: {name} is no base64: {error}") from error

    def put(self, store: Store, now: float) -> None:
        """Store the game as if it had changed just now. Raises Conflict when it is there already, and what `table`
        raises."""
        table = self.table()
        fields = {name: self._stored(name) for name in self.fields}
        events = [orjson.dumps(event) for event in self.events]
        listed = self.listed is not None  # a game of a match is public, and in no list
        store.commit(stored.restored(table, fields, events, now, listed))
        names = store.names
        if not table.charter.private and self.listed is not None:
            listed_in = names.public_games(names.partitions.of(self.id), table.status)
            store.redis.ask(("ZADD", listed_in, "XX", self.listed, self.id))
        if self.odds:
            shares = [part for version, share in self.odds.items() for part in (version, orjson.dumps(share))]
            key = names.odds(self.id)
            store.redis.ask(("HSET", key, *shares), ("EXPIRE", key, store.keep_seconds))


def converted(told: Any, kind: type[T], what: str) -> T:
    """Return what a line of JSON tells. Raises Unreadable."""
    try:
        return msgspec.convert(told, kind)
    except msgspec.ValidationError as error:
        raise Unreadable(f"is no {what} as they are kept: {error}") from error


def flattened(fields: Mapping[str, str]) -> list[bytes]:
    """Return the fields of a hash as Redis tells them."""
    return [part.encode() for pair in fields.items() for part in pair]


def _named(fields: Sequence[bytes]) -> dict[str, bytes]:
    """Return the fields of a hash by their names, sorted: Redis promises no order."""
    return {name.decode(): value for name, value in sorted(zip(fields[::2], fields[1::2], strict=True))}


def _parsed(name: str, value: bytes) -> Any:
    return base64.b64encode(value).decode() if name == BINARY else orjson.loads(value)


def _check_crew(table: Table) -> None:
    lobby = table.lobby
    if (lobby.status == FINISHED) != (table.game.result is not None):
        raise Unreadable(f"can't be {lobby.status}")
    if len(lobby.seats) != table.charter.rules.gnomes:
        raise Unreadable(f"has {len(lobby.seats)} seats for {table.charter.rules.gnomes} gnomes")
    players = {player.id for player in lobby.players}
    for number, seat in enumerate(lobby.seats):
        if seat.seat != number:
            raise Unreadable(f"has no right seat {number}")
        if seat.kind == BOT and seat.bot not in ROSTER and account_of(seat.bot) is None:
            raise Unreadable(f"has a bot that this release has not: {seat.bot}")
        if seat.player is not None and seat.player not in players:
            raise Unreadable(f"has somebody on seat {number} who is no player")
    for digest, who in table.secrets.tokens.items():
        if not is_hex(digest, hashlib.sha256().digest_size) or who not in {tokens.HOST, *players}:
            raise Unreadable("rights: a token is of nobody")


def _check_dice(table: Table) -> None:
    salt, seed, promised = table.charter.dice.salt, table.secrets.seed, table.charter.dice
    if not (is_hex(salt) and is_hex(seed)) or Dice.committed(salt, seed) != promised:
        raise Unreadable("has another seed than it promised")


def is_hex(text: str, size: int | None = None) -> bool:
    """Return whether those are bytes in hexadecimal, and as many as they should be."""
    try:
        return len(bytes.fromhex(text)) == size or size is None
    except ValueError:
        return False


def _check_times(table: Table) -> None:
    clock = table.lobby.clock
    for at in (clock.deadline, clock.remind, *table.seen.values()):
        if at is not None and not 0 <= at < END_OF_TIME:
            raise Unreadable(f"has a time that can't be: {at}")
