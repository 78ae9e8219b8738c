"""A match as a stream: what it has come to, at each change, until it is over."""

import time
from collections.abc import Iterator

import orjson

from service.feed import Hub
from service.limits import StreamLease
from service.matches import keys, views
from service.matches.shelf import Match, Shelf
from service.streams import BEAT_SECONDS, Format, ending

PAUSE_SECONDS = 0.25  # between lines: a match may change more often than anybody can read


def stream(
    shelf: Shelf, hub: Hub, match: Match, after: int | None, form: Format, lease: StreamLease
) -> Iterator[bytes]:
    """At once if there is something newer than version `after`, and then at each change."""
    match_id, told, epoch = match.id, after, match.epoch
    found: Match | None = match
    with ending(lease, f"match {match_id}"), hub.waiter(keys.channel_of(match_id)) as waiter:
        while not hub.stopping:
            if found is None:
                yield form.line(b'{"type":"match_deleted"}', None)
                return
            if found.version != told or found.epoch != epoch or found.is_over:
                told, epoch = found.version, found.epoch
                line = {"type": "match", "version": told, "match": views.whole(shelf, found)}
                yield form.line(orjson.dumps(line), told)
                if found.is_over:
                    return
                del line
                time.sleep(PAUSE_SECONDS)
            if not waiter.wait(BEAT_SECONDS):
                lease.renew()
                yield form.beat
            found = shelf.fetch(match_id)
    yield form.reconnect(told or 0)
