"""Measure how fast a bot decides, apart from the way to a service and back."""

import asyncio
import time
from collections.abc import Sequence
from itertools import accumulate, cycle
from typing import NamedTuple

from red_november_client.bot import mouths
from red_november_client.bot.answers import BotFailed
from red_november_client.bot.asking import ask_in_time
from red_november_client.bot.mouths import Mouth
from red_november_client.core import AsyncClient
from red_november_client.wire import Wire

WARM_UP = 5
ROUND_TRIPS = 40
PIPE_SECONDS = 1.0
NOBODY = "red_november_client.bot.child:first"
SHARES = ("p50", 0.5), ("p99", 0.99)


class Times(NamedTuple):
    """How long things took, in seconds, and how long all of them together."""

    each: Sequence[float]
    together: float
    failures: int = 0

    def share(self, part: float) -> float:
        """Return the time within which that part of them was done."""
        ordered = sorted(self.each)
        return ordered[min(len(ordered) - 1, int(part * len(ordered)))] if ordered else 0.0


async def measure(mouth: Mouth, decisions: Sequence[Wire], seconds: float, at_once: int, limit: float) -> Times:
    """Ask as many things at once, one after the other, for that long."""
    each: list[float] = []
    failures = 0
    for decision in decisions[:WARM_UP]:
        await _asked(mouth, decision, limit)
    wanted = cycle(decisions)
    began = time.perf_counter()

    async def keep_asking() -> None:
        nonlocal failures
        while time.perf_counter() - began < seconds:
            started = time.perf_counter()
            if await _asked(mouth, next(wanted), limit):
                each.append(time.perf_counter() - started)
            else:
                failures += 1

    await asyncio.gather(*(keep_asking() for _ in range(at_once)))
    return Times(each, time.perf_counter() - began, failures)


async def pipe(decisions: Sequence[Wire], seconds: float, at_once: int, limit: float) -> Times:
    """Measure what it takes to ask a process and to hear from it: one that thinks of nothing."""
    nobody = mouths.function(NOBODY, at_once)
    try:
        await nobody.open()
        return await measure(nobody, decisions, min(seconds, PIPE_SECONDS), at_once, limit)
    finally:
        await nobody.close()


async def _asked(mouth: Mouth, decision: Wire, limit: float) -> bool:
    try:
        await ask_in_time(mouth, decision, limit)
    except BotFailed:
        return False
    return True


async def round_trips(client: AsyncClient) -> Times:
    """Ask a service for what costs it nothing, over a connection that is open."""
    each = []
    await client.get("/board")
    began = time.perf_counter()
    for _ in range(ROUND_TRIPS):
        started = time.perf_counter()
        await client.get("/board")
        each.append(time.perf_counter() - started)
    return Times(each, time.perf_counter() - began)


def told(what: str, times: Times) -> str:
    """Say it in a line."""
    shares = ", ".join(f"{name} {1000 * times.share(part):.1f} ms" for name, part in SHARES)
    return f"{what}: {len(times.each) / max(times.together, 1e-9):.0f} a second, {shares}"


def told_apart(what: str, times: Times, without: Times) -> str:
    """Say in a line what is left of times without a part of each."""
    left = accumulate((max(0.0, times.share(part) - without.share(part)) for _, part in SHARES), max)
    return f"{what}: " + ", ".join(f"{name} {1000 * seconds:.1f} ms" for (name, _), seconds in zip(SHARES, left))
