"""Streams that go on after a break, where they broke."""

import math
import threading
from collections.abc import Iterator

from service.client.errors import Refused, Unreachable
from service.client.http import Client
from service.client.retries import BROKEN, Retries
from service.wire import Wire

LOST, FOUND = "connection_lost", "connection_found"  # types of our own lines among the service's


class Stream:
    """Reads the lines of a stream that has no end of its own, and opens it again whenever it breaks.

    Whoever reads it moves `after` on, so that nothing is missing and nothing comes twice, and stops at the last line.
    After the second failure in a row comes a line of type LOST, and FOUND when it goes on; a service that only starts
    again is back before anybody has to hear of it.
    """

    def __init__(
        self,
        client: Client,
        path: str,
        after: int | None,
        patience: float = math.inf,
        stop: threading.Event | None = None,
    ):
        self.after = after
        self._client, self._path = client, path
        self._stop = stop or threading.Event()
        self._retries = Retries(patience, BROKEN, frozenset(), self._stop)

    def __iter__(self) -> Iterator[Wire]:
        retries = self._retries
        while not self._stop.is_set():
            problem: Refused | Unreachable = Unreachable(self._client.server, "the stream ends early")
            try:
                for line in self._client.lines(self._path, after=self.after):
                    if retries.failures > 1:
                        yield {"type": FOUND}
                    retries.succeeded()
                    if line is not None and line.get("type") != "reconnect":
                        yield line
            except (Refused, Unreachable) as error:
                problem = error
            if retries.fail(problem) == 2:
                yield {"type": LOST}
            retries.wait()


def all_lines(client: Client, path: str, patience: float) -> Iterator[Wire]:
    """Yield the lines of a stream that ends, each once. When it breaks, it is read again from its beginning."""
    retries, received = Retries(patience, BROKEN, frozenset()), 0
    while True:
        try:
            objects = (line for line in client.lines(path) if line is not None)
            for number, line in enumerate(objects):
                if number == received:
                    received += 1
                    retries.succeeded()
                    yield line
            return
        except (Refused, Unreachable) as error:
            retries.fail(error)
        retries.wait()
