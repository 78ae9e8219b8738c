"""The crew's chance as sailors would have it: cheap, from what everybody can see, kept for a chart."""

import hashlib
import time
from collections.abc import Iterator
from typing import Any

import numpy as np

from bots.mind import new_mind
from bots.playout import TALLY, play_sailors
from bots.weights import WEIGHTS
from engine import Game, observe
from engine.journal import SILENT
from engine.moves import new_moves
from engine.state import new_records
from service import history, queueing
from service.access import Answer, Caller, find
from service.pressure import is_behind
from service.store import Store
from service.tables import Table

Wire = dict[str, Any]

PLAYOUTS = 200
LOOK_SECONDS = 0.1  # between looks of one who waits
_UP_TO = "up to"


def key_of(game_id: str) -> str:
    return f"odds:{game_id}"


def estimate(game: Game, game_id: str) -> float:
    """The share of games that sailors rescue from here. The same position of the same game has the same estimate."""
    if game.result is not None:
        return 1.0 if game.result["crew"] == "rescued" else 0.0
    seen = observe(game, None)
    seed = int.from_bytes(hashlib.sha256(f"{game_id} {game.version}".encode()).digest()[:7], "little")
    tally = np.zeros(TALLY, np.int64)
    wins = play_sailors(new_records(), seen.record, WEIGHTS, seed, PLAYOUTS, new_mind(), SILENT, new_moves(), tally)
    return int(wins) / PLAYOUTS


def turns(store: Store, table: Table) -> Iterator[tuple[int, Game]]:
    """Version and game at the start of every turn so far, and at the end."""
    turn = -1
    for version, game in history.versions(store, table):
        now = int(game.record["turn"][0])
        if now != turn or game.result is not None:
            turn = now
            yield version, game


def fill(store: Store, table: Table) -> None:
    """Estimates what is not estimated yet, and notes how far that goes."""
    known = {point["version"] for point in told(store, table.id)[0]}
    shares: dict[Any, Any] = {_UP_TO: table.version}
    shares |= {str(version): estimate(game, table.id) for version, game in turns(store, table) if version not in known}
    with store.redis.pipeline() as pipeline:
        pipeline.hset(key_of(table.id), mapping=shares)
        pipeline.expire(key_of(table.id), store.keep_seconds)
        pipeline.execute()


def told(store: Store, game_id: str) -> tuple[list[Wire], int]:
    """The estimates so far, and the version up to which there are all."""
    found: Any = store.redis.hgetall(key_of(game_id))
    up_to = int(found.pop(_UP_TO.encode(), 0))
    points = sorted((int(version), float(rescued)) for version, rescued in found.items())
    return [{"version": version, "rescued": rescued} for version, rescued in points], up_to


def look(store: Store, game_id: str, caller: Caller, wait: float) -> Answer:
    """What is known; what is not is asked of a worker."""
    table, _ = find(store, game_id, caller)
    ends = time.monotonic() + wait
    points, up_to = told(store, game_id)
    if up_to < table.version and not is_behind(store):
        queueing.enqueue(store, queueing.ADVICE, queueing.FILL_ODDS, f"odds-{game_id}-{table.version}", game_id)
    while up_to < table.version and time.monotonic() < ends:
        time.sleep(LOOK_SECONDS)
        points, up_to = told(store, game_id)
    complete = up_to >= table.version
    body = {"version": table.version, "points": points, "complete": complete}
    return Answer(200, body, {} if complete else {"Retry-After": "1"})
