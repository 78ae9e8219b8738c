"""A game of a match as a game like any other: over, with its history, to be replayed, verified and forked.

A worker plays it again, as nothing is kept of most games but how they ended; or plays the moves that were kept. Its id
follows from the match and its number, so that it is there once, however often it is opened.
"""

import hashlib
from dataclasses import dataclass
from typing import Any

from bots.arena.recorded import RecordedGame, play_recorded
from engine import Game, GameError
from service.callers import tokens
from service.callers.caller import Caller
from service.callers.door import Attendance
from service.games import stored, tables, timing
from service.games.access import Answer, answer_before, remember
from service.games.commands.clock import stand_in
from service.games.commands.lobby import open_table, start
from service.games.model import Charter, Dice, Secrets, Viewer
from service.games.polling import wait_for
from service.matches import packing, recorded
from service.matches.model import Match
from service.matches.records import encode_time
from service.matches.repository import MatchRepository
from service.matches.requests import find
from service.queue import waiting
from service.queue.queueing import ADVICE
from service.refusals import Problem
from service.store import match_keys
from service.store.ids import derived_id
from service.store.own import own_store
from service.store.partitions import Partitions
from service.store.store import Conflict, Store
from service.wire import Wire

RETRY_SECONDS = 1
_SALT_DIGITS = 32


@dataclass(frozen=True)
class Which:
    """A game of a match."""

    match: Match
    series: int
    line_up: int
    number: int

    @classmethod
    def named(cls, match: Match, gnomes: int, line_up: str, number: int) -> "Which":
        plan = match.plan
        if gnomes not in plan.gnomes or line_up not in plan.line_ups or not number < plan.games:
            raise Problem("not_found", "The match has no such game.")
        return cls(match, plan.gnomes.index(gnomes), plan.names.index(line_up), number)

    @property
    def crew(self) -> list[str]:
        return self.match.plan.series[self.series].crews[self.line_up]

    @property
    def place(self) -> str:
        return f"{self.series}:{self.line_up}:{self.number}"

    @property
    def seed(self) -> bytes:
        return self.match.seed_of(self.number)

    def game_id(self, partitions: Partitions) -> str:
        """Return the id of the game when it is opened: in the partition of its match, and with the prefix of the
        match's id, where that is an old one."""
        prefix = self.match.id.removesuffix(self.match.id.rpartition("-")[2])
        derived = derived_id(f"{self.match.id} {encode_time(self.match.created_at)} {self.place}")
        return prefix + partitions.placed(derived, partitions.of(self.match.id))

    @property
    def name(self) -> str:
        plan = self.match.plan
        words = f"{plan.names[self.line_up]}, {plan.gnomes[self.series]} gnomes, game {self.number}"
        return f"{plan.name[:20].strip()}: {words}" if plan.name else words

    def may_be_told(self, shelf: MatchRepository) -> bool:
        """Return whether its dice are a secret no more: another crew may still play on them."""
        line_ups = range(len(self.match.plan.line_ups))
        others = (Which(self.match, self.series, each, self.number) for each in line_ups if self.match.outside)
        return all(each.result(shelf) is not None for each in others)

    def result(self, shelf: MatchRepository) -> Any:
        """Return the game's row; None while it is not played."""
        size = packing.layout(self.crew).itemsize
        key = shelf.store.names.match.of_series(self.match.id, match_keys.GAMES, self.series, self.line_up)
        (stored,) = shelf.store.redis.ask(("GETRANGE", key, self.number * size, (self.number + 1) * size - 1))
        row = packing.unpack(stored, self.crew, 1)[0]
        return None if row["cause"] == packing.UNPLAYED else row


