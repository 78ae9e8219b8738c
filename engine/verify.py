"""Plays a replay again and checks all that it claims: the promise about the dice, every move, the result."""

import hashlib
from typing import Any

from engine.errors import GameError, IllegalMove, shown
from engine.game import SEED_BYTES, Game
from engine.rules import Rules

Wire = dict[str, Any]

KEY_BYTES = 16


class BadReplay(GameError):
    """A replay that lacks something, or claims what is not so: the field is a path such as `moves/12`."""


def verify(told: Any) -> Game:
    """The game of `{"rules": …, "seed": …, "moves": […]}`. With `salt` and `hash`, its seed must be the one promised;
    with a `position`, it begins there, under that seed; with a `result`, it must end so."""
    if not isinstance(told, dict):
        raise BadReplay("", "a replay is an object")
    rules, seed = Rules.from_dict(_wanted(told, "rules")), _bytes(told, "seed")
    _check_promise(told, seed)
    game = _start(told.get("position"), rules, seed)
    moves = _wanted(told, "moves")
    if not isinstance(moves, list):
        raise BadReplay("moves", "must be a list")
    for number, move in enumerate(moves):
        try:
            game.play(move)
        except IllegalMove as error:
            raise BadReplay(f"moves/{number}/{error.field}".rstrip("/"), error.reason) from error
    if "result" in told and told["result"] != game.result:
        raise BadReplay("result", f"is another: the moves come to {game.result or 'no end'}")
    return game


def _wanted(told: Wire, name: str) -> Any:
    if name not in told:
        raise BadReplay(name, "is missing")
    return told[name]


def _bytes(told: Wire, name: str, path: str = "") -> bytes:
    given = _wanted(told, name)
    try:
        return bytes.fromhex(given)
    except (TypeError, ValueError) as error:
        raise BadReplay(path + name, f"must be hex digits, not {shown(given)}") from error


def _check_promise(told: Wire, seed: bytes) -> None:
    if "hash" not in told and "salt" not in told:
        return
    if hashlib.sha256(_bytes(told, "salt") + seed).digest() != _bytes(told, "hash"):
        raise BadReplay("hash", "is not that of salt and seed: these are not the dice that were promised")


def _start(position: Any, rules: Rules, seed: bytes) -> Game:
    if position is None:
        return Game.new(rules, seed)
    game = Game.from_position(position)
    if game.rules != rules:
        raise BadReplay("position/rules", "are not the rules of the replay")
    if _key(_bytes(position, "seed", "position/")) != _key(seed):
        raise BadReplay("position/seed", "is not the seed of the replay")
    return game


def _key(seed: bytes) -> bytes:
    """A position names the seed, or the key that is made of it."""
    return hashlib.sha256(seed).digest()[:KEY_BYTES] if len(seed) == SEED_BYTES else seed
