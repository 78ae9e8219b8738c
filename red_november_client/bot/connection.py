"""A bot's one connection to a service: decisions that come, answers that go, in batches."""

import asyncio
import math
from collections.abc import AsyncGenerator
from contextlib import aclosing

from red_november_client.core import AsyncClient
from red_november_client.errors import Refused, Unreachable
from red_november_client.retries import BROKEN, Retries
from red_november_client.wire import Wire

MOST_ANSWERS = 64  # of one request
PATIENCE_SECONDS = 60.0  # for answers to be taken
_NOT_UNDERSTOOD = (400, 413, 422)
_Waiting = tuple[Wire, "asyncio.Future[Wire]"]  # an answer, and who wants to hear what became of it
LOST, FOUND = "connection_lost", "connection_found"  # types of our own lines among the service's


class Lines:
    """The lines of a bot's stream. It is opened again whenever it breaks, and then begins with all that is open."""

    def __init__(self, client: AsyncClient, path: str, version: str | None, form: str | None = None):
        self._client, self._path, self._query = client, path, {"version": version, "form": form}
        self._again = False

    def open_again(self) -> None:
        """Break the connection after this line: something was lost on it."""
        self._again = True

    async def told(self) -> AsyncGenerator[Wire, None]:
        """Yield them. Raises Refused when the service won't tell any."""
        retries = Retries(math.inf, BROKEN, frozenset())
        while True:
            problem: Refused | Unreachable = Unreachable(self._client.server, "the stream ends early")
            try:
                async with aclosing(self._client.lines(self._path, **self._query)) as lines:
                    async for line in lines:
                        if retries.failures > 1:
                            yield {"type": FOUND}
                        retries.succeeded()
                        if line is not None and line.get("type") != "reconnect":
                            yield line
                        if self._again:
                            break
            except (Refused, Unreachable) as error:
                problem = error
            if self._again:
                self._again = False
                continue
            if retries.fail(problem) == 2:
                yield {"type": LOST, "reason": str(problem)}
            await asyncio.sleep(retries.pause)


class Answers:
    """Answers on their way: what is ready while others are under way goes together."""

    def __init__(self, client: AsyncClient, path: str):
        self._client, self._path = client, path
        self._ready: asyncio.Queue[_Waiting] = asyncio.Queue()

    async def send(self, answer: Wire) -> Wire:
        """Return what became of an answer, which may take as long as the service is away."""
        result: asyncio.Future[Wire] = asyncio.get_running_loop().create_future()
        self._ready.put_nowait((answer, result))
        return await result

    async def run(self) -> None:
        """Send what is ready, until it is cancelled. Raises Refused or Unreachable when nothing is taken any more."""
        while True:
            batch = [await self._ready.get()]
            while len(batch) < MOST_ANSWERS and not self._ready.empty():
                batch.append(self._ready.get_nowait())
            await self._send(batch)

    async def _send(self, batch: list[_Waiting]) -> None:
        """Send a batch. One that is not understood goes answer by answer, so that each gets its own."""
        try:
            told = await self._client.post(self._path, {"answers": [answer for answer, _ in batch]})
        except Refused as error:
            if error.status not in _NOT_UNDERSTOOD:
                raise
            if len(batch) > 1:
                for each in batch:
                    await self._send([each])
                return
            ((answer, _),) = batch
            told = {"answers": [{"id": answer["id"], "outcome": "illegal", "detail": str(error)}]}
        verdicts = {verdict["id"]: verdict for verdict in told["answers"]}
        for answer, result in batch:
            if not result.done():
                result.set_result(verdicts[answer["id"]])
