"""The connection of an outside bot: the newest one counts, and it must be heard of every few seconds."""

import secrets
from typing import Any

from service.accounts import accounts
from service.accounts.presence import BACK_SECONDS, CONNECTED_SECONDS
from service.store import keys
from service.store.redis_client import Command
from service.store.store import Store

RENEW_SECONDS = 3.0

# KEYS 1 the connection that counts  ARGV 1 this one  2 seconds
_RENEW = """
local newest = redis.call("GET", KEYS[1])
if newest and newest ~= ARGV[1] then return 0 end
redis.call("SET", KEYS[1], ARGV[1], "EX", ARGV[2])
return 1
"""
_LEAVE = 'if redis.call("GET", KEYS[1]) == ARGV[1] then redis.call("EXPIRE", KEYS[1], ARGV[2]) end'


class Connection:
    """One of the connections that a bot may have opened."""

    def __init__(self, store: Store, name: str):
        self._store, self._name, self._id = store, name, secrets.token_hex(8)

    def open(self) -> None:
        """Take the place of the connection before."""
        self._store.redis.ask(
            ("SET", keys.connection(self._name), self._id, "EX", CONNECTED_SECONDS),
            *accounts.touch(self._store, self._name),
            self._store.telling(keys.account(self._name), 0),
        )

    def renewing(self) -> Command:
        """Return the command that renews it; its reply is whether this is still the newest."""
        return ("EVAL", _RENEW, 1, keys.connection(self._name), self._id, CONNECTED_SECONDS)

    def leave(self, seconds: Any = BACK_SECONDS) -> None:
        """End it. For some seconds the bot is taken to be back in a moment."""
        self._store.redis.ask(("EVAL", _LEAVE, 1, keys.connection(self._name), self._id, seconds))
