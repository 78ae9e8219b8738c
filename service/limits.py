"""How much one caller may ask for: requests in a window of time, and streams open at once.

The counting rides in the round trip that reads the game: two small commands, no script.
"""

import secrets
import time
from dataclasses import dataclass
from typing import Any

from redis.exceptions import RedisError

from service.config import Limit
from service.errors import Problem
from service.redis_client import Client, Command, is_full

STREAM_LEASE_SECONDS = 30  # a stream that does not report for so long is closed
_SLACK = 1  # seconds that a counter outlives its window


@dataclass
class Meter:
    """One caller's use of one kind of request."""

    name: str
    limit: Limit
    who: str
    used: int = 0  # with this request, which counts once however often it reads the game
    _counting: bool = False

    def commands(self) -> list[Command]:
        """What counts this request, to be sent before the others of a round trip."""
        self._counting = bool(self.limit.requests) and not self.used
        if not self._counting:
            return []
        key = f"limit:{self.name}:{self.who}:{int(time.time()) // self.limit.seconds}"
        return [("INCR", key), ("EXPIRE", key, self.limit.seconds + _SLACK)]

    @property
    def sent(self) -> int:
        """How many commands those were. They may fail, where others still read."""
        return 2 if self._counting else 0

    def read(self, results: list[Any]) -> None:
        """Takes its results off the front; raises a Problem when it is too much."""
        if self._counting:
            counted, _ = results.pop(0), results.pop(0)
            if isinstance(counted, RedisError) and not is_full(counted):
                raise counted
            self.used = 1 if isinstance(counted, RedisError) else counted
            if self.used > self.limit.requests:
                detail = f"At most {self.limit.requests} of this kind in {self.limit.seconds} seconds."
                raise Problem("too_many_requests", detail, headers={"Retry-After": str(self.reset)})

    def now(self, client: Client) -> None:
        """Counts in a round trip of its own."""
        commands = self.commands()
        self.read(client.ask(*commands, optional=self.sent))

    @property
    def reset(self) -> int:
        """Seconds until the window ends."""
        return self.limit.seconds - int(time.time()) % self.limit.seconds

    def headers(self) -> dict[str, str]:
        if not self.limit.requests:
            return {}
        left = max(0, self.limit.requests - self.used)
        return {
            "RateLimit-Policy": f'"{self.name}";q={self.limit.requests};w={self.limit.seconds}',
            "RateLimit": f'"{self.name}";r={left};t={self.reset}',
        }


UNMETERED = Meter("", Limit(0, 1), "")


class StreamLease:
    """A place among the streams that a caller may have open. It ends by itself when nobody renews it."""

    def __init__(self, client: Client, who: str, most: int):
        self._redis, self._key, self._id = client, f"streams:{who}", secrets.token_hex(8)
        now = time.time()
        with client.pipeline() as pipeline:
            pipeline.zremrangebyscore(self._key, "-inf", now)
            pipeline.zadd(self._key, {self._id: now + STREAM_LEASE_SECONDS})
            pipeline.zcard(self._key)
            pipeline.expire(self._key, STREAM_LEASE_SECONDS)
            open_now = pipeline.execute()[2]
        self._renewed = now
        if open_now > most:
            self.end()
            raise Problem("too_many_streams", f"At most {most} at once.", headers={"Retry-After": "5"})

    def renew(self) -> None:
        now = time.time()
        if now - self._renewed > STREAM_LEASE_SECONDS / 3:
            self._renewed = now
            with self._redis.pipeline() as pipeline:
                pipeline.zadd(self._key, {self._id: now + STREAM_LEASE_SECONDS})
                pipeline.expire(self._key, STREAM_LEASE_SECONDS)
                pipeline.execute()

    def end(self) -> None:
        self._redis.zrem(self._key, self._id)
