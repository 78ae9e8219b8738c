"""Streams that go on after a break, where they broke."""

import asyncio
import math
import threading
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import aclosing
from typing import Any

from red_november_client.blocking import Client, each_of
from red_november_client.core import AsyncClient
from red_november_client.errors import Refused, Unreachable
from red_november_client.retries import BROKEN, Retries
from red_november_client.wire import Wire

LOST, FOUND = "connection_lost", "connection_found"  # types of our own lines among the service's


class Stream:
    """Reads the lines of a stream that has no end of its own, and opens it again whenever it breaks.

    Whoever reads it moves `after` on, so that nothing is missing and nothing comes twice, and stops at the last line.
    After the second failure in a row comes a line of type LOST, and FOUND when it goes on; a service that only starts
    again is back before anybody has to hear of it.
    """

    def __init__(
        self,
        client: Client | AsyncClient,
        path: str,
        after: int | None,
        patience: float = math.inf,
        stop: threading.Event | None = None,
        query: Mapping[str, Any] = {},
    ):
        self.after = after
        self._client = client.aio if isinstance(client, Client) else client
        self._path, self._query = path, query
        self._stop = stop or threading.Event()
        self._retries = Retries(patience, BROKEN, frozenset())

    def __iter__(self) -> Iterator[Wire]:
        return each_of(aiter(self))

    async def __aiter__(self) -> AsyncIterator[Wire]:
        retries = self._retries
        while not self._stop.is_set():
            problem: Refused | Unreachable = Unreachable(self._client.server, "the stream ends early")
            try:
                async with aclosing(self._client.lines(self._path, after=self.after, **self._query)) as lines:
                    async for line in lines:
                        if retries.failures > 1:
                            yield {"type": FOUND}
                        retries.succeeded()
                        if line is not None and line.get("type") != "reconnect":
                            yield line
            except (Refused, Unreachable) as error:
                problem = error
            if retries.fail(problem) == 2:
                yield {"type": LOST}
            await asyncio.sleep(retries.pause)


def all_lines(client: Client, path: str, patience: float) -> Iterator[Wire]:
    """Yield the lines of a stream that ends, each once. When it breaks, it is read again from its beginning."""
    return each_of(_all_lines(client.aio, path, patience))


async def _all_lines(client: AsyncClient, path: str, patience: float) -> AsyncIterator[Wire]:
    retries, received = Retries(patience, BROKEN, frozenset()), 0
    while True:
        number = 0
        try:
            async with aclosing(client.lines(path)) as lines:
                async for line in lines:
                    if line is not None:
                        if number == received:
                            received += 1
                            retries.succeeded()
                            yield line
                        number += 1
            return
        except (Refused, Unreachable) as error:
            retries.fail(error)
        await asyncio.sleep(retries.pause)
