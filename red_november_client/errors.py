"""What a client of the service may run into."""

from typing import Any

from red_november_client.wire import Wire


class Unreachable(Exception):
    """Nobody answers at that address, or somebody else does."""

    def __init__(self, server: str, reason: str):
        self.server, self.reason = server, reason
        super().__init__(f"{server}: {reason}")


class Refused(Exception):
    """The service's answer, and it is no: its detail, in one line."""

    def __init__(self, status: int, body: Any, retry_after: float | None = None, location: str | None = None):
        self.status, self.retry_after = status, retry_after
        self.body: Wire = body if isinstance(body, dict) else {}
        self.code = str(self.body.get("code", ""))
        reason = str(self.body.get("detail") or self.body.get("title") or f"HTTP {status}")
        if location and 300 <= status < 400:
            reason += f": it leads to {location}; name that address if it is the service's"
        super().__init__("".join(letter for letter in reason if letter.isprintable()))
