"""`make duel`: compare two ways of deciding in whole games on the same seeds, in compiled code, by the thousand.

A way is the name of a bot, or playouts,candidates,wide,minutes,most; "0" is a sailor, and --weights and --network try
other numbers for the first. Each batch of games is a line of the log, and a run that was stopped goes on behind it.
What the games of one log are compared by must be the same, so the log tells the sources; other lines are passed over.
"""

import argparse
import hashlib
import json
import math
import sys
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np

from bots.arena import crews
from bots.arena.crews import Brain
from bots.arena.statistics import paired_difference, wilson
from bots.budget import HORIZON
from bots.roster import ROSTER
from bots.sailor import weights
from bots.search import network
from bots.skill import Skill
from engine import Rules
from engine.compiled.jit import source_key
from engine.rules import CHALLENGES, EDITIONS

Line = dict[str, Any]  # of the log, as JSON
BATCH = 20  # games
DEVELOPMENT = 7  # the seed of games that are looked at while bots are made; `make ladder` plays others


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--one", type=_brain, required=True, metavar="P,C,W,M,T")
    parser.add_argument("--other", type=_brain, required=True, metavar="P,C,W,M,T")
    parser.add_argument("--gnomes", type=_numbers, default=[4, 6], metavar="N,…")
    parser.add_argument("--games", type=int, default=1000, help="a size, and each way")
    parser.add_argument("--seed", type=int, default=DEVELOPMENT)
    parser.add_argument("--weights", type=Path, default=weights.FILE, help="of the first's sailors")
    parser.add_argument("--network", type=Path, default=network.FILE, help="of the first")
    parser.add_argument("--edition", choices=EDITIONS, default="revised")
    parser.add_argument("--greater-challenge", choices=CHALLENGES, default="off")
    for option in ("less-deadly-dying", "hidden-hands", "crazed-gnomes"):
        parser.add_argument(f"--{option}", action="store_true", default=None if option == "hidden-hands" else False)
    parser.add_argument("--players", type=int)
    parser.add_argument("--log", type=Path, default=Path("build/duel.ndjson"))
    options = parser.parse_args()
    options.log.parent.mkdir(parents=True, exist_ok=True)
    for gnomes in options.gnomes:
        print(verdict(gnomes, _play(gnomes, options)), flush=True)


def _numbers(text: str) -> list[int]:
    return [int(part) for part in text.split(",")]


def _brain(text: str) -> Brain:
    if text.upper() in Skill.__members__:
        return Brain.of(text)
    numbers = _numbers(text)
    playouts, candidates, wide, minutes, most = numbers + [0, 1, 0, HORIZON, 0][len(numbers) :]
    return Brain(playouts, candidates, wide, minutes, _skill(playouts), most=most)


def _skill(playouts: int) -> Skill:
    """Return the bot that so many playouts are most like."""
    spends = {Skill[bot.name.upper()]: bot.budget.playouts for bot in ROSTER.values() if bot.level > 0}
    return min(spends, key=lambda skill: abs(math.log1p(spends[skill]) - math.log1p(playouts)))


def _play(gnomes: int, options: argparse.Namespace) -> list[Line]:
    """Return the batches of one size of crew, those of earlier runs included."""
    asked = {
        "one": repr(options.one), "other": repr(options.other), "seed": options.seed, "gnomes": gnomes,
        "rules": _rules(gnomes, options).to_dict(),
        "numbers": [_digest(options.weights), _digest(options.network), _digest(weights.FILE), _digest(network.FILE)],
        "sources": source_key("bots"),
    }  # fmt: skip
    lines = [json.loads(line) for line in options.log.read_text().splitlines()] if options.log.exists() else []
    played = {line["first"]: line for line in lines if all(line[name] == asked[name] for name in asked)}
    with options.log.open("a") as log:
        for first in range(0, options.games, BATCH):
            if first not in played:
                played[first] = {**asked, "first": first, **_batch(gnomes, first, options)}
                log.write(json.dumps(played[first]) + "\n")
                log.flush()
                print(verdict(gnomes, list(played.values())), end="\r", file=sys.stderr)
    return [played[first] for first in range(0, options.games, BATCH)]


def _rules(gnomes: int, options: argparse.Namespace) -> Rules:
    return Rules(
        gnomes, options.players, edition=options.edition, less_deadly_dying=options.less_deadly_dying,
        hidden_hands=options.hidden_hands, crazed_gnomes=options.crazed_gnomes,
        greater_challenge=options.greater_challenge,
    )  # fmt: skip


def _digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()[:12]


def _batch(gnomes: int, first: int, options: argparse.Namespace) -> Line:
    """Play some games both ways; return who was rescued, and the milliseconds of a turn."""
    begun = crews.starts(_rules(gnomes, options), options.seed, range(first, first + BATCH))
    ways = {
        "one": (options.one, weights.read(options.weights), network.read(options.network)),
        "other": (options.other, weights.read(weights.FILE), network.read(network.FILE)),
    }
    told: Line = {"rescued": {}, "deaths": {}, "turns": {}, "seconds": {}}
    for name, (brain, numbers, guesser) in ways.items():
        began = process_time()
        results, _ = crews.play([brain], begun, numbers, guesser)
        told["seconds"][name] = round(process_time() - began, 4)
        told["rescued"][name] = results[:, crews.RESCUED].tolist()
        told["deaths"][name], told["turns"][name] = (int(results[:, at].sum()) for at in (crews.DEATHS, crews.TURNS))
    return told


def verdict(gnomes: int, lines: list[Line]) -> str:
    """Tell what the batches show: rates with their intervals, the difference of pairs, and the time of a turn."""
    one, other = (np.concatenate([line["rescued"][name] for line in lines]) for name in ("one", "other"))
    difference, low, high = paired_difference(int((one > other).sum()), int((other > one).sum()), len(one))
    rates = [f"{100 * side.mean():.1f} ({_span(*wilson(int(side.sum()), len(side)))})" for side in (one, other)]
    milliseconds = [
        1000 * sum(line["seconds"][name] for line in lines) / sum(line["turns"][name] for line in lines)
        for name in ("one", "other")
    ]
    return (
        f"{gnomes} gnomes, {len(one)} games: {rates[0]} to {rates[1]} %, {100 * difference:+.1f} ({_span(low, high)}), "
        f"{milliseconds[0]:.2f} to {milliseconds[1]:.2f} ms a turn"
    )


def _span(low: float, high: float) -> str:
    return f"{100 * low:.1f} to {100 * high:.1f}"


if __name__ == "__main__":
    main()
