"""Matches in Redis: read one by one or as a list, changed by one script (`matches.lua`)."""

import secrets
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Any

import msgspec
from redis.exceptions import RedisError

from service import clock
from service.callers.limits import UNMETERED, Meter
from service.matches import records
from service.matches.model import Absence, Match, MatchStatus
from service.store import keys, match_keys
from service.store.answers import Answered, KeyReused, Retry
from service.store.ids import is_id
from service.store.scripts import Script
from service.store.store import Conflict, Store
from service.store.walk import Place, walk

LEASE_SECONDS = 5.0  # that a worker has a range of games without renewing its lease
FIRST_TAKE = 16  # numbers, where nobody knows how long a game takes
REVOKED_KEPT = 20  # hashes of tokens of a match whose holders are told what became of them
_SCRIPT = Script("matches/matches.lua")


class GameRange(msgspec.Struct, frozen=True):
    """Numbers of a series that a worker has leased: from `first` to before `last`."""

    series: int
    first: int
    last: int
    raised: int  # how often the first game raised an exception
    died: int  # how often a worker that had it ended without a word
    holder: str  # who has the lease: made up for each one

    @property
    def member(self) -> str:
        """Return the range as the sorted set of open ranges has it."""
        return f"{self.series}:{self.first}:{self.last}:{self.raised}:{self.died}:{self.holder}"


class RangeOutcome(StrEnum):
    """What a worker does with the rest of a range, in the words of the script."""

    CONTINUED = "on"
    GIVEN_BACK = "back"
    RAISED = "raised"  # the game after the last one that was played raised an exception


class Extra(msgspec.Struct, frozen=True):
    """What is stored of a single game beside its result: a fault or its moves."""

    kind: str  # "zset" or "hash"
    key: str
    number: int
    value: bytes


class Batch(msgspec.Struct, frozen=True, kw_only=True):
    """Games of a range, played from its first number on, and not stored yet."""

    upto: int  # the number after the last one that was played
    outcome: RangeOutcome
    error: str = ""
    seconds_per_number: float
    results: list[bytes]  # of each line-up; none where no game was played
    extras: list[Extra]


class Stored(msgspec.Struct, frozen=True):
    """What became of a batch."""

    status: MatchStatus | None = None  # of the match afterwards; None when it was over or gone, or the lease was lost
    is_lost: bool = False  # another worker has the range by now


class Content(msgspec.Struct, frozen=True):
    """The content of a key of a match, as its Redis type takes it: a value; fields and values; scores and members."""

    type: str  # "string", "hash" or "zset"
    key: str
    values: list[Any]


class OpenWork(msgspec.Struct, frozen=True):
    """What is left to do of a match."""

    games: int  # that workers may take
    leases: int  # that workers have


