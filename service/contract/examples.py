"""The contract's examples of requests and answers, made of a real game and what the service tells of it."""

from functools import cache
from typing import Any

from msgspec import to_builtins
from msgspec.structs import replace

from bots.budget import Budget
from bots.explain import explain
from engine import LAYOUT, observe
from engine.foresight import foresee
from engine.reach import reach
from engine.rules import EDITIONS
from service.accounts.names import seated
from service.contract import example_matches, example_outside, example_requests
from service.contract.example_table import (
    BEGAN,
    EPOCH,
    HOST,
    ID,
    INVITATION,
    MID_TURN,
    NAMES,
    SEED,
    TOKEN,
    as_sent,
    choice,
    decider_at,
    everybody,
    next_move,
    opened,
    plain,
    player_at,
    progress_of,
    state_of,
    table_of,
)
from service.games import catalogue, renaming, views
from service.games.advice import compared
from service.games.apply import apply
from service.games.events import ClientDataChanged, ControllerChanged
from service.games.model import (
    BOT,
    Origin,
    Table,
    Viewer,
)
from service.games.narrator import Narrator
from service.games.pictures import PNG, SVG
from service.games.stored import card
from service.games.tables import stamp
from service.picture.geometry import layouts
from service.release import RELEASE
from service.wire import Wire
from service.words.glossary import KINDS

Examples = dict[str, Wire]  # name → example object

JSON, NDJSON, SSE = "application/json", "application/x-ndjson", "text/event-stream"
PLAYER_TOKEN = "rn_" + "b7Hn2WcY" * 5 + "pL4"

ADVICE_ID = "5e1f0c9ab27d4836"
_FORK_ID = "c5h8ny3evuw2jq7s"
_DRAWING = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1000 864" role="img" lang="en">'
    "<title>Red November: Friday night</title><desc>Turn 1. Ada must decide: move, use items, or act.</desc></svg>"
)
_INVITED: Wire = {
    "id": "i1", "seat": 2, "uses": 1, "created_at": stamp(BEGAN), "player_ids": [], "status": "open",
}  # fmt: skip


def _example(name: str, value: Any) -> Examples:
    """Return an example by its name; the name in words is the summary."""
    return {name.replace(" ", "_"): {"summary": name.capitalize(), "value": value}}


def _examples(told: dict[str, Wire]) -> dict[str, Examples]:
    """Several things, each with its examples by name."""
    return {
        what: {key: example for name, value in named.items() for key, example in _example(name, plain(value)).items()}
        for what, named in told.items()
    }


def _created() -> Wire:
    return {"token": TOKEN, "game": state_of(table_of(0), HOST)}


def _created_to_play() -> Wire:
    """Return a game that somebody has created, joined and started in one request."""
    return {"token": TOKEN, "player_token": PLAYER_TOKEN, "game": state_of(everybody(0), player_at(0))}


def _forked() -> Wire:
    table = everybody(MID_TURN)
    new = opened(_FORK_ID, table.game, Origin(ID, table.version)).after
    return {"token": TOKEN, "game": state_of(new, HOST)}


def _joined() -> Wire:
    return {"token": TOKEN, "game": state_of(table_of(1), player_at(0))}


def _handed_over() -> Wire:
    table = everybody(MID_TURN)
    lobby = apply(table.lobby, ControllerChanged(1, BOT, "captain"))
    return state_of(replace(table, lobby=lobby), player_at(1))


def _keeping(player: str | None, data: Wire) -> Wire:
    table = table_of(1)
    lobby = apply(table.lobby, ClientDataChanged(player, data))
    return state_of(replace(table, lobby=lobby), player_at(0) if player else HOST)


def _legal(lang: str | None = None) -> Wire:
    table = everybody(MID_TURN)
    state = plain(views.state(table, decider_at(table), lang))
    return {"version": table.version, "decision": state["decision"], "legal_moves": state["legal_moves"]}


def _previews() -> Wire:
    table = everybody(MID_TURN)
    seen = observe(table.game, table.game.decider or 0)
    ((foreseen, after),) = foresee(seen, [as_sent(next_move())])
    game = state_of(replace(table, game=after), decider_at(table)) if after else None
    return {"version": table.version, "previews": plain([foreseen]), "complete": True, "game": game}


