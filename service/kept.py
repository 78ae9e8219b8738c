"""A game as a line of a backup: all that it needs to go on, and whether it is what it says."""

import base64
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import orjson
from redis import Redis

from bots.roster import ROSTER
from engine import GameError
from service import history, odds, timing, tokens, views
from service.store import STATUSES, Change, Store, is_id
from service.tables import FIELDS, Table, Viewer, commitment
from service.timing import BOT, OPEN, PLAYER

Wire = dict[str, Any]

BINARY = "record"  # the one field that is no JSON
PASSING = "commit"  # the mark of a write: an import makes its own
_NEEDED = {"version", "seq", "record", "about", "rights", "secret", "card"}


class Unreadable(Exception):
    """Why that can't be a game."""


@dataclass(frozen=True)
class Kept:
    id: str
    fields: Wire  # of its hash, by name
    events: list[Wire]
    odds: Wire
    listed: int | None  # its place in the list of public games

    @classmethod
    def read(cls, client: "Redis", game_id: str) -> "Kept | None":
        """At one moment, while others play on. None when it is not there (any more). Raises Unreadable."""
        with client.pipeline() as pipeline:
            pipeline.hgetall(f"game:{game_id}")
            pipeline.lrange(f"events:{game_id}", 0, -1)
            pipeline.hgetall(odds.key_of(game_id))
            for status in STATUSES:
                pipeline.zscore(f"games:{status}", game_id)
            fields, events, shares, *scores = pipeline.execute()
        if not fields:
            return None
        listed = next((int(score) for score in scores if score is not None), None)
        try:
            parsed = {name: _parsed(name, value) for name, value in _named(fields).items() if name != PASSING}
            chances = {name: orjson.loads(share) for name, share in _named(shares).items()}
            return cls(game_id, parsed, [orjson.loads(event) for event in events], chances, listed)
        except ValueError as error:
            raise Unreadable(f"is stored in a way that can't be read: {error}") from error

    @classmethod
    def of_line(cls, told: Any) -> "Kept":
        """Raises Unreadable."""
        if not isinstance(told, dict) or told.keys() != cls.__annotations__.keys():
            raise Unreadable(f"must have {', '.join(cls.__annotations__)}")
        if not isinstance(told["id"], str) or not is_id(told["id"]):
            raise Unreadable("has an id that is none of ours")
        for name, kind in (("fields", dict), ("events", list), ("odds", dict)):
            if not isinstance(told[name], kind):
                raise Unreadable(f"{name}: is no {'object' if kind is dict else 'list'}")
        if told["listed"] is not None and type(told["listed"]) is not int:
            raise Unreadable("listed: is no number")
        if PASSING in told["fields"]:
            raise Unreadable(f"fields: {PASSING} is not for a backup")
        if missing := _NEEDED - told["fields"].keys():
            raise Unreadable(f"fields: {', '.join(sorted(missing))} is missing")
        return cls(**told)

    def line(self) -> bytes:
        return orjson.dumps(
            {"id": self.id, "listed": self.listed, "fields": self.fields, "odds": self.odds, "events": self.events}
        )

    def table(self) -> Table:
        """What a worker or a web process would make of it. Raises Unreadable, or NewerLayout."""
        try:
            table = Table.load(self.id, [self._stored(name) for name in FIELDS], epoch="")
            self._check_events(table)
            _check_crew(table)
            if self.fields["rights"]["private"] != table.private:
                raise Unreadable("is private, and is not")
            _check_dice(table)
            views.state(table, Viewer(host=True))
            table.card()
            timing.due(table.about, table.game, 0.0)
            history.beginning(table)
        except (LookupError, TypeError, ValueError, AttributeError) as error:
            raise Unreadable(f"lacks what a game has: {type(error).__name__}: {error}") from error
        except GameError as error:
            raise Unreadable(f"holds what the engine refuses: {error}") from error
        return table

    def _check_events(self, table: Table) -> None:
        if len(self.events) != table.seq:
            raise Unreadable(f"has {len(self.events)} events, and should have {table.seq}")
        version = 1
        for seq, event in enumerate(self.events, 1):
            if event["seq"] != seq or not isinstance(event["type"], str) or not isinstance(event["at"], str):
                raise Unreadable(f"events: the one numbered {seq} is not there")
            if not version <= event["version"] <= table.version:
                raise Unreadable(f"events: number {seq} is of another version than it can be")
            version = event["version"]

    def _stored(self, name: str) -> bytes | None:
        """The field as Redis has it."""
        if name not in self.fields:
            return None
        if name == BINARY:
            return base64.b64decode(self.fields[name], validate=True)
        return orjson.dumps(self.fields[name])

    def put(self, store: Store, now: float) -> None:
        """Into the store, to be kept as if it had changed just now. Raises Conflict when it is there already, and what
        `table` raises."""
        table = self.table()
        fields = {name: self._stored(name) for name in self.fields}
        due = timing.due(table.about, table.game, now)
        events = [orjson.dumps(event) for event in self.events]
        public = not table.private
        store.commit(
            Change(self.id, None, table.version, fields, events, table.status, public, moved=True, due=due, at=now)
        )
        with store.redis.pipeline() as pipeline:
            if public and self.listed is not None:
                pipeline.zadd(f"games:{table.status}", {self.id: self.listed}, xx=True)
            if self.odds:
                for version, share in self.odds.items():
                    pipeline.hset(odds.key_of(self.id), version, orjson.dumps(share))
                pipeline.expire(odds.key_of(self.id), store.keep_seconds)
            pipeline.execute()


def _named(stored: Mapping[bytes, bytes]) -> dict[str, bytes]:
    """In an order that Redis does not promise."""
    return {name.decode(): value for name, value in sorted(stored.items())}


def _parsed(name: str, value: bytes) -> Any:
    return base64.b64encode(value).decode() if name == BINARY else orjson.loads(value)


def _check_crew(table: Table) -> None:
    if table.status not in STATUSES or (table.status == "finished") != (table.game.result is not None):
        raise Unreadable(f"can't be {table.status}")
    if len(table.seats) != table.game.rules.gnomes:
        raise Unreadable(f"has {len(table.seats)} seats for {table.game.rules.gnomes} gnomes")
    players = {player["id"] for player in table.players}
    for number, seat in enumerate(table.seats):
        if seat["seat"] != number or seat["kind"] not in (OPEN, PLAYER, BOT):
            raise Unreadable(f"has no right seat {number}")
        if seat["kind"] == BOT and seat["bot"] not in ROSTER:
            raise Unreadable(f"has a bot that this release has not: {seat['bot']}")
        if seat["player"] is not None and seat["player"] not in players:
            raise Unreadable(f"has somebody on seat {number} who is no player")
    for digest, who in table.rights.items():
        if len(bytes.fromhex(digest)) != hashlib.sha256().digest_size or who not in {tokens.HOST, *players}:
            raise Unreadable("rights: a token is of nobody")


def _check_dice(table: Table) -> None:
    dice = table.about["dice"]
    if commitment(dice["salt"], table.secret["seed"]) != dice["hash"]:
        raise Unreadable("has another seed than it promised")
