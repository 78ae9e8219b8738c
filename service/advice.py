"""Advice for whoever must decide: asked for, worked out by a worker, fetched; from what that seat may see."""

import secrets
import time
from typing import Any

import orjson

from bots.explain import explain
from bots.roster import ROSTER
from bots.search import Budget
from engine import observe
from service import clock, queueing
from service.access import Answer, Caller, answering, find, need_token
from service.errors import Problem
from service.pressure import refuse_new_work
from service.store import Store
from service.tables import Table, Viewer, fetch, stamp

Wire = dict[str, Any]

ADVISER = ROSTER["admiral"]
THINK_SECONDS = 5.0
KEEP_SECONDS = 3600
ID_DIGITS = 16
LOOK_SECONDS = 0.1  # between looks of one who waits


def _key(game_id: str, advice_id: str) -> str:
    return f"advice:{game_id}:{advice_id}"


@answering
def ask(store: Store, table: Table, viewer: Viewer, caller: Caller) -> Answer:
    """202, and where to look."""
    need_token(caller)
    seat = table.game.decider
    if table.status != "playing":
        raise Problem("not_started" if table.status == "waiting" else "game_over", "There is nothing to decide.")
    if seat not in viewer.seats:
        raise Problem("not_your_turn", f"Seat {seat} must decide.", decision={"seat": seat})
    refuse_new_work(store)
    advice_id = caller.retry.key[:ID_DIGITS] if caller.retry else secrets.token_hex(ID_DIGITS // 2)
    asked = {
        "id": advice_id, "status": "working", "version": table.version, "seat": seat, "at": stamp(clock.now()),
        "label": viewer.label, "moves_played": table.game.version, "plans": [], "playouts": 0,
    }  # fmt: skip
    store.redis.set(_key(table.id, advice_id), orjson.dumps(asked), ex=KEEP_SECONDS)
    queueing.enqueue(store, queueing.ADVICE, queueing.ADVISE, f"advice-{table.id}-{advice_id}", table.id, advice_id)
    headers = {"Location": f"/v1/games/{table.id}/advice/{advice_id}", "Retry-After": "1"}
    answer = Answer(202, _told(asked, table), headers)
    if caller.retry:
        store.remember(caller.retry, {"status": answer.status, "body": answer.body, "headers": headers})
    return answer


def look(store: Store, game_id: str, advice_id: str, caller: Caller, wait: float) -> Answer:
    """What there is by now. Only whoever asked may see it."""
    table, viewer = find(store, game_id, caller)
    ends = time.monotonic() + wait
    while True:
        found: Any = store.redis.get(_key(game_id, advice_id))
        known = orjson.loads(found) if found else None
        if known is None or known["label"] != viewer.label:
            raise Problem("not_found", "There is no such advice, or it was another's.")
        if known["status"] != "working" or time.monotonic() > ends:
            break
        time.sleep(LOOK_SECONDS)
    headers = {"Retry-After": "1"} if known["status"] == "working" else {}
    return Answer(200, _told(known, table), headers)


def _told(known: Wire, table: Table) -> Wire:
    stale = known["moves_played"] != table.game.version
    return {name: known[name] for name in ("id", "status", "version", "seat", "at", "playouts", "plans")} | {
        "stale": stale
    }


def work_out(store: Store, game_id: str, advice_id: str) -> None:
    """In a worker. A game that moved on needs no advice."""
    found: Any = store.redis.get(_key(game_id, advice_id))
    table = fetch(store, game_id)
    if not found or table is None:
        return
    known = orjson.loads(found)
    if known["status"] != "working":
        return
    if table.game.version != known["moves_played"]:
        known["status"] = "dropped"
    else:
        budget = Budget(ADVISER.playouts, ADVISER.candidates, THINK_SECONDS)
        told = explain(observe(table.game, known["seat"]), budget, seed=table.game.version)
        known |= {"status": "done", "playouts": told["playouts"], "plans": told["plans"]}
    store.redis.set(_key(game_id, advice_id), orjson.dumps(known), ex=KEEP_SECONDS)
