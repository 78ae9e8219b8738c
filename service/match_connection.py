"""A service as its client sees it: requests that are sent until they are answered, streams that go on after a break."""

import http.client
import json
import secrets
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from typing import Any

Wire = dict[str, Any]

ANSWER_SECONDS = 30.0  # without a word, after which a connection is given up; streams send a sign of life every seven
PATIENCE_SECONDS = 120.0  # for a service that does not answer
PAUSE_SECONDS = 0.5
NDJSON = "application/x-ndjson"
_BROKEN = (OSError, http.client.HTTPException, json.JSONDecodeError)


class Refused(Exception):
    """The service says no, and why."""


class Gone(Exception):
    """The match is no longer there."""


class Unreachable(Exception):
    """Nobody answers, or only with excuses."""


class Service:
    def __init__(self, url: str, api_key: str | None):
        self._url, self._api_key = url, api_key

    def address_of(self, match_id: str) -> str:
        return f"{self._url}/v1/matches/{match_id}"

    def create(self, wanted: Wire) -> Wire:
        """Once, however often it must be asked for."""
        headers = {"Idempotency-Key": secrets.token_hex(16)}
        if self._api_key:
            headers["X-API-Key"] = self._api_key
        return self._ask("POST", f"{self._url}/v1/matches", wanted, headers)

    def cancel(self, match_id: str, token: str) -> Wire:
        """The match as it is then: it may have been over before."""
        try:
            return self._ask(
                "PATCH", self.address_of(match_id), {"state": "cancelled"}, {"Authorization": f"Bearer {token}"}
            )
        except Refused:
            return self._ask("GET", self.address_of(match_id))

    def states(self, match_id: str) -> Iterator[Wire]:
        """What it has come to, at each change, until it is over. Raises Gone."""
        after, ends = 0, time.monotonic() + PATIENCE_SECONDS
        while True:
            try:
                for line in self._lines(f"{self.address_of(match_id)}?after={after}"):
                    ends = time.monotonic() + PATIENCE_SECONDS
                    if line["type"] == "match_deleted":
                        raise Gone("the match was deleted")
                    if line["type"] == "match":
                        after = line["version"]
                        yield line["match"]
                        if line["match"]["ended_at"]:
                            return
                time.sleep(PAUSE_SECONDS)  # it stops, and is there again in a moment
            except _BROKEN as error:
                self._bear(error, ends)

    def games(self, match_id: str) -> Iterator[Wire]:
        return self._lines(f"{self.address_of(match_id)}/games")

    def _lines(self, address: str) -> Iterator[Wire]:
        request = urllib.request.Request(address, headers={"Accept": NDJSON})
        with urllib.request.urlopen(request, timeout=ANSWER_SECONDS) as lines:
            for line in lines:
                if line.strip():
                    yield json.loads(line)

    def _ask(self, method: str, address: str, body: Wire | None = None, headers: dict[str, str] | None = None) -> Wire:
        """Until there is an answer."""
        data = None if body is None else json.dumps(body).encode()
        ends = time.monotonic() + PATIENCE_SECONDS
        while True:
            request = urllib.request.Request(address, data, headers or {}, method=method)
            request.add_header("Content-Type", "application/json")
            try:
                with urllib.request.urlopen(request, timeout=ANSWER_SECONDS) as reply:
                    return dict(json.load(reply))
            except _BROKEN as error:
                self._bear(error, ends)

    def _bear(self, error: Exception, ends: float) -> None:
        """A pause before the next attempt, if one is worth it."""
        pause = PAUSE_SECONDS
        if isinstance(error, urllib.error.HTTPError):
            with error:
                if error.code < 500 and error.code != 429:
                    raise Refused(_reason(error)) from error
                pause = float(error.headers.get("Retry-After", pause))
        if time.monotonic() + pause > ends:
            raise Unreachable(f"{self._url} does not answer: {error}") from error
        time.sleep(pause)


def _reason(error: urllib.error.HTTPError) -> str:
    try:
        return str(json.load(error)["detail"])
    except (ValueError, KeyError, TypeError):
        return f"the service answered {error.code} {error.reason}"
