"""Games in Redis: read in one round trip, changed by one script.

game:{id}     hash: commit, version, seq, record, about, rights, secret, card, seen (see `games.py`)
events:{id}   list: the history, an event each, number seq - 1
answer:…      hash: what a request with an Idempotency-Key was answered, and for which request
due           sorted set: ids of games by the time when a worker should look after them
odds:{id}     hash: the crew's chance by version
advice:{id}:… what was asked, and the answer
tries:{id}    attempts at a bot's decision that came to nothing so far
games:STATUS  sorted set: ids of public games by the time they got there
limit:… streams:…   see `limits.py`
"""

import hashlib
import secrets
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson
from redis.exceptions import NoScriptError

from service.config import Config
from service.redis_client import ANSWER_SECONDS, Client, Command

Wire = dict[str, Any]

STATUSES = ("waiting", "playing", "finished")
DUE = "due"
KINDS = ("game", "events", "odds", "tries")  # of keys with a game's id
CHANGED = "changed:"  # + a game's id: the channel on which its new versions are told
DELETED = b"deleted"  # told there instead of a version
_COMMIT = Path(__file__).with_name("commit.lua").read_text()
_COMMIT_SHA = hashlib.sha1(_COMMIT.encode()).hexdigest()
_ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789"


def new_id() -> str:
    """80 bits of chance, easy to read out."""
    return "".join(secrets.choice(_ALPHABET) for _ in range(16))


def is_id(text: str) -> bool:
    return len(text) == 16 and set(text) <= set(_ALPHABET)


class Conflict(Exception):
    """The game has another version than the change was made on."""


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
    based_on: int | None  # version; None for a new game
    version: int
    fields: dict[str, Any]
    events: Sequence[bytes]
    status: str
    public: bool
    moved: bool  # into that status, just now
    due: float | None  # when a worker should look after it
    at: float
    answer: Wire = field(default_factory=dict)


class Store:
    def __init__(self, client: Client, config: Config):
        self.redis = client
        self._config = config

    @classmethod
    def connect(cls, config: Config, patience: float = ANSWER_SECONDS) -> "Store":
        return cls(Client.connect(config.redis_url, patience), config)

    def commit(self, change: Change, retry: Retry | None = None) -> None:
        """Raises Conflict, Gone, Answered or KeyReused, and then has changed nothing."""
        id_ = secrets.token_bytes(8)  # by which a commit that is sent again is known
        fields = ["commit", id_, *(part for name, value in change.fields.items() for part in (name, value))]
        finished = change.status == "finished"
        index = -1
        if change.moved:
            index = 1 + STATUSES.index(change.status) if change.public else 0
        reply = self._run(
            keys=[
                f"game:{change.game_id}",
                f"events:{change.game_id}",
                f"answer:{retry.key}" if retry else "",
                DUE,
                *(f"games:{status}" for status in STATUSES),
            ],
            args=[
                "" if change.based_on is None else change.based_on,
                change.version,
                retry.fingerprint if retry else "",
                zlib.compress(orjson.dumps(change.answer), 1) if retry else "",
                self._config.answer_seconds,
                self._config.finished_seconds if finished else self._config.idle_seconds,
                change.game_id,
                index,
                int(change.at * 1e6),
                "" if change.due is None else change.due,
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

    def _run(self, keys: Sequence[str], args: Sequence[Any]) -> Any:
        given = (len(keys), *keys, *args)
        try:
            return self.redis.ask(("EVALSHA", _COMMIT_SHA, *given))[0]
        except NoScriptError:
            return self.redis.ask(("EVAL", _COMMIT, *given))[0]

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

    def fields(self, game_id: str, names: Sequence[str]) -> list[bytes | None]:
        found: Any = self.redis.hmget(f"game:{game_id}", list(names))
        return list(found)

    def events(self, game_id: str, after: int, most: int) -> list[bytes]:
        found: Any = self.redis.lrange(f"events:{game_id}", after, after + most - 1)
        return list(found)

    def delete(self, game_id: str) -> None:
        with self.redis.pipeline() as pipeline:
            pipeline.delete(*(f"{kind}:{game_id}" for kind in KINDS))
            pipeline.zrem(DUE, game_id)
            for status in STATUSES:
                pipeline.zrem(f"games:{status}", game_id)
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
