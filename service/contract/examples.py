"""The contract's examples: a real game, the same each time, from its creation to its end."""

import hashlib
from functools import cache
from typing import Any

import orjson
from msgspec import to_builtins
from msgspec.structs import replace

from bots.budget import Budget
from bots.explain import explain
from engine import LAYOUT, Game, Rules, observe
from engine.foresight import foresee
from engine.reach import reach
from engine.rules import EDITIONS
from service.accounts.names import seated
from service.contract import example_matches, example_outside
from service.games import catalogue, renaming, views
from service.games.advice import compared
from service.games.apply import apply
from service.games.commands.lobby import join, open_table, start
from service.games.commands.play import play
from service.games.events import ClientDataChanged, ControllerChanged
from service.games.model import (
    BOT,
    OPEN,
    PLAYER,
    Charter,
    Dice,
    Mark,
    Origin,
    Progress,
    Secrets,
    Table,
    Viewer,
)
from service.games.narrator import Narrator
from service.games.pictures import PNG, SVG
from service.games.stored import card
from service.games.tables import moment, stamp
from service.picture.geometry import layouts
from service.release import RELEASE
from service.wire import Wire
from service.words.glossary import KINDS

Examples = dict[str, Wire]  # name → example object

ID = "k7wq2m9xtr4bz6dp"
JSON, NDJSON, SSE = "application/json", "application/x-ndjson", "text/event-stream"
TOKEN = "rn_" + "Zq3vX8kD" * 5 + "mT0"
INVITATION = "rn_" + "i5Rk9TzA" * 5 + "qS8"
PLAYER_TOKEN = "rn_" + "b7Hn2WcY" * 5 + "pL4"

ADVICE_ID = "5e1f0c9ab27d4836"
_FORK_ID = "c5h8ny3evuw2jq7s"
_SEED = hashlib.sha256(b"example 30").digest()  # of a short game
_SALT = hashlib.sha256(b"salt").hexdigest()[:32]
_EPOCH = "5a0c9e2f"
_BEGAN, _PACE = 1_780_000_000.0, 9.25
_NAMES = ("Ada", "Bert", "Cleo")
_DRAWING = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1000 864" role="img" lang="en">'
    "<title>Red November: Friday night</title><desc>Turn 1. Ada must decide: move, use items, or act.</desc></svg>"
)
_STEP = 3  # how the moves are chosen among the legal ones
_MID_TURN = 3  # moves
_HOST = Viewer(host=True)
_INVITED: Wire = {
    "id": "i1", "seat": 2, "uses": 1, "created_at": stamp(_BEGAN), "player_ids": [], "status": "open",
}  # fmt: skip


def _example(name: str, value: Any) -> Examples:
    """Return an example by its name; the name in words is the summary."""
    return {name.replace(" ", "_"): {"summary": name.capitalize(), "value": value}}


def _examples(told: dict[str, Wire]) -> dict[str, Examples]:
    """Several things, each with its examples by name."""
    return {
        what: {key: example for name, value in named.items() for key, example in _example(name, _plain(value)).items()}
        for what, named in told.items()
    }


def _plain(value: Any) -> Any:
    """Return a value as it is on the wire."""
    return orjson.loads(orjson.dumps(value))


def _choice(game: Game, number: int) -> Wire:
    legal = game.legal_moves()
    return {**legal[number * _STEP % len(legal)]}


def _progress(players: int, moves: int | None = None) -> Progress:
    """Return the history of a table that so many have joined; with a number of moves it has begun, and so many were
    played."""
    game = Game.new(Rules(gnomes=len(_NAMES)), _SEED)
    progress = _opened(ID, game)
    at = _BEGAN + _PACE
    for name in _NAMES[:players]:
        at += _PACE
        progress = progress.then(join(progress.after, name, None, "", moment(at)))
    if moves is not None:
        at += _PACE
        progress = progress.then(start(progress.after, _HOST, None, moment(at)))
    for number in range(moves or 0):
        at += _PACE
        move = _choice(progress.after.game, number)
        progress = progress.then(play(progress.after, _decider(progress.after), [(move, "")], moment(at)))
    return progress


