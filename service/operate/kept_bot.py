"""An outside bot as a line of a backup: its terms, the hash of its token, and what was counted of it."""

from dataclasses import dataclass
from typing import Any

import msgspec
import orjson

from service.accounts import accounts
from service.accounts.accounts import CREW, SAVED
from service.accounts.model import Account
from service.accounts.names import is_seated, seated
from service.operate.kept import END_OF_TIME, Unreadable, converted, flattened, is_hex
from service.store.store import Conflict, Store

_SHA256 = 32  # bytes
_KNOWN = {
    "terms", "owner", "created_at", "pause", "misses", "digest", "salt", "asked_by", "decisions", "late", "illegal",
    "milliseconds", "round_trip",
}  # fmt: skip
STATUS = "registered"


@dataclass(frozen=True)
class KeptBot:
    id: str  # its name
    fields: dict[str, str]  # of its account, by name
    seen: int  # when it was last connected, or registered

    @classmethod
    def read(cls, store: Store, name: str) -> "KeptBot | None":
        """Return it as it is; None when it is not there (any more), or was deleted."""
        found = accounts.kept(store, name)
        return None if found is None else cls(name, *found)

    @classmethod
    def of_line(cls, told: Any) -> "KeptBot":
        """Return the bot of a line of JSON. Raises Unreadable."""
        kept = converted(told, cls, "bot")
        if not is_seated(seated(kept.id)):
            raise Unreadable("has a name that no bot can have")
        return kept

    def line(self) -> bytes:
        return orjson.dumps({"bot": self})

    def account(self) -> Account:
        """Return the account that a web process would make of it. Raises Unreadable."""
        try:
            account = accounts.read(self.id, flattened(self.fields))
        except (msgspec.MsgspecError, ValueError, LookupError) as error:
            raise Unreadable(f"lacks what a bot has: {error}") from error
        if account is None:
            raise Unreadable("lacks what a bot has: terms")
        if unknown := [name for name in self.fields if name not in _KNOWN and not name.startswith((CREW, SAVED))]:
            raise Unreadable(f"contains unknown field `{min(unknown)}`")
        if not is_hex(account.digest, _SHA256) or not is_hex(account.salt):
            raise Unreadable("has a token of nobody")
        if not 0 <= account.created_at < END_OF_TIME or not 0 <= self.seen < END_OF_TIME:
            raise Unreadable("has a time that can't be")
        return account

    def check(self) -> str:
        """Check the bot. Raises Unreadable."""
        self.account()
        return STATUS

    def put(self, store: Store, now: float) -> None:
        """Store it as it was, not connected. Raises Conflict when there is one of that name, and Unreadable."""
        self.account()
        if not accounts.restore(store, self.id, self.fields, self.seen):
            raise Conflict
