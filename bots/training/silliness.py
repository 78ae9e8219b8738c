"""`make silliness`: count turns that look silly to whoever sits at the table, per hundred turns.

Each is counted by what is on the board, whatever the gnome thought:

- `idle`: the turn's action was `no_action`. `idle_beside_work`: so it was, no water flowed on the way, and the sailor's
  plans for the turn had one to do something, rated more than 3 minutes above any plan to idle.
- `put_off`: a Destruction token was on the Time Track that later destroyed the boat; the gnome could get there and
  remove it in time with a chance of at least a half, all that they held considered; and they tried to remove none.
- `to_and_fro`: a gnome went from A to B, did nothing there, let no water flow, and went back to A in their next turn.
  Whoever left a fire, high water or the sea was fleeing, and is not counted.
- `given_back`: an item came back to who gave it, within two rounds of turns.
- `shut_in`: asked which hatch an event blocks, they chose one behind which a gnome has no open hatch left, or which
  cuts a room with something to repair, a track at 6 or more or a token ahead, off from everybody; though another
  choice did neither.

It plays games of a crew in compiled code, or reads them: from the ladder's log (`--ladder LOG --crew BOT`), or as any
other tree played them (`--games FILE`, a line of JSON each: `rules`, `seed` as 64 hex digits, `moves` as ids).
`--save FILE` writes such lines. The same games are counted the same everywhere.
"""

import argparse
import base64
import json
import sys
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from bots.arena import crews
from bots.arena.crews import Brain
from bots.arena.pool import JobFailed, all_cores, in_order
from bots.arena.progress import Progress
from bots.arena.series import game_seed
from bots.arena.statistics import Z
from bots.training import ladder
from bots.training.duel import DEVELOPMENT
from bots.training.follies import KINDS, Folly, follies
from bots.training.replayed import replayed
from engine import Game, Rules
from engine.enums import Cause
from engine.moves import NO_MOVE

Wire = dict[str, Any]  # games and counts as JSON

Batch = Callable[[], list[Wire]]  # reads or plays some games

BATCH = 10  # games
TOLD = 10  # turns of each kind that are named


@dataclass(frozen=True)
class Counted:
    """What was found in a game."""

    gnomes: int
    seed: str
    rescued: bool
    turns: int
    found: list[Folly]


@dataclass
class Group:
    """What was found in all games of one size."""

    games: list[Counted] = field(default_factory=list)

    def rate(self, kind: str) -> tuple[float, float]:
        """Return how many there are per 100 turns, and the standard error; the turns of a game are not independent."""
        turns = np.array([game.turns for game in self.games])
        found = np.array([sum(folly.kind == kind for folly in game.found) for game in self.games])
        rate = found.sum() / max(1, turns.sum())
        error = np.sqrt(((found - rate * turns) ** 2).sum()) / max(1, turns.sum())
        return 100 * float(rate), 100 * float(error)

    def to_dict(self) -> Wire:
        count = Counter(folly.kind for game in self.games for folly in game.found)
        rates = {kind: self.rate(kind) for kind in KINDS}
        return {
            "gnomes": self.games[0].gnomes,
            "games": len(self.games),
            "rescued": sum(game.rescued for game in self.games),
            "turns": sum(game.turns for game in self.games),
            "found": {
                kind: {"count": count[kind], "per_100_turns": round(rate, 4), "error": round(error, 4)}
                for kind, (rate, error) in rates.items()
            },
            "first": {kind: self._first(kind) for kind in KINDS},
        }

    def _first(self, kind: str) -> list[Wire]:
        places = [
            {"seed": game.seed, "turn": folly.turn} for game in self.games for folly in game.found if folly.kind == kind
        ]
        return places[:TOLD]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--crew", default="captain", metavar="BOT,…", help="one for all seats, or in turn")
    parser.add_argument("--gnomes", default="4,6", metavar="N,…")
    parser.add_argument("--count", type=int, default=1000, help="games of all sizes")
    parser.add_argument("--seed", type=int, default=DEVELOPMENT)
    parser.add_argument("--ladder", type=Path, help="read the crew's games from this log")
    parser.add_argument("--sources", help="which code played those games; today's, if left out")
    parser.add_argument("--games", type=Path, help="read games from this file")
    parser.add_argument("--save", type=Path, help="write the games to this file")
    parser.add_argument("--json", type=Path, help="write the counts to this file")
    parser.add_argument("--processes", type=int, default=all_cores())
    options = parser.parse_args()
    try:
        lines, told = counted(batches(options), options.processes)
    except JobFailed as error:
        sys.exit(str(error))
    print(table(told))
    if options.save:
        options.save.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    if options.json:
        asked = {name: str(value) for name, value in vars(options).items() if value is not None}
        options.json.write_text(json.dumps({"asked": asked, "sources": ladder.sources(), "groups": told}, indent=1))


