"""Keep a lease alive while its work is done: whoever dies stops renewing it, and others take over."""

import threading
from collections.abc import Callable
from types import TracebackType
from typing import Self

from redis.exceptions import RedisError

RENEWALS = 3  # in the time that a lease lasts: one or two of them may fail


class Renewal:
    """Renews a lease from a thread of its own, as long as the block runs that it surrounds.

    `renew` renews the lease only if it is still the holder's, and tells whether it was: after that it is another's, and
    is not touched any more.
    """

    def __init__(self, seconds: float, renew: Callable[[], bool]):
        self._every, self._renew = seconds / RENEWALS, renew
        self._over = threading.Event()
        self.is_lost = False

    def __enter__(self) -> Self:
        threading.Thread(target=self._keep, daemon=True, name="lease").start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()

    def _keep(self) -> None:
        """Compiled searches return to Python often enough for this thread to have its turn."""
        while not self.is_lost and not self._over.wait(self._every):
            try:
                self.is_lost = not self._renew()
            except RedisError:
                continue  # the next one may arrive in time
