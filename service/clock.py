"""Tell the time that all processes share: that of Redis, without its jumps.

Deadlines, leases and ages are compared by processes on several machines, whose clocks differ. So the time is Redis',
plus an offset that is kept there and takes back every jump of Redis' clock (`Keeper`). Between two readings a process
counts on with its own monotonic clock, and it believes no jump at once: somebody will take it back in a moment. Before
the first reading it knows no time at all, since its own clock may be wrong by hours.
"""

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from redis.exceptions import RedisError

log = logging.getLogger(__name__)

OFFSET = "clock:offset"  # seconds, beside Redis' own time
READ_SECONDS = 1.0  # between readings
JUMP_SECONDS = 2.0  # by which a clock is not just inexact
DOUBT_SECONDS = 5.0  # after which a jump that nobody took back is believed

# The offset is replaced only by whoever has read the present one: of two who saw the same jump one takes it back.
_REPLACE = """
if (redis.call("GET", KEYS[1]) or "0") ~= ARGV[1] then return 0 end
redis.call("SET", KEYS[1], ARGV[2])
return 1
"""


class _Shared:
    """What this process and its forks know about the shared time."""

    def __init__(self) -> None:
        self.client: Any = None
        self.base: float | None = None  # the shared time less our monotonic one
        self.offset = 0.0
        self.read_at = 0.0
        self.doubted_at: float | None = None

    def read(self) -> float:
        """Read the time of Redis, and return the base by which to count on. Raises RedisError as `now` does."""
        began = self.read_at = time.monotonic()  # set first: others need not read meanwhile
        try:
            theirs, offset = reading(self.client)
        except RedisError as error:
            if self.base is None:
                raise
            log.debug("the time of Redis can't be read, ours goes on: %s", error)
            return self.base
        base = theirs + float(offset) - (began + time.monotonic()) / 2
        if self.base is not None and abs(base - self.base) > JUMP_SECONDS:
            self.doubted_at = self.doubted_at or began
            if began - self.doubted_at < DOUBT_SECONDS:
                return self.base
        self.base, self.offset, self.doubted_at = base, float(offset), None
        return base


_shared = _Shared()


def follow(client: Any) -> None:
    """Follow the time of that Redis from now on."""
    _shared.client, _shared.base, _shared.offset, _shared.doubted_at = client, None, 0.0, None
    _shared.read_at = -READ_SECONDS


@contextmanager
def unshared() -> Iterator[None]:
    """Follow no Redis for a while: what is written then is the same on each machine."""
    global _shared  # noqa: PLW0603
    before, _shared = _shared, _Shared()
    try:
        yield
    finally:
        _shared = before


def now() -> float:
    """Return the time. Raises RedisError as long as a Redis that is followed could not be read once."""
    if _shared.client is None:
        return time.time()
    base = _shared.base
    if base is None or time.monotonic() - _shared.read_at > READ_SECONDS:
        base = _shared.read()
    return time.monotonic() + base


def on_the_wall(at: float) -> float:
    """Return the same moment by Redis' clock as it is, for people, who have clocks of their own."""
    return at - _shared.offset


def reading(client: Any) -> tuple[float, str]:
    """Return the time of Redis, and the offset as it is stored. A cluster is given up soon where that part is lost."""
    told, offset = client.ask(("TIME",), ("GET", OFFSET), optional=2)
    if isinstance(told, RedisError):
        raise told
    seconds, micros = told
    return int(seconds) + int(micros) / 1e6, (offset or b"0").decode()


class Keeper:
    """Takes the jumps of Redis' clock back, measured against the monotonic clock of this process.

    Of several one leads. Whoever does not only looks: their own clock may have stood still, as that of a machine that
    was put to sleep, and then it is not Redis' that jumped.
    """

    def __init__(self, client: Any):
        self._client = client
        self._last: tuple[float, float, float] | None = None  # Redis' time, the offset, our time

    def keep(self, leads: bool) -> float:
        """Look for a jump; return the one that was taken back, or 0."""
        theirs, stored = reading(self._client)
        ours, offset = time.monotonic(), float(stored)
        last, self._last = self._last or (theirs, offset, ours), (theirs, offset, ours)
        jump = (theirs - last[0]) - (ours - last[2])
        left = jump + offset - last[1]  # of it: somebody else may have taken it back
        if not leads or abs(jump) <= JUMP_SECONDS or abs(left) <= JUMP_SECONDS:
            return 0.0
        mended = offset - left
        if not self._client.eval(_REPLACE, 1, OFFSET, stored, f"{mended:.3f}"):
            self._last = last  # somebody else did something: the next reading shows what is left
            return 0.0
        self._last = theirs, mended, ours
        log.warning("the clock of Redis jumped by %.0f s, which is taken back", left)
        return left
