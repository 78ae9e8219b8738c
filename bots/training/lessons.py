"""`make lessons`: play games of mixed crews, from which the network learns what becomes of each.

A lesson is some games of one crew under one set of rules, both drawn by its number, and a file of its own: what is
there is not played again. Only moves and results are kept, so that lessons outlive changes of what the network sees.
"""

import argparse
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
from numba import types

from bots.arena import crews
from bots.arena.crews import Brain
from bots.arena.pool import all_cores, in_order
from bots.arena.progress import Progress
from bots.search import features
from bots.search.playout import CREWS, deaths
from bots.skill import Skill
from engine import Rules
from engine.compiled import legal, turn
from engine.compiled.jit import compiled
from engine.compiled.journal import JOURNALS, SILENT
from engine.compiled.state import RECORDS, Cells, Games, Journals, MoveLists, Table, new_records
from engine.enums import SEATS, Phase
from engine.moves import MOVE_LISTS, NO_MOVE, new_moves

FOLDER = Path("build/lessons")
GAMES = 12  # of a lesson
SEED = 11  # of the games' set-ups; neither `make duel` nor `make ladder` plays them

TEACHERS = {skill: Brain.of(skill.name.lower()) for skill in Skill}  # those of the roster, and a clumsy one
ALIKE = 0.6  # of lessons have a crew of one skill
OF_ALL = (0.02, 0.04, 0.04, 0.15, 0.67, 0.08)  # how often which one; admirals take long
OF_EACH = (0.15, 0.2, 0.2, 0.1, 0.3, 0.05)  # how often a seat of a mixed crew has each
VARIANTS: tuple[dict[str, Any], ...] = (  # arguments of Rules
    {"edition": "original"},
    {"less_deadly_dying": True},
    {"greater_challenge": "no_respite"},
    {"greater_challenge": "storm"},
    {"hidden_hands": True},
    {"crazed_gnomes": True},
)
VARIED = 0.36  # of lessons are under one of them
ONE_TURN_OF = 4  # is learnt from

_FLOATS = types.Array(types.float32, 2, "C")
_LINES = types.Array(types.int64, 2, "C")
_SKILLS = types.Array(types.int64, 1, "C")


def lesson(number: int) -> tuple[Rules, list[Skill]]:
    """Return the rules and the crew of a lesson."""
    chance = np.random.default_rng((SEED, number))
    gnomes = int(chance.choice(CREWS))
    variant = VARIANTS[int(chance.integers(len(VARIANTS)))] if chance.random() < VARIED else {}
    if chance.random() < ALIKE:
        crew = [Skill(int(chance.choice(len(Skill), p=OF_ALL)))] * gnomes
    else:
        crew = [Skill(int(skill)) for skill in chance.choice(len(Skill), size=gnomes, p=OF_EACH)]
    return Rules(gnomes, **variant), crew


def numbers_of(folder: Path) -> list[int]:
    """Return the lessons that were played."""
    return sorted(int(file.stem) for file in folder.glob("*.npz") if file.stem.isdigit())


def starts(number: int) -> np.ndarray:
    rules, _ = lesson(number)
    return crews.starts(rules, SEED, range(number * GAMES, (number + 1) * GAMES))


def play(folder: Path, number: int) -> float:
    """Play a lesson and write its file; return how many of its boats were saved."""
    _, crew = lesson(number)
    results, lines = crews.play([TEACHERS[skill] for skill in crew], starts(number))
    longest = int((lines != NO_MOVE).sum(axis=1).max())
    part = folder / f"{number}.part.npz"  # so that a file is there as a whole or not at all
    np.savez_compressed(part, lines=lines[:, :longest].astype(np.int16), results=results)
    part.rename(folder / f"{number}.npz")
    return float(results[:, crews.RESCUED].mean())


def learnt_from(folder: Path, numbers: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
    """Return what is seen at some turns of those lessons, and how their games ended."""
    seen, ends = [], []
    for number in numbers:
        with np.load(folder / f"{number}.npz") as stored:
            lines, results = stored["lines"].astype(np.int64), stored["results"]
        rows, ended = (
            np.zeros((lines.shape[1], features.FEATURES), np.float32),
            np.zeros((lines.shape[1], 2), np.float32),
        )
        skills = np.zeros(SEATS, np.int64)
        crew = lesson(number)[1]
        skills[: len(crew)] = crew
        for game, line, result in zip(starts(number), lines, results, strict=True):
            record = new_records()
            record[0] = game
            found = _look_back(record, line[None], skills, ONE_TURN_OF, number, SILENT, new_moves(), rows, ended)
            ended[:found, 0] = result[crews.RESCUED]
            seen.append(rows[:found].astype(np.float16))
            ends.append(ended[:found].copy())
    return np.concatenate(seen), np.concatenate(ends)


@compiled(RECORDS, _LINES, _SKILLS, types.int64, types.int64, JOURNALS, MOVE_LISTS, _FLOATS, _FLOATS)
def _look_back(
    game: Games, line: Table, skills: Cells, one_of: int, salt: int, silent: Journals, moves: MoveLists, seen: Any,
    ends: Any,
) -> int:  # fmt: skip
    """Play the moves of a game again; write what is seen at some turns, and the deaths after them."""
    state, rows, turn_, made = game[0], 0, -1, 0
    count = legal.legal_moves(state, moves[0])
    while count > 0:
        if state.phase == Phase.MOVEMENT and state.turn != turn_:
            turn_ = state.turn + 0
            if (turn_ + salt) % one_of == 0:
                features.look(state, skills, seen[rows])
                ends[rows, 1] = -deaths(state)
                rows += 1
        count = turn.play(state, line[0, made], silent[0], moves[0])
        made += 1
    for row in range(rows):
        ends[row, 1] = max(0.0, ends[row, 1] + deaths(state))  # newcomers take the places of the dead
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=FOLDER)
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--processes", type=int, default=all_cores())
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    missing = [number for number in range(options.count) if not (options.folder / f"{number}.npz").exists()]
    progress = Progress(len(missing), "lessons", sys.stderr)
    saved: list[float] = []
    played = in_order(lambda at: play(options.folder, missing[at]), len(missing), options.processes, progress.show)
    with closing(played) as shares:
        for share in shares:
            saved.append(share)
            progress.done += 1
    progress.close()
    print(f"{len(saved)} lessons played, {np.mean(saved or [0]):.1%} of their boats saved")


if __name__ == "__main__":
    main()
