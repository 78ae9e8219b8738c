"""What outside bots answer: each answer is played if its decision is still open, and told what became of it.

The id of a decision makes an answer safe to repeat: the game knows which moves outside bots have chosen of late.
"""

from collections.abc import Sequence
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from engine import Game, IllegalMove
from engine.lanes import MOVE_IDS, id_of, move_of
from engine.shapes import Event as GameEvent
from service.accounts import counting
from service.accounts.model import Account
from service.accounts.names import account_of
from service.callers.caller import Caller
from service.callers.limits import Meter
from service.callers.origin import DIGITS
from service.config import NO_LIMIT, Config
from service.games import stored, tables, timing
from service.games.access import Answer, unconfirmed
from service.games.apply import advance
from service.games.events import Event, PlayerBack
from service.games.model import Moment, Progress, Table
from service.outside.registering import authenticate
from service.outside.standing_in import MOST_ILLEGAL, ends
from service.refusals import Problem
from service.store import keys
from service.store.asked import Entry
from service.store.ids import is_id
from service.store.layouts import NewerLayout
from service.store.redis_client import Command, Replies
from service.store.store import Change, Store, Unconfirmed
from service.wire import Wire

Outcome = Literal["played", "already", "late", "illegal"]
MOST_REMEMBERED = 64  # answers of a game, by which one that is sent again is known
_ATTEMPTS = 5  # at a batch, while others change the games
_QUICKEN = 1.1  # what the quickest answer is let rise by from one batch to the next, as lines get slower too


class Sent(Struct, frozen=True):
    """An answer as it was sent."""

    id: str
    moves: Sequence[Any] = ()
    action: int | None = None

    @property
    def place(self) -> tuple[str, int]:
        """Return the game, and how many moves were played in it; an id that is none is of no game."""
        game_id, _, number = self.id.rpartition(".")
        known = is_id(game_id) and number.isascii() and number.isdecimal() and len(number) < 10
        return (game_id, int(number)) if known else ("", 0)

    @property
    def plan(self) -> Sequence[Any]:
        return self.moves if self.action is None else [_move_of(self.action)]


def _move_of(action: int) -> Any:
    if not 0 <= action < MOVE_IDS:
        raise IllegalMove("action", f"must be 0 to {MOVE_IDS - 1}", "range")
    return move_of(action)


class _Played(Struct):
    """An answer that is to be committed."""

    place: int  # among all answers
    progress: Progress
    change: Change
    milliseconds: int | None  # since its decision was sent
    moves: int


def take(store: Store, name: str, caller: Caller, answers: Sequence[Sent], config: Config) -> Answer:
    """Play what can be played of some answers, and tell of each what became of it."""
    told: list[Wire | None] = [None] * len(answers)
    for _ in range(_ATTEMPTS):
        left = [place for place, each in enumerate(told) if each is None]
        if not left:
            break
        if _attempt(store, name, caller, answers, left, told):
            Meter("unknown", config.limits.get("unknown", NO_LIMIT), caller.digest[:DIGITS]).now(store.redis)
    if any(each is None for each in told):
        raise Problem("unavailable", "Games change too fast, or are of a later release.", retry_seconds=1)
    return Answer(200, {"answers": told}, {"Cache-Control": "no-store"})


def _attempt(
    store: Store, name: str, caller: Caller, answers: Sequence[Sent], left: Sequence[int], told: list[Wire | None]
) -> int:
    """Judge the first answer of each game that has no verdict yet, and commit those that are played. Return how many
    were to decisions that there are not."""
    first: dict[str, int] = {}
    for place in left:
        game_id, _ = answers[place].place
        if game_id:
            first.setdefault(game_id, place)
        else:
            told[place] = _verdict(answers[place], "late")
    unknown = len(left) - len([place for place in left if told[place] is None])
    found = _read(store, name, answers, first)
    account = authenticate(store, name, caller, found[0])
    judge = _Judge(store, account, tables.now())
    played: list[_Played] = []
    for number, (game_id, place) in enumerate(first.items()):
        fields, noted = found[1 + 2 * number : 3 + 2 * number]
        try:
            table = stored.load(game_id, fields, found.epochs[1 + 2 * number]) if fields[0] is not None else None
        except NewerLayout:  # a process of the later release can judge it, to which this may be sent again
            continue
        verdict = judge.of(table, answers[place], place, noted)
        if isinstance(verdict, _Played):
            played.append(verdict)
        else:
            told[place] = verdict
    made = _commit(store, [each.change for each in played])
    done = [each for each, is_made in zip(played, made, strict=True) if is_made]
    for each in done:
        told[each.place] = _verdict(answers[each.place], "played", moves_played=each.moves)
    _note(store, account, done, judge)
    return unknown + judge.unknown


def _read(store: Store, name: str, answers: Sequence[Sent], first: dict[str, int]) -> Replies:
    """Read the account, and of each game the game and what is noted of the decision."""
    names = store.names
    commands: list[Command] = [("HGETALL", keys.account(name))]
    for game_id, place in first.items():
        commands.append(("HMGET", names.game(game_id), *stored.FIELDS))
        commands.append(("HGET", names.asked(names.partitions.of(game_id), name), answers[place].id))
    return store.redis.ask(*commands)


