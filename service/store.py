"""Games in Redis: read in one round trip, changed by one script.

game:{id}     hash: commit, layout, version, seq, record, about, rights, secret, card, seen (see `tables.py`)
events:{id}   list: the history, an event each, number seq - 1
answer:…      hash: what a request with an Idempotency-Key was answered, and for which request
due           sorted set: ids of games by the time when a worker should look after them
odds:{id}     hash: the crew's chance by version
advice:{id}:… what was asked, and the answer
tries:{id}    attempts at a bot's decision that came to nothing so far
games:STATUS  sorted set: ids of public games by the time they got there
alive:STATUS  sorted set: ids of all games by the time they expire
metrics       hash: counters (see `metrics.py`)
limit:… streams:…   see `limits.py`
match:…       see `matches/`
"""

import hashlib
import re
import secrets
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson
from redis.exceptions import NoScriptError

from service.config import Config
from service.redis_client import ANSWER_SECONDS, OLDEST, OLDEST_FOR_DISK, Client, Command

Wire = dict[str, Any]

STATUSES = ("waiting", "playing", "finished")
DUE = "due"
COUNTERS = "metrics"
KINDS = ("game", "events", "odds", "tries")  # of keys with a game's id
CHANGED = "changed:"  # + a game's id: the channel on which its new versions are told
MATCHES_TO_PLAY = "match:running"  # sorted set: ids of matches that workers should play
DELETED = b"deleted"  # told there instead of a version
_ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789"
ID_PATTERN = "([a-z0-9]{1,8}-)?[a-km-np-z2-9]{16}"


def new_id(cell: str = "") -> str:
    """80 bits of chance, easy to read out, after the cell that the game is in."""
    return f"{cell}-" * bool(cell) + "".join(secrets.choice(_ALPHABET) for _ in range(16))


def derived_id(cell: str, *words: str) -> str:
    """The same for the same words."""
    digest = hashlib.sha256(" ".join(words).encode()).digest()
    return f"{cell}-" * bool(cell) + "".join(_ALPHABET[byte % len(_ALPHABET)] for byte in digest[:16])


def is_id(text: str) -> bool:
    return re.fullmatch(ID_PATTERN, text) is not None


class Script:
    """Lua that Redis knows by its hash, or is sent."""

    def __init__(self, name: str):
        self.text = Path(__file__).with_name(name).read_text()
        self.sha = hashlib.sha1(self.text.encode()).hexdigest()


_COMMIT = Script("commit.lua")


class Conflict(Exception):
    """The game has another version than the change was made on."""


class Unconfirmed(Exception):
    """The change is made, but not yet as safe as the operator wants it to be before it is acknowledged."""


class Gone(Exception):
    """The game was deleted or forgotten in the meantime."""


class KeyReused(Exception):
    """The Idempotency-Key came before, with another request."""


class Answered(Exception):
    """The same request was answered before."""

    def __init__(self, answer: bytes):
        super().__init__()
        self.answer: Wire = orjson.loads(zlib.decompress(answer))


@dataclass(frozen=True)
class Retry:
    """An Idempotency-Key in the scope of its caller, and the request that it stands for."""

    key: str
    fingerprint: str

    @classmethod
    def of(cls, scope: str, key: str, *request: bytes | str) -> "Retry":
        parts = [part if isinstance(part, bytes) else part.encode() for part in request]
        return cls(_sha(scope.encode(), key.encode()), _sha(*parts))


def _sha(*parts: bytes) -> str:
    digest = hashlib.sha256()
    for part in parts:
        digest.update(len(part).to_bytes(8, "little") + part)
    return digest.hexdigest()


@dataclass
class Change:
    """What a commit writes."""

    game_id: str
    based_on: bytes | None  # the commit that made what was changed; None for a new game
    version: int
    fields: dict[str, Any]
    events: Sequence[bytes]
    status: str
    public: bool
    moved: bool  # into that status, just now
    due: float | None  # when a worker should look after it
    at: float
    answer: Wire = field(default_factory=dict)
    id: bytes = field(default_factory=lambda: secrets.token_bytes(8))  # by which one that is sent again is known


