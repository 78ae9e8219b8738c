"""The engine: random play beside OpenSpiel and Catanatron, a copy, a record, and what it costs to start."""

import random
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any

import numba
import numpy as np

from engine import Game, Rules
from engine.compiled.state import STATE, new_records
from engine.lanes import Lanes
from engine.rollout import random_games
from tests.bench.harness import REPEATS, fresh_process, measure_peer, median_rate, print_table, say

RULES = Rules(gnomes=4)
COMPILED_GAMES = 50_000
PYTHON_GAMES = 100
NUMBERS_GAMES = 2_000
COPIES = 5_000_000
TARGETS = 8


def run() -> None:
    ours = measure_play()
    print_table("Red November, 4 gnomes", ("", "measured", "", "goal"), [*play_rows(ours), *size_rows(), *start_rows()])
    print_table(
        "Moves a second of random play",
        ("", "from Python", "compiled", "ours over it: Python", "by numbers", "compiled"),
        peer_rows(ours),
    )


def measure_play() -> dict[str, float]:
    """Full random games: a move is one decision; dice and cards are not counted."""
    say("measuring random play")
    start = Game.new(RULES, seed=bytes(32))
    moves = random_games(start, 1, COMPILED_GAMES)
    compiled = median_rate(lambda: random_games(start, 1, COMPILED_GAMES))
    rng = random.Random(1)
    python = median_rate(lambda: sum(play_from_python(rng) for _ in range(PYTHON_GAMES)))
    numbers = median_rate(lambda: play_by_numbers(rng, NUMBERS_GAMES))
    return {
        "compiled": compiled,
        "python": python,
        "numbers": numbers,
        "moves_per_game": moves / COMPILED_GAMES,
    }


def play_from_python(rng: random.Random) -> int:
    game = Game.new(RULES, seed=rng.randbytes(32))
    moves = 0
    while game.result is None:
        game.play(rng.choice(game.legal_moves()))
        moves += 1
    return moves


def play_by_numbers(rng: random.Random, games: int) -> int:
    """Return how many moves were made, one game after the other, one call of the engine each."""
    lanes, start = Lanes(1), Game.new(RULES, seed=rng.randbytes(32))
    step, number, chance, keys = lanes.step, lanes.ids.item, rng.random, lanes.records["key"]
    moves = 0
    for _ in range(games):
        legal = lanes.put(0, start)
        keys[0, 0] = rng.getrandbits(64)
        while legal:
            legal = step(0, number(int(chance() * legal)))
            moves += 1
    return moves


def play_rows(ours: dict[str, float]) -> Iterator[tuple[object, ...]]:
    yield "games, compiled", ours["compiled"] / ours["moves_per_game"], "games/s", "≥ 130 k"
    yield "moves, compiled", ours["compiled"], "moves/s", "≥ 8 M"
    yield "moves, play + legal_moves from Python", ours["python"], "moves/s", "≥ 20 k"
    yield "moves by numbers from Python", ours["numbers"], "moves/s", ""
    yield "of the compiled", ours["numbers"] / ours["compiled"], "×", "≥ 0.12"
    yield "compiled over Python", ours["compiled"] / ours["python"], "×", ""


@numba.njit
def copy_games(source: Any, targets: Any, times: int) -> int:
    # Several targets in turn, so that the compiler can't keep the last copy only.
    for i in range(times):
        targets[i % TARGETS] = source[0]
    return times


def size_rows() -> Iterator[tuple[object, ...]]:
    source, targets = new_records(), np.zeros(TARGETS, STATE)
    copy_games(source, targets, 1)
    yield "copy of a game, compiled", 1e9 / median_rate(lambda: copy_games(source, targets, COPIES)), "ns", "≤ 50"
    yield "record", STATE.itemsize, "bytes", "≤ 600"


def start_rows() -> Iterator[tuple[object, ...]]:
    """Importing the engine compiles it, or loads what was compiled; each time in a process of its own."""
    say("measuring a first import, which compiles everything")
    with tempfile.TemporaryDirectory() as folder:
        cold = seconds_to_import("engine", folder)
        if not any(Path(folder).rglob("*.nbi")):
            raise SystemExit("The cold start compiled nothing: RED_NOVEMBER_CACHE was not where the engine looked.")
        warm = median(seconds_to_import("engine", folder) for _ in range(REPEATS))
    compiler = median(seconds_to_import("numba", folder) for _ in range(REPEATS))
    yield "first import, compiles", cold, "s", "≤ 30"
    yield "later import", warm, "s", "≤ 0.5"
    yield "of which Numba's own import", compiler, "s", ""


def seconds_to_import(module: str, cache: str) -> float:
    code = f"""
import json
from time import perf_counter
start = perf_counter()
import {module}
print(json.dumps(perf_counter() - start))
"""
    return float(fresh_process("-c", code, env={"RED_NOVEMBER_CACHE": cache}))


def peer_rows(ours: dict[str, float]) -> Iterator[tuple[object, ...]]:
    """A peer's decisions are what our moves are; with its dice counted as moves too, it looks its best."""
    yield "Red November", ours["python"], ours["compiled"], "", "", ""
    yield "Red November by numbers", ours["numbers"], "", "", "", ""
    for game, rates in (measure_peer("OpenSpiel", "tests.bench.peers.open_spiel_peer") or {}).items():
        for counted, label in (("decisions", "decisions"), ("actions", "with dice")):
            python, cpp = rates[f"python_{counted}"], rates[f"cpp_{counted}"]
            over = ratio(ours["python"], python), ratio(ours["numbers"], python), ratio(ours["compiled"], cpp)
            yield f"OpenSpiel {game}, {label}", python, cpp, *over
    if catan := measure_peer("Catanatron", "tests.bench.peers.catanatron_peer"):
        label = f"Catanatron, actions ({catan['games']:.0f} games/s)"
        yield label, catan["actions"], "", *(ratio(ours[way], catan["actions"]) for way in ("python", "numbers")), ""


def ratio(ours: float, theirs: float) -> str:
    return f"{ours / theirs:.2f} ×"
