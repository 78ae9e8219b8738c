"""Tell whether an outside bot is there to decide, and what it has been asked."""

import time
from weakref import WeakKeyDictionary

from msgspec import Struct

from service.accounts.model import RUNNING
from service.store import keys
from service.store.redis_client import Command
from service.store.store import Store

KNOWN_SECONDS = 0.3  # that whoever was there is taken to be there
CONNECTED_SECONDS = 8  # that a connection counts without a word of it
BACK_SECONDS = 3  # after its end, in which the bot may be back
_MOST_KNOWN = 1000
_known: WeakKeyDictionary[Store, dict[str, float]] = WeakKeyDictionary()


class Entry(Struct, frozen=True):
    """What is noted of a decision: since when it is open, since when the bot knows of it (0: it does not), and how many
    answers to it were illegal. Of a game that is played for a match, also which version of the bot is asked."""

    since: float
    sent: float = 0.0
    illegal: int = 0
    version: str | None = None

    @classmethod
    def read(cls, stored: bytes) -> "Entry":
        since, sent, illegal, *version = stored.split(b" ", 3)
        return cls(float(since), float(sent), int(illegal), version[0].decode() if version else None)

    def written(self) -> str:
        version = f" {self.version}" if self.version is not None else ""
        return f"{self.since:.3f} {self.sent:.3f} {self.illegal}{version}"

    @property
    def is_for_match(self) -> bool:
        return self.version is not None


def asking(name: str) -> list[Command]:
    """Return the commands that read whether a bot is there to decide."""
    return [("GET", keys.connection(name)), ("HGET", keys.account(name), "pause")]


def read(connection: bytes | None, pause: bytes | None) -> bool:
    return connection is not None and pause == RUNNING.encode()


def is_playing(store: Store, name: str) -> bool:
    """Return whether a bot is there to decide, as of a moment ago."""
    known, now = _known.setdefault(store, {}), time.monotonic()
    if now < known.get(name, 0.0):
        return True
    if not read(*store.redis.ask(*asking(name))):
        return False
    if len(known) > _MOST_KNOWN:
        known.clear()
    known[name] = now + KNOWN_SECONDS
    return True
