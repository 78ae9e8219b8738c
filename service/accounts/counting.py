"""Count what outside bots did."""

from collections.abc import Sequence
from typing import Literal

from service.accounts import accounts
from service.accounts.accounts import CREW, SAVED
from service.accounts.model import MOST_MISSES
from service.store import keys
from service.store.redis_client import Command
from service.store.scripts import Script, call
from service.store.store import Store

Miss = Literal["", "late", "illegal"]  # why a stand-in has decided, if the bot is to blame
_COUNT = Script("accounts/counting.lua")


def miss(store: Store, name: str, why: Miss) -> bool:
    """Count a decision that a stand-in had to make, and return whether the bot is paused for it: some in a row do that.
    An answer that was illegal was counted when it came."""
    counted: Sequence[object] = ("late", 1) if why == "late" else ()
    is_paused = bool(call(store.redis, _COUNT, [keys.account(name)], [MOST_MISSES, *counted]))
    if is_paused:
        accounts.tell(store, name)
    return is_paused


def game_over(store: Store, name: str, beside: Sequence[str], is_rescued: bool) -> None:
    """Count a game that has come to its end."""
    crew = "+".join(sorted(set(beside)))
    call(store.redis, _COUNT, [keys.account(name)], ["", CREW + crew, 1, SAVED + crew, int(is_rescued)])


def adding(name: str, **counted: int) -> list[Command]:
    """Return the command that adds to the counters of a bot."""
    flat = [part for pair in counted.items() if pair[1] for part in pair]
    return [("EVAL", _COUNT.text, 1, keys.account(name), "", *flat)] if flat else []
