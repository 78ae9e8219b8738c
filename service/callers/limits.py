"""Limit what one caller may ask for: requests in a window of time, milliseconds of work, and streams open at once.

All is counted in the round trip that reads the game. A token that the game knows counts by itself, and all tokens of an
address together may do ten times as much; whoever shows no such token counts by address. So made-up tokens win nothing.
"""

import secrets
from dataclasses import dataclass, field
from typing import Any

from redis.exceptions import RedisError

from service import clock
from service.callers.origin import DIGITS
from service.config import NO_LIMIT, Limit
from service.refusals import Problem
from service.store import keys
from service.store.redis_client import Client, Command, Replies

STREAM_LEASE_SECONDS = 30  # a stream that does not report for so long is closed
TOKENS_OF_AN_ADDRESS = 10  # so many times the allowance of one have all of them together
PNG_MS, FORK_MS, PAST_MS, LIST_MS = 150, 40, 30, 4  # what they take of a processor
ROWS_A_MS = 50  # of a table of games
_SLACK = 1  # seconds that a counter outlives its window
_MOST_KNOWN = 20_000
_known: set[str] = set()  # the counters of tokens that their games knew in this window

# KEYS 1 the game  2 the token's counter  3 that of all tokens at its address  4 that of its address without tokens; the
# last two are left out on a cluster, where they are elsewhere: who counts there does so afterwards
# ARGV 1 the token's hash  2 seconds
_COUNT = """
local function count(key)
  if not key then return 0 end
  local used = redis.call("INCR", key)
  redis.call("EXPIRE", key, ARGV[2])
  return used
end
local rights = redis.call("HGET", KEYS[1], "rights")
if not (rights and string.find(rights, ARGV[1], 1, true)) then return {0, count(KEYS[4])} end
return {count(KEYS[2]), count(KEYS[3])}
"""
# KEYS 1 what is spent in this window  2 in the one before  ARGV 1 what this costs  2 the limit  3 seconds
_SPEND = """
local most = tonumber(ARGV[2])
local spent = tonumber(redis.call("GET", KEYS[1]) or 0)
spent = spent + math.max(0, tonumber(redis.call("GET", KEYS[2]) or 0) - most)
if spent < most then
  redis.call("INCRBY", KEYS[1], ARGV[1])
  redis.call("EXPIRE", KEYS[1], ARGV[3])
end
return spent
"""


