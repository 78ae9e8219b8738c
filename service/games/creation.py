"""Requests for new games: from options, from a position, or out of another game."""

import os
from collections.abc import Sequence
from dataclasses import dataclass

from engine import SEED_BYTES, BadRules, Game, GameError, Rules, observe
from service.accounts import admission
from service.callers import tokens
from service.callers.caller import Caller
from service.callers.limits import Meter
from service.callers.origin import DIGITS
from service.config import Config
from service.games import history, renaming, tables, views
from service.games.access import Answer, answering, commit, with_token
from service.games.commands import advising, client_data
from service.games.commands import lobby as commands
from service.games.model import (
    FINISHED,
    OPEN,
    PRIVATE,
    WAITING,
    Charter,
    Dice,
    Json,
    Mark,
    Moment,
    Origin,
    Progress,
    Secrets,
    Table,
    Viewer,
)
from service.queue.pressure import refuse_new_work
from service.refusals import Fault, Problem, invalid, of_engine
from service.store.store import Store
from service.wire import Wire

Wanted = Wire  # a body that its schema has checked

SALT_BYTES = 16


@dataclass(frozen=True)
class SetUp:
    """A game before its first move, and where its dice come from."""

    game: Game
    seed: str  # hexadecimal
    start: Json | None  # the position it begins from, unless its seed makes it
    sandbox: bool = True
    forked_from: Origin | None = None


def create(store: Store, caller: Caller, wanted: Wanted, config: Config, api_key: str | None) -> Answer:
    """Open a new table. Its host's token is in the answer, and never again."""
    caller.meter.now(store.redis)
    check_api_key(store, config, api_key)
    if not isinstance(wanted.get("position", {}), dict):
        raise invalid("/position", "type", "must be an object")
    seed = _seed(wanted)
    game, start = _set_up(wanted, seed)
    return _opened(store, caller, wanted, SetUp(game, seed, start, start is not None or "seed" in wanted))


def _seed(wanted: Wanted) -> str:
    """Return the seed that was given, or a random one."""
    for given in (wanted, wanted.get("position") or {}):
        if given.get("seed") is not None:
            return given["seed"]
    return os.urandom(SEED_BYTES).hex()


def check_api_key(store: Store, config: Config, key: str | None) -> None:
    """Refuse whoever has no key where the operator has given out some; each creates so many games a day."""
    if config.api_keys:
        if tokens.holder(key or "", config.api_keys) is None:
            raise Problem("no_api_key", "Send the X-API-Key that the operator gave you.")
        Meter("api_key", config.api_key_limit, tokens.digest(key or "")[:DIGITS]).now(store.redis)


def _set_up(wanted: Wanted, seed: str) -> tuple[Game, Json | None]:
    """Return the game, and the position it starts from, if its seed alone does not make it."""
    if wanted.get("position") is None:
        return Game.new(_rules(wanted), bytes.fromhex(seed)), None
    if "rules" in wanted or "players" in wanted:
        raise invalid("/position", "conflict", "brings its own rules: leave out `rules` and `players`")
    if "seed" in wanted and "seed" in wanted["position"]:
        raise invalid("/position/seed", "conflict", "is given twice")
    position = wanted["position"] | {"seed": seed}
    try:
        game = Game.from_position(position)
    except GameError as error:
        raise of_engine(error, "/position") from error
    check_seat_count(wanted, game.rules.gnomes)
    return game, {**game.position()}


def _rules(wanted: Wanted) -> Rules:
    options = dict(wanted.get("rules") or {})
    if wanted.get("seats") is not None:
        options.setdefault("gnomes", len(wanted["seats"]))
    if wanted.get("players") is not None:
        if options.get("players", wanted["players"]) != wanted["players"]:
            raise invalid("/players", "conflict", "is another number than that of the rules")
        options["players"] = wanted["players"]
    try:
        rules = Rules.from_dict(options)
    except BadRules as error:
        if error.field == "players" and "players" in wanted:
            raise of_engine(error) from error
        raise of_engine(error, "/rules") from error
    check_seat_count(wanted, rules.gnomes)
    return rules


def check_seat_count(wanted: Wanted, gnomes: int) -> None:
    seats = wanted.get("seats")
    if seats is not None and len(seats) != gnomes:
        raise invalid("/seats", "conflict", f"there are {len(seats)} seats for {gnomes} gnomes")


