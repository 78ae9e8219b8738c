"""`make humans`: count whom captains let die for a rescue, beside humans and beside bots alone.

Crews of 3 to 8 gnomes are captains on every other seat and, between them, sailors and clumsy ones in the parts of
humans. Each game is played twice: once the captains know who is human, and once they take all for bots. Each
batch of games is a line of the log, and a run that was stopped goes on behind it.
"""

import argparse
import json
import random
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np

from bots.arena import crews
from bots.arena.crews import Brain
from bots.arena.pool import all_cores, in_order
from bots.arena.progress import Progress
from bots.arena.statistics import wilson
from bots.search.search import bits
from bots.skill import Skill
from bots.training import ladder
from engine import Rules
from engine.enums import SEATS

Wire = dict[str, Any]  # lines of the log
SEED = 29
BATCH = 10  # games of one crew
PLAYED_BY = (Skill.SAILOR, Skill.CLUMSY)
WAYS = {"known": "bots know who is human", "unknown": "they take all for bots"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=5000)
    parser.add_argument("--log", type=Path, default=Path("build/humans.ndjson"), help="a line for each batch of games")
    parser.add_argument("--processes", type=int, default=all_cores())
    options = parser.parse_args()
    options.log.parent.mkdir(parents=True, exist_ok=True)
    lines = map(json.loads, options.log.read_text().splitlines()) if options.log.exists() else []
    played = {line["batch"]: line for line in lines if line["sources"] == ladder.sources()}
    asked = range(-(-options.games // BATCH))
    missing = [batch for batch in asked if batch not in played]
    progress = Progress(len(missing) * BATCH, "games", sys.stderr)
    results = in_order(lambda at: play(missing[at]), len(missing), options.processes, progress.show)
    with options.log.open("a") as log, closing(results):
        for line in results:
            played[line["batch"]] = line
            log.write(json.dumps(line) + "\n")
            log.flush()
            progress.done += BATCH
    progress.close()
    print(report([played[batch] for batch in asked]))


def play(batch: int) -> Wire:
    """Play some games of one crew both ways; return who was rescued, and a bit for each seat that fell."""
    gnomes, chance = 3 + batch % (SEATS - 2), random.Random(f"{SEED} {batch}")
    humans = range(batch // (SEATS - 2) % 2, gnomes, 2)  # the even seats, or the odd ones
    crew = [chance.choice(PLAYED_BY) if seat in humans else Skill.CAPTAIN for seat in range(gnomes)]
    begun = crews.starts(Rules(gnomes), SEED, range(batch * BATCH, (batch + 1) * BATCH))
    brains = [Brain.of(skill.name.lower()) for skill in crew]
    line: Wire = {"batch": batch, "gnomes": gnomes, "humans": [*humans], "sources": ladder.sources()}
    for way in WAYS:
        results, _ = crews.play(brains, begun, humans=humans if way == "known" else ())
        line[way] = {"rescued": results[:, crews.RESCUED].tolist(), "fallen": results[:, crews.FALLEN].tolist()}
    return line


def report(lines: list[Wire]) -> str:
    """Return a table: how many boats were saved, and who died, in all games and for a rescue."""
    rows = [
        "| of 100 games | saved | humans died | in saved boats | bots died | in saved boats |",
        "|---|---|---|---|---|---|",
    ]
    for way, name in WAYS.items():
        rescued = np.concatenate([line[way]["rescued"] for line in lines])
        deaths = np.concatenate([_deaths(line, way) for line in lines])
        low, high = wilson(int(rescued.sum()), len(rescued))
        cells = [name, f"{100 * rescued.mean():.1f} ({100 * low:.1f} to {100 * high:.1f})"]
        for side in (0, 1):
            cells += [f"{100 * deaths[:, side].mean():.2f}", f"{100 * (deaths[:, side] * rescued).mean():.2f}"]
        rows.append(f"| {' | '.join(cells)} |")
    return "\n".join(rows)


def _deaths(line: Wire, way: str) -> np.ndarray:
    """Return for each game how many humans and how many bots died."""
    human = bits(line["humans"])
    return np.array([((human & fell).bit_count(), (fell & ~human).bit_count()) for fell in line[way]["fallen"]])


if __name__ == "__main__":
    main()
