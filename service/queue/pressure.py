"""Refuse new work while workers are behind: games that go on come first.

Workers are behind for a caller if something of theirs has waited too long, or if something of a newcomer would. How
long one caller's many games wait is no reason to refuse another caller. Whoever is in debt is refused at any time.
"""

import time
from weakref import WeakKeyDictionary

from service import clock
from service.callers.caller import Caller
from service.callers.limits import Work
from service.queue import probe, waiting
from service.queue.queueing import ADVICE, TURNS
from service.refusals import Problem
from service.store.store import Store

LOOK_SECONDS = 1.0
RETRY_SECONDS = 10
_MOST_REMEMBERED = 1000  # callers
_looks: WeakKeyDictionary[Store, dict[str, tuple[float, float]]] = WeakKeyDictionary()


def seconds_behind(store: Store, caller: str) -> float:
    """Return how long the oldest of what waits for that caller has waited, as of a second ago."""
    looks = _looks.setdefault(store, {})
    looked, behind = looks.get(caller, (-LOOK_SECONDS, 0.0))
    now = time.monotonic()
    if now - looked > LOOK_SECONDS:
        if len(looks) > _MOST_REMEMBERED:
            looks.clear()
        looks[caller] = now, behind  # others need not look meanwhile
        behind = _look(store, caller)
        looks[caller] = now, behind
    return behind


def _look(store: Store, caller: str) -> float:
    questions = [command for name in (TURNS, ADVICE) for command in waiting.asking_for_oldest(name, caller)]
    behind = 0.0
    for queue in store.queues:
        probed, *oldest = queue.ask(probe.COMMAND, *questions)
        now = clock.now()
        behind = max(behind, waiting.age(oldest, now), probe.seconds(probed, now))
    return behind


def is_behind(store: Store, caller: str) -> bool:
    return bool(store.most_behind) and seconds_behind(store, caller) > store.most_behind


def refuse_new_work(store: Store, caller: Caller, creator: str = "") -> None:
    """Refuse if the workers have too much to do, or did too much for whoever asks or made the game."""
    if is_behind(store, caller.origin):
        behind = seconds_behind(store, caller.origin)
        detail = f"They are {behind:.0f} seconds behind. Games without bots can be started."
        raise Problem("overloaded", detail, retry_seconds=RETRY_SECONDS)
    refuse_debtors(store, caller, creator)


def refuse_debtors(store: Store, caller: Caller, creator: str = "") -> None:
    """Refuse if whoever asks, or made the game, is in debt: its bots would be charged to them."""
    caller.meter.work.check()
    if creator and creator != caller.origin:
        others = Work(creator, store.work_limit)
        others.look(store.redis)
        others.check()
