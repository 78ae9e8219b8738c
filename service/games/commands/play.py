"""Play moves, or foresee what they would do."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from msgspec.structs import replace

from engine import Game, IllegalMove, observe
from engine.foresight import foresee as previews
from engine.foresight import plays_for_certain
from engine.reach import reach as reached
from engine.shapes import Preview, ReachedRoom
from service.games.apply import advance
from service.games.events import Event, PlayerBack
from service.games.model import FINISHED, WAITING, Moment, Progress, Table, Viewer
from service.games.viewers import need_seat
from service.refusals import Fault, Problem, of_engine

Moves = Sequence[tuple[Any, str]]  # as a client sent them, each with the JSON Pointer to where it stood


def play(table: Table, viewer: Viewer, moves: Moves, at: Moment) -> Progress:
    """Play all of the moves, or none. Whoever moves again after they were away is back."""
    _check_may_play(table, viewer)
    if len(moves) > 1 and not table.charter.sandbox:
        _check_foreseeable(table, viewer, moves)
    progress = Progress.none(table)
    for move, pointer in moves:
        now = progress.after
        _check_turn(now, viewer, pointer, table.version)
        game = now.game.copy()
        try:
            happened = game.play(move)
        except IllegalMove as error:
            raise _illegal(table.version, now.game, error, pointer) from error
        seat = now.lobby.seats[happened[0]["seat"]]
        back: list[Event] = [PlayerBack(seat.seat)] if seat.away else []
        progress = progress.then(advance(now, at, *back, *happened, game=game))
    return progress


class Foresight(NamedTuple):
    """What moves would do, and the table after the last of them as its decider would see it: None where chance decides
    that."""

    previews: list[Preview]
    after: Table | None


def foresee(table: Table, viewer: Viewer, moves: Moves) -> Foresight:
    """Return what the moves would do, as far as the seat can know. They are tried on what it sees, so that no die is
    betrayed."""
    _check_may_play(table, viewer)
    _check_turn(table, viewer, moves[0][1], table.version)
    seen = observe(table.game, table.game.decider)
    found: list[Preview] = []
    known: Game | None = None
    try:
        for preview, known in previews(seen, [move for move, _ in moves]):  # noqa: B007 - the last one counts
            found.append(preview)
    except IllegalMove as error:
        raise _illegal(table.version, seen, error, moves[len(found)][1]) from error
    return Foresight(found, replace(table, game=known) if known else None)


def reach(table: Table, viewer: Viewer, seat: int) -> list[ReachedRoom]:
    """Return where the seat can get to in this turn, and what can be done there, by what it sees."""
    check_seat(table, seat)
    _check_may_decide(table, viewer, seat)
    return reached(observe(table.game, seat))


def reach_after(table: Table, viewer: Viewer) -> list[ReachedRoom]:
    """Return where the decider of a table that was foreseen can get to from there; nowhere if that is another."""
    return reached(table.game) if table.may_move(viewer) else []


def staged(table: Table, viewer: Viewer, seat: int, moves: Moves) -> list[Preview]:
    """Return what a plan of a seat that must decide would do. It ends with the first move that chance decides."""
    _check_may_decide(table, viewer, seat)
    found = foresee(table, viewer, moves).previews
    if len(found) < len(moves):
        reason = "chance or somebody else comes in before it: end the plan there"
        raise _illegal(table.version, None, IllegalMove(moves[len(found)][1][1:], reason))
    return found


def check_seat(table: Table, seat: int) -> None:
    if not 0 <= seat < len(table.lobby.seats):
        raise Problem("not_found", f"The seats are 0 to {len(table.lobby.seats) - 1}.")


def check_own_seat(viewer: Viewer, seat: int) -> None:
    need_seat(viewer)
    if seat not in viewer.seats:
        raise Problem("forbidden", "Only the seat's player may do that.")


def _check_may_decide(table: Table, viewer: Viewer, seat: int) -> None:
    """Refuse whoever is not the player of a seat that must decide."""
    _check_may_play(table, viewer)
    check_own_seat(viewer, seat)
    if table.game.decider != seat:
        detail = f"Seat {table.game.decider} must decide."
        raise Problem("not_your_turn", detail, version=table.version, decision={"seat": table.game.decider})
    _check_turn(table, viewer, "", table.version)


def _check_may_play(table: Table, viewer: Viewer) -> None:
    need_seat(viewer)
    if table.status == WAITING:
        raise Problem("not_started", "The host starts it.", version=table.version)
    if table.status == FINISHED:
        raise Problem("game_over", "Its result stands.", version=table.version)


def _check_turn(table: Table, viewer: Viewer, pointer: str, version: int) -> None:
    """Refuse a move of whoever need not decide. A turn of several moves ends where somebody else must."""
    seat = table.game.decider
    if seat is None:
        raise Problem("game_over", "The moves before this one end the game.", _at(pointer, "comes too late"))
    if not table.may_move(viewer):
        mine = seat in viewer.seats
        code = "bot_plays" if mine else "not_your_turn"
        detail = f"A bot plays seat {seat}: take it back first." if mine else f"Seat {seat} must decide."
        raise Problem(code, detail, _at(pointer, detail), version=version, decision={"seat": seat})


def _check_foreseeable(table: Table, viewer: Viewer, moves: Moves) -> None:
    """Refuse a turn in which something follows a die or a card. If it were refused for what they came to it would tell
    them, and could be sent again otherwise. It is tried on what the player sees, so that no refusal depends on anything
    else. In a sandbox dice are no secret."""
    _check_turn(table, viewer, moves[0][1], table.version)
    seen = replace(table, game=observe(table.game, table.game.decider))
    certain = True
    for move, pointer in moves:
        if not certain:
            reason = "chance decides what the moves before it come to: send it when you know"
            raise _illegal(table.version, None, IllegalMove(pointer[1:], reason))
        _check_turn(seen, viewer, pointer, table.version)
        try:
            certain = plays_for_certain(seen.game, move)
        except IllegalMove as error:
            raise _illegal(table.version, seen.game, error, pointer) from error


def _at(pointer: str, detail: str) -> list[Fault]:
    return [{"pointer": pointer, "code": "conflict", "detail": detail}] if pointer else []


def _illegal(version: int, game: Game | None, error: IllegalMove, pointer: str = "") -> Problem:
    """Return the Problem with the moves that were legal at that point, if it can be known."""
    problem = of_engine(error, pointer)
    problem.facts = {"version": version, "legal_moves": game.legal_moves() if game else []}
    return problem
