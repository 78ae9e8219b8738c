"""Share among the workers of a queue what one of them must do for all: by leases, which others take when they run out.

There is one lease where games are in one partition, else eight, each for an equal part of the partitions.
"""

import secrets

from service import clock
from service.queue.backlog import SHARES
from service.store import keys
from service.store.counters import SILENT_SECONDS
from service.store.scripts import Script, call
from service.store.store import Store

LEASE_SECONDS = 4

_LEAD = Script("workers/lead.lua")


class Leases:
    """The leases that a worker holds: no more than its part of them, while other workers are there."""

    def __init__(self, store: Store):
        self._store, self._me = store, secrets.token_hex(8)
        self._held: list[int] = []
        self.count = 1 if store.names.partitions.count == 1 else SHARES

    def renew(self) -> list[int]:
        """Renew leases and take free ones; return the numbers of those that this worker holds now."""
        most = self._part()
        first = self._held[:most]
        others = [number for number in range(self.count) if number not in first]
        held: list[int] = []
        for number in (*first, *others):
            if len(held) < most and self._take(number):
                held.append(number)
        self._held = held
        return held

    def _part(self) -> int:
        if self.count == 1:
            return 1
        heard_since = clock.now() - SILENT_SECONDS
        (workers,) = self._store.queue.ask(("ZCOUNT", keys.WORKERS, heard_since, "+inf"))
        return -(-self.count // max(1, workers))

    def _take(self, number: int) -> bool:
        return bool(call(self._store.queue, _LEAD, [keys.sweeper(number)], [self._me, LEASE_SECONDS]))
