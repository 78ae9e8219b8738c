"""Measure how soon a bot moves: ask for a decision again and again, which waits like everybody else's.

The sweeper asks, as a caller of its own with a person at the table. So the answer tells how long a newcomer waits,
however long one caller's many games do.
"""

from functools import cache

from bots.budget import Budget
from bots.roster import ROSTER
from bots.safety import BLUEPRINT
from engine import Game, Rules, observe
from service import clock
from service.queue import waiting
from service.queue.queueing import TURNS
from service.store import keys
from service.store.redis_client import Command
from service.store.store import Store

ITEM = CALLER = "probe"
EVERY_SECONDS = 5.0
SILENT_SECONDS = 3 * EVERY_SECONDS  # without a question
_KEY = keys.queue(TURNS, "probe")  # hash: when it was asked last, when that was answered, how long it took


def ask(store: Store) -> None:
    """Ask every few seconds. A question that is not answered yet is only offered again, in case it was lost."""
    ((asked, answered),) = store.queue.ask(("HMGET", _KEY, "asked", "answered"))
    now = clock.now()
    if asked is None or (answered is not None and now - float(asked) >= EVERY_SECONDS):
        store.queue.ask(("HSET", _KEY, "asked", f"{now:.3f}"), ("HDEL", _KEY, "answered"))
    elif answered is not None:
        return
    waiting.offer(store.queue, TURNS, ITEM, waiting.SOON, CALLER)


def answer(store: Store) -> None:
    """Answer, in a worker: decide at the start of a game, and note how long the question waited."""
    game = _game()
    ROSTER[BLUEPRINT].choose(observe(game, game.decider), Budget(1, 1))
    now = clock.now()
    (asked,) = store.queue.ask(("HGET", _KEY, "asked"))
    took = max(0.0, now - float(asked)) if asked else 0.0
    store.queue.ask(("HSET", _KEY, "answered", f"{now:.3f}", "took", f"{took:.3f}"))


@cache
def _game() -> Game:
    return Game.new(Rules(), bytes(32))


COMMAND: Command = ("HMGET", _KEY, "asked", "answered", "took")


def seconds(fields: list[bytes | None], now: float) -> float:
    """Return what the last answer took, or has taken so far. It grows when nobody asks: there are no workers then."""
    asked, answered, took = (float(part) if part is not None else None for part in fields)
    if asked is None:
        return 0.0
    since = max(0.0, now - asked)
    if answered is None:
        return max(since, took or 0.0)
    return since if since > SILENT_SECONDS else took or 0.0
