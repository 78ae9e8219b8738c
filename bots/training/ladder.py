"""Measure the bots: crews of each at each size, on the same held-out seeds, each level against the one below, and
admirals beside a weak comrade.

`make ladder` plays what its log lacks, so that it may be interrupted, and writes strength.json, which `GET /v1/bots`
and the README show; with `--share 0` it writes what the log has by now. Game n of a bot is game n of
`red-november match --seed 2030 --crew BOT --gnomes N`.

`sources` names the code that played. It is made of the sources alone, so anybody with the same commit finds the same:
`python -m bots.training.ladder --sources`.
"""

import argparse
import base64
import hashlib
import json
import math
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import version
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any, NamedTuple

import numpy as np

from bots.arena import crews
from bots.arena.crews import Brain
from bots.arena.game import play_game
from bots.arena.pool import all_cores, in_order
from bots.arena.progress import Progress
from bots.arena.recorded import play_recorded
from bots.arena.series import game_seed
from bots.arena.statistics import paired_difference, wilson
from bots.roster import ROSTER, STRENGTH
from bots.safety import BLUEPRINT
from bots.sailor import weights
from bots.search import network
from bots.search.playout import CREWS
from engine import Game, Rules
from engine.compiled.jit import PACKAGES
from engine.moves import NO_MOVE, move_id
from engine.rules import RULES_VERSION

Wire = dict[str, Any]  # lines of the log and of strength.json, which this module alone writes

SEED = 2030  # held out: others were looked at when bots were made
# What decides how bots play, beside the sailor's weights and the network.
SOURCES = (
    "engine/**/*.py", "bots/budget.py", "bots/roster.py", "bots/safety.py", "bots/skill.py", "bots/sailor/*.py",
    "bots/search/*.py", "bots/arena/crews.py", "bots/arena/game.py",
)  # fmt: skip
# At each size of crew. The easier the boat, the more alike the levels, and the more games it takes to tell them apart.
GAMES = {
    "cabin_boy": (200, 200, 200, 200, 200, 200),
    "sailor": (4000, 4000, 4000, 4000, 4000, 4000),
    "bosun": (1500, 1500, 1000, 1000, 1000, 1000),
    "captain": (1000, 1000, 1000, 1000, 1000, 1000),
    "admiral": (1000, 1000, 1000, 1000, 1000, 1000),
    "admiral,admiral,admiral,cabin_boy": (0, 1000, 0, 0, 0, 0),
    "admiral,admiral,admiral,clumsy": (0, 1000, 0, 0, 0, 0),
}
# Their seconds are a cap that a busy machine may reach, and another one not.
UNHURRIED = {name: replace(bot, budget=replace(bot.budget, seconds=math.inf)) for name, bot in ROSTER.items()}
BATCHES = 20
COMMAND = "make ladder"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--log", type=Path, default=Path("build/ladder.ndjson"), help="a line for each game played")
    parser.add_argument("--share", type=float, default=1.0, help="of the games to play")
    parser.add_argument("--processes", type=int, default=all_cores())
    parser.add_argument("--sources", action="store_true", help="tell which code would play, and play nothing")
    options = parser.parse_args()
    if options.sources:
        print(sources())
        return
    options.log.parent.mkdir(parents=True, exist_ok=True)
    wanted = list(_games(options.share))
    played = _read(options.log)
    _play([game for game in wanted if game not in played], options)
    STRENGTH.write_text(json.dumps(strength(_read(options.log)), indent=1) + "\n")


def _games(share: float) -> Iterator[tuple[str, int, int]]:
    """Yield bot, gnomes and number of each game; all sizes and bots advance together."""
    for batch in range(BATCHES):
        for at, gnomes in enumerate(CREWS):
            for bot, games in GAMES.items():
                each = int(games[at] * share) // BATCHES
                for number in range(batch * each, (batch + 1) * each):
                    yield bot, gnomes, number


def _read(log: Path) -> dict[tuple[str, int, int], Wire]:
    """Return the games that the present sources played, by bot, gnomes and number."""
    lines = map(json.loads, log.read_text().splitlines()) if log.exists() else []
    here = sources()
    return {(line["bot"], line["gnomes"], line["number"]): line for line in lines if line["sources"] == here}


@cache
def sources() -> str:
    """Hash what decides how bots play: the code, the sailor's weights, the network. Machines do not matter."""
    digest = hashlib.sha256()
    for pattern in SOURCES:
        for path in sorted(PACKAGES.glob(pattern)):
            digest.update(f"{path.relative_to(PACKAGES).as_posix()}\0".encode())
            digest.update(path.read_bytes())
    for file in (weights.FILE, network.FILE):
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


