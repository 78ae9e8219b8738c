"""Measure what `bots/search/belief.py` believes of a choice before any trial: `python -m bots.training.priors`.

At one turn of each game that `make lessons` has played, all choices are tried often. Printed are, by how many minutes
lower the sailor rates a choice than its own: how far it lags behind on average, how much such leads differ beyond the
noise of the trials, and how much the lead of a single trial varies. The constants of `belief.py` are read off there.
"""

import argparse
import sys
from collections import defaultdict
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import numpy as np

from bots.arena.pool import all_cores, in_order
from bots.arena.progress import Progress
from bots.budget import Budget
from bots.search import contest as sheet
from bots.search.search import Search, Stakes
from bots.skill import Skill, certainly
from bots.training import lessons
from engine import Game, observe
from engine.enums import Phase
from engine.moves import NO_MOVE, WIRE

Found = list[tuple[bool, float, float, float, float]]  # planned, minutes behind, mean lead, its variance, trials
BINS = (0, 0.25, 0.5, 1, 2, 4, 8, 15, 1000)


def position(folder: Path, number: int, at: int) -> tuple[Game, list[Skill]] | None:
    """Return a game of a lesson at the start of a random turn, and its crew; None if there is none so late."""
    rules, crew = lessons.lesson(number)
    with np.load(folder / f"{number}.npz") as stored:
        line = stored["lines"][at]
    moves = [WIRE[move] for move in line[line != NO_MOVE].tolist()]
    game = Game(lessons.starts(number)[at : at + 1].copy(), rules)
    until = int(np.random.default_rng((number, at)).integers(len(moves)))
    for made, move in enumerate(moves):
        if made >= until and game.record[0].phase == Phase.MOVEMENT and len(game.legal_moves()) > 1:
            return game, crew
        game.play(move)
    return None


def tried(game: Game, crew: list[Skill], budget: Budget) -> Found:
    """Return what the trials say of each choice but the first."""
    search = Search(observe(game, game.decider), Stakes(game.decider, crew=list(map(certainly, crew))), seed=1)
    search.run(budget)
    return [_row(search, choice.number) for choice in search.choices[1:]]


def _row(search: Search, number: int) -> tuple[bool, float, float, float, float]:
    record = search._contest[0]
    trials, leads, squares = (
        float(record.sums[number, column]) for column in (sheet.TRIALS, sheet.LEAD, sheet.LEAD_SQUARED)
    )
    mean = leads / trials
    return bool(record.planned[number]), float(record.behind[number]), mean, squares / trials - mean * mean, trials


def table(found: Found) -> Iterator[str]:
    """Yield a line for each range of minutes, and one for choices that the sailor does not rate."""
    groups: dict[str, Found] = defaultdict(list)
    for row in found:
        low = max(low for low in BINS if low <= max(0.0, row[1]))
        groups[f"from {low} minutes" if row[0] else "not rated"].append(row)
    for name, rows in sorted(groups.items(), key=lambda group: group[1][0][1]):
        leads, single, trials = (np.array([row[column] for row in rows]) for column in (2, 3, 4))
        noise = (single / trials).mean()
        spread = max(0.0, leads.var() - noise) ** 0.5
        print_ = f"{name:16} {len(rows):6} choices: lead {leads.mean():+.4f}, spread {spread:.4f}"
        yield f"{print_}, a trial's {single.mean() ** 0.5:.3f}, behind {np.mean([row[1] for row in rows]):.2f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=lessons.FOLDER)
    parser.add_argument("--positions", type=int, default=1000)
    parser.add_argument("--playouts", type=int, default=12_000)
    parser.add_argument("--processes", type=int, default=all_cores())
    options = parser.parse_args()
    numbers = lessons.numbers_of(options.folder)
    budget = Budget(options.playouts, candidates=24, wide=24)

    def look(at: int) -> Found:
        found = position(options.folder, numbers[at % len(numbers)], at // len(numbers) % lessons.GAMES)
        return tried(*found, budget) if found else []

    progress, all_found = Progress(options.positions, "positions", sys.stderr), []
    with closing(in_order(look, options.positions, options.processes, progress.show)) as results:
        for result in results:
            all_found += result
            progress.done += 1
    progress.close()
    print("\n".join(table(all_found)))


if __name__ == "__main__":
    main()
