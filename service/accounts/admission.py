"""Refuse to seat an outside bot that is not there to be seated, or not by whoever asks."""

from collections.abc import Sequence

from service.accounts import accounts
from service.accounts.model import OWNER
from service.accounts.names import account_of
from service.refusals import invalid
from service.store.store import Store


def check(store: Store, origin: str, wanted: Sequence[tuple[str, str | None]]) -> None:
    """Refuse the first of the bots that may not be seated; each comes with the pointer to where it stands."""
    asked = [(pointer, account) for pointer, bot in wanted if (account := account_of(bot)) is not None]
    if not asked:
        return
    found = accounts.fetch_all(store, sorted({account for _, account in asked}))
    for pointer, name in asked:
        if name not in found:
            raise invalid(pointer, "unknown", f"there is no bot {name}")
        if found[name][0].terms.accepts == OWNER and found[name][0].owner != origin:
            raise invalid(pointer, "conflict", f"only the owner of {name} seats it")
