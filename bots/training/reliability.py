"""`make reliability`: measure how honest chances of a rescue are.

Crews play games in compiled code. At some turns of each the chance is asked as odds are and as advice is, for the crew
that sits there, and compared with how the game ended. At one of them the same crew plays on a few times more under
fresh dice: these ends count, too, and from them follows how far a told chance lies off the true one, position by
position, beyond the error of its trials (`model error`; odds tell no error, so that theirs has all of it).

A game is a line of the log, and a run that was stopped goes on behind it; lines of other sources are passed over. Told
are the gap between chance and ends, averaged over ten bins by their size, with its standard error over games, and how
large a gap as few games have by chance alone.
"""

import argparse
import hashlib
import json
import math
import random
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from bots.arena import crews
from bots.arena.crews import Brain
from bots.arena.pool import all_cores, in_order
from bots.arena.progress import Progress
from bots.explain import explain
from bots.odds import chance_of_rescue
from bots.roster import ROSTER
from bots.search import network
from bots.skill import of_bot
from bots.training import ladder
from bots.training.calibration import BINS, Calibration, Replayed, model_error
from bots.training.lessons import VARIANTS
from bots.training.replayed import copied, replayed
from engine import Game, Rules, observe
from engine.moves import NO_MOVE

Wire = dict[str, Any]  # lines of the log

SEED = 13  # of the set-ups
CREWS = {
    "sailors": ["sailor"],
    "captains": ["captain"],
    "admirals": ["admiral"],
    "captains and sailors": ["captain", "sailor"],
    "captains, cabin boy, clumsy": ["captain", "captain", "cabin_boy", "clumsy"],
}
GNOMES = (3, 4, 5, 6, 8)
ASKED = 3  # turns of a game
ADVICE = replace(ROSTER["captain"].budget, seconds=math.inf)  # for a slow machine answers alike
SITES = ("odds", "advice")  # where chances are told


@dataclass(frozen=True)
class Wanted:
    """A game to play: one of a crew's of that size."""

    crew: str
    gnomes: int
    variant: int | None  # of VARIANTS; without one, no options
    number: int
    replays: int

    @property
    def rules(self) -> Rules:
        return Rules(self.gnomes, **({} if self.variant is None else VARIANTS[self.variant]))

    @property
    def seats(self) -> list[str]:
        names = CREWS[self.crew]
        return [names[seat % len(names)] for seat in range(self.gnomes)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--log", type=Path, default=Path("build/reliability.ndjson"), help="a line for each game played"
    )
    parser.add_argument("--crews", nargs="+", choices=CREWS, default=list(CREWS))
    parser.add_argument("--gnomes", type=int, nargs="+", default=list(GNOMES))
    parser.add_argument("--games", type=int, default=40, help="of each crew and size, and as many under variants")
    parser.add_argument("--replays", type=int, default=4, help="of a turn of each game")
    parser.add_argument("--processes", type=int, default=all_cores())
    options = parser.parse_args()
    options.log.parent.mkdir(parents=True, exist_ok=True)
    asked = list(wanted(options))
    answered = read(options.log)
    missing = [game for game in asked if game not in answered]
    progress = Progress(len(missing), "games", sys.stderr)
    played = in_order(lambda at: answers(missing[at]), len(missing), options.processes, progress.show)
    with options.log.open("a") as log, closing(played) as results:
        for game, line in zip(missing, results, strict=True):
            answered[game] = line
            log.write(json.dumps({"game": asdict(game), **line, "sources": sources()}) + "\n")
            log.flush()
            progress.done += 1
    progress.close()
    print(report({game: answered[game] for game in asked}))


def wanted(options: argparse.Namespace) -> Iterator[Wanted]:
    """Yield the games to play: all crews and sizes advance together, and each game comes once more under options."""
    for number in range(options.games):
        for gnomes in options.gnomes:
            for crew in options.crews:
                for variant in (None, number % len(VARIANTS)):
                    yield Wanted(crew, gnomes, variant, number, options.replays)


def read(log: Path) -> dict[Wanted, Wire]:
    """Return what the present sources answered, by game."""
    lines = map(json.loads, log.read_text().splitlines()) if log.exists() else []
    return {Wanted(**line["game"]): line for line in lines if line["sources"] == sources()}


@cache
def sources() -> str:
    """Name what decides how crews play and which chances they are told."""
    return f"{ladder.sources()} {hashlib.sha256(network.CHANCES_FILE.read_bytes()).hexdigest()[:8]}"


