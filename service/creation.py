"""New games: from options, from a position, or out of another game."""

import os
from typing import Any

from engine import BadRules, Game, GameError, Rules, observe
from engine.game import SEED_BYTES
from engine.observe import hidden_seats
from service import clock, history, tokens, views
from service.access import Answer, Caller, answering, commit, with_token
from service.config import Config
from service.errors import Problem, invalid, of_engine
from service.limits import Meter
from service.pressure import refuse_new_work
from service.store import Store, new_id
from service.tables import Table, Viewer, commitment, stamp
from service.timing import BOT, OPEN

Wire = dict[str, Any]

SALT_BYTES = 16


def create(store: Store, caller: Caller, wanted: Wire, config: Config, api_key: str | None) -> Answer:
    """A new game. Its host's token is told here, and never again."""
    caller.meter.now(store.redis)
    check_api_key(store, config, api_key)
    now = clock.now()
    if not isinstance(wanted.get("position", {}), dict):
        raise invalid("/position", "must be an object")
    seed = _seed(wanted)
    game, start = _set_up(wanted, seed)
    sandbox = start is not None or "seed" in wanted
    return opened(store, caller, wanted, game, seed, start, sandbox, None, now)


def _seed(wanted: Wire) -> str:
    """In hex: what was given, or the system's chance."""
    for given in (wanted, wanted.get("position") or {}):
        if given.get("seed") is not None:
            return given["seed"]
    return os.urandom(SEED_BYTES).hex()


def check_api_key(store: Store, config: Config, key: str | None) -> None:
    """Where the operator has given out keys, each creates so many games a day."""
    if config.api_keys:
        digest = tokens.digest(key or "")
        if tokens.holder(key or "", config.api_keys) is None:
            raise Problem("no_api_key", "Send the X-API-Key that the operator gave you.")
        Meter("api_key", config.api_key_limit, digest[:24]).now(store.redis)


def _set_up(wanted: Wire, seed: str) -> tuple[Game, Wire | None]:
    """The game, and the position it starts from, if its seed alone does not make it."""
    if wanted.get("position") is None:
        return Game.new(_rules(wanted), bytes.fromhex(seed)), None
    if "rules" in wanted or "players" in wanted:
        raise invalid("/position", "brings its own rules: leave out `rules` and `players`")
    if "seed" in wanted and "seed" in wanted["position"]:
        raise invalid("/position/seed", "is given twice")
    position = wanted["position"] | {"seed": seed}
    try:
        game = Game.from_position(position)
    except GameError as error:
        raise of_engine(error, "/position") from error
    check_seat_count(wanted, game.rules.gnomes)
    return game, game.position()


def _rules(wanted: Wire) -> Rules:
    options = dict(wanted.get("rules") or {})
    if wanted.get("seats") is not None:
        options.setdefault("gnomes", len(wanted["seats"]))
    if wanted.get("players") is not None:
        if options.get("players", wanted["players"]) != wanted["players"]:
            raise invalid("/players", "is another number than that of the rules")
        options["players"] = wanted["players"]
    try:
        rules = Rules.from_dict(options)
    except BadRules as error:
        if error.field == "players" and "players" in wanted:
            raise of_engine(error) from error
        raise of_engine(error, "/rules") from error
    check_seat_count(wanted, rules.gnomes)
    return rules


def check_seat_count(wanted: Wire, gnomes: int) -> None:
    seats = wanted.get("seats")
    if seats is not None and len(seats) != gnomes:
        raise invalid("/seats", f"there are {len(seats)} seats for {gnomes} gnomes")


def opened(
    store: Store,
    caller: Caller,
    wanted: Wire,
    game: Game,
    seed: str,
    start: Wire | None,
    sandbox: bool,
    forked_from: Wire | None,
    now: float,
) -> Answer:
    if any(kind != OPEN for kind in wanted.get("seats") or ()):
        refuse_new_work(store)
    salt = os.urandom(SALT_BYTES).hex()
    token_salt = tokens.new_salt()
    host = tokens.make(token_salt, caller.key)
    about = {
        "name": wanted.get("name", ""),
        "status": "waiting",
        "private": wanted.get("private", False),
        "sandbox": sandbox,
        "turn_seconds": wanted.get("turn_seconds"),
        "created_at": stamp(now),
        "changed_at": stamp(now),
        "seats": [_seat(number, kind) for number, kind in enumerate(wanted.get("seats") or [OPEN] * game.rules.gnomes)],
        "players": [],
        "clock": None,
        "forked_from": forked_from,
        "dice": {"salt": salt, "hash": commitment(salt, seed)},
    }
    table = Table(
        new_id(store.cell), 0, 0, game, about, {tokens.digest(host): tokens.HOST},
        {"seed": seed, "start": start, "opening": game.opening, "joined": 0}, epoch=store.redis.known_epoch(),
    )  # fmt: skip
    if table.game.result is not None:
        raise invalid("/position", "is of a game that is over")
    table.tell(now, [{"type": "game_created"}])
    body = {"id": table.id, "state": views.state(table, Viewer(host=True))}
    headers = {"Location": f"/v1/games/{table.id}", "ETag": views.etag(table, Viewer(host=True))}
    answer = commit(store, caller, table, table.change(now, moved=True), Answer(201, body, headers), token_salt)
    return with_token(answer, caller.key)


def _seat(number: int, kind: str) -> Wire:
    who = {"kind": OPEN, "bot": None} if kind == OPEN else {"kind": BOT, "bot": kind}
    return {"seat": number, **who, "player": None, "away": False}


@answering
def fork(
    store: Store, table: Table, viewer: Viewer, caller: Caller, wanted: Wire, config: Config, api_key: str | None
) -> Answer:
    """A new game from any point of this one. Of a game that is not over, a fork holds what the caller may know."""
    check_api_key(store, config, api_key)
    at = wanted.get("at", table.version)
    if not 1 <= at <= table.version:
        raise invalid("/at", f"must be 1 to {table.version}")
    same = wanted.get("dice", "fresh") == "same"
    if same and table.status != "finished":
        raise Problem(
            "not_over", "The same dice would tell its future.", [{"pointer": "/dice", "detail": "must be fresh"}]
        )
    game = history.at_version(store, table, at)
    if game.result is not None:
        raise invalid("/at", "is after the end of the game")
    if table.status != "finished":
        seat = next(iter(viewer.seats), None)
        if hidden_seats(game.rules, seat):
            game = observe(game, seat)
    seed = os.urandom(SEED_BYTES)
    position = game.position()
    if not same:
        position |= {"seed": seed.hex(), "rolls": {}, "script": {}}
    check_seat_count(wanted, game.rules.gnomes)
    seats = wanted.get("seats") or [seat["bot"] or OPEN for seat in table.seats]
    name = wanted.get("name", table.about["name"])
    new = {"name": name, "private": wanted.get("private", table.about["private"]), "seats": seats}
    new["turn_seconds"] = wanted.get("turn_seconds", table.about["turn_seconds"])
    secret = table.secret["seed"] if same else seed.hex()
    return opened(
        store, caller, new, Game.from_position(position), secret, position, True,
        {"game": table.id, "version": at}, clock.now(),
    )  # fmt: skip