def _reach() -> Wire:
    """Return the seat's own room and one other, each with one of its actions."""
    table = everybody(0)
    seat = table.game.decider or 0
    rooms = reach(observe(table.game, seat))
    own = next(room for room in rooms if not room["ways"][0]["moves"])
    other = next(room for room in rooms if room["ways"][0]["ghost"] != own["ways"][0]["ghost"])
    shown = [{**room, "ways": [way | {"actions": way["actions"][:1]} for way in room["ways"]]} for room in (own, other)]
    return {"version": table.version, "seat": seat, "rooms": plain(shown)}


def _events() -> tuple[int, list[Wire]]:
    """Return what the move brought about, and the number of the event before."""
    before, after = everybody(MID_TURN), progress_of(len(NAMES), MID_TURN + 1)
    return before.seq, plain(views.known(after.events[before.seq :], decider_at(before)))


def _outsiders() -> Table:
    """Return a table at which a bot from outside must decide."""
    table = everybody(MID_TURN)
    seats = tuple(replace(seat, kind=BOT, bot=seated(example_outside.NAME), player=None) for seat in table.lobby.seats)
    return replace(table, lobby=replace(table.lobby, seats=seats, players=()))


def _played() -> Wire:
    table = everybody(MID_TURN + 1)
    return {"version": table.version, "seq": table.seq, "events": _events()[1]}


def _page(lang: str | None = None) -> Wire:
    before, events = _events()
    narrator = Narrator(lang, everybody(MID_TURN)) if lang else None
    told = [narrator.told(event) if narrator else event for event in events[:3]]
    return {"events": told, "next": before + 3, "more": True, "epoch": EPOCH}


def _lines() -> Examples:
    """Return lines of a stream: the first one, and an event."""
    before, events = _events()
    first = {"type": "state", "seq": before, "state": state_of(everybody(MID_TURN), Viewer())}
    told = _example("the first line", first) | _example("an event", events[0])
    return told | _example("what somebody points at", _pointing(1))


def _signal(seat: int | None = None, **shown: Any) -> Wire:
    table = everybody(MID_TURN)
    shown = {"moves": None, "points_at": None, "says": None} | shown
    head = {"type": "signal", "seat": table.game.decider if seat is None else seat, "version": table.version}
    return {**head, "at": stamp(BEGAN), **shown, "seconds": 60 if shown["moves"] else 15}


def _pointing(seat: int) -> Wire:
    return _signal(seat, points_at={"type": "room", "room": 4}, says="go_there")


def _line_of_one() -> Wire:
    before, events = _events()
    return {"game_id": ID, "seq": before + 1, "line": events[0]}


def _advice(done: bool) -> Wire:
    table = everybody(MID_TURN)
    observed = observe(table.game, table.game.decider)
    told = explain(observed, Budget(200, 4), most=2, own=[as_sent(next_move())]) if done else None
    return {
        "id": ADVICE_ID,
        "status": "done" if told else "working",
        "version": table.version,
        "seat": table.game.decider,
        "asked_at": stamp(BEGAN),
        "playouts": told["playouts"] if told else 0,
        **compared(plain(told["plans"]) if told else [], plain(told["own"]) if told else None),
        "stale": False,
    }


def _odds() -> Wire:
    points = [{"version": 5, "rescue_rate": 0.72}, {"version": 12, "rescue_rate": 0.685}]
    return {"version": 14, "points": points, "complete": True}


def _replay() -> Wire:
    table = everybody(0)
    moves: list[Wire] = []
    while table.game.result is None:
        moves.append(choice(table.game, len(moves)))
        table.game.play(moves[-1])
    return {
        "game_id": ID,
        "engine": {"version": RELEASE, "layout": LAYOUT},
        "rules": table.game.rules.to_dict(),
        "rules_version": table.game.rules_version,
        "seed": SEED.hex(),
        **to_builtins(table.charter.dice),
        "sandbox": False,
        "position": None,
        "moves": [as_sent(move) for move in moves],
        "result": table.game.result,
    }


