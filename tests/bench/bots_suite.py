"""The bots: playouts, time and memory of a turn, beside Catanatron's bots; our search against flat Monte Carlo.

`RED_NOVEMBER_BENCH_GAMES` asks for more games between the searches.
"""

import os
import tracemalloc
from collections.abc import Iterator
from itertools import count
from statistics import median, quantiles
from time import process_time
from typing import Any

import numpy as np

from bots.arena.game import GameResult, play_game
from bots.arena.statistics import paired_difference, wilson
from bots.budget import Budget
from bots.roster import ROSTER
from bots.sailor.mind import new_mind
from bots.sailor.weights import WEIGHTS
from bots.search.playout import starts
from bots.search.search import TO_THE_END, Search
from bots.training.self_play import TALLY, play_sailors
from engine import Game, Rules, observe
from engine.compiled.journal import SILENT
from engine.compiled.state import new_records
from engine.moves import new_moves
from tests.bench.flat import EvenSearch, Guesser, Thinker
from tests.bench.harness import measure_peer, median_rate, print_table, say

RULES = Rules(gnomes=4)
PLAYOUTS = 5_000
SET_UPS = 250
TURNS = 20  # of a few games, on which every level is measured
GOALS = {"bosun": "", "captain": "≤ 500", "admiral": "≤ 2000"}  # milliseconds a turn
DECISIONS_A_TURN = 4  # of one who decides move by move
GAMES = int(os.environ.get("RED_NOVEMBER_BENCH_GAMES", "60"))
BUDGET = Budget(playouts=400, candidates=10)
WHOLE_GAMES = Budget(playouts=100, candidates=10, minutes=TO_THE_END)  # a playout takes four times as long


def run() -> None:
    turns = some_turns()
    print_table("The bots, 4 gnomes, one core", ("", "measured", "", "goal"), [*playout_rows(), *memory_rows(turns)])
    print_table("Milliseconds a turn", ("", "median", "90 %", "goal"), time_rows(turns))
    print_table("Milliseconds a decision", ("", "mean"), peer_rows())
    print_table(
        f"{GAMES} games, 4 gnomes, the same seeds for all",
        ("crew of", "rescued %", "interval", "ms a turn", "our search over it", "interval"),
        duel_rows(),
    )


def seeds() -> Iterator[bytes]:
    return (b"bench" + number.to_bytes(27, "little") for number in count())


def some_turns() -> list[Game]:
    """Observations at the start of turns, evenly out of games that sailors play."""
    turns: list[Game] = []
    for seed in (next(seeds()), bytes(32), bytes([1]) * 32):
        game = Game.new(RULES, seed)
        turn = 0
        while (seat := game.decider) is not None:
            if game.record["turn"][0] != turn:
                turn = game.record["turn"][0]
                turns.append(observe(game, seat))
            for move in ROSTER["sailor"].choose(observe(game, seat)):
                game.play(move)
    return [turns[at] for at in np.linspace(0, len(turns) - 1, TURNS).astype(int)]


def playout_rows() -> Iterator[tuple[object, ...]]:
    say("measuring playouts")
    begun, tally = starts(RULES, 1, SET_UPS), np.zeros(TALLY, np.int64)
    numbers = count(1)

    def play() -> int:
        play_sailors(new_records(), begun, WEIGHTS, next(numbers), PLAYOUTS, new_mind(), SILENT, new_moves(), tally)
        return PLAYOUTS

    yield "whole games of sailors", median_rate(play), "games/s", "≥ 10 k"


def memory_rows(turns: list[Game]) -> Iterator[tuple[object, ...]]:
    """What a search holds at its most, whatever it spends."""
    say("measuring memory")
    for playouts in (100, 10_000):
        peaks = []
        for turn in turns[:: TURNS // 4]:
            tracemalloc.start()
            ROSTER["admiral"].choose(turn, Budget(playouts, ROSTER["admiral"].budget.candidates))
            peaks.append(tracemalloc.get_traced_memory()[1])
            tracemalloc.stop()
        yield f"memory of a search of {playouts} playouts", max(peaks) / 1024, "KiB", ""


def time_rows(turns: list[Game]) -> Iterator[tuple[object, ...]]:
    """Of one core, whatever else the machine does."""
    for name in ("sailor", *GOALS):
        say(f"measuring the {name}")
        spent = []
        for turn in turns:
            began = process_time()
            ROSTER[name].choose(turn)
            spent.append(1000 * (process_time() - began))
        yield name, median(spent), quantiles(spent, n=10)[-1], GOALS.get(name, "")


def peer_rows() -> Iterator[tuple[object, ...]]:
    for name, milliseconds in (measure_peer("Catanatron", "tests.bench.peers.catanatron_bots_peer") or {}).items():
        yield f"Catanatron, {name}", milliseconds


def duel_rows() -> Iterator[tuple[object, ...]]:
    """Flat Monte Carlo gets as much time as our search: the same playouts, or seconds for each decision of a turn."""
    ours = play_all("our search", Thinker(Search, BUDGET))
    yield duel_row("our search", ours, ours)
    rivals = {
        "sailors, no search": ROSTER["sailor"],
        "our search, playouts to the end of the game": Thinker(Search, WHOLE_GAMES),
        "flat: our candidates, evenly tried": Thinker(EvenSearch, BUDGET),
        "flat: likewise, to the end of the game": Thinker(EvenSearch, WHOLE_GAMES),
        "flat: all legal moves, random games": Guesser(milliseconds_a_turn(ours) / 1000 / DECISIONS_A_TURN),
    }
    for name, rival in rivals.items():
        yield duel_row(name, play_all(name, rival), ours)


def play_all(name: str, bot: Any) -> list[GameResult]:
    say(f"playing: {name}")
    return [play_game([name], RULES, seed, {name: bot}) for seed, _ in zip(seeds(), range(GAMES))]


def duel_row(name: str, results: list[GameResult], ours: list[GameResult]) -> tuple[object, ...]:
    rescued = sum(result.rescued for result in results)
    row = (name, f"{100 * rescued / GAMES:.0f}", span(wilson(rescued, GAMES)), milliseconds_a_turn(results))
    if results is ours:
        return *row, "", ""
    pairs = [(mine.rescued, theirs.rescued) for mine, theirs in zip(ours, results, strict=True)]
    difference, *interval = paired_difference(pairs.count((True, False)), pairs.count((False, True)), GAMES)
    return *row, f"{100 * difference:+.0f}", span(interval)


def milliseconds_a_turn(results: list[GameResult]) -> float:
    thinking = [spent for result in results for spent in result.thinking.values()]
    return 1000 * sum(spent.seconds for spent in thinking) / sum(spent.turns for spent in thinking)


def span(interval: Any) -> str:
    low, high = interval
    return f"{100 * low:.0f} to {100 * high:.0f}"
