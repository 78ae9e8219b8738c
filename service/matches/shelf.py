"""Matches in Redis, changed by one script."""

import secrets
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import orjson

from service import clock
from service.config import Config
from service.limits import UNMETERED, Meter
from service.matches import keys
from service.matches.plan import Plan
from service.store import CHANGED, COUNTERS, DELETED, MATCHES_TO_PLAY, Answered, KeyReused, Retry, Script, Store, is_id

Wire = dict[str, Any]

QUEUED, RUNNING, PAUSED, FINISHED, CANCELLED, FAILED = STATES = (
    "queued", "running", "paused", "finished", "cancelled", "failed",
)  # fmt: skip
OVER = (FINISHED, CANCELLED, FAILED)
LEASE_SECONDS = 5.0  # that a worker has a range of games without a word from him
FIRST_TAKE = 16  # games, where nobody knows how long one takes
_SCRIPT = Script("matches.lua")


@dataclass(frozen=True)
class Match:
    """A match as it is stored, without its results."""

    id: str
    plan: Plan
    facts: dict[str, str]  # the other fields of its hash
    epoch: str

    @classmethod
    def new(cls, match_id: str, plan: Plan, config: Config, epoch: str) -> "Match":
        now = f"{clock.now():.3f}"
        facts: Wire = {
            "keep": config.match_keep_seconds,
            "games": plan.games,
            "series": len(plan.gnomes),
            "played": 0,
            "version": 1,
            "created": now,
            "changed": now,
            "ran": 0,
            "state": QUEUED,
            **{f"next:{number}": 0 for number in range(len(plan.gnomes))},
        }
        return cls(match_id, plan, {name: str(value) for name, value in facts.items()}, epoch)

    @property
    def version(self) -> int:
        return int(self.facts["version"])

    @property
    def state(self) -> str:
        return self.facts["state"]

    @property
    def is_over(self) -> bool:
        return self.state in OVER

    def number(self, name: str) -> float:
        return float(self.facts.get(name) or 0)


@dataclass(frozen=True)
class Range:
    """Games that a worker has taken: from `first` to before `last`."""

    series: int
    first: int
    last: int
    raised: int
    died: int
    holder: str

    @property
    def member(self) -> str:
        return f"{self.series}:{self.first}:{self.last}:{self.raised}:{self.died}:{self.holder}"


@dataclass
class Played:
    """What became of a range, or of its beginning."""

    upto: int
    outcome: str = "on"  # goes on; "back": somebody else shall; "raised": the game at `upto` did
    error: str = ""
    pace: float = 0.0  # seconds a number
    results: list[bytes] = field(default_factory=list)  # of each line-up
    extras: list[tuple[str, str, int, bytes]] = field(default_factory=list)  # kind of key, key, number, value