def _opened(game_id: str, game: Game, forked_from: Origin | None = None) -> Progress:
    seed, began = _SEED.hex(), moment(_BEGAN)
    dice, sandbox = Dice.committed(_SALT, seed), forked_from is not None
    charter = Charter(game.rules, "Friday night", False, sandbox, None, began.text, forked_from, dice)
    secrets = Secrets(seed, None, {}, opening=tuple({**event} for event in game.opening))
    seats = [OPEN] * len(_NAMES)
    return open_table(game_id, charter, game, secrets, seats, moment(_BEGAN + _PACE), Mark(epoch=_EPOCH))


def _table(players: int, moves: int | None = None) -> Table:
    """Likewise, the table alone; nobody was heard of since."""
    return replace(_progress(players, moves).after, seen={})


def _everybody(moves: int) -> Table:
    return _table(len(_NAMES), moves)


def _player(seat: int) -> Viewer:
    return Viewer(player=f"p{seat + 1}", seats=(seat,))


def _decider(table: Table) -> Viewer:
    return _player(table.game.decider or 0)


def _state(table: Table, viewer: Viewer) -> Wire:
    return _plain(views.state(table, viewer))


def _created() -> Wire:
    return {"token": TOKEN, "game": _state(_table(0), _HOST)}


def _created_to_play() -> Wire:
    """Return a game that somebody has created, joined and started in one request."""
    return {"token": TOKEN, "player_token": PLAYER_TOKEN, "game": _state(_everybody(0), _player(0))}


def _forked() -> Wire:
    table = _everybody(_MID_TURN)
    new = _opened(_FORK_ID, table.game, Origin(ID, table.version)).after
    return {"token": TOKEN, "game": _state(new, _HOST)}


def _joined() -> Wire:
    return {"token": TOKEN, "game": _state(_table(1), _player(0))}


def _handed_over() -> Wire:
    table = _everybody(_MID_TURN)
    lobby = apply(table.lobby, ControllerChanged(1, BOT, "captain"))
    return _state(replace(table, lobby=lobby), _player(1))


def _keeping(player: str | None, data: Wire) -> Wire:
    table = _table(1)
    lobby = apply(table.lobby, ClientDataChanged(player, data))
    return _state(replace(table, lobby=lobby), _player(0) if player else _HOST)


def _legal(lang: str | None = None) -> Wire:
    table = _everybody(_MID_TURN)
    state = _plain(views.state(table, _decider(table), lang))
    return {"version": table.version, "decision": state["decision"], "legal_moves": state["legal_moves"]}


def _move() -> Wire:
    return _choice(_everybody(_MID_TURN).game, _MID_TURN)


def _asked() -> Wire:
    """Return a move as it is sent: without what is only told."""
    return {name: value for name, value in _move().items() if name not in ("cost", "chance")}


def _previews() -> Wire:
    table = _everybody(_MID_TURN)
    seen = observe(table.game, table.game.decider or 0)
    ((foreseen, after),) = foresee(seen, [_asked()])
    game = _state(replace(table, game=after), _decider(table)) if after else None
    return {"version": table.version, "previews": _plain([foreseen]), "complete": True, "game": game}


def _reach() -> Wire:
    """Return the seat's own room and one other, each with one of its actions."""
    table = _everybody(0)
    seat = table.game.decider or 0
    rooms = reach(observe(table.game, seat))
    own = next(room for room in rooms if not room["ways"][0]["moves"])
    other = next(room for room in rooms if room["ways"][0]["ghost"] != own["ways"][0]["ghost"])
    shown = [{**room, "ways": [way | {"actions": way["actions"][:1]} for way in room["ways"]]} for room in (own, other)]
    return {"version": table.version, "seat": seat, "rooms": _plain(shown)}


def _events() -> tuple[int, list[Wire]]:
    """Return what the move brought about, and the number of the event before."""
    before, after = _everybody(_MID_TURN), _progress(len(_NAMES), _MID_TURN + 1)
    return before.seq, _plain(views.known(after.events[before.seq :], _decider(before)))


