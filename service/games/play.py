"""Requests about moves: list those that are legal, play some, preview some; and the replay of a game that is over."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from werkzeug.datastructures import ETags

from engine import LAYOUT
from service.callers.caller import Caller
from service.games import history, moved, tables, views
from service.games.access import Answer, answering, commit, find
from service.games.commands import play as moving
from service.games.model import Json, Table, Viewer
from service.games.viewers import need_seat
from service.refusals import Fault, Problem
from service.release import RELEASE
from service.store.store import Store

VERSION_RETRIES = "Fetch the state, then decide again."


@dataclass(frozen=True)
class Turn:
    """Moves as they were sent."""

    moves: Sequence[Any]
    version: int | None = None  # that the sender saw, from the body
    etags: ETags | None = None  # likewise, from If-Match
    minimal: bool = False  # the sender wants no state back
    reach: bool = False  # the sender wants to know, too, where they can get to after the moves

    @property
    def pointed(self) -> moving.Moves:
        """Return the moves, each with the JSON Pointer to where it stood in the body."""
        return [(move, f"/moves/{number}") for number, move in enumerate(self.moves)]


@answering
def play(store: Store, table: Table, viewer: Viewer, caller: Caller, turn: Turn) -> Answer:
    """Play all of the moves, or none."""
    at = tables.now()
    need_seat(viewer)
    check_version(table, viewer, turn)
    progress = moving.play(table, viewer, turn.pointed, at)
    minimal = turn.minimal
    return commit(
        store,
        caller,
        progress,
        at,
        lambda events: Answer(200, *moved.told(progress.after, events, viewer, minimal)),
        note=lambda: moved.note(progress, viewer, minimal),
    )


@answering
def preview(store: Store, table: Table, viewer: Viewer, caller: Caller, turn: Turn) -> Answer:
    """Answer with what the moves would do."""
    need_seat(viewer)
    check_version(table, viewer, turn)
    previews, after = moving.foresee(table, viewer, turn.pointed)
    body: Json = {
        "version": table.version,
        "previews": previews,
        "complete": len(previews) == len(turn.moves),
        "game": views.state(after, viewer) if after else None,
    }
    if turn.reach:
        body["rooms"] = moving.reach_after(after, viewer) if after else []
    return Answer(200, body, {"ETag": views.etag(table, viewer)})


def reach(store: Store, game_id: str, caller: Caller, seat: int) -> Answer:
    """Answer with where a seat can get to in this turn, and what can be done there."""
    table, viewer = find(store, game_id, caller)
    body = {"version": table.version, "seat": seat, "rooms": moving.reach(table, viewer, seat)}
    return Answer(200, body, {"ETag": views.etag(table, viewer)})


def check_version(table: Table, viewer: Viewer, turn: Turn) -> None:
    """Refuse a turn that was made up for another version of the game."""
    if turn.etags and not turn.etags.contains_weak(views.tag(table.version, table.mark.epoch, viewer.label)):
        raise _of_other_etags(table, viewer, turn.etags)
    if turn.version is not None and turn.version != table.version:
        detail = f"It is {table.version}, not {turn.version}. {VERSION_RETRIES}"
        told: Fault = {"pointer": "/version", "code": "conflict", "detail": detail}
        raise Problem("version_conflict", detail, [told], version=table.version)


def _of_other_etags(table: Table, viewer: Viewer, etags: ETags) -> Problem:
    """Return the refusal of a request for another version, or for the view that another has of this one."""
    this = views.tag(table.version, table.mark.epoch, "")
    is_of_another = any(str(each).startswith(this) for each in etags.as_set(include_weak=True))
    detail = (
        "That is the ETag of another's view of this version. Fetch the state with your own token."
        if is_of_another
        else f"It is {table.version}. {VERSION_RETRIES}"
    )
    told: Fault = {"header": "If-Match", "code": "conflict", "detail": detail}
    return Problem("precondition_failed", detail, [told], tag=views.etag(table, viewer), version=table.version)


def legal_moves(store: Store, game_id: str, caller: Caller, lang: str | None = None) -> Answer:
    """Answer with the moves that the caller may play now, in words, too, if a language is given."""
    table, viewer = find(store, game_id, caller)
    state = views.state(table, viewer, lang)
    body = {"version": table.version, "decision": state["decision"], "legal_moves": state["legal_moves"]}
    return Answer(200, body, {"ETag": views.etag(table, viewer)})


def replay(store: Store, game_id: str, caller: Caller) -> Answer:
    """Answer with everything that makes the game again, once it is over."""
    table, _ = find(store, game_id, caller)
    if not table.tells_seed:
        raise Problem("not_over", "Its seed is a secret until then.", version=table.version)
    charter, secrets = table.charter, table.secrets
    body: Json = {
        "game_id": table.id,
        "engine": {"version": RELEASE, "layout": LAYOUT},
        "rules": charter.rules.to_dict(),
        "rules_version": table.game.rules_version,
        "seed": secrets.seed,
        "salt": charter.dice.salt,
        "hash": charter.dice.hash,
        "sandbox": charter.sandbox,
        "position": secrets.start,
        "moves": [move for _, move in history.moves(store, table)],
        "result": table.game.result,
    }
    return Answer(200, body, {"ETag": f'"{table.version}"', "Cache-Control": "private, max-age=3600"})
