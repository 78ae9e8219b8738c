"""Record decisions of every kind under every option, for bots to be tried on without a service: `make recorded`."""

import gzip
import json
import random
from collections.abc import Iterator
from pathlib import Path

from bots.arena.series import game_seed
from bots.roster import ROSTER
from engine import Game, Rules, observe
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
GAMES = 40  # a variant, at the most; in so many, nearly all that can be asked is asked
_MILLISECONDS = 5000
_DIGITS = str.maketrans("0123456789", "abcdefghjk")
# Who always errs drowns before much is asked, who never does is asked little.
_SKILLED, _CAREFUL = 0.5, 0.35
_RARE = ("attack_gnome", "extinguish_fire", "use_item")


def record() -> Iterator[Wire]:
    """Yield the decisions: the first of each kind under each variant of the rules."""
    for place, rules in enumerate(VARIANTS):
        found: set[str] = set()
        for number in range(GAMES):
            if found >= kinds_under(rules):
                break
            yield from _played(rules, _id(place, number), game_seed(place, number), found)


def _id(place: int, number: int) -> str:
    """Return the id of a recorded game, without the letters that ids never have."""
    return f"recrded{place:02}{number:02}think".translate(_DIGITS)


def kinds_under(rules: Rules) -> frozenset[str]:
    """Return what can be asked under those rules: only crazed gnomes attack each other."""
    return KINDS if rules.crazed_gnomes else KINDS - {"defend"}


def _played(rules: Rules, game_id: str, seed: bytes, known: set[str]) -> Iterator[Wire]:
    """Play a game, and yield the decisions of kinds that were not known."""
    chance = random.Random(seed)
    game = Game.new(rules, seed)
    while (seat := game.decider) is not None:
        seen = observe(game, seat)
        asked = game.view()["decision"]
        if asked and asked["kind"] not in known:
            known.add(asked["kind"])
            yield decision(seen, game_id, chance.getrandbits(48), _MILLISECONDS)
        game.play(_chosen(seen, chance))


def _chosen(seen: Game, chance: random.Random) -> Move:
    skill, seed = chance.random(), chance.getrandbits(32)
    if skill < _SKILLED + _CAREFUL:
        return ROSTER["sailor" if skill < _SKILLED else "cabin_boy"].choose(seen, seed=seed)[0]
    legal = seen.legal_moves()
    return chance.choice([move for move in legal if move["type"] in _RARE] or legal)


def written() -> str:
    return "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in record())


if __name__ == "__main__":
    FILE.write_bytes(gzip.compress(written().encode(), mtime=0))
