"""`make missed`: count what bots lose by turns that they never think of.

In positions of the ladder's games, half of them from lost ones, a slow search over all turns that lead anywhere looks
for a better one than was made. Both are tried again under dice that had no part in the pick: in short trials, as
searches judge, which tells little differences apart; and captains play the game on, which is no guess. Each position is
a line of the log, and a run that was stopped goes on behind it.
"""

import argparse
import base64
import json
import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import chain, zip_longest
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

import numpy as np

from bots.arena import crews
from bots.arena.crews import Brain
from bots.arena.series import game_seed
from bots.arena.statistics import Z, paired_difference
from bots.budget import Budget
from bots.search.contest import MOST_CHOICES
from bots.search.search import Search, Stakes
from bots.skill import Skill, of_bot
from bots.training import ladder
from engine import Game, Rules, observe
from engine.enums import Phase
from engine.moves import WIRE
from engine.shapes import Move

Wire = dict[str, Any]  # lines of the logs

LISTED = 24  # plans of rules of thumb; the rest of all choices are turns that those would not make
PLAYOUTS = 3000  # on the plans; each other turn gets as many as one of them
TRIALS = 4000  # of each of two turns
JUDGE = Brain(playouts=100, candidates=8, wide=12, minutes=2, skill=Skill.CAPTAIN)  # a captain in a hurry
MUCH = 0.03  # of a rescue, which hardly any decision should lose


@dataclass(frozen=True)
class Missed:
    """What a search found beside the turn that was made, and by how much it is better: its lead in trials, and how
    often captains saved the boat after each alone."""

    bot: str
    gnomes: int
    number: int
    turn: int
    made: list[Move]
    found: list[Move]
    lead: float = 0.0
    pairs: int = 0
    only_found: int = 0
    only_made: int = 0

    @property
    def gain(self) -> float:
        return (self.only_found - self.only_made) / max(1, self.pairs)

    @property
    def is_much(self) -> bool:
        """Return whether the turn that was found is better by more than a little beyond doubt."""
        return self.pairs > 0 and paired_difference(self.only_found, self.only_made, self.pairs)[1] > MUCH


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ladder", type=Path, default=Path("build/ladder.ndjson"), help="the log with the games")
    parser.add_argument("--log", type=Path, default=Path("build/missed.ndjson"))
    parser.add_argument("--bot", default="admiral")
    parser.add_argument("--positions", type=int, default=2000)
    parser.add_argument("--pairs", type=int, default=40, help="of games after a position")
    options = parser.parse_args()
    options.log.parent.mkdir(parents=True, exist_ok=True)
    lines = [json.loads(line) for line in options.log.read_text().splitlines()] if options.log.exists() else []
    key = {"pairs_each": options.pairs, "sources": ladder.sources()}
    known = [Missed(**line["missed"]) for line in lines if key.items() <= line.items()]
    done = {(each.gnomes, each.number): each for each in known if each.bot == options.bot}
    seen: list[Missed] = []
    with options.log.open("a") as log:
        for line in games(options.ladder, options.bot, options.positions):
            missed = done.get((line["gnomes"], line["number"])) or look(line, options.pairs)
            seen.append(missed)
            if (line["gnomes"], line["number"]) not in done:
                log.write(json.dumps({**key, "missed": asdict(missed)}) + "\n")
                log.flush()
                print(verdict(seen), end="\r", file=sys.stderr)
    print(verdict(seen))


def games(log: Path, bot: str, most: int) -> list[Wire]:
    """Return games of a bot that the ladder's log has the moves of: lost and saved ones in turn, sizes mixed."""
    found = [line for line in map(json.loads, log.read_text().splitlines()) if line["bot"] == bot]
    found.sort(key=lambda line: (line["number"], line["gnomes"]))
    lost, saved = ([line for line in found if line["rescued"] == rescued] for rescued in (False, True))
    in_turn = chain.from_iterable(zip_longest(lost, saved))
    return [line for line in in_turn if line][:most]


def look(line: Wire, pairs: int) -> Missed:
    """Judge one turn of a game, any of them."""
    chance = random.Random(f"{line['gnomes']} {line['number']}")
    game, made = chance.choice(list(turns(line)))
    found = best_turn(game, line["bot"])
    missed = Missed(line["bot"], line["gnomes"], line["number"], int(game.record["turn"][0]), made, found)
    return missed if found == made else judged(missed, game, pairs, chance)


