"""Tell an outside bot what it must decide, in all of its games, over one connection or in pages."""

import time
from collections.abc import Iterator
from contextlib import suppress

import orjson
from msgspec.structs import replace
from redis.exceptions import RedisError

from service.accounts import accounts
from service.accounts.model import BY_MISSES, RUNNING, Account
from service.accounts.presence import BACK_SECONDS, CONNECTED_SECONDS
from service.callers.caller import Caller
from service.callers.door import Attendance
from service.callers.limits import StreamLease
from service.games.lines import ending
from service.outside.desk import RECONNECT, REPLACED, Desk
from service.outside.lines import Form
from service.outside.registering import authenticate
from service.store.store import Store
from service.wire import Wire

PING_SECONDS = 7.0


def connect(store: Store, name: str, caller: Caller, version: str | None) -> Account:
    """Return the account of a bot that connects. One that was paused for misses is back, and may be another version."""
    (flat,) = store.redis.ask(accounts.reading(name)[0])
    account = authenticate(store, name, caller, flat)
    changed = account
    if version is not None and version != account.terms.version:
        changed = replace(changed, terms=replace(account.terms, version=version))
    if account.pause == BY_MISSES:
        changed = replace(changed, pause=RUNNING, misses=0)
    if changed is not account:
        accounts.change(store, changed)
    return changed


def stream(store: Store, hub: Attendance, account: Account, form: Form, lease: StreamLease) -> Iterator[bytes]:
    """Yield a line for each decision, for each that is withdrawn, and now and then how many are open."""
    desk, pinged = Desk(store, account, form), 0.0
    with ending(lease, f"bot {account.name}"), hub.waiter(*desk.topics) as waiter:
        desk.begin()
        try:
            while not hub.stopping:
                if told := b"".join(map(_written, desk.look(waiter.take()))):
                    yield told
                if desk.is_over:
                    return
                lease.renew()
                if time.monotonic() - pinged >= PING_SECONDS:
                    pinged = time.monotonic()
                    yield _written({"type": "ping", "open": desk.open})
                waiter.wait(min(desk.patience, pinged + PING_SECONDS - time.monotonic()))
            yield _written(RECONNECT)
        finally:
            with suppress(RedisError):
                desk.leave(BACK_SECONDS)


def _written(told: Wire) -> bytes:
    return orjson.dumps(told, option=orjson.OPT_APPEND_NEWLINE)


def page(store: Store, hub: Attendance, account: Account, form: Form, seconds: float) -> Wire:
    """Return what is open, when there is anything, or when the time is up."""
    desk, until = Desk(store, account, form), time.monotonic() + seconds
    told: list[Wire] = []
    with hub.waiter(*desk.topics) as waiter:
        desk.begin()
        while not hub.stopping:
            told += [each for each in desk.look(waiter.take()) if each["type"] != "withdrawn"]
            left = until - time.monotonic()
            if told or desk.is_over or left <= 0:
                break
            waiter.wait(min(left, desk.patience))
    desk.leave(CONNECTED_SECONDS)
    decisions = [each for each in told if each["type"] == "decision"]
    return {"decisions": decisions, "open": desk.open, "replaced": REPLACED in told}
