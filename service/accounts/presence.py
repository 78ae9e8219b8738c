"""Tell whether an outside bot is there to decide."""

import time
from weakref import WeakKeyDictionary

from service.accounts.model import RUNNING
from service.store import keys
from service.store.redis_client import Command
from service.store.store import Store

KNOWN_SECONDS = 0.3  # that whoever was there is taken to be there
CONNECTED_SECONDS = 8  # that a connection counts without a word of it
BACK_SECONDS = 3  # after its end, in which the bot may be back
_MOST_KNOWN = 1000
_known: WeakKeyDictionary[Store, dict[str, float]] = WeakKeyDictionary()


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