def work_key(client: Client, caller: str, limit: Limit, windows_ago: int = 0) -> str:
    """Return the key under which the milliseconds of work are added up that a caller causes in the window of now.

    `caller` is a hash of `origin.py`: `Table.creator` for what workers do in a game, `Caller.origin` for a question.
    """
    return client.names.work(caller, int(clock.now()) // limit.seconds - windows_ago)


def work_seconds(limit: Limit) -> int:
    """Return how long such a key must live: for two windows, since whoever overdraws one pays in the next."""
    return 2 * limit.seconds + _SLACK


@dataclass
class Work:
    """What a caller costs in milliseconds of a processor, here and in workers. Who overdraws a window pays in the next.

    Nobody knows before what a bot will cost, so the last one in a window may cost more than was left.
    """

    who: str = ""  # the API key, else the address, hashed
    limit: Limit = NO_LIMIT
    cost: int | None = None  # of this request; 0 to ask only for the debt, None for neither
    spent: int = 0  # before this request
    _sent: int | None = None

    def commands(self, client: Client) -> list[Command]:
        if not (self.limit.requests and self.cost != self._sent and self.cost is not None):
            return []
        self._sent = self.cost
        windows = (work_key(client, self.who, self.limit, ago) for ago in (0, 1))
        return [("EVAL", _SPEND, 2, *windows, self.cost, self.limit.requests, work_seconds(self.limit))]

    def read(self, spent: int) -> None:
        self.spent = spent
        if self.cost:
            self.check()

    @property
    def in_debt(self) -> bool:
        return bool(self.limit.requests) and self.spent >= self.limit.requests

    def check(self) -> None:
        """Refuse whoever is in debt."""
        if self.in_debt:
            detail = (
                f"Bots, forks, pictures and tables for you took {self.spent / 1000:.1f} seconds of a processor; there "
                f"are {self.limit.requests / 1000:g} in {self.limit.seconds} seconds."
            )
            raise Problem("too_much_work", detail, retry_seconds=_left_of(self.limit), policy="work")

    def look(self, client: Client) -> None:
        """Read the debt in a round trip of its own."""
        self.cost = 0
        for spent in client.ask(*self.commands(client)):
            self.read(spent)


def _left_of(limit: Limit) -> int:
    """Return the seconds until the window ends."""
    return limit.seconds - int(clock.now()) % limit.seconds


def _remember(counter: str) -> None:
    if len(_known) >= _MOST_KNOWN:
        _known.clear()
    _known.add(counter)


@dataclass
class Meter:
    """One caller's use of one kind of request."""

    name: str
    limit: Limit
    address: str  # hashed
    token: str = ""  # the hash of the one that was shown to a game
    work: Work = field(default_factory=Work)
    left: int | None = None  # after this request, which counts once however often it reads the game
    _own: str = ""  # the token's counter
    _shared: str = ""  # that of all tokens at its address
    _alone: str = ""  # that of its address without tokens

    @property
    def who(self) -> str:
        return self.token[:DIGITS] or self.address

    def ask(self, client: Client, *commands: Command, game_id: str = "") -> Replies:
        """Send commands, and count this request in the same round trip; refuse it when it is one too many.

        A store that takes no writes counts nothing, and can be read.
        """
        counting = self._commands(client, game_id) if self.limit.requests and self.left is None else []
        spending = self.work.commands(client)
        first = counting + spending or client.probe()
        found = client.ask(*first, *commands, optional=len(first))
        if counting and not any(isinstance(reply, RedisError) for reply in found[: len(counting)]):
            self._read(client, found[: len(counting)])
        if spending and not isinstance(found[len(counting)], RedisError):
            self.work.read(found[len(counting)])
        return found.without(len(first))

    def now(self, client: Client) -> None:
        """Count the request in a round trip of its own."""
        self.ask(client)

    def _commands(self, client: Client, game_id: str) -> list[Command]:
        """Return what counts this request. A token is looked up in its game once a window; from then on its counters
        exist, and they expire by themselves."""
        window, seconds = int(clock.now()) // self.limit.seconds, self.limit.seconds + _SLACK
        self._alone = keys.requests(self.name, self.address, window)
        if not (self.token and game_id):
            return _counting(self._alone, seconds)
        self._own = client.names.requests_with(self.name, self.who, window, game_id)
        self._shared = keys.requests_with_tokens(self.name, self.address, window)
        if self._own in _known:
            return [("INCR", self._own), ("INCR", self._shared)]
        counted = [client.names.game(game_id), self._own]
        counted += [self._shared, self._alone] if client.is_one_slot else []
        return [("EVAL", _COUNT, len(counted), *counted, self.token, seconds)]

    def _read(self, client: Client, replies: list[Any]) -> None:
        most = self.limit.requests
        if not self._own:
            used, used_by_all = replies[0], 0
        elif len(replies) > 1:
            used, used_by_all = replies
            if 1 in replies:  # the store had lost a counter, and the new one would never end
                seconds = self.limit.seconds + _SLACK
                client.ask(("EXPIRE", self._own, seconds), ("EXPIRE", self._shared, seconds), optional=2)
        else:
            used, used_by_all = replies[0]
            if not client.is_one_slot:
                elsewhere = self._shared if used else self._alone
                counted = client.ask(*_counting(elsewhere, self.limit.seconds + _SLACK), optional=2)[0]
                used_by_all = 0 if isinstance(counted, RedisError) else counted
            if used:
                _remember(self._own)
            else:
                used, used_by_all = used_by_all, 0
        left = min(most - used, TOKENS_OF_AN_ADDRESS * most - used_by_all)
        self.left = max(0, left)
        if left < 0:
            whose = "" if used > most else ", ten times as many from one address"
            detail = f"At most {most} of this kind in {self.limit.seconds} seconds{whose}."
            raise Problem("too_many_requests", detail, retry_seconds=_left_of(self.limit), policy=self.name)

    def headers(self) -> dict[str, str]:
        if not self.limit.requests:
            return {}
        left = self.limit.requests if self.left is None else self.left
        return {
            "RateLimit-Policy": f'"{self.name}";q={self.limit.requests};w={self.limit.seconds}',
            "RateLimit": f'"{self.name}";r={left};t={_left_of(self.limit)}',
        }


def _counting(counter: str, seconds: int) -> list[Command]:
    return [("INCR", counter), ("EXPIRE", counter, seconds)]


UNMETERED = Meter("", NO_LIMIT, "")


class StreamLease:
    """A place among the streams that a caller may have open. It expires when nobody renews it."""

    def __init__(self, client: Client, who: str, most: int):
        self._redis, self._key, self._id = client, keys.streams(who), secrets.token_hex(8)
        open_now = self._write(
            ("ZREMRANGEBYSCORE", self._key, "-inf", clock.now()), *self._renewing(), ("ZCARD", self._key)
        )[-1]
        if open_now > most:
            self.end()
            raise Problem("too_many_streams", f"At most {most} at once.", retry_seconds=5, policy="streams")

    def _renewing(self) -> list[Command]:
        self._renewed = clock.now()
        ends = self._renewed + STREAM_LEASE_SECONDS
        return [("ZADD", self._key, ends, self._id), ("EXPIRE", self._key, STREAM_LEASE_SECONDS)]

    def renew(self) -> None:
        if clock.now() - self._renewed > STREAM_LEASE_SECONDS / 3:
            self._write(*self._renewing())

    def end(self) -> None:
        self._write(("ZREM", self._key, self._id))

    def _write(self, *commands: Command) -> Replies:
        """Write the lease; while the store takes no writes, streams go on uncounted."""
        return self._redis.ask(*commands, optional=len(commands))
