"""The table of the contract's examples: a real game, the same each time, from its creation to its end."""

import hashlib
from typing import Any

import orjson
from msgspec.structs import replace

from engine import Game, Rules
from service.games import views
from service.games.commands.lobby import join, open_table, start
from service.games.commands.play import play
from service.games.model import (
    OPEN,
    Charter,
    Dice,
    Mark,
    Origin,
    Progress,
    Secrets,
    Table,
    Viewer,
)
from service.games.tables import moment
from service.wire import Wire

ID = "k7wq2m9xtr4bz6dp"
TOKEN = "rn_" + "Zq3vX8kD" * 5 + "mT0"
INVITATION = "rn_" + "i5Rk9TzA" * 5 + "qS8"
EPOCH = "5a0c9e2f"
MID_TURN = 3  # moves
HOST = Viewer(host=True)
BEGAN, _PACE = 1_780_000_000.0, 9.25
NAMES = ("Ada", "Bert", "Cleo")
SEED = hashlib.sha256(b"example 30").digest()  # of a short game
_SALT = hashlib.sha256(b"salt").hexdigest()[:32]
_STEP = 3  # how the moves are chosen among the legal ones


def choice(game: Game, number: int) -> Wire:
    legal = game.legal_moves()
    return {**legal[number * _STEP % len(legal)]}


def progress_of(players: int, moves: int | None = None) -> Progress:
    """Return the history of a table that so many have joined; with a number of moves it has begun, and so many were
    played."""
    game = Game.new(Rules(gnomes=len(NAMES)), SEED)
    progress = opened(ID, game)
    at = BEGAN + _PACE
    for name in NAMES[:players]:
        at += _PACE
        progress = progress.then(join(progress.after, name, None, "", moment(at)))
    if moves is not None:
        at += _PACE
        progress = progress.then(start(progress.after, HOST, None, moment(at)))
    for number in range(moves or 0):
        at += _PACE
        move = choice(progress.after.game, number)
        progress = progress.then(play(progress.after, decider_at(progress.after), [(move, "")], moment(at)))
    return progress


def opened(game_id: str, game: Game, forked_from: Origin | None = None) -> Progress:
    seed, began = SEED.hex(), moment(BEGAN)
    dice, sandbox = Dice.committed(_SALT, seed), forked_from is not None
    charter = Charter(game.rules, "Friday night", False, sandbox, None, began.text, forked_from, dice)
    secrets = Secrets(seed, None, {}, opening=tuple({**event} for event in game.opening))
    seats = [OPEN] * len(NAMES)
    return open_table(game_id, charter, game, secrets, seats, moment(BEGAN + _PACE), Mark(epoch=EPOCH))


def table_of(players: int, moves: int | None = None) -> Table:
    """Likewise, the table alone; nobody was heard of since."""
    return replace(progress_of(players, moves).after, seen={})


def everybody(moves: int) -> Table:
    return table_of(len(NAMES), moves)


def player_at(seat: int) -> Viewer:
    return Viewer(player=f"p{seat + 1}", seats=(seat,))


def decider_at(table: Table) -> Viewer:
    return player_at(table.game.decider or 0)


def state_of(table: Table, viewer: Viewer) -> Wire:
    return plain(views.state(table, viewer))


def plain(value: Any) -> Any:
    """Return a value as it is on the wire."""
    return orjson.loads(orjson.dumps(value))


def next_move() -> Wire:
    """Return the move that is played in the middle of a turn."""
    return choice(everybody(MID_TURN).game, MID_TURN)


def as_sent(move: Wire) -> Wire:
    """Return a move without what is only told."""
    return {name: value for name, value in move.items() if name not in ("cost", "chance")}
