"""The chance of the crew that sits there: cheap, from what everybody can see, kept for a chart.

Each turn's is that of the crew of then, as far as the moves up to then tell how well each of them plays. So the same
turn of the same game always has the same chance, whenever it is worked out.
"""

import hashlib
import logging
from collections.abc import Iterator
from typing import Any

import orjson
from redis.exceptions import RedisError

from bots.odds import chance_of_rescue
from bots.skill import Crew
from engine import Game
from service.callers.caller import Caller
from service.callers.door import Attendance
from service.games import history
from service.games.access import Answer, find
from service.games.commands.advising import need_advice
from service.games.company import Company
from service.games.model import WAITING, Table
from service.games.polling import wait_for
from service.queue import waiting
from service.queue.pressure import is_behind
from service.queue.queueing import ADVICE
from service.refusals import Problem
from service.store.redis_client import is_refusal
from service.store.store import Store
from service.wire import Wire

log = logging.getLogger(__name__)

_UP_TO = "up to"


def estimate(game: Game, game_id: str, crew: Crew) -> float:
    """Return the crew's chance of rescue. The same position of the same game always has the same estimate."""
    seed = int.from_bytes(hashlib.sha256(f"{game_id} {game.version}".encode()).digest()[:7], "little")
    return chance_of_rescue(game, seed, crew)


def turns(store: Store, table: Table) -> Iterator[tuple[int, Game, Crew]]:
    """Yield version, game and crew at the start of every turn so far, and at the end."""
    company, turn = Company(table), -1
    told = map(orjson.loads, history.events(store, table))
    for version, happened, game in history.replayed(table, told, table.version, witness=company.witness):
        now = int(game.record["turn"][0])
        is_over = game.result is not None and history.choice(happened) is not None
        if company.status != WAITING and (now != turn or is_over):
            turn = now
            yield version, game, company.present


def fill(store: Store, table: Table) -> None:
    """Estimates what is not estimated yet, and notes how far that goes."""
    known = {point["version"] for point in told(store, table.id)[0]}
    shares: dict[Any, Any] = {_UP_TO: table.version}
    try:
        for version, game, crew in turns(store, table):
            if version not in known:
                shares[str(version)] = estimate(game, table.id, crew)
    except Problem as problem:  # begun under earlier rules: there is no more to tell
        log.info("game %s: no odds after that: %s", table.id, problem.detail)
    key = store.names.odds(table.id)
    store.redis.ask(
        ("HSET", key, *(part for pair in shares.items() for part in pair)),
        ("EXPIRE", key, store.keep_seconds),
        store.telling(key, table.version),
    )


def told(store: Store, game_id: str) -> tuple[list[Wire], int]:
    """Return the estimates so far, and the version up to which there are all."""
    found: Any = store.redis.hgetall(store.names.odds(game_id))
    up_to = int(found.pop(_UP_TO.encode(), 0))
    points = sorted((int(version), float(rate)) for version, rate in found.items())
    return [{"version": version, "rescue_rate": rate} for version, rate in points], up_to


def look(store: Store, hub: Attendance, game_id: str, caller: Caller, wait: float) -> Answer:
    """Answer with what is known; what is not is asked of a worker."""
    table, _ = find(store, game_id, caller)
    need_advice(table)
    points, up_to = told(store, game_id)
    if up_to < table.version and not is_behind(store, caller.origin) and not caller.meter.work.in_debt:
        try:
            waiting.offer(store.queue_of(game_id), ADVICE, f"odds:{game_id}", waiting.LATER, caller.origin)
        except RedisError as error:
            if not is_refusal(error):
                raise
    if wait and up_to < table.version:
        wait_for(hub, store.names.odds(game_id), wait, lambda: told(store, game_id)[1] >= table.version)
        points, up_to = told(store, game_id)
    complete = up_to >= table.version
    body = {"version": table.version, "points": points, "complete": complete}
    return Answer(200, body, {} if complete else {"Retry-After": "1"})