class Store:
    def __init__(self, client: Client, config: Config):
        self.redis = client
        self._config = config
        self._waiting = _waiting(config)

    @classmethod
    def connect(cls, config: Config, patience: float = ANSWER_SECONDS) -> "Store":
        return cls(Client.connect(config.redis_url, patience), config)

    def commit(self, change: Change, retry: Retry | None = None) -> None:
        """Raises Conflict, Gone, Answered or KeyReused, and then has changed nothing; or Unconfirmed."""
        fields = ["commit", change.id, *(part for name, value in change.fields.items() for part in (name, value))]
        finished = change.status == "finished"
        placed = ("in" if change.public else "out") if change.moved else "as before"
        reply = self.run(
            _COMMIT,
            keys=[
                f"game:{change.game_id}",
                f"events:{change.game_id}",
                f"answer:{retry.key}" if retry else "",
                DUE,
                COUNTERS,
                *(f"{index}:{status}" for status in STATUSES for index in ("games", "alive")),
            ],
            args=[
                change.based_on or "",
                change.version,
                retry.fingerprint if retry else "",
                zlib.compress(orjson.dumps(change.answer), 1) if retry else "",
                self._config.answer_seconds,
                self._config.finished_seconds if finished else self._config.idle_seconds,
                change.game_id,
                1 + STATUSES.index(change.status),
                placed,
                int(change.at * 1e6),
                "" if change.due is None else change.due,
                int(change.at),
                len(fields),
                *fields,
                *change.events,
            ],
        )
        word = reply[0]
        if word == b"seen":
            raise Answered(reply[1])
        if word == b"reused":
            raise KeyReused
        if word == b"gone":
            raise Gone
        if word == b"conflict":
            raise Conflict

    def remember(self, retry: Retry, answer: Wire) -> None:
        """For a request that changes no game."""
        key = f"answer:{retry.key}"
        with self.redis.pipeline() as pipeline:
            packed = zlib.compress(orjson.dumps(answer), 1)
            pipeline.hset(key, mapping={"fingerprint": retry.fingerprint, "answer": packed})
            pipeline.expire(key, self._config.answer_seconds)
            pipeline.execute()

    def run(self, script: Script, keys: Sequence[str], args: Sequence[Any]) -> Any:
        """What it answers, when its changes are as safe as they must be; raises Unconfirmed."""
        given = (len(keys), *keys, *args)
        try:
            reply, *waited = self.redis.ask(("EVALSHA", script.sha, *given), *self._waiting)
        except NoScriptError:
            reply, *waited = self.redis.ask(("EVAL", script.text, *given), *self._waiting)
        self._check_confirmed(waited)
        return reply

    def confirm(self, retry: Retry) -> None:
        """That what was answered before is safe. Raises Unconfirmed."""
        if self._waiting:  # which looks at what the same connection wrote last
            _, *waited = self.redis.ask(("EXPIRE", f"answer:{retry.key}", self._config.answer_seconds), *self._waiting)
            self._check_confirmed(waited)

    def _check_confirmed(self, waited: Sequence[Any]) -> None:
        for reply in waited:
            on_disk, replicas = reply if self._config.wait_disk else (0, reply)
            if on_disk < self._config.wait_disk or replicas < self._config.wait_replicas:
                raise Unconfirmed

    def require(self) -> None:
        """That Redis is there, new enough, and lets us wait if we must; raises RedisError."""
        self.redis.require(OLDEST_FOR_DISK if self._config.wait_disk else OLDEST)
        self.redis.ask(*self._waiting)

    @property
    def cell(self) -> str:
        return self._config.cell

    @property
    def most_behind(self) -> int:
        """Seconds that workers may be behind; 0 for any."""
        return self._config.max_queue_seconds

    @property
    def keep_seconds(self) -> int:
        """How long what belongs to a game is kept at the most."""
        return max(self._config.idle_seconds, self._config.finished_seconds)

    @staticmethod
    def asking_for_answer(retry: Retry) -> Command:
        return ("HMGET", f"answer:{retry.key}", "fingerprint", "answer")

    @staticmethod
    def check_answered(retry: Retry, stored: Sequence[bytes | None]) -> None:
        """Raises Answered or KeyReused."""
        fingerprint, answer = stored
        if fingerprint is not None:
            if fingerprint.decode() != retry.fingerprint or answer is None:
                raise KeyReused
            raise Answered(answer)

    def events(self, game_id: str, after: int, most: int) -> list[bytes]:
        found: Any = self.redis.lrange(f"events:{game_id}", after, after + most - 1)
        return list(found)

    def delete(self, game_id: str) -> None:
        with self.redis.pipeline() as pipeline:
            pipeline.delete(*(f"{kind}:{game_id}" for kind in KINDS))
            pipeline.zrem(DUE, game_id)
            for status in STATUSES:
                pipeline.zrem(f"games:{status}", game_id)
                pipeline.zrem(f"alive:{status}", game_id)
            pipeline.publish(CHANGED + game_id, DELETED)
            pipeline.execute()

    def listed(self, status: str, before: tuple[int, str] | None) -> Iterator[tuple[int, str, Wire]]:
        """Time, id and card of the public games of a status, the latest first. Forgotten ones leave the list."""
        name, batch = f"games:{status}", 100
        while True:
            highest: Any = "+inf" if before is None else before[0]
            found: Any = self.redis.zrevrangebyscore(name, highest, "-inf", 0, batch, withscores=True)
            with self.redis.pipeline(transaction=False) as pipeline:
                for member, _ in found:
                    pipeline.hget(f"game:{member.decode()}", "card")
                cards = pipeline.execute()
            dead = [member for (member, _), card in zip(found, cards) if card is None]
            if dead:
                self.redis.zrem(name, *dead)
            for (member, score), card in zip(found, cards):
                place = (int(score), member.decode())
                if card is not None and (before is None or place < before):
                    before = place
                    yield *place, orjson.loads(card)
            if len(found) < batch:
                return


def _waiting(config: Config) -> list[Command]:
    """What makes Redis wait until a change is safe: sent after it, on the same connection."""
    if config.wait_disk:
        return [("WAITAOF", 1, config.wait_replicas, config.wait_ms)]
    if config.wait_replicas:
        return [("WAIT", config.wait_replicas, config.wait_ms)]
    return []