def open_one(
    store: Store, hub: Attendance, caller: Caller, match_id: str, gnomes: int, line_up: str, number: int, wait: float
) -> Answer:
    """201 and where it is; or 202, as long as no worker has come to it."""
    shelf, match = find(store, match_id, caller)
    which = Which.named(match, gnomes, line_up, number)
    if which.result(shelf) is None or not which.may_be_told(shelf):
        raise Problem("not_found", "That game is not played yet, or need not be.")
    game_id = which.game_id(store.names.partitions)
    headers = {"Location": f"/v1/games/{game_id}"}
    body = {"game_id": game_id, "match_id": match_id, "gnomes": gnomes, "line_up": line_up, "number": number}
    if before := answer_before(store, caller):
        return Answer(before.status, body, before.headers)  # an earlier release may have kept it in other names
    if not _is_there(shelf, which):
        caller.meter.work.check()
        question = f"open:{match_id}:{gnomes}:{line_up}:{number}"
        waiting.offer(store.queue_of(match_id), ADVICE, question, waiting.LATER, caller.origin)
        wait_for(hub, store.names.topic(game_id), wait, lambda: _is_there(shelf, which))
        if not _is_there(shelf, which):
            return Answer(202, body, headers | {"Retry-After": str(RETRY_SECONDS)})
    return remember(store, caller, Answer(201, body, headers))


def _is_there(shelf: MatchRepository, which: Which) -> bool:
    """Raises a Problem when this release plays it otherwise than the one that played the match."""
    names, game_id = shelf.store.names, which.game_id(shelf.store.names.partitions)
    there, odd = shelf.store.redis.ask(
        ("EXISTS", names.game(game_id)), ("HGET", names.match.odd_of(which.match.id), which.place)
    )
    if odd is not None and not there:
        raise Problem("played_otherwise", odd.decode())
    return bool(there)


def open_game(match_id: str, gnomes: int, line_up: str, number: int) -> None:
    """Play a game again, as a worker does, and keep it as a game that is over."""
    store = own_store()
    shelf = MatchRepository(store)
    match = shelf.fetch(match_id)
    if match is None:
        return
    which = Which.named(match, gnomes, line_up, number)
    row, game_id = which.result(shelf), which.game_id(store.names.partitions)
    if row is None or store.redis.exists(store.names.game(game_id)):
        return
    try:
        game = _played(shelf, which, {**packing.describe(row, which.crew)})
    except _Otherwise as error:
        shelf.note_difference(match, which.place, str(error), game_id)
        return
    _put(store, which, game)


class _Otherwise(Exception):
    """It does not come to what it came to."""


def _played(shelf: MatchRepository, which: Which, told: Wire) -> RecordedGame:
    rules = which.match.plan.series[which.series].rules
    key = shelf.store.names.match.of_series(which.match.id, match_keys.MOVES, which.series, which.line_up)
    (moves,) = shelf.store.redis.ask(("HGET", key, which.number))
    if moves is None:
        result, game = play_recorded(which.crew, rules, which.seed)
        again = result.to_dict()
        same = all(again[name] == told[name] for name in ("deaths", "minutes_left", "seats"))
    else:
        game = RecordedGame.new(rules, which.seed)
        same = True
        try:
            for move in recorded.unpacked(moves):
                game.play(move)
        except GameError as error:
            raise _Otherwise(f"This release has other rules: {error}.") from error
    cause = game.result["cause"] if game.result else "no end"
    turn = int(game.record["turn"][0])
    if not same or (cause, turn) != (told["cause"], told["turns"]):
        detail = f"It was {told['cause']} in turn {told['turns']}, and comes to {cause} in turn {turn} in this release."
        raise _Otherwise(detail)
    return game


def _put(store: Store, which: Which, game: RecordedGame) -> None:
    """Store the game as if it had just been played here. Whoever has the match's token is its host."""
    at, seed = tables.now(), which.seed.hex()
    game_id = which.game_id(store.names.partitions)
    salt = hashlib.sha256(f"salt {game_id}".encode()).hexdigest()[:_SALT_DIGITS]
    before = Game.new(game.rules, which.seed)
    charter = Charter(game.rules, which.name, False, True, None, at.text, None, Dice.committed(salt, seed))
    holder = {which.match.holder: tokens.HOST} if which.match.holder else {}
    secrets = Secrets(seed, None, holder, opening=tuple({**event} for event in before.opening))
    progress = open_table(game_id, charter, before, secrets, which.crew, at)
    progress = progress.then(start(progress.after, Viewer(host=True), None, at))
    for move, _ in game.moves:
        turn = timing.bot_turn(progress.after.lobby, progress.after.game, at.seconds)
        assert turn is not None, "every seat is a bot's, and nothing is played after the end"
        progress = progress.then(stand_in(progress.after, turn, move, at))
    try:
        store.commit(stored.change(progress, at.seconds, listed=False))
    except Conflict:  # another worker was faster
        return
