"""Advice for whoever must decide: asked for, worked out by a worker, fetched; from what that seat may see."""

import math
import secrets
from dataclasses import replace
from typing import Any

import orjson

from bots.explain import MODEL_ERROR, explain
from bots.roster import ROSTER
from engine import observe
from service import clock
from service.callers.caller import Caller
from service.callers.door import Attendance
from service.games import renaming
from service.games.access import Answer, answering, find, need_token, remember
from service.games.commands.advising import need_advice
from service.games.commands.play import staged
from service.games.company import crew_of
from service.games.model import PLAYING, WAITING, Table, Viewer
from service.games.play import Turn, check_version
from service.games.polling import wait_for
from service.games.tables import fetch, stamp
from service.queue import waiting
from service.queue.pressure import refuse_new_work
from service.queue.queueing import ADVICE
from service.refusals import Problem
from service.store.store import Store
from service.wire import Wire

ADVISER = ROSTER["admiral"]
THINK_SECONDS = 5.0
KEEP_SECONDS = 3600
ID_DIGITS = 16


@answering
def ask(store: Store, table: Table, viewer: Viewer, caller: Caller, plan: Turn | None = None) -> Answer:
    """202, and where to look. A plan of whoever asks is weighed beside those of the bot."""
    need_token(caller)
    seat = table.game.decider
    if table.status != PLAYING:
        raise Problem("not_started" if table.status == WAITING else "game_over", "There is nothing to decide.")
    if seat not in viewer.seats:
        raise Problem("not_your_turn", f"Seat {seat} must decide.", decision={"seat": seat})
    need_advice(table)
    own = _staged(table, viewer, seat, plan) if plan else []
    refuse_new_work(store, caller, table.creator)
    advice_id = caller.retry.key[:ID_DIGITS] if caller.retry else secrets.token_hex(ID_DIGITS // 2)
    asked = {
        "id": advice_id, "status": "working", "version": table.version, "seat": seat, "at": stamp(clock.now()),
        "label": viewer.label, "moves_played": table.game.version, "plans": [], "playouts": 0,
        "own_moves": own,
    }  # fmt: skip
    store.redis.set(store.names.advice(table.id, advice_id), orjson.dumps(asked), ex=KEEP_SECONDS)
    waiting.offer(store.queue_of(table.id), ADVICE, f"advise:{table.id}:{advice_id}", waiting.SOON, caller.origin)
    headers = {"Location": f"/v1/games/{table.id}/advice/{advice_id}", "Retry-After": "1"}
    return remember(store, caller, Answer(202, _told(asked, table), headers))


def _staged(table: Table, viewer: Viewer, seat: int, plan: Turn) -> list[Any]:
    """Return the moves of a plan as the engine knows them. Raises a Problem for one that can't be played."""
    check_version(table, viewer, plan)
    return [preview["move"] for preview in staged(table, viewer, seat, plan.pointed)]


def look(store: Store, hub: Attendance, game_id: str, advice_id: str, caller: Caller, wait: float) -> Answer:
    """Answer with what there is by now. Only whoever asked may see it."""
    table, viewer = find(store, game_id, caller)
    need_advice(table)
    known = _found(store, game_id, advice_id, viewer)
    if wait and known["status"] == "working":
        key = store.names.advice(game_id, advice_id)
        wait_for(hub, key, wait, lambda: _found(store, game_id, advice_id, viewer)["status"] != "working")
        known = _found(store, game_id, advice_id, viewer)
    headers = {"Retry-After": "1"} if known["status"] == "working" else {}
    return Answer(200, _told(known, table), headers)


def _found(store: Store, game_id: str, advice_id: str, viewer: Viewer) -> Wire:
    found: Any = store.redis.get(store.names.advice(game_id, advice_id))
    known: Wire | None = orjson.loads(found) if found else None
    if known is None or known["label"] != viewer.label:
        raise Problem("not_found", "There is no such advice, or it was another's.")
    return known


def _told(known: Wire, table: Table) -> Wire:
    stale = known["moves_played"] != table.game.version
    told = {name: known[name] for name in ("id", "status", "version", "seat", "at", "playouts", "plans")}
    answer = renaming.advice(told | {"own": known.get("own")})
    return answer | compared(answer["plans"], answer["own"]) | {"stale": stale}


def compared(plans: list[Wire], own: Wire | None = None) -> Wire:
    """Return plans, the best first, and the own one, each with whether it is as good as the best within the standard
    errors of both. What all of them may be off by is no difference between them, but is told as part of the error."""
    every = [
        plan | {"as_good_as_best": _is_as_good(plan, plans[0]), "error": _whole_error(plan["error"])}
        for plan in [*plans, *([own] if own else [])]
    ]
    return {"plans": every[: len(plans)], "own": every[-1] if own else None}


def _whole_error(of_playouts: float | None) -> float | None:
    return None if of_playouts is None else math.hypot(of_playouts, MODEL_ERROR)


def _is_as_good(plan: Wire, best: Wire) -> bool:
    """Return whether playouts do not tell a plan from the best one, or find it better. Nothing is known of one without
    playouts."""
    if plan is best:
        return True
    if not (plan["playouts"] and best["playouts"]):
        return False
    return bool(best["rescue_rate"] - plan["rescue_rate"] <= best["error"] + plan["error"])


def work_out(store: Store, game_id: str, advice_id: str) -> None:
    """Find the best plans, as a worker does. A game that moved on needs no advice."""
    found: Any = store.redis.get(store.names.advice(game_id, advice_id))
    table = fetch(store, game_id)
    if not found or table is None:
        return
    known = orjson.loads(found)
    if known["status"] != "working":
        return
    if table.game.version != known["moves_played"]:
        known["status"] = "dropped"
    else:
        budget = replace(ADVISER.budget, seconds=THINK_SECONDS)
        own = known.get("own_moves", [])
        crew = crew_of(store, table)
        told = explain(observe(table.game, known["seat"]), budget, seed=table.game.version, own=own, crew=crew)
        known |= {"status": "done", "playouts": told["playouts"], "plans": renaming.plans_to_store(told["plans"])}
        if told["own"]:
            (known["own"],) = renaming.plans_to_store([told["own"]])
    key = store.names.advice(game_id, advice_id)
    store.redis.ask(("SET", key, orjson.dumps(known), "EX", KEEP_SECONDS), store.telling(key, known["status"]))
