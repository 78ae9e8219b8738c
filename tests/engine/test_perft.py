"""How many ways to play on from fixed positions, move by move and variant by variant, under one seed.

The counts are kept in data/perft.json: a change of any rule that these positions touch shows up as another count. They
are kept once for each combination of the options on which they depend; every variant is counted all the same.
What each position `offers` at first is counted by hand from the rulebook, where an option changes it under its name.
After a deliberate change of a rule look at the differences, then write the counts anew:

    .venv/bin/python -m tests.engine.test_perft
"""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from engine import Game
from tests.support.playing import VARIANTS, Wire

DATA = Path(__file__).parents[1] / "data" / "perft.json"
POSITIONS = json.loads(DATA.read_text())
DEPTH = 4
SOAK_DEPTH = 5
LINE = 120

every_position = pytest.mark.parametrize("entry", POSITIONS, ids=[entry["name"] for entry in POSITIONS])


def fitting_variants(entry: Wire) -> list[Wire]:
    """All variants that have the options that the position needs."""
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


def in_brief(variant: Wire, options: list[str]) -> str:
    """The part of a variant that counts depend on, as a key: "original crazed_gnomes", or "any" for no option."""
    words = [name if variant[name] is True else variant[name] for name in options if variant.get(name)]
    return " ".join(words) or "any"


def kept(entry: Wire, variant: Wire) -> list[int]:
    return entry["counts"][in_brief(variant, entry["depends_on"])]


def deciding_options(counts: list[tuple[Wire, list[int]]]) -> list[str]:
    """The options without which the counts of some variants could not be told apart."""
    options = list(dict.fromkeys(name for variant, _ in counts for name in variant))
    for option in list(options):
        fewer = [name for name in options if name != option]
        found = {(in_brief(variant, fewer), tuple(numbers)) for variant, numbers in counts}
        if len(found) == len({key for key, _ in found}):
            options = fewer
    return options


@every_position
def test_a_position_offers_what_the_rules_say(entry: Wire) -> None:
    for variant in fitting_variants(entry):
        offers = dict(entry["offers"])
        for option, changed in entry.get("offers_with", {}).items():
            if option in variant.values() or variant.get(option) is True:
                offers |= changed
        legal = game_of(entry, variant).legal_moves()
        assert Counter(move["type"] for move in legal) == Counter(offers), variant


@every_position
def test_the_ways_to_play_on_are_as_many_as_ever(entry: Wire) -> None:
    for variant in fitting_variants(entry):
        game = game_of(entry, variant)
        counts = [paths(game, depth) for depth in range(1, DEPTH + 1)]
        assert counts == kept(entry, variant)[:DEPTH], variant


@pytest.mark.soak
@every_position
def test_the_ways_to_play_on_are_as_many_as_ever_one_move_further(entry: Wire) -> None:
    for variant in fitting_variants(entry):
        assert paths(game_of(entry, variant), SOAK_DEPTH) == kept(entry, variant)[SOAK_DEPTH - 1], variant


@every_position
def test_no_count_is_kept_twice(entry: Wire) -> None:
    keys = {in_brief(variant, entry["depends_on"]) for variant in fitting_variants(entry)}
    assert keys == entry["counts"].keys()
    counts = [(variant, kept(entry, variant)) for variant in fitting_variants(entry)]
    assert deciding_options(counts) == entry["depends_on"]


def keep(entry: Wire, counts: list[tuple[Wire, list[int]]]) -> None:
    entry["depends_on"] = deciding_options(counts)
    entry["counts"] = {in_brief(variant, entry["depends_on"]): numbers for variant, numbers in counts}


def write_anew() -> None:
    for entry in POSITIONS:
        counts = [
            (variant, [paths(game_of(entry, variant), depth) for depth in range(1, SOAK_DEPTH + 1)])
            for variant in fitting_variants(entry)
        ]
        keep(entry, counts)
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