def _outsiders() -> Table:
    """Return a table at which a bot from outside must decide."""
    table = _everybody(_MID_TURN)
    seats = tuple(replace(seat, kind=BOT, bot=seated(example_outside.NAME), player=None) for seat in table.lobby.seats)
    return replace(table, lobby=replace(table.lobby, seats=seats, players=()))


def _played() -> Wire:
    table = _everybody(_MID_TURN + 1)
    return {"version": table.version, "seq": table.seq, "events": _events()[1]}


def _page(lang: str | None = None) -> Wire:
    before, events = _events()
    narrator = Narrator(lang, _everybody(_MID_TURN)) if lang else None
    told = [narrator.told(event) if narrator else event for event in events[:3]]
    return {"events": told, "next": before + 3, "more": True, "epoch": _EPOCH}


def _lines() -> Examples:
    """Return lines of a stream: the first one, and an event."""
    before, events = _events()
    first = {"type": "state", "seq": before, "state": _state(_everybody(_MID_TURN), Viewer())}
    told = _example("the first line", first) | _example("an event", events[0])
    return told | _example("what somebody points at", _pointing(1))


def _signal(seat: int | None = None, **shown: Any) -> Wire:
    table = _everybody(_MID_TURN)
    shown = {"moves": None, "points_at": None, "says": None} | shown
    head = {"type": "signal", "seat": table.game.decider if seat is None else seat, "version": table.version}
    return {**head, "at": stamp(_BEGAN), **shown, "seconds": 60 if shown["moves"] else 15}


def _pointing(seat: int) -> Wire:
    return _signal(seat, points_at={"type": "room", "room": 4}, says="go_there")


def _line_of_one() -> Wire:
    before, events = _events()
    return {"game_id": ID, "seq": before + 1, "line": events[0]}


def _advice(done: bool) -> Wire:
    table = _everybody(_MID_TURN)
    observed = observe(table.game, table.game.decider)
    told = explain(observed, Budget(200, 4), most=2, own=[_asked()]) if done else None
    return {
        "id": ADVICE_ID,
        "status": "done" if told else "working",
        "version": table.version,
        "seat": table.game.decider,
        "asked_at": stamp(_BEGAN),
        "playouts": told["playouts"] if told else 0,
        **compared(_plain(told["plans"]) if told else [], _plain(told["own"]) if told else None),
        "stale": False,
    }


def _odds() -> Wire:
    points = [{"version": 5, "rescue_rate": 0.72}, {"version": 12, "rescue_rate": 0.685}]
    return {"version": 14, "points": points, "complete": True}


