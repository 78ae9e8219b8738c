"""Record decisions of every kind under every option, for bots to be tried on without a service: `make recorded`.

Moves are chosen by chance: what is recorded depends on the rules and on what is told of them, and on no bot of ours.
"""

import gzip
import hashlib
import json
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TypeVar

from engine import Game, Rules, observe
from engine.enums import Phase
from engine.rules import CHALLENGES, EDITIONS
from engine.shapes import Move
from service.client.told import decision
from service.wire import Wire

FILE = Path(__file__).parents[2] / "red_november_client" / "bot" / "decisions.ndjson.gz"
VARIANTS = (
    *(Rules(gnomes) for gnomes in (4, 3, 5, 6, 7, 8)),
    Rules(4, 1),
    Rules(4, 2),
    *(Rules(4, edition=edition) for edition in EDITIONS[1:]),
    Rules(4, less_deadly_dying=True),
    Rules(4, hidden_hands=True),
    Rules(4, crazed_gnomes=True),
    *(Rules(4, greater_challenge=challenge) for challenge in CHALLENGES[1:]),
    Rules(6, edition=EDITIONS[1], less_deadly_dying=True, crazed_gnomes=True, greater_challenge=CHALLENGES[-1]),
)
KINDS = frozenset({
    "movement", "hatch", "escape", "escape_hatch", "trade_give", "trade_return", "defend", "wrap_up", "spread_fire",
    "block_hatch", "discard", "luck",
})  # fmt: skip
GAMES = 1000  # a variant, at the most
_LATER = 3  # moves: the games of the next variant are recorded from so much later on, for openings are much alike
_MILLISECONDS = 5000
_DIGITS = str.maketrans("0123456789", "abcdefghjk")
Each = TypeVar("Each")


def record() -> Iterator[Wire]:
    """Yield the decisions: one of each kind under each variant of the rules."""
    for place, rules in enumerate(VARIANTS):
        missing = set(kinds_under(rules))
        for number in range(GAMES):
            if not missing:
                break
            yield from _played(rules, _id(place, number), _LATER * place, missing)


def _id(place: int, number: int) -> str:
    """Return the id of a recorded game, without the letters that ids never have."""
    return f"recrded{place:02}{number:03}game".translate(_DIGITS)


def kinds_under(rules: Rules) -> frozenset[str]:
    """Return what can be asked under those rules: only crazed gnomes attack each other."""
    return KINDS if rules.crazed_gnomes else KINDS - {"defend"}


def _played(rules: Rules, game_id: str, first: int, missing: set[str]) -> Iterator[Wire]:
    """Play a game, and yield the decisions of kinds that are missing, from its first so many moves on."""
    chance = random.Random(game_id)
    game = Game.new(rules, hashlib.sha256(game_id.encode()).digest())
    while (seat := game.decider) is not None:
        kind = Phase(int(game.record["phase"][0])).name.lower()
        if kind in missing and game.version >= first:
            missing.remove(kind)
            yield decision(observe(game, seat), game_id, _MILLISECONDS)
        game.play(_chosen(game.legal_moves(), chance))


def _chosen(legal: Sequence[Move], chance: random.Random) -> Move:
    """Return a move of a type by chance: there are many ways to walk, and one to hand over or to draw."""
    types = sorted({move["type"] for move in legal})
    type_ = _one(types, chance)
    return _one([move for move in legal if move["type"] == type_], chance)


def _one(several: Sequence[Each], chance: random.Random) -> Each:
    """Choose one in a way that is the same in every release of Python."""
    return several[int(chance.random() * len(several))]


def written() -> str:
    return "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in record())


if __name__ == "__main__":
    FILE.write_bytes(gzip.compress(written().encode(), mtime=0))
