"""A game of a match as a game like any other: over, with its history, to be replayed, verified and forked.

A worker plays it again, as nothing is kept of most games but how they ended; or plays the moves that were kept. Its id
follows from the match and its number, so that it is there once, however often it is opened.
"""

import hashlib
from dataclasses import dataclass
from typing import Any

from bots.series import game_seed
from engine import GameError
from service import clock, queueing, tokens
from service.access import Answer, Caller, key_reused, replayed
from service.errors import Problem
from service.feed import Hub
from service.jobs import own_store
from service.matches import keys, packed, recorded
from service.matches.plan import LINE_UPS
from service.matches.requests import find
from service.matches.shelf import Match, Shelf
from service.polling import wait_for
from service.store import Answered, Conflict, KeyReused, Store, derived_id
from service.tables import Table, commitment, stamp
from service.timing import BOT

Wire = dict[str, Any]

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
        return cls(match, plan.gnomes.index(gnomes), LINE_UPS.index(line_up), number)

    @property
    def crew(self) -> list[str]:
        return self.match.plan.series[self.series].crews[self.line_up]

    @property
    def place(self) -> str:
        return f"{self.series}:{self.line_up}:{self.number}"

    @property
    def seed(self) -> bytes:
        return game_seed(self.match.plan.seed, self.number)

    @property
    def game_id(self) -> str:
        cell, _, _ = self.match.id.rpartition("-")
        return derived_id(cell, f"{self.match.id} {self.match.facts['created']} {self.place}")

    @property
    def name(self) -> str:
        plan = self.match.plan
        words = f"{LINE_UPS[self.line_up]}, {plan.gnomes[self.series]} gnomes, game {self.number}"
        return f"{plan.label[:20].strip()}: {words}" if plan.label else words

    def result(self, shelf: Shelf) -> Any:
        """Its row; None while it is not played."""
        size = packed.layout(self.crew).itemsize
        key = keys.of_series(self.match.id, keys.GAMES, self.series, self.line_up)
        (stored,) = shelf.store.redis.ask(("GETRANGE", key, self.number * size, (self.number + 1) * size - 1))
        row = packed.unpack(stored, self.crew, 1)[0]
        return None if row["cause"] == packed.UNPLAYED else row


def open_one(
    store: Store, hub: Hub, caller: Caller, match_id: str, gnomes: int, line_up: str, number: int, wait: float
) -> Answer:
    """201 and where it is; or 202, as long as no worker has come to it."""
    shelf, match = find(store, match_id, caller)
    which = Which.named(match, gnomes, line_up, number)
    if which.result(shelf) is None:
        raise Problem("not_found", "That game is not played yet, or need not be.")
    if caller.retry:
        try:
            (stored,) = store.redis.ask(store.asking_for_answer(caller.retry))
            store.check_answered(caller.retry, stored)
        except KeyReused as error:
            raise key_reused() from error
        except Answered as before:
            return replayed(store, caller, before.answer)
    game_id = which.game_id
    headers = {"Location": f"/v1/games/{game_id}"}
    body = {"game": game_id, "match": match_id, "gnomes": gnomes, "line_up": line_up, "number": number}
    if not _is_there(shelf, which):
        queueing.enqueue(
            store, queueing.ADVICE, queueing.OPEN_GAME, f"open-{game_id}", match_id, gnomes, line_up, number
        )
        wait_for(hub, game_id, wait, lambda: _is_there(shelf, which))
        if not _is_there(shelf, which):
            return Answer(202, body, headers | {"Retry-After": str(RETRY_SECONDS)})
    answer = Answer(201, body, headers)
    if caller.retry:
        store.remember(caller.retry, {"status": answer.status, "body": body, "headers": headers})
    return answer


def _is_there(shelf: Shelf, which: Which) -> bool:
    """Raises a Problem when this release plays it otherwise than the one that played the match."""
    there, odd = shelf.store.redis.ask(
        ("EXISTS", f"game:{which.game_id}"), ("HGET", keys.odd_of(which.match.id), which.place)
    )
    if odd is not None and not there:
        raise Problem("played_otherwise", odd.decode())
    return bool(there)


def open_game(match_id: str, gnomes: int, line_up: str, number: int) -> None:
    """In a worker."""
    store = own_store()
    shelf = Shelf(store)
    match = shelf.fetch(match_id)
    if match is None:
        return
    which = Which.named(match, gnomes, line_up, number)
    row = which.result(shelf)
    if row is None or store.redis.exists(f"game:{which.game_id}"):
        return
    try:
        game = _played(shelf, which, packed.told(row, which.crew))
    except _Otherwise as error:
        shelf.note_odd(match, which.place, str(error), which.game_id)
        return
    _put(store, which, game)


class _Otherwise(Exception):
    """It does not come to what it came to."""


def _played(shelf: Shelf, which: Which, told: Wire) -> recorded.Noted:
    rules = which.match.plan.series[which.series].rules
    key = keys.of_series(which.match.id, keys.MOVES, which.series, which.line_up)
    (moves,) = shelf.store.redis.ask(("HGET", key, which.number))
    if moves is None:
        result, game = recorded.played(which.crew, rules, which.seed)
        again = result.to_dict()
        same = all(again[name] == told[name] for name in ("deaths", "minutes_left", "seats"))
    else:
        game = recorded.new(rules, which.seed)
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


def _put(store: Store, which: Which, game: recorded.Noted) -> None:
    """As if it had just been played here; whoever has the match's token is its host."""
    now = clock.now()
    seed = which.seed.hex()
    salt = hashlib.sha256(f"salt {which.game_id}".encode()).hexdigest()[:_SALT_DIGITS]
    about = {
        "name": which.name,
        "status": "playing",
        "private": False,
        "sandbox": True,
        "turn_seconds": None,
        "created_at": stamp(now),
        "changed_at": stamp(now),
        "seats": [
            {"seat": seat, "kind": BOT, "bot": bot, "player": None, "away": False}
            for seat, bot in enumerate(which.crew)
        ],
        "players": [],
        "clock": None,
        "forked_from": None,
        "dice": {"salt": salt, "hash": commitment(salt, seed)},
    }
    rights = {which.match.facts["holder"]: tokens.HOST}
    table = Table(which.game_id, 0, 0, game, about, rights, {"seed": seed, "start": None, "joined": 0})
    table.tell(now, [{"type": "game_created"}])
    table.tell(now, [{"type": "game_started", "seats": table.seats}, *game.opening])
    for _, happened in game.noted:
        table.tell(now, happened)
    about["status"] = "finished"
    try:
        store.commit(table.change(now))
    except Conflict:  # another worker was faster
        return
