"""When workers are behind, new work for them is refused: games that go on come first."""

import time
from weakref import WeakKeyDictionary

from service.errors import Problem
from service.metrics import queue_facts
from service.store import Store

LOOK_SECONDS = 1.0
RETRY_SECONDS = 10
_looks: WeakKeyDictionary[Store, tuple[float, float]] = WeakKeyDictionary()


def seconds_behind(store: Store) -> float:
    """How long the game that has waited longest for a worker has waited; as of a second ago."""
    looked, behind = _looks.get(store, (-LOOK_SECONDS, 0.0))
    now = time.monotonic()
    if now - looked > LOOK_SECONDS:
        _looks[store] = now, behind  # others need not look meanwhile
        behind = queue_facts(store)["oldest"]
        _looks[store] = now, behind
    return behind


def is_behind(store: Store) -> bool:
    return bool(store.most_behind) and seconds_behind(store) > store.most_behind


def refuse_new_work(store: Store) -> None:
    """Raises a Problem when the workers have too much to do already."""
    if is_behind(store):
        detail = f"They are {seconds_behind(store):.0f} seconds behind. Games without bots can be started."
        raise Problem("overloaded", detail, headers={"Retry-After": str(RETRY_SECONDS)})