def _opened(store: Store, caller: Caller, wanted: Wanted, new: SetUp) -> Answer:
    seats = wanted.get("seats") or [OPEN] * new.game.rules.gnomes
    admission.check(store, caller.origin, [(f"/seats/{number}", who) for number, who in enumerate(seats)])
    if any(who != OPEN for who in seats):
        refuse_new_work(store, caller)
    at, token_salt = tables.now(), tokens.new_salt()
    token = tokens.make(token_salt, caller.key)
    charter = Charter(
        new.game.rules,
        wanted.get("name", ""),
        wanted.get("visibility") == PRIVATE,
        new.sandbox,
        wanted.get("turn_seconds"),
        at.text,
        new.forked_from,
        Dice.committed(os.urandom(SALT_BYTES).hex(), new.seed),
    )
    secrets = Secrets(
        new.seed, new.start, {tokens.digest(token): tokens.HOST}, opening=tuple({**event} for event in new.game.opening)
    )
    game_id = store.answers.new_id(caller.retry)
    mark = Mark(epoch=store.redis.known_epoch(store.names.game(game_id)), creator=caller.origin)
    progress = commands.open_table(game_id, charter, new.game, secrets, seats, at, mark)
    if wanted.get("client_data") is not None:
        progress = progress.then(client_data.keep(progress.after, None, wanted["client_data"], at))
    viewer = host = Viewer(host=True)
    progress = progress.then(advising.allow(progress.after, host, wanted.get("advice", True), at))
    body: Json = {}
    if "join" in wanted:
        digest = tokens.digest(tokens.make(tokens.salt_of_player(token_salt), caller.key))
        joined, viewer = _joined(progress.after, wanted["join"], digest, at)
        progress, body = progress.then(joined), {"player_token": None}
    if wanted.get("start"):
        progress = progress.then(commands.start(progress.after, host, None, at))
    table = progress.after
    headers = {"Location": f"/v1/games/{table.id}", "ETag": views.etag(table, viewer)}

    def told(_: Sequence[bytes]) -> Answer:
        return Answer(201, body | {"game": views.state(table, viewer)}, headers)

    return with_token(commit(store, caller, progress, at, told, token_salt), caller.key)


def _joined(table: Table, wanted: Wanted, digest: str, at: Moment) -> tuple[Progress, Viewer]:
    """Let the creator join, and return what they see the game as."""
    try:
        return commands.join_as(table, wanted, digest, at)
    except Problem as problem:
        raise problem.beneath("/join") from problem


@answering
def fork(
    store: Store, table: Table, viewer: Viewer, caller: Caller, wanted: Wanted, config: Config, api_key: str | None
) -> Answer:
    """Open a new table from any point of this one. A fork of a game that is not over holds what the caller may know."""
    check_api_key(store, config, api_key)
    at = wanted.get("version", table.version)
    if not 1 <= at <= table.version:
        raise invalid("/version", "range", f"must be 1 to {table.version}")
    same = wanted.get("dice", "fresh") == "same"
    if same and not table.tells_seed:
        must: Fault = {"pointer": "/dice", "code": "conflict", "detail": "must be fresh"}
        raise Problem("not_over", "The same dice would tell its future.", [must])
    game = history.at_version(store, table, at)
    if game.result is not None:
        raise invalid("/version", "range", "is after the end of the game")
    if table.status != FINISHED:
        # Before the start nobody has seen a hand, for whoever joined may leave again.
        seat = None if table.status == WAITING else next(iter(viewer.seats), None)
        if game.rules.hidden_seats(seat):
            game = observe(game, seat)
    seed = table.secrets.seed if same else os.urandom(SEED_BYTES).hex()
    position: Json = {**game.position()}
    if not same:
        position |= {"seed": seed, "rolls": {}, "script": {}}
    check_seat_count(wanted, game.rules.gnomes)
    charter = table.charter
    inherited: Wanted = {
        "name": charter.name,
        "visibility": renaming.visibility(charter.private),
        "turn_seconds": charter.turn_seconds,
    }
    inherited["client_data"] = table.lobby.client_data.get(tokens.HOST)
    inherited["advice"] = table.lobby.advice
    seats = wanted.get("seats") or [seat.bot or OPEN for seat in table.lobby.seats]
    origin = Origin(table.id, at)
    return _opened(
        store,
        caller,
        inherited | wanted | {"seats": seats},
        SetUp(Game.from_position(position), seed, position, True, origin),
    )