def _commit(store: Store, changes: Sequence[Change]) -> list[bool]:
    try:
        return store.commit_all(changes)
    except Unconfirmed as error:
        raise unconfirmed() from error


class _Judge:
    """Says what becomes of answers of a bot, and notes what is to be counted and written of them."""

    def __init__(self, store: Store, account: Account, at: Moment):
        self._store, self._account, self._at = store, account, at
        self.unknown = self.illegal = 0
        self.noting: list[Command] = []
        self.over: list[Table] = []  # whose decision is a stand-in's now

    def of(self, table: Table | None, answer: Sent, place: int, noted: bytes | None) -> _Played | Wire:
        """Return the answer as it is to be played, or the verdict."""
        name, number = self._account.name, answer.place[1]
        if table is None or all(account_of(seat.bot) != name for seat in table.lobby.seats):
            self.unknown += 1
            return _verdict(answer, "late")
        if any(moves == number and account_of(table.lobby.seats[seat].bot) == name for moves, seat in table.answered):
            return _verdict(answer, "already")
        decision = timing.decision_of_outsider(table.lobby, table.game)
        if decision is None or (decision.account, decision.moves_played) != (name, number):
            return _verdict(answer, "late")
        entry = Entry.read(noted) if noted else Entry(self._at.seconds)
        is_late = entry.sent and self._at.seconds >= ends(entry, self._account.terms.seconds)
        is_another = entry.version not in (None, self._account.terms.version)
        if is_late or is_another or entry.illegal >= MOST_ILLEGAL or self._account.is_paused:
            return _verdict(answer, "late")
        try:
            progress, moves = _played(table, decision.seat, answer.plan, self._at)
        except IllegalMove as error:
            return self._illegal(table, answer, entry, error)
        elapsed = round(1000 * (self._at.seconds - entry.sent)) if entry.sent else None
        return _Played(place, progress, stored.change(progress, self._at.seconds), elapsed, moves)

    def _illegal(self, table: Table, answer: Sent, entry: Entry, error: IllegalMove) -> Wire:
        """Note an illegal answer. The first one may be corrected, the next one is a stand-in's decision."""
        self.illegal += 1
        entry = replace(entry, illegal=entry.illegal + 1)
        asked = self._store.names.asked(self._store.names.partitions.of(table.id), self._account.name)
        self.noting.append(("HSET", asked, answer.id, entry.written()))
        is_final = entry.illegal >= MOST_ILLEGAL
        if is_final:
            self.over.append(table)
        legal = table.game.legal_moves()
        told: Wire = {"detail": error.reason, "final": is_final, "legal_moves": legal}
        if answer.action is not None:
            told["actions"] = [id_of(move) for move in legal]
        return _verdict(answer, "illegal", **told)


def _verdict(answer: Sent, outcome: Outcome, **more: Any) -> Wire:
    return {"id": answer.id, "outcome": outcome, **more}


def _played(table: Table, seat: int, plan: Sequence[Any], at: Moment) -> tuple[Progress, int]:
    """Play a plan up to the first die or card, or to where another must decide; return how many of its moves that were.

    What does not fit any more after the first move is dropped. Raises IllegalMove if that one is illegal.
    """
    progress = Progress.none(table)
    answered = [*table.answered]
    number = 0
    for number, move in enumerate(plan, 1):
        now = progress.after
        game = now.game.copy()
        try:
            happened = game.play(move)
        except IllegalMove:
            if number == 1:
                raise
            number -= 1
            break
        back: list[Event] = [PlayerBack(seat)] if now.lobby.seats[seat].away else []
        answered.append((now.game.version, seat))
        progress = progress.then(advance(now, at, *back, *happened, game=game))
        if timing.decider(progress.after.lobby, game) != seat or _is_surprise(now.game, game, happened):
            break
    after = replace(progress.after, answered=tuple(answered[-MOST_REMEMBERED:]))
    return replace(progress, after=after), number


def _is_surprise(before: Game, after: Game, happened: Sequence[GameEvent]) -> bool:
    """Return whether chance, or another gnome's hand, had a part in a move, or a turn came to its end."""
    if before.record["turn"][0] != after.record["turn"][0]:
        return True
    if any(event["type"] == "attack_declared" for event in happened):
        return True
    return bool((before.record["rolls"] != after.record["rolls"]).any())


def _note(store: Store, account: Account, done: Sequence[_Played], judge: _Judge) -> None:
    """Count what was answered, and call whoever goes on."""
    times = [each.milliseconds for each in done if each.milliseconds is not None]
    commands = [*judge.noting]
    commands += counting.adding(account.name, decisions=len(done), milliseconds=sum(times), illegal=judge.illegal)
    if times:
        commands.append(("HSET", keys.account(account.name), "round_trip", _quickest(account, times)))
    if done and account.misses:
        commands.append(("HSET", keys.account(account.name), "misses", 0))
    store.redis.ask(*commands)
    for each in done:
        table = each.progress.after
        tables.count_game_over(store, each.progress)
        tables.hint_if_due(store, table)
    for table in judge.over:
        tables.call_worker(store, table)


def _quickest(account: Account, times: Sequence[int]) -> int:
    """Return what the quickest answers of late take: a quicker one counts at once, slower ones bit by bit."""
    before = account.record.round_trip
    return min(times) if before is None else min(*times, round(before * _QUICKEN) + 1)
