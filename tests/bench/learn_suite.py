"""Environments for learners beside the compiled rules and their peers, by processor time, in rounds that alternate."""

import random
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from statistics import median
from time import thread_time
from typing import Any

import numpy as np

from engine import Game, Rules
from engine.learn import Batch, red_november_v1
from engine.rollout import random_games
from tests.bench.harness import fresh_process, measure_peer, print_table, say

RULES = Rules(gnomes=4)
ROUNDS = 9
SIZES = (256, 512, 1024)
GAMES, BATCH_STEPS, STEPS = 4_000, 200_000, 50_000


def run() -> None:
    say("measuring environments")
    measured = rates({"compiled": compiled, "single": Single(), "aec": agent_by_agent, **dict(batches())})
    hanabi = measure_peer("OpenSpiel", "tests.bench.peers.hanabi_peer")
    rows = [*own_rows(measured, hanabi), *compile_rows()]
    print_table("Environments for learners, 4 gnomes", ("", "steps/s", "of compiled", "goal"), rows)
    print_table(
        "Steps a second of processor time", ("", "one game", "batch", "ours over it"), peer_rows(measured, hanabi)
    )


def rates(works: dict[str, Callable[[], float]]) -> dict[str, list[float]]:
    """The rates of each work, one a round, so that whatever else the machine does falls on all of them."""
    told: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(ROUNDS):
        for name, work in works.items():
            told[name].append(work())
    return told


def timed(work: Callable[[], int]) -> float:
    began = thread_time()
    units = work()
    return units / (thread_time() - began)


def compiled() -> float:
    return timed(lambda: random_games(Game.new(RULES, bytes(32)), 1, GAMES))


class Single:
    """Steps in one lane from Python, each to a random legal move."""

    def __init__(self) -> None:
        self.batch = Batch(RULES, 1)

    def __call__(self) -> float:
        play, number, chance = self.batch.play, self.batch.ids.item, random.Random(1).random
        legal = int(self.batch.masks[0].sum())

        def work() -> int:
            nonlocal legal
            for _ in range(STEPS):
                legal = play(0, number(int(chance() * legal)))
            return STEPS

        return timed(work)


def batches() -> Iterator[tuple[str, Callable[[], float]]]:
    for lanes in SIZES:
        batch = Batch(RULES, lanes)
        script = [advanced(batch) for _ in range(BATCH_STEPS // lanes)]
        yield f"steps {lanes}", partial(replayed, batch, script)
        yield f"sampled {lanes}", partial(sampled, batch)


def advanced(batch: Batch) -> np.ndarray:
    actions = batch.sample()
    batch.step(actions)
    return actions


def replayed(batch: Batch, script: list[np.ndarray]) -> float:
    """The same games again, with actions that are known, so that nothing but steps is measured."""
    batch.reset(0)

    def work() -> int:
        for actions in script:
            batch.step(actions)
        return len(script) * len(batch)

    rate = timed(work)
    assert not batch.illegal.any()
    return rate


def sampled(batch: Batch) -> float:
    def work() -> int:
        for _ in range(BATCH_STEPS // len(batch)):
            batch.step(batch.sample(batch.masks))
        return BATCH_STEPS // len(batch) * len(batch)

    return timed(work)


def agent_by_agent() -> float:
    env, chance = red_november_v1.raw_env(gnomes=4), random.Random(1).random
    env.reset(seed=1)

    def work() -> int:
        for _ in range(STEPS):
            seen, _, ended, _, _ = env.last()
            if ended:
                env.reset()
                continue
            legal = seen["action_mask"].nonzero()[0]
            env.step(legal[int(chance() * len(legal))])
        return STEPS

    return timed(work)


def own_rows(measured: dict[str, list[float]], hanabi: float | None) -> Iterator[tuple[object, ...]]:
    def of_compiled(name: str) -> str:
        ratios = [rate / base for rate, base in zip(measured[name], measured["compiled"], strict=True)]
        return f"{median(ratios):.3f} ×"

    yield "random games, compiled", median(measured["compiled"]), "", ""
    over = f", ≥ 6 × hanabi ({median(measured['single']) / hanabi:.1f} ×)" if hanabi else ""
    yield "single steps", median(measured["single"]), of_compiled("single"), f"≥ 0.12 ×{over}"
    for lanes in SIZES:
        yield f"batch of {lanes}", median(measured[f"steps {lanes}"]), of_compiled(f"steps {lanes}"), "≥ 0.6 ×"
        yield "  with sampling", median(measured[f"sampled {lanes}"]), of_compiled(f"sampled {lanes}"), "≥ 0.5 ×"
    yield "PettingZoo's form", median(measured["aec"]), of_compiled("aec"), "≥ 50 k"


def compile_rows() -> Iterator[tuple[object, ...]]:
    say("measuring a first import, which compiles everything")
    code = """
import json
from time import process_time
import engine
start = process_time()
import engine.learn
print(json.dumps(process_time() - start))
"""
    with tempfile.TemporaryDirectory() as folder:
        there = {"RED_NOVEMBER_CACHE": folder}
        fresh_process("-c", "import engine; print(0)", env=there)
        cold, warm = (float(fresh_process("-c", code, env=there)) for _ in range(2))
    yield "first import, compiles; the engine is there", f"{cold:.1f} s", "", "≤ 30 s"
    yield "later import", f"{warm:.1f} s", "", ""


def peer_rows(measured: dict[str, list[float]], hanabi: float | None) -> Iterator[tuple[object, ...]]:
    single, aec, batch = (median(measured[name]) for name in ("single", "aec", f"sampled {SIZES[-1]}"))

    def row(name: str, one: float | None, many: float | None, ours: float) -> tuple[Any, ...]:
        return name, one or "", many or "", f"{ours / (one or many or 1):.1f} ×"

    yield "Red November", single, batch, ""
    yield "Red November, PettingZoo's form", aec, "", ""
    if hanabi:
        yield row("OpenSpiel hanabi", hanabi, None, single)
    if own := measure_peer("PettingZoo's hanabi", "tests.bench.peers.pettingzoo_peer"):
        yield row("PettingZoo hanabi", own, None, aec)
    for name, rate in (measure_peer("pgx", "tests.bench.peers.pgx_peer") or {}).items():
        yield row(f"pgx {name}, JAX on the processor", None, rate, batch)