def _play(games: list[tuple[str, int, int]], options: argparse.Namespace) -> None:
    def play(at: int) -> Wire:
        bot, gnomes, number = games[at]
        began = process_time()  # others may be at work on this machine
        rules, seed = Rules(gnomes=gnomes), game_seed(SEED, number)
        result = play_mixed(bot.split(","), rules, seed) if "," in bot else play_one(bot, rules, seed)
        spent = 1000 * (process_time() - began)
        return {
            "bot": bot, "gnomes": gnomes, "number": number, "rescued": result.rescued, "deaths": result.deaths,
            "turn_ms": round(spent / max(1, result.turns), 3), "moves": result.moves, "sources": sources(),
        }  # fmt: skip

    progress = Progress(len(games), "games", sys.stderr)
    with options.log.open("a") as log, closing(in_order(play, len(games), options.processes, progress.show)) as results:
        for result in results:
            log.write(json.dumps(result) + "\n")
            log.flush()
            progress.done += 1
    progress.close()


class Played(NamedTuple):
    """A game: how it ended, and its moves for whoever wants to learn from them."""

    rescued: bool
    deaths: int
    turns: int
    moves: str


def play_one(bot: str, rules: Rules, seed: bytes) -> Played:
    """Play a game of one bot at all seats, as the service would; without the moves of sailors, who play them again in
    no time."""
    if bot == BLUEPRINT:
        result = play_game([bot], rules, seed)
        return Played(result.rescued, result.deaths, result.turns, "")
    result, game = play_recorded([bot], rules, seed, roster=UNHURRIED)
    return Played(result.rescued, result.deaths, result.turns, _packed([move_id(move) for move, _ in game.moves]))


def play_mixed(crew: Sequence[str], rules: Rules, seed: bytes) -> Played:
    """Play a game of several bots in compiled code, where clumsy ones can take part."""
    (result,), (moves,) = crews.play([Brain.of(bot) for bot in crew], Game.new(rules, seed).record)
    rescued, fell, turns = result[[crews.RESCUED, crews.DEATHS, crews.TURNS]].tolist()
    return Played(bool(rescued), fell, turns, _packed(moves[moves != NO_MOVE]))


def _packed(moves: Sequence[int] | np.ndarray) -> str:
    return base64.b64encode(np.array(moves, "<i2").tobytes()).decode()


def strength(played: dict[tuple[str, int, int], Wire]) -> Wire:
    """Return the results of the games, by bot and size, or by crew."""
    rows: dict[tuple[str, int], list[Wire]] = defaultdict(list)
    for (bot, gnomes, _), line in sorted(played.items()):
        rows[bot, gnomes].append(line)
    levels = [bot for bot in GAMES if "," not in bot]
    results: dict[str, list[Wire]] = {}
    for bot in levels:
        below = levels[levels.index(bot) - 1] if bot != levels[0] else None
        results[bot] = [_row(rows, bot, below, gnomes) for gnomes in CREWS if rows[bot, gnomes]]
    mixed = {
        crew: [_row(rows, crew, None, gnomes) for gnomes in CREWS if rows[crew, gnomes]]
        for crew in GAMES
        if crew not in levels
    }
    date = datetime.now(UTC).date().isoformat()
    engine = version("red-november")
    return {
        "command": COMMAND, "seed": SEED, "date": date, "engine": engine, "rules_version": RULES_VERSION,
        "sources": sources(), "bots": results, "crews": mixed,
    }  # fmt: skip


def _row(rows: dict[tuple[str, int], list[Wire]], bot: str, below: str | None, gnomes: int) -> Wire:
    lines = rows[bot, gnomes]
    wins = sum(line["rescued"] for line in lines)
    low, high = wilson(wins, len(lines))
    row = {
        "gnomes": gnomes,
        "games": len(lines),
        "rescued": _rounded(wins / len(lines)),
        "low": _rounded(low),
        "high": _rounded(high),
        "deaths": _rounded(sum(line["deaths"] for line in lines) / len(lines)),
        "turn_ms": round(median(line["turn_ms"] for line in lines), 3),
    }
    if below is not None:
        row["over_the_level_below"] = _lead(lines, rows[below, gnomes])
    return row


def _lead(lines: list[Wire], below: list[Wire]) -> Wire:
    """Compare two bots on the seeds that both played."""
    theirs = {line["number"]: line["rescued"] for line in below}
    pairs = [(line["rescued"], theirs[line["number"]]) for line in lines if line["number"] in theirs]
    difference, low, high = paired_difference(pairs.count((True, False)), pairs.count((False, True)), len(pairs))
    return {"games": len(pairs), "lead": _rounded(difference), "low": _rounded(low), "high": _rounded(high)}


def _rounded(value: float) -> float:
    return round(value, 4)


if __name__ == "__main__":
    main()
