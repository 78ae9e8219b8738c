"""The client for programs without asyncio: it has one event loop, in a thread of its own, and waits for it."""

import asyncio
import os
import threading
from collections.abc import AsyncIterator, Coroutine, Iterator
from contextlib import suppress
from typing import Any, TypeVar

from red_november_client import core
from red_november_client.core import Access, AsyncClient, Reply
from red_november_client.wire import Wire

T = TypeVar("T")

_lock = threading.Lock()
_loop: asyncio.AbstractEventLoop | None = None


class Client(Access):
    """Asks a service, and waits for its answers. It may be used by many threads."""

    @property
    def aio(self) -> AsyncClient:
        """The same for asyncio."""
        return AsyncClient(**vars(self))

    def get(self, path: str, **query: Any) -> Any:
        return wait_for(self.aio.get(path, **query))

    def post(self, path: str, body: Wire | None = None) -> Any:
        """Have something done once, however often it has to be sent."""
        return wait_for(self.aio.post(path, body))

    def patch(self, path: str, body: Wire) -> Any:
        return wait_for(self.aio.patch(path, body))

    def put(self, path: str, body: Wire) -> Any:
        return wait_for(self.aio.put(path, body))

    def delete(self, path: str) -> None:
        wait_for(self.aio.delete(path))


def fetch(url: str, seconds: float) -> Reply:
    """Ask for an address once, as nobody in particular, and return the answer. Raises Unreachable."""
    return wait_for(core.fetch(url, seconds))


def wait_for(work: Coroutine[Any, Any, T]) -> T:
    """Return what comes of work on the loop. Whoever is interrupted meanwhile gives it up."""
    future = asyncio.run_coroutine_threadsafe(work, _running_loop())
    try:
        return future.result()
    except BaseException:
        future.cancel()
        raise


def each_of(things: AsyncIterator[T]) -> Iterator[T]:
    """Yield what comes on the loop, as it comes."""
    try:
        while (found := wait_for(_next(things))) is not None:
            yield found[0]
    finally:
        if (close := getattr(things, "aclose", None)) is not None:
            with suppress(RuntimeError):  # it was interrupted in its midst, and ends by itself
                wait_for(close())


async def _next(things: AsyncIterator[T]) -> tuple[T] | None:
    async for thing in things:
        return (thing,)
    return None


def _running_loop() -> asyncio.AbstractEventLoop:
    global _loop  # noqa: PLW0603 - one for the process
    with _lock:
        if _loop is None:
            _loop = asyncio.new_event_loop()
            threading.Thread(target=_loop.run_forever, name="red-november-client", daemon=True).start()
        return _loop


def _forget() -> None:
    """A process that was forked has no thread for the loop."""
    global _loop, _lock
    _loop, _lock = None, threading.Lock()


os.register_at_fork(after_in_child=_forget)
