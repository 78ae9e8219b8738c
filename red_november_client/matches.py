"""Matches on a service: begun once, followed to their end, listed game by game."""

from collections.abc import Iterator

from red_november_client.blocking import Client
from red_november_client.errors import Refused, Unreachable
from red_november_client.streams import Stream, all_lines
from red_november_client.wire import Wire

PATIENCE_SECONDS = 120.0  # for a service that does not answer: a match may take hours, and a restart a minute


class Gone(Exception):
    """The match is no longer there."""


class MatchService:
    """Has a service play matches."""

    def __init__(self, server: str, api_key: str | None):
        self._client = Client(server, api_key=api_key, patience=PATIENCE_SECONDS)

    def address_of(self, match_id: str) -> str:
        return f"{self._client.server}/v1{_path(match_id)}"

    def create(self, wanted: Wire) -> Wire:
        """Begin a match, and return the answer with its token. Raises Refused or Unreachable."""
        created = self._client.post("/matches", wanted)
        if not isinstance(created, dict) or not {"match", "token"} <= created.keys():
            raise Unreachable(self._client.server, "what answers there is no service of ours")
        return created

    def cancel(self, match_id: str, token: str) -> Wire:
        """Cancel a match, and return it as it is then: it may have been over before."""
        try:
            return dict(self._client.with_token(token).patch(_path(match_id), {"status": "cancelled"}))
        except Refused:
            return dict(self._client.get(_path(match_id)))

    def states(self, match_id: str) -> Iterator[Wire]:
        """Yield the match at each change, until it is over. Raises Gone, Refused or Unreachable."""
        stream = Stream(self._client, f"{_path(match_id)}/stream", 0, PATIENCE_SECONDS)
        for line in stream:
            if line["type"] == "match_deleted":
                raise Gone("the match was deleted")
            if line["type"] == "match":
                stream.after = line["version"]
                yield line["match"]
                if line["match"]["ended_at"]:
                    return

    def games(self, match_id: str) -> Iterator[Wire]:
        """Yield all games of a match that is over. Raises Refused or Unreachable."""
        return all_lines(self._client, f"{_path(match_id)}/games.ndjson", PATIENCE_SECONDS)


def _path(match_id: str) -> str:
    return f"/matches/{match_id}"