def answers(game: Wanted) -> Wire:
    """Play a game; return how it ended, which chances were told at some of its turns, and what became of one again."""
    chance = random.Random(repr(game))
    rules, crew = game.rules, [of_bot(bot) for bot in game.seats]
    begun = crews.starts(rules, SEED, range(game.number, game.number + 1))
    results, lines = crews.play(_brains(game), begun)
    turns, _ = replayed(begun, lines[0][lines[0] != NO_MOVE].tolist())
    known = [turn.begun for turn in turns if turn.number > 0]
    chosen = chance.sample(known, min(ASKED, len(known)))
    asked = []
    for record in chosen:
        position, seed = Game(copied(record), rules), chance.getrandbits(62)
        best = explain(observe(position, position.decider), ADVICE, seed, crew=crew)["plans"][0]
        asked.append(
            {
                "turn": int(record[0].turn),
                "odds": round(chance_of_rescue(position, seed, crew), 4),
                "advice": round(best["rescue_rate"] or 0.0, 4),
                "error": round(best["error"] or 0.0, 4),
            }
        )
    again = _again(game, chosen[0], chance)
    return {"rescued": bool(results[0, crews.RESCUED]), "asked": asked, "again": again}


def _brains(game: Wanted) -> list[Brain]:
    return [Brain.of(bot) for bot in game.seats]


def _again(game: Wanted, record: np.ndarray, chance: random.Random) -> int:
    """Return how many games are saved that go on from a turn under other dice."""
    if game.replays == 0:
        return 0
    records = []
    for _ in range(game.replays):
        records.append(copied(record))
        records[-1]["key"][0] = (chance.getrandbits(64), chance.getrandbits(64))
    return int(crews.play(_brains(game), np.concatenate(records))[0][:, crews.RESCUED].sum())


Answered = dict[Wanted, Wire]


def report(answered: Answered) -> str:
    """Tell how honest chances were: by crew and size, by option, in ten bins, and in a sentence for each place."""
    return "\n\n".join([_groups(answered), _bins(answered), *(verdict(answered, site) for site in SITES)])


def _groups(answered: Answered) -> str:
    """Return a table of crews and sizes, then of options."""
    groups: dict[str, Answered] = {}
    for game in sorted(answered, key=lambda game: -1 if game.variant is None else game.variant):
        groups.setdefault(_group(game), {})[game] = answered[game]
    rows = ["| crew | chances | saved |" + "".join(f" {site} told | off by | by chance |" for site in SITES)]
    rows.append("|---" * (3 + 3 * len(SITES)) + "|")
    for name, lines in groups.items():
        cells = [name, str(len(calibration(lines, "odds").told)), _percent(calibration(lines, "odds").saved.mean())]
        for site in SITES:
            told = calibration(lines, site)
            gap = told.gap()
            cells += [_percent(told.told.mean()), f"{100 * gap.mean:.1f} ± {100 * gap.error:.1f}"]
            cells.append(f"{100 * gap.by_chance:.1f}")
        rows.append(f"| {' | '.join(cells)} |")
    return "\n".join(rows)


def _group(game: Wanted) -> str:
    if game.variant is None:
        return f"{game.gnomes} {game.crew}"
    return ", ".join(f"`{option}` {value}" for option, value in VARIANTS[game.variant].items())


def _bins(answered: Answered) -> str:
    """Return a table of the ten bins, over all games."""
    rows = ["| told |" + "".join(f" {site}: chances | told | saved |" for site in SITES)]
    rows.append("|---" * (1 + 3 * len(SITES)) + "|")
    sides = [calibration(answered, site).bins() for site in SITES]
    for number, each in enumerate(zip(*sides, strict=True)):
        cells = [_span(number)]
        for found in each:
            cells += [str(found.chances), _percent(found.told), _percent(found.saved)] if found else ["0", "", ""]
        rows.append(f"| {' | '.join(cells)} |")
    return "\n".join(rows)


def calibration(answered: Answered, site: str) -> Calibration:
    """Return the chances that were told in one place, each with an end: the game's, or one of those that went on."""
    told: list[float] = []
    saved: list[bool] = []
    ends: list[int] = []  # chances of a game have its end in common
    for game, line in answered.items():
        told += [each[site] for each in line["asked"]] + [line["asked"][0][site]] * game.replays
        saved += [line["rescued"]] * len(line["asked"]) + [at < line["again"] for at in range(game.replays)]
        first = ends[-1] + 1 if ends else 0
        ends += [first] * len(line["asked"]) + list(range(first + 1, first + 1 + game.replays))
    return Calibration(told, saved, ends)


def verdict(answered: Answered, site: str) -> str:
    """Tell how far the chances of one place are off, and where most."""
    told = calibration(answered, site)
    gap, worst = told.gap(), told.worst()
    where = ""
    if worst:
        number, found = worst
        where = f"; worst bin {_span(number)}: told {_percent(found.told)}, saved {_percent(found.saved)}"
    beyond = model_error(
        [
            Replayed(first[site], first["error"] if site == "advice" else 0.0, line["again"], game.replays)
            for game, line in answered.items()
            for first in line["asked"][:1]
            if game.replays > 1
        ]
    )
    return (
        f"{site}: off by {100 * gap.mean:.1f} points on average (± {100 * gap.error:.1f}; {100 * gap.by_chance:.1f} "
        f"by chance alone){where}; model error {100 * beyond.root_mean_square:.1f} points ({100 * beyond.low:.1f} to "
        f"{100 * beyond.high:.1f})"
    )


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def _span(number: int) -> str:
    return f"{number * 100 // BINS}–{(number + 1) * 100 // BINS} %"


if __name__ == "__main__":
    main()
