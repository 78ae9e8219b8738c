"""How many ways to play on from fixed positions, move by move and variant by variant, under one seed.

The counts are kept in data/perft.json: a change of any rule that these positions touch shows up as another count.
What each position `offers` at first is counted by hand from rules.md, where an option changes it under its name.
After a deliberate change of a rule look at the differences, then write the counts anew:

    .venv/bin/python -m tests.test_perft
"""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from engine import Game
from tests.playing import VARIANTS, Wire, variant_name

DATA = Path(__file__).parent / "data" / "perft.json"
POSITIONS = json.loads(DATA.read_text())
DEPTH = 4
SOAK_DEPTH = 5
LINE = 120

every_position = pytest.mark.parametrize("entry", POSITIONS, ids=[entry["name"] for entry in POSITIONS])


def fitting_variants(entry: Wire) -> list[Wire]:
    """All, but for options that the position needs itself."""
    needed = entry["position"].get("rules", {})
    return [variant for variant in VARIANTS if needed.items() <= variant.items()]


def game_of(entry: Wire, variant: Wire) -> Game:
    rules = {"gnomes": len(entry["position"]["gnomes"]), **variant}
    return Game.from_position(entry["position"] | {"rules": rules, "seed": "5e" * 32})


def paths(game: Game, depth: int) -> int:
    legal = game.legal_moves()
    if depth == 1:
        return len(legal)
    found = 0
    for move in legal:
        after = game.copy()
        after.play(move)
        found += paths(after, depth - 1)
    return found


@every_position
def test_a_position_offers_what_the_rules_say(entry):
    for variant in fitting_variants(entry):
        offers = dict(entry["offers"])
        for option, changed in entry.get("offers_with", {}).items():
            if option in variant.values() or variant.get(option) is True:
                offers |= changed
        legal = game_of(entry, variant).legal_moves()
        assert Counter(move["type"] for move in legal) == Counter(offers), variant


@every_position
def test_the_ways_to_play_on_are_as_many_as_ever(entry):
    for variant in fitting_variants(entry):
        game = game_of(entry, variant)
        counts = [paths(game, depth) for depth in range(1, DEPTH + 1)]
        assert counts == entry["counts"][variant_name(variant)][:DEPTH], variant


@pytest.mark.soak
@every_position
def test_the_ways_to_play_on_are_as_many_as_ever_one_move_further(entry):
    for variant in fitting_variants(entry):
        counts = entry["counts"][variant_name(variant)]
        assert paths(game_of(entry, variant), SOAK_DEPTH) == counts[SOAK_DEPTH - 1], variant


def write_anew() -> None:
    for entry in POSITIONS:
        entry["counts"] = {
            variant_name(variant): [paths(game_of(entry, variant), depth) for depth in range(1, SOAK_DEPTH + 1)]
            for variant in fitting_variants(entry)
        }
    DATA.write_text(in_lines(POSITIONS) + "\n")


def in_lines(value: Any, indent: str = "") -> str:
    """JSON with as much on a line as fits."""
    line = json.dumps(value)
    if len(indent + line) < LINE or not isinstance(value, dict | list):
        return line
    deeper = indent + " "
    if isinstance(value, list):
        rows, (opening, closing) = [in_lines(each, deeper) for each in value], "[]"
    else:
        rows, (opening, closing) = [f"{json.dumps(key)}: {in_lines(each, deeper)}" for key, each in value.items()], "{}"
    return f"{opening}\n{deeper}" + f",\n{deeper}".join(rows) + f"\n{indent}{closing}"


if __name__ == "__main__":
    write_anew()