class MatchRepository:
    """Loads, lists and changes matches."""

    def __init__(self, store: Store):
        self.store, self._names = store, store.names.match

    def create(self, match: Match, retry: Retry | None, answer: bytes, answer_seconds: int) -> None:
        """Store a new match, and the answer to its creation under the request's Idempotency-Key.

        Raises Answered or KeyReused, and then has created nothing; or Unconfirmed.
        """
        reply = self._run(
            "create",
            match.id,
            [self.store.answers.key(retry) if retry else self._names.hash_of(match.id)],
            retry.fingerprint if retry else "",
            answer,
            answer_seconds,
            int(match.created_at * 1e6),
            *(part for pair in records.encode_new(match).items() for part in pair),
            hosted=match.outside is not None,
        )
        _check_first(reply)

    def restore(self, match: Match, place: int, fields: Mapping[str, str], contents: Sequence[Content]) -> None:
        """Store a match that another store had, with all that belongs to it. Raises Conflict when it is there."""
        reply = self._run(
            "restore",
            match.id,
            self._result_keys(match),
            place,
            2 * len(fields),
            *(part for pair in fields.items() for part in pair),
            *(part for each in contents for part in (each.type, each.key, len(each.values), *each.values)),
            hosted=match.outside is not None,
        )
        if reply[0] == b"conflict":
            raise Conflict

    def hand_over(self, match: Match, holder: str, retry: Retry | None, answer: bytes, answer_seconds: int) -> bool:
        """Let another token change the match, or none. False when it is gone, or another request came first.

        Raises what `create` raises.
        """
        reply = self._run(
            "hand_over",
            match.id,
            [self.store.answers.key(retry) if retry else self._names.hash_of(match.id)],
            retry.fingerprint if retry else "",
            answer,
            answer_seconds,
            match.holder,
            holder,
            REVOKED_KEPT,
        )
        _check_first(reply)
        return reply[0] == b"done"

    def fetch(self, match_id: str, meter: Meter = UNMETERED) -> Match | None:
        """Return a match, or None. The caller's request is counted in the same round trip."""
        if not is_id(match_id):
            return None
        found = meter.ask(self.store.redis, ("HGETALL", self._names.hash_of(match_id)))
        return records.decode(match_id, found[0], found.epoch)

    def fetch_version(self, match_id: str, meter: Meter) -> tuple[int, str] | None:
        """Return the version and the epoch, which is all that a poll must know. None when there is no such match."""
        if not is_id(match_id):
            return None
        found = meter.ask(self.store.redis, ("HGET", self._names.hash_of(match_id), "version"))
        return None if found[0] is None else (int(found[0]), found.epoch)

    def listed(self, after: Place | None = None) -> Iterator[tuple[Place, Match]]:
        """Yield all matches with their places, the latest first, and take forgotten ones off the list."""
        partitions = self.store.names.partitions
        lists = [self._names.created(each) for each in partitions.all]
        for places in walk(self.store.redis, lists, after):
            hashes = self.store.redis.ask(*(("HGETALL", self._names.hash_of(match_id)) for _, match_id in places))
            dead = [match_id for (_, match_id), fields in zip(places, hashes) if not fields]
            if dead:
                leaving = [("ZREM", lists[partitions.of(match_id)], match_id) for match_id in dead]
                self.store.redis.ask(*leaving, optional=len(leaving))
            for place, fields, epoch in zip(places, hashes, hashes.epochs):
                match = records.decode(place[1], fields, epoch)
                if match is not None:
                    yield place, match

    def places(self) -> Iterator[str]:
        """Yield the ids of all matches, also of those that can't be read; one that was forgotten may be among them."""
        lists = [self._names.created(each) for each in self.store.names.partitions.all]
        for places in walk(self.store.redis, lists, None):
            yield from (match_id for _, match_id in places)

    def list_playable(self, partitions: Sequence[int]) -> list[str]:
        """Return the ids of the matches in some partitions that workers should play, as far as they are in reach."""
        return self._list([self._names.running(each) for each in partitions])

    def list_hosted(self, partitions: Sequence[int]) -> list[str]:
        """Return the ids of the matches in some partitions whose tables workers should look after, likewise."""
        return self._list([self._names.hosted(each) for each in partitions])

    def _list(self, names: Sequence[str]) -> list[str]:
        lists = [("ZRANGE", name, 0, -1) for name in names]
        found = self.store.redis.ask(*lists, optional=len(lists))
        return [member.decode() for members in found if not isinstance(members, RedisError) for member in members]

    def take_games(self, match_id: str, seconds: float, slices: int) -> GameRange | None:
        """Lease a range that can be played in that time, beside so many other slices. None when nothing is left."""
        holder = secrets.token_hex(6)
        reply = self._run("take", match_id, [], holder, _lease_end(), max(0.0, seconds), slices, FIRST_TAKE)
        if reply[0] != b"taken":
            return None
        series, first, last, raised, died = map(int, reply[1:])
        return GameRange(series, first, last, raised, died, holder)

    def renew_lease(self, match_id: str, held: GameRange) -> None:
        """Keep a range, unless another worker has taken it: the holder is part of what is renewed."""
        self.store.redis.ask(("ZADD", self._names.open_of(match_id), "XX", _lease_end(), held.member))

    def store_batch(self, match: Match, held: GameRange, batch: Batch) -> Stored:
        """Store the results of a batch and move its range on. Storing one twice changes nothing."""
        results: list[Any] = []
        for line_up, packed in enumerate(batch.results):
            results += [self._names.of_series(match.id, match_keys.GAMES, held.series, line_up), packed]
        reply = self._run(
            "merge",
            match.id,
            self._result_keys(match),
            held.series,
            held.first,
            batch.upto,
            held.last,
            held.raised,
            held.died,
            held.holder,
            _lease_end(),
            batch.outcome.value,
            batch.error,
            f"{batch.seconds_per_number:.9f}",
            len(batch.results),
            *results,
            *(part for each in batch.extras for part in (each.kind, each.key, each.number, each.value)),
        )
        word = reply[0].decode()
        if word == "lost":
            return Stored(is_lost=True)
        return Stored() if word == "over" else Stored(MatchStatus(word))

    def settle_series(self, match: Match, series: int, numbers: int) -> MatchStatus | None:
        """Note that so many numbers of a series give its verdict. Return the match's status, None if it is over."""
        reply = self._run(
            "decide", match.id, self._result_keys(match), series, numbers, hosted=match.outside is not None
        )
        word = reply[0].decode()
        return None if word == "over" else MatchStatus(word)

    def change_status(self, match: Match, status: MatchStatus) -> bool:
        """Pause, resume or cancel a match. False when it is over or gone by now. Raises Unconfirmed."""
        reply = self._run("alter", match.id, self._result_keys(match), status.value, hosted=match.outside is not None)
        return reply[0] == b"done"

    def seat(self, match: Match, most: int) -> list[str]:
        """Return the places of the games that are to be tables, up to so many. They are kept until they are folded."""
        reply = self._run("seat", match.id, self._result_keys(match), most, hosted=True)
        return [place.decode() for place in reply]

    def fold(self, match: Match, place: str, series: int, line_up: int, number: int, batch: Batch) -> Stored:
        """Store the result of a game that was a table. Storing one twice changes nothing."""
        reply = self._run(
            "fold",
            match.id,
            self._result_keys(match),
            place,
            series,
            number,
            self._names.of_series(match.id, match_keys.GAMES, series, line_up),
            batch.results[0],
            *(part for each in batch.extras for part in (each.kind, each.key, each.number, each.value)),
            hosted=True,
        )
        word = reply[0].decode()
        if word == "known":
            return Stored(is_lost=True)
        return Stored() if word == "over" else Stored(MatchStatus(word))

    def play_again(self, match: Match, place: str, following: str) -> bool:
        """Give up a table that its bot broke for the next attempt. False when another worker has, or it is over."""
        reply = self._run("again", match.id, self._result_keys(match), place, following, hosted=True)
        return reply[0] == b"done"

    def mind(self, match: Match, absences: Mapping[str, Absence], is_news: bool, pauses: bool) -> None:
        """Note which outside bots a match waits for."""
        told = msgspec.json.encode(absences)
        self._run("mind", match.id, self._result_keys(match), told, int(is_news), int(pauses), hosted=True)

    def strike_hosted(self, match_id: str) -> None:
        """Take a match that is gone off the list of those that have tables."""
        self.store.redis.ask(("ZREM", self._names.hosted(self.store.names.partitions.of(match_id)), match_id))

    def count_open(self, match_id: str) -> OpenWork:
        return OpenWork(*self._run("look", match_id, []))

    def note_difference(self, match: Match, place: str, detail: str, game_id: str) -> None:
        """Note that this release plays a game otherwise, and tell whoever waits for the game to be opened."""
        key = self._names.odd_of(match.id)
        self.store.redis.ask(
            ("HSET", key, place, detail),
            ("EXPIRE", key, match.keep_seconds),
            self.store.telling(self.store.names.topic(game_id), b"0"),
        )

    def delete(self, match: Match) -> None:
        names, partition = self._names, self.store.names.partitions.of(match.id)
        self.store.redis.ask(
            ("DEL", names.hash_of(match.id), names.open_of(match.id), *self._result_keys(match)),
            ("ZREM", names.created(partition), match.id),
            ("ZREM", names.running(partition), match.id),
            ("ZREM", names.hosted(partition), match.id),
            self.store.telling(names.hash_of(match.id), keys.DELETED),
        )

    def _result_keys(self, match: Match) -> list[str]:
        return self._names.of_results(match.id, len(match.series), len(match.plan.line_ups))

    def _run(self, act: str, match_id: str, results: Sequence[str], *args: Any, hosted: bool = False) -> Any:
        names, partition = self._names, self.store.names.partitions.of(match_id)
        fixed = [
            names.hash_of(match_id),
            names.open_of(match_id),
            names.hosted(partition) if hosted else names.running(partition),
            self.store.names.counters(partition),
            names.created(partition),
        ]
        now = records.encode_time(clock.now())
        return self.store.run(_SCRIPT, [*fixed, *results], [act, now, match_id, *args])


def _check_first(reply: Sequence[bytes]) -> None:
    """Check that the request is not one that was answered before. Raises Answered or KeyReused."""
    if reply[0] == b"seen":
        raise Answered(reply[1])
    if reply[0] == b"reused":
        raise KeyReused


def _lease_end() -> str:
    return records.encode_time(clock.now() + LEASE_SECONDS)
