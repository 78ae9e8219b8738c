"""The account of an outside bot, and what is counted of it."""

from typing import Final, Literal

from msgspec import Struct

Accepts = Literal["anybody", "owner"]
ANYBODY: Final = "anybody"
OWNER: Final = "owner"
ACCEPTS = (ANYBODY, OWNER)

Pause = Literal["", "owner", "misses"]
RUNNING: Final = ""
BY_OWNER: Final = "owner"
BY_MISSES: Final = "misses"

MOST_MISSES = 3  # in a row, before the stand-in has its seats


class Terms(Struct, frozen=True):
    """What an owner says of their bot. A field that is added here needs a default."""

    description: str = ""
    version: str = ""
    open: int = 16  # decisions at once
    seconds: float = 5  # for each
    accepts: Accepts = ANYBODY


class Crew(Struct, frozen=True):
    """Games that a bot has played beside certain others."""

    beside: tuple[str, ...]
    games: int
    rescues: int


class Record(Struct, frozen=True):
    """What was counted of a bot."""

    decisions: int = 0
    late: int = 0
    illegal: int = 0
    milliseconds: int = 0  # that its answers took, all together
    round_trip: int | None = None  # milliseconds that its quickest answers of late took
    crews: tuple[Crew, ...] = ()


class Account(Struct, frozen=True):
    """An outside bot."""

    name: str
    owner: str  # a hash of whoever registered it (see `callers/origin.py`)
    created_at: float
    terms: Terms
    digest: str  # of its token
    salt: str  # that the token was made of, in hexadecimal
    asked_by: str = ""  # the Idempotency-Key of the request that was told the token, hashed
    pause: Pause = RUNNING
    misses: int = 0  # in a row
    record: Record = Record()

    @property
    def is_paused(self) -> bool:
        return self.pause != RUNNING
