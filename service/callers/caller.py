"""The caller of a request."""

from dataclasses import dataclass

from service.callers.limits import Meter
from service.store.answers import Retry


@dataclass(frozen=True)
class Caller:
    """The sender of a request: the token they showed, and what counts their use of the service."""

    token: str | None
    meter: Meter
    retry: Retry | None = None
    key: str = ""  # the Idempotency-Key itself, which tokens are made of
    invitation: str | None = None  # a token that lets them join, and shows them nothing
    origin: str = ""  # whom workers' time is charged to (see `origin.py`)
    digest: str = ""  # of the token
