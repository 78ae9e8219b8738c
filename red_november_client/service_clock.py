"""The time of a service, which may differ from ours: deadlines and moments to come back are by its clock."""

import email.utils
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from email.message import Message


@dataclass
class ServiceClock:
    """Knows how far the service's clock is ahead of ours."""

    ahead: float = 0.0

    def seconds_left(self, deadline: str) -> int:
        """Return the whole seconds until a deadline, not below 0."""
        ends = datetime.fromisoformat(deadline.replace("Z", "+00:00"))
        return max(0, round((ends - datetime.now(UTC)).total_seconds() - self.ahead))

    def note(self, date: str | None) -> None:
        """Learn from the Date of an answer, which has whole seconds."""
        at = _moment(date)
        if at is not None:
            ahead = at + 0.5 - time.time()
            self.ahead = ahead if abs(ahead) > 1 else 0.0


def retry_after(headers: Message) -> float | None:
    """Return the seconds that an answer asks to wait, which it may tell in seconds or as a date.

    A date is compared with the answer's own Date: whoever wrote one wrote the other, and our clock may differ.
    """
    value = (headers.get("Retry-After") or "").strip()
    if value.isascii() and value.isdecimal():
        return float(value)
    at = _moment(value)
    if at is None:
        return None
    asked_at = _moment(headers.get("Date"))
    return max(0.0, at - (time.time() if asked_at is None else asked_at))


def _moment(date: str | None) -> float | None:
    """Return the seconds since 1970 of an HTTP date, None for what is none."""
    try:
        parsed = email.utils.parsedate_tz(date or "")
        return None if parsed is None else float(email.utils.mktime_tz(parsed))
    except (ValueError, OverflowError, IndexError):
        return None