class Shelf:
    def __init__(self, store: Store):
        self.store = store

    def _act(self, what: str, match_id: str, results: Sequence[str], *args: Any) -> Any:
        fixed = [keys.hash_of(match_id), keys.open_of(match_id), MATCHES_TO_PLAY, COUNTERS, keys.LIST]
        return self.store.run(_SCRIPT, [*fixed, *results], [what, f"{clock.now():.3f}", match_id, *args])

    def create(self, match: Match, holder: str, retry: Retry | None, answer: bytes, answer_seconds: int) -> None:
        """Whoever has the token with that hash may change it. Raises Answered or KeyReused, and then has created
        nothing; or Unconfirmed."""
        fields = match.facts | {"plan": orjson.dumps(match.plan.to_dict()), "holder": holder}
        reply = self._act(
            "create",
            match.id,
            [f"answer:{retry.key}" if retry else ""],
            retry.fingerprint if retry else "",
            answer,
            answer_seconds,
            int(match.number("created") * 1e6),
            *(part for pair in fields.items() for part in pair),
        )
        if reply[0] == b"seen":
            raise Answered(reply[1])
        if reply[0] == b"reused":
            raise KeyReused

    def fetch(self, match_id: str, meter: Meter = UNMETERED) -> Match | None:
        """Whoever asks is counted in the same round trip."""
        if not is_id(match_id):
            return None
        commands = meter.commands()
        found = self.store.redis.ask(*commands, ("HGETALL", keys.hash_of(match_id)), optional=meter.sent)
        meter.read(found)
        return _match(match_id, found[0], found.epoch)

    def take(self, match_id: str, seconds: float, lanes: int) -> Range | None:
        """A range to play, as long as there is time for. None when there is nothing to play, for now or ever."""
        holder = secrets.token_hex(6)
        until = f"{clock.now() + LEASE_SECONDS:.3f}"
        reply = self._act("take", match_id, [], holder, until, max(0.0, seconds), lanes, FIRST_TAKE)
        if reply[0] != b"taken":
            return None
        series, first, last, raised, died = map(int, reply[1:])
        return Range(series, first, last, raised, died, holder)

    def renew(self, match_id: str, held: Range) -> None:
        until = f"{clock.now() + LEASE_SECONDS:.3f}"
        self.store.redis.zadd(keys.open_of(match_id), {held.member: until}, xx=True)

    def merge(self, match: Match, held: Range, played: Played) -> str:
        """The state that the match is in now; "over" when there is nothing to merge into, "lost" when the range is
        another's by now."""
        lines: list[Any] = []
        for number, results in enumerate(played.results):
            lines += [keys.of_series(match.id, keys.GAMES, held.series, number), results]
        reply = self._act(
            "merge",
            match.id,
            keys.of_results(match.id, match.plan),
            held.series,
            held.first,
            played.upto,
            held.last,
            held.raised,
            held.died,
            held.holder,
            f"{clock.now() + LEASE_SECONDS:.3f}",
            played.outcome,
            played.error,
            f"{played.pace:.9f}",
            len(played.results),
            *lines,
            *(part for extra in played.extras for part in extra),
        )
        return str(reply[0].decode())

    def decide(self, match: Match, series: int, games: int) -> str:
        """So many games of a series settle what was asked: the others need not be played."""
        reply = self._act("decide", match.id, keys.of_results(match.id, match.plan), series, games)
        return str(reply[0].decode())

    def alter(self, match: Match, state: str) -> str:
        """`done`, `gone`, or `over`."""
        reply = self._act("alter", match.id, keys.of_results(match.id, match.plan), state)
        return str(reply[0].decode())

    def look(self, match_id: str) -> tuple[int, int]:
        """How many games may be taken, and how many ranges are being played."""
        games, held = self._act("look", match_id, [])
        return games, held

    def note_odd(self, match: Match, place: str, words: str, game_id: str) -> None:
        """That game is not what it was. Whoever waits for it hears of it."""
        with self.store.redis.pipeline() as pipeline:
            pipeline.hset(keys.odd_of(match.id), place, words)
            pipeline.expire(keys.odd_of(match.id), int(match.number("keep")))
            pipeline.publish(CHANGED + game_id, b"0")
            pipeline.execute()

    def delete(self, match: Match) -> None:
        with self.store.redis.pipeline() as pipeline:
            pipeline.delete(keys.hash_of(match.id), keys.open_of(match.id), *keys.of_results(match.id, match.plan))
            pipeline.zrem(keys.LIST, match.id)
            pipeline.zrem(MATCHES_TO_PLAY, match.id)
            pipeline.publish(CHANGED + keys.channel_of(match.id), DELETED)
            pipeline.execute()

    def listed(self, before: tuple[int, str] | None, batch: int = 100) -> Iterator[tuple[int, Match]]:
        """All matches, the latest first, with their places. Forgotten ones leave the list."""
        while True:
            highest: Any = "+inf" if before is None else before[0]
            found: Any = self.store.redis.zrevrangebyscore(keys.LIST, highest, "-inf", 0, batch, withscores=True)
            hashes = self.store.redis.ask(*(("HGETALL", keys.hash_of(member.decode())) for member, _ in found))
            dead = [member for (member, _), fields in zip(found, hashes) if not fields]
            if dead:
                self.store.redis.zrem(keys.LIST, *dead)
            for (member, score), fields in zip(found, hashes):
                place = (int(score), member.decode())
                match = _match(place[1], fields, hashes.epoch)
                if match is not None and (before is None or place < before):
                    before = place
                    yield int(score), match
            if len(found) < batch:
                return

    def to_play(self) -> list[str]:
        found: Any = self.store.redis.zrange(MATCHES_TO_PLAY, 0, -1)
        return [member.decode() for member in found]


def _match(match_id: str, stored: Sequence[bytes], epoch: str) -> Match | None:
    """Of the fields of its hash and their values, by turns."""
    fields = {name.decode(): value for name, value in zip(stored[::2], stored[1::2], strict=True)}
    if not fields:
        return None
    plan = Plan(**orjson.loads(fields.pop("plan")))
    return Match(match_id, plan, {name: value.decode() for name, value in fields.items()}, epoch)
