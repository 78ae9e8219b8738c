"""A match as a stream: what it has come to, at each change, until it is over."""

import time
from collections.abc import Iterator

import orjson

from service.callers.door import Attendance
from service.callers.limits import StreamLease
from service.games.lines import BEAT_SECONDS, Format, ending
from service.matches import results, views
from service.matches.model import Match
from service.matches.repository import MatchRepository

PAUSE_SECONDS = 0.25  # between lines: a match may change more often than anybody can read


def stream(
    repository: MatchRepository, hub: Attendance, match: Match, after: int | None, form: Format, lease: StreamLease
) -> Iterator[bytes]:
    """Yield the match at once if it is newer than version `after`, and then at each change."""
    match_id, version, epoch = match.id, after, match.epoch
    found: Match | None = match
    with ending(lease, f"match {match_id}"), hub.waiter(repository.store.names.match.hash_of(match_id)) as waiter:
        while not hub.stopping:
            if found is None:
                yield form.line(b'{"type":"match_deleted"}', None)
                return
            if found.version != version or found.epoch != epoch or found.is_over:
                version, epoch = found.version, found.epoch
                line = {
                    "type": "match",
                    "version": version,
                    "match": views.whole(found, results.read(repository, found)),
                }
                yield form.line(orjson.dumps(line), version)
                if found.is_over:
                    return
                del line
                time.sleep(PAUSE_SECONDS)
            lease.renew()
            if not waiter.wait(BEAT_SECONDS):
                yield form.beat
            found = repository.fetch(match_id)
    yield form.reconnect(version or 0)
