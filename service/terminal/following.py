"""A game as it happens: its stream, opened again whenever it breaks, in a thread of its own."""

import os
import queue
import threading
from collections.abc import Iterator
from contextlib import suppress

from service.terminal.client import FIRST_PAUSE, LONGEST_PAUSE, Client, Refused, Unreachable, Wire

LOST, FOUND, REFUSED = "connection_lost", "connection_found", "connection_refused"  # our own lines among the service's
_LAST = {"game_over", "game_deleted", REFUSED}
_PASSING = {429, 500, 502, 503, 504}  # a busy or a broken service


def follow(client: Client, game_id: str, after: int, stop: threading.Event) -> Iterator[Wire]:
    """The state, then the events after number `after`, without a gap, to the game's last. The state comes again with
    every connection; with another epoch, numbers start anew from its own."""
    epoch, failures = None, 0
    while not stop.is_set():
        try:
            for line in client.lines(f"/games/{game_id}/events", after):
                if failures > 1:
                    yield {"type": FOUND}
                failures = 0
                kind = line.get("type") if line else None
                if line is None or kind == "reconnect":
                    continue
                if kind == "state":
                    now = line["state"]["epoch"]
                    if epoch not in (None, now):
                        after = line["seq"]
                    epoch = now
                else:
                    after = line.get("seq", after)
                yield line
                if kind in _LAST:
                    return
        except Refused as error:
            if error.status not in _PASSING:
                yield {"type": REFUSED, "detail": str(error), "code": error.code}
                return
        except Unreachable:
            pass
        failures += 1
        if failures == 2:  # after the first, a service that only starts again is back before anybody has to hear of it
            yield {"type": LOST}
        stop.wait(min(FIRST_PAUSE * 2 ** (failures - 1), LONGEST_PAUSE))


class Follower:
    """The same in the background: `take` never waits, and `wake` can be selected on."""

    def __init__(self, client: Client, game_id: str, after: int) -> None:
        self._lines: queue.SimpleQueue[Wire] = queue.SimpleQueue()
        self._stop = threading.Event()
        self.wake, self._bell = os.pipe()
        for end in (self.wake, self._bell):
            os.set_blocking(end, False)
        self._lines_from = follow(client, game_id, after, self._stop)
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        for line in self._lines_from:
            self._lines.put(line)
            with suppress(OSError):  # a full pipe has woken whoever waits; a closed one has nobody
                os.write(self._bell, b".")

    def take(self) -> list[Wire]:
        """What has come by now."""
        taken = []
        with suppress(BlockingIOError):
            os.read(self.wake, 4096)
        with suppress(queue.Empty):
            while True:
                taken.append(self._lines.get_nowait())
        return taken

    def close(self) -> None:
        """The thread ends with the next line of the service, or with the program."""
        self._stop.set()
