"""What an outside bot is asked, and what is noted of it beside the games."""

from typing import NamedTuple

from msgspec import Struct


class Entry(Struct, frozen=True):
    """What is noted of a decision: since when it is open, since when the bot knows of it (0: it does not), and how many
    answers to it were illegal. Of a game that is played for a match, also which version of the bot is asked."""

    since: float
    sent: float = 0.0
    illegal: int = 0
    version: str | None = None

    @classmethod
    def read(cls, stored: bytes) -> "Entry":
        since, sent, illegal, *version = stored.split(b" ", 3)
        return cls(float(since), float(sent), int(illegal), version[0].decode() if version else None)

    def written(self) -> str:
        """Return it as it is stored; `outside/sending.lua` changes when it was sent."""
        version = f" {self.version}" if self.version is not None else ""
        return f"{self.since:.3f} {self.sent:.3f} {self.illegal}{version}"

    @property
    def is_for_match(self) -> bool:
        return self.version is not None


class Asked(NamedTuple):
    """A decision that an outside bot must make."""

    account: str
    id: str
    version: str | None = None  # of the bot, which alone is asked, where the game is played for a match

    def since(self, at: float) -> Entry:
        """Return what is noted of it when it is asked for then."""
        return Entry(at, version=self.version)
