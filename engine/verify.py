"""Play a replay again and check all that it claims: the promise about the dice, every move, the result."""

import hashlib
from typing import Any

from engine.errors import BadPosition, GameError, IllegalMove, shown
from engine.game import SEED_BYTES, Game
from engine.rules import RULES_VERSION, Rules

KEY_BYTES = 16
FIRST_RULES = 1

Replay = dict[str, Any]  # untrusted JSON: every field is checked where it is read


class BadReplay(GameError):
    """A replay that lacks something, or makes a false claim: the field is a path such as `moves/12`."""


def verify(claimed: object) -> Game:
    """Return the game of a replay, `{"rules": …, "seed": …, "moves": […]}`, or raise a GameError.

    With `salt` and `hash`, the seed must be the one that was promised. With a `position`, the game begins there, under
    that seed. With a `result`, the game must end so. A replay of an earlier `rules_version` passes if today's rules
    make the same of it; otherwise the refusal names that version.
    """
    if not isinstance(claimed, dict):
        raise BadReplay("", "a replay is an object")
    rules, seed, version = Rules.from_dict(_wanted(claimed, "rules")), _bytes(claimed, "seed"), _rules_version(claimed)
    _check_promise(claimed, seed)
    moves = _wanted(claimed, "moves")
    if not isinstance(moves, list):
        raise BadReplay("moves", "must be a list")
    try:
        game = _start(claimed.get("position"), rules, seed)
        _play(game, moves)
        if "result" in claimed and claimed["result"] != game.result:
            raise BadReplay("result", f"is another: the moves come to {game.result or 'no end'}")
    except (BadPosition, BadReplay) as error:
        if version == RULES_VERSION:
            raise
        reason = f"is {version}, and under the rules of this release, {RULES_VERSION}, it goes otherwise: {error}"
        raise BadReplay("rules_version", reason) from error
    return game


def _rules_version(claimed: Replay) -> int:
    """Read the version of the rules. Replays of the first version do not name it."""
    version = claimed.get("rules_version", FIRST_RULES)
    if type(version) is not int or version < FIRST_RULES:
        raise BadReplay("rules_version", f"must be a whole number from {FIRST_RULES}, not {shown(version)}")
    if version > RULES_VERSION:
        raise BadReplay("rules_version", f"is {version}: this release knows the rules up to {RULES_VERSION} only")
    return version


def _play(game: Game, moves: list[Any]) -> None:
    for number, move in enumerate(moves):
        try:
            game.play(move)
        except IllegalMove as error:
            raise BadReplay(f"moves/{number}/{error.field}".rstrip("/"), error.reason) from error


def _wanted(claimed: Replay, name: str) -> Any:
    if name not in claimed:
        raise BadReplay(name, "is missing")
    return claimed[name]


def _bytes(claimed: Replay, name: str, path: str = "") -> bytes:
    given = _wanted(claimed, name)
    try:
        return bytes.fromhex(given)
    except (TypeError, ValueError) as error:
        raise BadReplay(path + name, f"must be hex digits, not {shown(given)}") from error


def _check_promise(claimed: Replay, seed: bytes) -> None:
    if "hash" not in claimed and "salt" not in claimed:
        return
    if hashlib.sha256(_bytes(claimed, "salt") + seed).digest() != _bytes(claimed, "hash"):
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
    """Return the key of chance that a position names: by the seed, or as the key that follows from it."""
    return hashlib.sha256(seed).digest()[:KEY_BYTES] if len(seed) == SEED_BYTES else seed
