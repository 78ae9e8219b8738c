"""A game as it happens: its stream, read in a thread of its own."""

import os
import queue
import threading
from collections.abc import Iterator
from contextlib import suppress

from red_november_client.blocking import Client
from red_november_client.errors import Refused
from red_november_client.streams import Stream
from service.wire import Wire

REFUSED = "connection_refused"  # the type of our own last line, where the service refuses the stream
_LAST = {"game_over", "game_deleted"}


def follow(client: Client, game_id: str, after: int, stop: threading.Event, lang: str | None = None) -> Iterator[Wire]:
    """Yield the state, then the events after number `after`, without a gap, to the game's last.

    With a language, what players show each other comes in its words, too. The state comes again with every connection;
    with another epoch, numbers start anew from its own.
    """
    epoch: str | None = None
    query = {"kinds": "all", "lang": lang} if lang else {}
    stream = Stream(client, f"/games/{game_id}/events/stream", after, stop=stop, query=query)
    try:
        for line in stream:
            if line["type"] == "state":
                now = line["state"]["epoch"]
                if epoch not in (None, now):
                    stream.after = line["seq"]
                epoch = now
            else:
                stream.after = line.get("seq", stream.after)
            if line["type"] == "token_revoked":
                continue  # the next connection is refused, and says why
            yield line
            if line["type"] in _LAST:
                return
    except Refused as error:
        yield {"type": REFUSED, "detail": str(error), "code": error.code}


class Follower:
    """Follows a game in the background: `take` never waits, and `wake` can be selected on."""

    def __init__(self, client: Client, game_id: str, after: int, lang: str) -> None:
        self._lines: queue.SimpleQueue[Wire] = queue.SimpleQueue()
        self._stop = threading.Event()
        self.wake, self._bell = os.pipe()
        for end in (self.wake, self._bell):
            os.set_blocking(end, False)
        self._source = follow(client, game_id, after, self._stop, lang)
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        for line in self._source:
            self._lines.put(line)
            with suppress(OSError):  # a full pipe has woken whoever waits; a closed one has nobody
                os.write(self._bell, b".")

    def take(self) -> list[Wire]:
        """Return the lines that have come by now."""
        taken = []
        with suppress(BlockingIOError):
            os.read(self.wake, 4096)
        with suppress(queue.Empty):
            while True:
                taken.append(self._lines.get_nowait())
        return taken

    def close(self) -> None:
        """Stop: the thread ends with the next line of the service, or with the program."""
        self._stop.set()
