"""Moves: legal ones, played ones, tried ones; and the replay of a game that is over."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from werkzeug.datastructures import ETags

from engine import Game, IllegalMove, observe
from engine.foresight import foresee, plays_for_certain
from engine.state import LAYOUT
from service import clock, history, views
from service.access import Answer, Caller, answering, commit, find, need_token
from service.errors import Problem, of_engine
from service.store import Store
from service.tables import Table, Viewer

Wire = dict[str, Any]

VERSION_RETRIES = "Fetch the state, then decide again."


@dataclass(frozen=True)
class Turn:
    """Moves as they were sent."""

    moves: Sequence[Any]
    pointers: Sequence[str]  # where each stood in the body
    version: int | None = None  # that the sender saw, from the body
    etags: ETags | None = None  # likewise, from If-Match
    dry_run: bool = False
    minimal: bool = False  # the sender wants no state back


@answering
def play(store: Store, table: Table, viewer: Viewer, caller: Caller, turn: Turn) -> Answer:
    """All of the moves, or none."""
    now = clock.now()
    need_token(caller)
    if not viewer.seats:
        raise Problem("forbidden", "This token has no seat.")
    _check_version(table, viewer, turn)
    _check_playing(table)
    if turn.dry_run:
        return _dry_run(table, viewer, turn)
    if len(turn.moves) > 1 and not table.about["sandbox"]:
        _check_foreseeable(table, viewer, turn)
    for move, pointer in zip(turn.moves, turn.pointers, strict=True):
        _check_turn(table, viewer, pointer)
        try:
            happened = table.game.play(move)
        except IllegalMove as error:
            raise _illegal(table.stored_version, table.game, error, pointer) from error
        if table.game.result is not None:
            table.about["status"] = "finished"
        table.tell(now, [*_welcome(table, happened[0]["seat"]), *happened])
    over = table.status == "finished"
    change = table.change(now, moved=over, only_moves=not over)
    return commit(store, caller, table, change, _played(table, viewer, turn))


def _welcome(table: Table, seat: int) -> list[Wire]:
    """Whoever moves again is not away any more."""
    if not table.seats[seat]["away"]:
        return []
    table.seats[seat]["away"] = False
    return [{"type": "player_back", "seat": seat}]


def _played(table: Table, viewer: Viewer, turn: Turn) -> Answer:
    happened = views.events(table.told, viewer)
    body: Wire = {"version": table.version, "seq": table.seq, "events": history.parsed(happened)}
    if not turn.minimal:
        body["state"] = views.state(table, viewer)
    headers = {"ETag": views.etag(table, viewer)}
    return Answer(200, body, headers | ({"Preference-Applied": "return=minimal"} if turn.minimal else {}))


def _check_version(table: Table, viewer: Viewer, turn: Turn) -> None:
    now: Wire = {"version": table.version}
    if turn.etags and not turn.etags.contains_weak(views.tag(table.version, table.epoch, viewer.label)):
        headers = {"ETag": views.etag(table, viewer)}
        raise Problem("precondition_failed", f"It is {table.version}. {VERSION_RETRIES}", headers=headers, **now)
    if turn.version is not None and turn.version != table.version:
        detail = f"It is {table.version}, not {turn.version}. {VERSION_RETRIES}"
        raise Problem("version_conflict", detail, [{"pointer": "/version", "detail": detail}], **now)


def _check_playing(table: Table) -> None:
    if table.status == "waiting":
        raise Problem("not_started", "The host starts it.", version=table.version)
    if table.status == "finished":
        raise Problem("game_over", "Its result stands.", version=table.version)


def _check_turn(table: Table, viewer: Viewer, pointer: str) -> None:
    """Also within a turn of several moves: it ends where somebody else must decide."""
    if table.game.result is not None:
        raise Problem("game_over", "The moves before this one end the game.", _at(pointer, "comes too late"))
    if not table.may_move(viewer):
        seat = table.game.decider
        mine = seat in viewer.seats
        code = "bot_plays" if mine else "not_your_turn"
        detail = f"A bot plays seat {seat}: take it back first." if mine else f"Seat {seat} must decide."
        raise Problem(code, detail, _at(pointer, detail), version=table.stored_version, decision={"seat": seat})


def _check_foreseeable(table: Table, viewer: Viewer, turn: Turn) -> None:
    """Nothing may follow a die or a card: a turn refused for what they came to would tell them, and could be sent again
    otherwise. Tried on what the player sees, so that no refusal depends on anything else; in a sandbox dice are no
    secret."""
    _check_turn(table, viewer, turn.pointers[0])
    seen = replace(table, game=observe(table.game, table.game.decider))
    certain = True
    for move, pointer in zip(turn.moves, turn.pointers, strict=True):
        if not certain:
            reason = "chance decides what the moves before it come to: send it when you know"
            raise _illegal(table.version, None, IllegalMove(pointer[1:], reason))
        _check_turn(seen, viewer, pointer)
        try:
            certain = plays_for_certain(seen.game, move)
        except IllegalMove as error:
            raise _illegal(table.version, seen.game, error, pointer) from error


def _at(pointer: str, detail: str) -> list[Wire]:
    return [{"pointer": pointer, "detail": detail}] if pointer else []


def _illegal(version: int | None, game: Game | None, error: IllegalMove, pointer: str = "") -> Problem:
    """With the moves that were legal at that point, if it can be known."""
    problem = of_engine(error, pointer)
    problem.facts = {"version": version, "legal_moves": game.legal_moves() if game else []}
    return problem


def _dry_run(table: Table, viewer: Viewer, turn: Turn) -> Answer:
    """What the moves would do, as far as the seat can know; tried on what it sees, so that no die is betrayed."""
    _check_turn(table, viewer, turn.pointers[0])
    seen = observe(table.game, table.game.decider)
    told: list[Wire] = []
    try:
        for preview in foresee(seen, turn.moves):
            told.append(preview)  # noqa: PERF402 - told must hold those before an illegal one
    except IllegalMove as error:
        raise _illegal(table.version, seen, error, turn.pointers[len(told)]) from error
    body = {"version": table.version, "previews": told, "complete": len(told) == len(turn.moves)}
    return Answer(200, body, {"ETag": views.etag(table, viewer)})


def legal_moves(store: Store, game_id: str, caller: Caller) -> Answer:
    table, viewer = find(store, game_id, caller)
    state = views.state(table, viewer)
    body = {"version": table.version, "decision": state["decision"], "legal_moves": state["legal_moves"]}
    return Answer(200, body, {"ETag": views.etag(table, viewer)})


def replay(store: Store, game_id: str, caller: Caller) -> Answer:
    """Everything that makes the game again, once it is over."""
    table, _ = find(store, game_id, caller)
    if table.status != "finished":
        raise Problem("not_over", "Its seed is a secret until then.", version=table.version)
    body: Wire = {
        "game": table.id,
        "engine": {"version": history.ENGINE_VERSION, "layout": LAYOUT},
        "rules": table.game.rules.to_dict(),
        "seed": table.secret["seed"],
        "salt": table.about["dice"]["salt"],
        "hash": table.about["dice"]["hash"],
        "sandbox": table.about["sandbox"],
        "position": table.secret["start"],
        "moves": [move for _, move in history.moves(store, table)],
        "result": table.game.result,
    }
    return Answer(200, body, {"ETag": f'"{table.version}"', "Cache-Control": "private, max-age=3600"})