def _replay() -> Wire:
    table = _everybody(0)
    moves: list[Wire] = []
    while table.game.result is None:
        moves.append(_choice(table.game, len(moves)))
        table.game.play(moves[-1])
    return {
        "game_id": ID,
        "engine": {"version": RELEASE, "layout": LAYOUT},
        "rules": table.game.rules.to_dict(),
        "rules_version": table.game.rules_version,
        "seed": _SEED.hex(),
        **to_builtins(table.charter.dice),
        "sandbox": False,
        "position": None,
        "moves": [{name: value for name, value in move.items() if name not in ("cost", "chance")} for move in moves],
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
    at_once = {"seats": [OPEN, *["captain"] * 3], "join": {"name": "Ada"}, "start": True}
    one_for_all = {"seats": [OPEN] * 3, "players": 1}
    with_bots = {"seats": [OPEN, OPEN, "captain", "captain"], "rules": {"less_deadly_dying": True}, "turn_seconds": 120}
    scene = {"rules": {"gnomes": 3}, "tracks": {"pressure": 8}, "rooms": {"4": {"fire": True}}, "script": {"dice": [7]}}
    return {
        "createGame": {
            **_example("three players", {"seats": [OPEN] * 3, "name": "Friday night"}),
            **_example("two players and two bots", with_bots),
            **_example("one player for all seats", one_for_all),
            **_example("alone with bots and at once", at_once),
            **_example("from a position", {"position": scene, "visibility": "private"}),
        },
        "joinGame": {
            **_example("any seat", {"name": "Ada"}),
            **_example("a certain seat", {"name": "Bert", "seat": 1}),
            **_example("by an invitation", {"name": "Cleo", "invitation": INVITATION}),
        },
        "inviteToGame": {
            **_example("one friend to any seat", {}),
            **_example("to a seat that a bot plays so far", {"seat": 2}),
        },
        "updateGame": {
            **_example("a theme for all", {"client_data": {"theme": "storm"}}),
            **_example("nothing any more", {"client_data": None}),
            **_example("no advice from now on", {"advice": False}),
        },
        "updatePlayer": {**_example("a colour of their own", {"client_data": {"colour": "#0a7"}})},
        "startGame": {
            **_example("with everybody there", {}),
            **_example("with bots for open seats", {"fill_with": "captain"}),
        },
        "setSeatController": {
            **_example("hand it to a bot", {"kind": BOT, "bot": "captain"}),
            **_example("take it back", {"kind": PLAYER}),
        },
        "forkGame": {
            **_example("from now on", {}),
            **_example("with the same dice", {"version": 9, "dice": "same", "name": "What if?"}),
        },
        "playMoves": {
            **_example("a move as it was told", {"moves": [_move()]}),
            **_example("a turn", {"moves": [{"type": "open_hatch", "to": 5}, {"type": "enter"}], "version": 7}),
        },
        "requestAdvice": {
            **_example("what to do", {}),
            **_example("what a plan is worth", {"moves": [_asked()], "version": 7}),
        },
        "showSignal": {
            **_example("a plan", {"moves": [_asked()], "version": 7}),
            **_example("pointing at a room", {"points_at": {"type": "room", "room": 4}, "says": "go_there"}),
            **_example("a word", {"says": "thanks"}),
        },
        "streamGames": {
            **_example("two games, one from now on", {
                "games": [{"game_id": ID, "token": TOKEN, "after": 12}, {"game_id": example_matches.GAME_ID}]
            }),
        },
        "previewMoves": {
            **_example("a move", {"moves": [_asked()], "version": 7}),
            **_example("with where it leads", {"moves": [_asked()], "reach": True}),
        },
        **_examples(example_matches.requests()),
        **_examples(example_outside.requests()),
    }  # fmt: skip


@cache
def answers() -> dict[str, dict[str, Examples]]:
    """Return examples of answers by operation and media type."""
    table = _everybody(_MID_TURN)
    listed = {"games": [renaming.card(to_builtins(card(_table(1))))], "next": None}
    return {
        "createGame": {JSON: _example("a new game", _created()) | _example("joined and begun", _created_to_play())},
        "listGames": {JSON: _example("a game that waits for players", listed)},
        "getGame": {JSON: _example("for the player whose turn it is", _state(table, _decider(table)))},
        "joinGame": {JSON: _example("the first player", _joined())},
        "inviteToGame": {JSON: _example("to a seat", {"token": INVITATION, "invitation": _INVITED})},
        "listInvitations": {JSON: _example("one that is open", {"invitations": [_INVITED]})},
        "rematchGame": {JSON: _example("the next game", {"game": _state(_everybody(0), _player(0))})},
        "renewToken": {JSON: _example("another token", {"token": TOKEN})},
        "updateGame": {JSON: _example("with a theme for all", _keeping(None, {"theme": "storm"}))},
        "updatePlayer": {JSON: _example("with a colour of their own", _keeping("p1", {"colour": "#0a7"}))},
        "startGame": {JSON: _example("for the host", _state(_everybody(0), _HOST))},
        "setSeatController": {JSON: _example("a bot plays", _handed_over())},
        "forkGame": {JSON: _example("a fork", _forked())},
        "getReplay": {JSON: _example("a short game", _replay())},
        "listLegalMoves": {JSON: _example("in the middle of a turn", _legal()) | _example("in words", _legal("en"))},
        "playMoves": {JSON: _example("what came of a move", _played())},
        "previewMoves": {JSON: _example("what would come of it", _previews())},
        "getReach": {JSON: _example("two rooms", _reach())},
        "showSignal": {JSON: _example("a plan", _signal(moves=[_move()]))},
        "listSignals": {JSON: _example("what two seats show", {"signals": [_pointing(0), _signal(moves=[_move()])]})},
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