def turns(line: Wire) -> Iterator[tuple[Game, list[Move]]]:
    """Yield each position at the start of a turn, and the moves made there, up to the first surprise."""
    game = Game.new(Rules(line["gnomes"]), game_seed(ladder.SEED, line["number"]))
    moves = [WIRE[move] for move in np.frombuffer(base64.b64decode(line["moves"]), "<i2").tolist()]
    turn = -1
    for at, move in enumerate(moves):
        state = game.record[0]
        if state.phase == Phase.MOVEMENT and state.turn != turn and len(game.legal_moves()) > 1:
            yield game.copy(), _planned(game.copy(), moves[at:])
        turn = int(state.turn)
        game.play(move)


def _planned(game: Game, moves: Sequence[Move]) -> list[Move]:
    """Return the first of the moves, as many as were planned: those before something that nobody could foresee."""
    seat, turn = game.decider, int(game.record["turn"][0])
    planned: list[Move] = []
    for move in moves:
        state = game.record[0]
        phases = (Phase.MOVEMENT, Phase.HATCH, Phase.TRADE_GIVE)
        if state.phase not in phases or state.turn != turn or game.decider != seat:
            break
        planned.append(move)
        game.play(move)
    return planned


def best_turn(game: Game, bot: str) -> list[Move]:
    """Return the best of all turns that a slow search finds, in a crew of a bot."""
    search = _search(game, bot, seed=game.version)
    return search.wire(search.run(Budget(PLAYOUTS, LISTED, wide=MOST_CHOICES - LISTED)))


def _search(game: Game, bot: str, seed: int) -> Search:
    seat = game.decider
    assert seat is not None
    return Search(observe(game, seat), Stakes(seat, crew=[of_bot(bot)] * game.rules.gnomes), seed)


def worth(missed: Missed, game: Game, turn: Sequence[Move], seed: int) -> float:
    """Return what a turn comes to in trials."""
    search = _search(game, missed.bot, seed)
    search.begin(Budget(playouts=1, candidates=1))
    return search.weigh(turn, TRIALS).mean


def judged(missed: Missed, game: Game, pairs: int, chance: random.Random) -> Missed:
    """Try both turns, and let captains play on from both, pair by pair under the same fresh dice."""
    seed = chance.getrandbits(62)
    lead = worth(missed, game, missed.found, seed) - worth(missed, game, missed.made, seed)
    keys = [(chance.getrandbits(64), chance.getrandbits(64)) for _ in range(pairs)]
    found, made = (saved(game, turn, keys) for turn in (missed.found, missed.made))
    only_found, only_made = int((found > made).sum()), int((made > found).sum())
    return replace(missed, lead=lead, pairs=pairs, only_found=only_found, only_made=only_made)


def saved(game: Game, turn: Sequence[Move], keys: Sequence[tuple[int, int]]) -> np.ndarray:
    """Return 1 for each key under which captains save the boat after a turn, else 0."""
    begun = []
    for key in keys:
        trial = game.copy()
        trial.record["key"][0] = key
        for move in turn:
            trial.play(move)
        begun.append(trial.record)
    return crews.play([JUDGE], np.concatenate(begun))[0][:, crews.RESCUED]


def verdict(seen: Sequence[Missed]) -> str:
    """Tell how much a decision loses on average, with 95 % intervals, and how often it loses much."""
    other, much = sum(each.pairs > 0 for each in seen), sum(each.is_much for each in seen)
    return (
        f"{len(seen)} positions: another turn in {other}, which gains {_mean([each.lead for each in seen])} points a "
        f"decision in trials, over {100 * MUCH:.0f} in {sum(each.lead > MUCH for each in seen)}; "
        f"{_mean([each.gain for each in seen])} in games of captains, surely over {100 * MUCH:.0f} in {much}"
    )


def _mean(gains: Sequence[float]) -> str:
    error = Z * stdev(gains) / len(gains) ** 0.5 if len(gains) > 1 else 1.0
    return f"{100 * fmean(gains):+.2f} (± {100 * error:.2f})"


if __name__ == "__main__":
    main()