def batches(options: argparse.Namespace) -> list[Batch]:
    """Return what reads or plays the games that are asked for, some at a time."""
    if options.games:
        lines = [json.loads(line) for line in options.games.read_text().splitlines()]
    elif options.ladder:
        lines = logged(options.ladder, options.crew, options.sources or ladder.sources())
    else:
        crew = [Brain.of(bot) for bot in options.crew.split(",")]
        sizes = [int(gnomes) for gnomes in options.gnomes.split(",")]
        each = range(options.count // len(sizes))
        return [
            partial(play, crew, gnomes, options.seed, each[first : first + BATCH])
            for first in each[::BATCH]
            for gnomes in sizes
        ]
    return [partial(list, lines[first : first + BATCH]) for first in range(0, len(lines), BATCH)]


def logged(log: Path, bot: str, sources: str) -> list[Wire]:
    """Return a bot's games of the ladder's log, which has no moves of sailors."""
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    return [
        {
            "rules": {"gnomes": line["gnomes"]},
            "seed": game_seed(ladder.SEED, line["number"]).hex(),
            "moves": np.frombuffer(base64.b64decode(line["moves"]), "<i2").tolist(),
        }
        for line in lines
        if line["bot"] == bot and line["sources"] == sources and line["moves"]
    ]


def play(crew: list[Brain], gnomes: int, seed: int, numbers: range) -> list[Wire]:
    """Play games of a crew of so many."""
    _, moves = crews.play(crew, crews.starts(Rules(gnomes), seed, numbers))
    return [
        {"rules": {"gnomes": gnomes}, "seed": game_seed(seed, number).hex(), "moves": line[line != NO_MOVE].tolist()}
        for number, line in zip(numbers, moves, strict=True)
    ]


def counted(games: list[Batch], processes: int) -> tuple[list[Wire], list[Wire]]:
    """Return all games, and what was found in them by number of gnomes."""

    def job(at: int) -> list[tuple[Wire, Counted]]:
        return [(line, count(line)) for line in games[at]()]

    progress = Progress(len(games), "batches", sys.stderr)
    lines: list[Wire] = []
    groups: dict[int, Group] = {}
    with closing(in_order(job, len(games), processes, progress.show)) as results:
        for result in results:
            progress.done += 1
            for line, found in result:
                lines.append(line)
                groups.setdefault(found.gnomes, Group()).games.append(found)
    progress.close()
    return lines, [groups[gnomes].to_dict() for gnomes in sorted(groups)]


def count(line: Wire) -> Counted:
    """Return what is found in a game."""
    rules = Rules.from_dict(line["rules"])
    turns, end = replayed(Game.new(rules, bytes.fromhex(line["seed"])).record, line["moves"])
    rescued = bool(end[0].cause == Cause.RESCUED)
    return Counted(rules.gnomes, line["seed"], rescued, turns[-1].number, list(follies(turns, end)))


def table(groups: list[Wire]) -> str:
    """Return the counts as a table in Markdown, each with its 95 % interval."""
    names = " | ".join(kind.replace("_", " ") for kind in KINDS)
    rows = [f"| per 100 turns | games | turns | {names} |", "|---" * (len(KINDS) + 3) + "|"]
    for group in groups:
        rates = [f"{of['per_100_turns']:.2f} ± {Z * of['error']:.2f}" for of in group["found"].values()]
        rows.append(
            " | ".join([f"| {group['gnomes']} gnomes", str(group["games"]), str(group["turns"]), *rates]) + " |"
        )
    return "\n".join(rows)


if __name__ == "__main__":
    main()