def _in_words() -> Wire:
    """Return the rules in German, with a word of each kind."""
    told = catalogue.rules_in_words("de", EDITIONS[0])
    first = {kind: dict(list(told["words"][kind].items())[:1]) for kind in KINDS}
    return _excerpt(told, 1) | {"words": told["words"] | first}


def _excerpt(whole: Any, most: int) -> Any:
    """Return the whole with so many of each list."""
    if isinstance(whole, dict):
        return {name: _excerpt(inner, most) for name, inner in whole.items()}
    return [_excerpt(inner, most) for inner in whole[:most]] if isinstance(whole, list) else whole


@cache
def requests() -> dict[str, Examples]:
    """Return examples of requests by operation."""
    of_all = (example_requests, example_matches, example_outside)
    return {operation: told for each in of_all for operation, told in _examples(each.requests()).items()}


@cache
def answers() -> dict[str, dict[str, Examples]]:
    """Return examples of answers by operation and media type."""
    table = everybody(MID_TURN)
    plan = _signal(moves=[next_move()])
    listed = {"games": [renaming.card(to_builtins(card(table_of(1))))], "next": None}
    return {
        "createGame": {JSON: _example("a new game", _created()) | _example("joined and begun", _created_to_play())},
        "listGames": {JSON: _example("a game that waits for players", listed)},
        "getGame": {JSON: _example("for the player whose turn it is", state_of(table, decider_at(table)))},
        "joinGame": {JSON: _example("the first player", _joined())},
        "inviteToGame": {JSON: _example("to a seat", {"token": INVITATION, "invitation": _INVITED})},
        "listInvitations": {JSON: _example("one that is open", {"invitations": [_INVITED]})},
        "rematchGame": {JSON: _example("the next game", {"game": state_of(everybody(0), player_at(0))})},
        "renewToken": {JSON: _example("another token", {"token": TOKEN})},
        "updateGame": {JSON: _example("with a theme for all", _keeping(None, {"theme": "storm"}))},
        "updatePlayer": {JSON: _example("with a colour of their own", _keeping("p1", {"colour": "#0a7"}))},
        "startGame": {JSON: _example("for the host", state_of(everybody(0), HOST))},
        "setSeatController": {JSON: _example("a bot plays", _handed_over())},
        "forkGame": {JSON: _example("a fork", _forked())},
        "getReplay": {JSON: _example("a short game", _replay())},
        "listLegalMoves": {JSON: _example("in the middle of a turn", _legal()) | _example("in words", _legal("en"))},
        "playMoves": {JSON: _example("what came of a move", _played())},
        "previewMoves": {JSON: _example("what would come of it", _previews())},
        "getReach": {JSON: _example("two rooms", _reach())},
        "showSignal": {JSON: _example("a plan", plan)},
        "listSignals": {JSON: _example("what two seats show", {"signals": [_pointing(0), plan]})},
        "requestAdvice": {JSON: _example("a worker is at it", _advice(done=False))},
        "getAdvice": {JSON: _example("two plans and one of your own", _advice(done=True))},
        "getOdds": {JSON: _example("two turns", _odds())},
        "listEvents": {
            JSON: _example("a page", _page()) | _example("in words", _page("en")),
        },
        "streamEvents": {NDJSON: _lines(), SSE: _lines()},
        "streamGames": {NDJSON: _example("an event of one of them", _line_of_one())},
        "getBoardSvg": {SVG: _example("its beginning", _DRAWING)},
        "getBoardPng": {PNG: _example("bytes", "\u2026")},
        "getRules": {
            JSON: _example("an excerpt", _excerpt(catalogue.rules(), 2)) | _example("an excerpt in German", _in_words())
        },
        "getBoardGeometry": {JSON: _example("an excerpt", {"layouts": _excerpt(layouts(), 2)})},
        "listBots": {
            JSON: _example(
                "an excerpt of the list", _excerpt(catalogue.roster(), 1) | {"outside": example_outside.listed()}
            )
        },
        **{operation: _examples(told) for operation, told in example_matches.answers(TOKEN).items()},
        **{operation: _examples(told) for operation, told in example_outside.answers(_outsiders()).items()},
    }
