"""Keep answers to requests with an Idempotency-Key, so that whoever sends one again is answered as before."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from service.store.ids import new_id
from service.store.redis_client import Client, Command


class KeyReused(Exception):
    """Raised when the Idempotency-Key came before, with another request."""


class Answered(Exception):
    """Raised when the same request was answered before; it carries what was stored of the answer."""

    def __init__(self, stored: bytes):
        super().__init__()
        self.stored = stored


@dataclass(frozen=True)
class Retry:
    """An Idempotency-Key in the scope of its caller, and the request that it stands for."""

    key: str
    fingerprint: str
    about: str = ""  # the id of the game or match that the request changes, "" where it makes one

    @classmethod
    def of(cls, scope: str, key: str, *request: bytes | str, about: str = "") -> "Retry":
        parts = [part if isinstance(part, bytes) else part.encode() for part in request]
        return cls(_sha(scope.encode(), key.encode()), _sha(*parts), about)


def _sha(*parts: bytes) -> str:
    digest = hashlib.sha256()
    for part in parts:
        digest.update(len(part).to_bytes(8, "little") + part)
    return digest.hexdigest()


class Answers:
    """The answers that are stored, for so many seconds each."""

    def __init__(self, client: Client, seconds: int):
        self._redis, self._names, self.seconds = client, client.names, seconds

    def key(self, retry: Retry) -> str:
        """Return where the answer to a request is: beside what it changes, so that one script changes both."""
        return self._names.answer(self._home(retry), retry.key)

    def _home(self, retry: Retry) -> int:
        """Return the partition of what a request changes. What it makes is in that of its key: whoever repeats the
        request finds it there."""
        partitions = self._names.partitions
        return partitions.of(retry.about) if retry.about else partitions.of_digest(retry.key)

    def new_id(self, retry: Retry | None) -> str:
        """Return an id for what a request makes."""
        made = new_id()
        return made if retry is None else self._names.partitions.placed(made, self._home(retry))

    def asking(self, retry: Retry) -> Command:
        return ("HMGET", self.key(retry), "fingerprint", "answer")

    @staticmethod
    def check(retry: Retry, stored: Sequence[bytes | None]) -> None:
        """Check whether the request was answered before. Raises Answered or KeyReused."""
        fingerprint, answer = stored
        if fingerprint is not None:
            if fingerprint.decode() != retry.fingerprint or answer is None:
                raise KeyReused
            raise Answered(answer)

    def keeping(self, retry: Retry) -> Command:
        """Return the command that writes to an answer, and keeps it as long as a new one."""
        return ("EXPIRE", self.key(retry), self.seconds)

    def remember(self, retry: Retry, answer: bytes) -> None:
        """Store the answer to a request that changes no game."""
        self._redis.ask(
            ("HSET", self.key(retry), "fingerprint", retry.fingerprint, "answer", answer), self.keeping(retry)
        )
